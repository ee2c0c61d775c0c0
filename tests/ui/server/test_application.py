"""Foreign hosts and origins, uploads in memory, and the end of the server, over real sockets."""

import signal
import socket
import subprocess
import sys
import time
from contextlib import contextmanager

import pytest
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.sync.client import connect

from tests.kit import raw_server
from tests.kit.raw_server import ask, dashboard, open_socket

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module", params=sorted(raw_server.START))
def server(request, tmp_path_factory):
    with dashboard(tmp_path_factory.mktemp("server"), request.param) as found:
        yield found


def pairs(port):
    """Host and Origin headers that are not the server's own."""
    own = f"127.0.0.1:{port}"
    return {
        "rebinding": ("evil.example", "http://evil.example"),
        "rebinding with port": (f"evil.example:{port}", f"http://evil.example:{port}"),
        "address of another machine": ("192.0.2.1", "http://192.0.2.1"),
        "other site": (own, "http://evil.example"),
        "other port": (own, "http://127.0.0.1:1"),
        "other name": (own, f"http://localhost:{port}"),
        "sandboxed page": (own, "null"),
    }


def test_foreign_requests_are_refused(server):
    port, _, log = server
    for name, (host, origin) in pairs(port).items():
        for path in ("/", "/_stcore/health", "/_stcore/upload_file/a/b"):
            status, headers, _ = ask(port, path, Host=host, Origin=origin)
            assert status in (403, 421), (name, path)
            assert headers["X-Content-Type-Options"] == "nosniff"
        line, status = open_socket(port, host, origin)
        line.close()
        assert status == 403, name
    assert raw_server.FOUND_OUT not in log.read_text()


def test_malformed_request_reveals_nothing_of_dashboard(server):
    """The HTTP server answers this one itself, without the security headers (SECURITY.md)."""
    port, _, _ = server
    with socket.create_connection(("127.0.0.1", port), 10) as line:
        line.sendall(b"GET / HTTP/1.1\r\nHost : x\r\n\r\n")
        answer = b""
        while part := line.recv(65_536):
            answer += part
    head, _, body = answer.partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 400 ") and b"x-content-type-options" not in head.lower()
    assert body == b"Invalid HTTP request received."


def test_own_requests_are_answered(server):
    port, _, _ = server
    for name in ("127.0.0.1", "localhost", "LOCALHOST", "127.0.0.2"):
        host = f"{name}:{port}"
        assert ask(port, "/", Host=host, Origin=f"http://{host}")[0] == 200
        line, status = open_socket(port, host, f"http://{host}")
        line.close()
        assert status == 101, name
    assert ask(port, "/", Accept="text/html")[0] == 200, "a navigation has no Origin"


def test_every_start_command_serves_the_same_page(server):
    port, _, _ = server
    _, headers, body = ask(port, "/trade-off", Accept="text/html")
    assert "frame-ancestors 'self'" in headers["Content-Security-Policy"]
    assert "dpviz_visitor=" in headers["Set-Cookie"] and b"One moment" in body
    assert b"<title>dpviz: what privacy costs</title>" in body and b"og:title" in body
    assert headers["Link"].endswith("rel=modulepreload")


def test_allowed_proxy_name_is_answered(tmp_path):
    options = ("--server.allowedHosts", "*.example.org", "--server.allowedHosts", "localhost")
    with dashboard(tmp_path, "streamlit run", "", *options) as (port, _, log):
        for host, allowed in {"a.example.org": 200, "example.net": 421}.items():
            origin = f"https://{host}"
            assert ask(port, "/_stcore/health", Host=host, Origin=origin)[0] == allowed
            line, status = open_socket(port, host, origin)
            line.close()
            assert status == (101 if allowed == 200 else 403)
        assert raw_server.FOUND_OUT not in log.read_text()


# --------------------------------------------------------------------------- uploads in memory

CAPS = """
try:
    from dpviz.ui.server import upload_limits
    upload_limits.SESSION_BYTES = 4 * 2**20
    upload_limits.SESSION_FILES = 6
    upload_limits.TOTAL_BYTES = 10 * 2**20
    upload_limits.CLOSED_SECONDS = upload_limits.CHECK_INTERVAL = 0.2
except ImportError:
    pass
"""


@contextmanager
def session(port):
    """The id of a session, which lasts as long as its WebSocket."""
    message = BackMsg()
    message.rerun_script.query_string = ""
    with connect(f"ws://127.0.0.1:{port}/_stcore/stream", subprotocols=["streamlit"]) as line:
        line.send(message.SerializeToString())
        answer = ForwardMsg()
        while answer.WhichOneof("type") != "new_session":
            answer.ParseFromString(line.recv(timeout=30))
        yield answer.new_session.initialize.session_id


def put(port, name, file, size, **headers):
    """Status of an upload."""
    body = (
        b'--x\r\nContent-Disposition: form-data; name="f"; filename="f"\r\n\r\n'
        + bytes(size)
        + b"\r\n--x--\r\n"
    )
    kind = {"Content-Type": "multipart/form-data; boundary=x"}
    path = f"/_stcore/upload_file/{name}/{file}"
    return ask(port, path, "PUT", body, **kind, **headers)[0]


def test_uploads_in_memory_are_capped_and_freed(tmp_path):
    options = ("--server.enableXsrfProtection", "false")
    with dashboard(tmp_path, "serve", CAPS, *options) as (port, _, _), session(port) as third:
        with session(port) as first, session(port) as second:
            for name in (first, second):
                found = [put(port, name, str(i), 2**20) for i in range(6)]
                assert found == [204] * 4 + [413] * 2, "4 MiB, and the form around each file"
            assert [put(port, third, str(i), 2**20) for i in range(3)] == [204, 204, 413]
        until = time.monotonic() + 10
        while put(port, third, "late", 2**20) != 204:
            assert time.monotonic() < until, "uploads of closed tabs still count"
            time.sleep(0.1)
        assert [put(port, third, f"empty{i}", 0) for i in range(4)] == [204, 204, 204, 413]


def test_chunked_upload_with_a_length_is_refused(server):
    port, _, _ = server
    with socket.create_connection(("127.0.0.1", port), 10) as line:
        line.sendall(
            f"PUT /_stcore/upload_file/a/b HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n"
            "Content-Length: 10\r\nTransfer-Encoding: chunked\r\n\r\n".encode()
        )
        assert line.recv(65_536).startswith(b"HTTP/1.1 411 ")


# ----------------------------------------------------------------------------- the server's end


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_server_without_reader_ends_within_five_seconds(tmp_path, monkeypatch, number):
    """Also while a WebSocket stays open whose client answers nothing."""
    monkeypatch.setenv("DPVIZ_CACHE", str(tmp_path))
    port = raw_server.free_port()
    process = subprocess.Popen(
        [sys.executable, "-m", "dpviz", "app", "--port", str(port)],
        cwd=raw_server.ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )
    try:
        raw_server.until_healthy(port, process)
        line, status = open_socket(port, f"127.0.0.1:{port}", f"http://127.0.0.1:{port}")
        assert status == 101
        process.stdout.close()
        process.send_signal(number)
        process.wait(5)
        line.close()
        with pytest.raises(ConnectionRefusedError):
            socket.create_connection(("127.0.0.1", port), 5)
    finally:
        process.kill()
        process.wait()
