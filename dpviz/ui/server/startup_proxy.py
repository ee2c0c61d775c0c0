"""The door stands open while the server gets ready: ``open_door`` before anything is imported that
takes seconds.

A process of its own answers with the page's opening and Streamlit's scripts, which a browser needs
a second to load and run, and holds what only the server can answer until it can. It leaves when the
server takes over the listening socket, or ends. Where processes cannot be forked there is none, and
the server opens its own door.
"""

from __future__ import annotations

import itertools
import mimetypes
import os
import re
import socket
import threading
import time
from collections.abc import Sequence
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from dpviz.machine.request_guard import Hosts, allowed_hosts, refusal
from dpviz.types import DpvizError
from dpviz.ui.server import link_previews, loading_page, security_headers, visitor_cookie

HOST = "127.0.0.1"
"""The door is this machine's own; a server that listens elsewhere opens its own."""
SCRIPT = re.compile(r"/(static/(?:js|css|media)/[\w.-]+|favicon\.png)", re.ASCII)
PAGE = re.compile(r"/[a-z-]*")
FOR_EVER = "public, immutable, max-age=31536000"
"""Streamlit's scripts have their content's checksum in their names."""
ELSEWHERE = ("--server.address", "--server.ssl", "--server.baseUrlPath")
"""How options begin by which the server listens or speaks in another way."""
NAMES = "--server.allowedHosts", "--browser.serverAddress"
NAMES_SETTING = "STREAMLIT_SERVER_ALLOWED_HOSTS"
#: Options and variable that name further hosts; the configuration file is not read here.
LEFT_OUT = ("connection", "content-length", "transfer-encoding")
#: Headers that are not passed on to the server, since no body is.
MOST_CONNECTIONS = 64
HEAD_SECONDS = 10.0
ANSWER_SECONDS = 120.0
CHECK_SECONDS = 0.5
BUSY = b"HTTP/1.0 503 Service Unavailable\r\nRetry-After: 1\r\nContent-Length: 0\r\n\r\n"
BEAT = 0.02
READY, GO = b"r", b"g"
"""What the server says: it answers from here on; it listens elsewhere."""


def port_of(words: Sequence[str]) -> int | None:
    """The port that Streamlit's options name; None where they do not, or where this door would not
    answer as the server does.
    """
    port = dict(itertools.pairwise(words)).get("--server.port", "")
    if any(word.startswith(ELSEWHERE) for word in words) or not port.isdecimal():
        return None
    return int(port)


def hosts_of(words: Sequence[str]) -> Hosts:
    """The hosts that Streamlit's options and environment allow on a loopback address."""
    pairs = [*itertools.pairwise(words), *(word.partition("=")[::2] for word in words)]
    given = [value for name, value in pairs if name in NAMES]
    return allowed_hosts([HOST], [*given, *os.environ.get(NAMES_SETTING, "").split()])


class Door:
    """The listening socket, and the process that answers for the server until it is ready."""

    def __init__(self, listening: socket.socket, child: int, tell: int) -> None:
        """listening: the socket that both have; child: its process; tell: a pipe's end."""
        self._listening, self._child, self._tell = listening, child, tell
        self.port = listening.getsockname()[1]

    def take_over(self) -> socket.socket:
        """The socket, for the server that answers from here on."""
        self._say(READY)
        threading.Thread(target=os.waitpid, args=(self._child, 0), daemon=True).start()
        self._listening.setblocking(False)
        return self._listening

    def shut(self) -> None:
        """Free the port; whoever waits at the door is not answered."""
        self._say(GO)
        self._listening.close()
        os.waitpid(self._child, 0)

    def _say(self, word: bytes) -> None:
        os.write(self._tell, word)
        os.close(self._tell)


def open_door(port: int, hosts: Hosts | None = None) -> Door | None:
    """Answer on ``port`` of this machine at once, from a process that this one begins.

    Call it before any thread is begun. ``hosts``: which Host headers are answered, loopback ones
    where none are given.

    Raises:
        DpvizError: where the port is taken, or not allowed.
    """
    if not hasattr(os, "fork"):
        return None
    # named, since asyncio sends small answers at once only on sockets that say so
    listening = socket.socket(proto=socket.IPPROTO_TCP)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((HOST, port))
        listening.listen(128)
    except OSError as error:
        listening.close()
        raise DpvizError(
            f"The dashboard cannot listen on port {port} ({error.strerror}); give --port another."
        ) from None
    hear, tell = os.pipe()
    child = os.fork()
    if child:
        os.close(hear)
        return Door(listening, child, tell)
    os.close(tell)
    try:
        os.setsid()  # who ends the server from the keyboard ends this one through the pipe
        _answer(listening, hear, hosts or hosts_of(()))
    finally:
        os._exit(0)


def _answer(listening: socket.socket, hear: int, hosts: Hosts) -> None:
    doorman = _Doorman(listening, hosts)
    serving = threading.Thread(target=doorman.serve_forever, args=(BEAT,), daemon=True)
    serving.start()
    word = os.read(hear, 1)
    doorman.shutdown()
    if word == READY:
        doorman.ready.set()
        doorman.server_close()  # waits for those that are held


class _Doorman(ThreadingHTTPServer):
    """Answers what needs no server, with a bounded number of threads."""

    daemon_threads = False
    block_on_close = True

    def __init__(self, listening: socket.socket, hosts: Hosts) -> None:
        super().__init__(listening.getsockname(), _Visit, bind_and_activate=False)
        self.socket.close()
        self.socket = listening
        self.ready = threading.Event()
        self.policy = security_headers.of_the_environment()
        self.script = loading_page.chart_script()
        self.hosts = hosts
        self._ends: dict[socket.socket, float] = {}
        self._lock = threading.Lock()
        threading.Thread(target=self._close_late, daemon=True).start()

    def process_request(self, request: Any, client_address: Any) -> None:
        """Answer in a thread, or refuse where there are too many."""
        with self._lock:
            free = len(self._ends) < MOST_CONNECTIONS
            if free:
                self._ends[request] = time.monotonic() + HEAD_SECONDS
        if free:
            super().process_request(request, client_address)
        else:
            with suppress(OSError):
                request.setblocking(False)
                request.send(BUSY)
            super().shutdown_request(request)

    def shutdown_request(self, request: Any) -> None:
        with self._lock:
            self._ends.pop(request, None)
        super().shutdown_request(request)

    def allow(self, request: socket.socket, seconds: float) -> None:
        """Give a connection more time."""
        with self._lock:
            if request in self._ends:
                self._ends[request] = time.monotonic() + seconds

    def _close_late(self) -> None:
        """Close connections whose time is over, so that their threads end."""
        while True:
            time.sleep(CHECK_SECONDS)
            now = time.monotonic()
            with self._lock:
                late = [request for request, end in self._ends.items() if end < now]
                for request in late:
                    with suppress(OSError):
                        request.shutdown(socket.SHUT_RDWR)

    def handle_error(self, *_: object) -> None:
        """A browser that went away is no error."""


class _Visit(BaseHTTPRequestHandler):
    """One request."""

    server: _Doorman
    timeout = HEAD_SECONDS

    def parse_request(self) -> bool:
        """Read the head, and refuse a foreign Host or Origin."""
        if not super().parse_request():
            return False
        self.server.allow(self.connection, ANSWER_SECONDS)
        told = [(name.lower(), value) for name, value in self.headers.items()]
        if found := refusal(told, self.server.hosts):
            self.send_error(found[0], found[1].strip())
            return False
        return True

    def do_GET(self) -> None:
        """Answer, or hold until the server can."""
        path = self.path.partition("?")[0]
        script = SCRIPT.fullmatch(path)
        file = loading_page.STATIC / script[1] if script else None
        if file and file.is_file():
            kind = mimetypes.guess_type(file.name)[0] or "application/octet-stream"
            self._give(kind, file.read_bytes(), {"Cache-Control": FOR_EVER})
        elif PAGE.fullmatch(path) and "text/html" in self.headers.get("Accept", ""):
            head = link_previews.head(path, self.headers.get("Host", ""), secure=False)
            plain = (loading_page.STATIC / "index.html").read_bytes()
            page = loading_page.opened(plain, self.server.script, head)
            cookie = visitor_cookie.line(self.headers.get("Cookie", ""), secure=False)
            more = {"Set-Cookie": cookie, "Cache-Control": "no-cache"}
            if self.server.script:
                more["Link"] = loading_page.preload(self.server.script)
            self._give("text/html; charset=utf-8", page, more)
        else:
            self._hold()

    def _give(self, kind: str, body: bytes, more: dict[str, str]) -> None:
        self.send_response_only(200)
        told = {"Content-Type": kind, "Content-Length": str(len(body))} | more
        for name, value in told.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def end_headers(self) -> None:
        """The policy is part of every answer, refusals too."""
        for name, value in self.server.policy.items():
            self.send_header(name, value)
        super().end_headers()

    def _hold(self) -> None:
        """Ask the server when it is ready, with the same head."""
        if self.headers.get("Upgrade") or not self.server.ready.wait(ANSWER_SECONDS):
            self.send_error(503)
            return
        told = [
            (name, value) for name, value in self.headers.items() if name.lower() not in LEFT_OUT
        ]
        lines = [self.requestline, *(f"{name}: {value}" for name, value in told)]
        address = self.server.server_address[:2]
        with socket.create_connection(address, ANSWER_SECONDS) as other:
            other.sendall("\r\n".join([*lines, "Connection: close", "", ""]).encode("latin-1"))
            while some := other.recv(65_536):
                self.wfile.write(some)

    def log_message(self, *_: object) -> None:
        """Say nothing: the server's own words are what its log is for."""
