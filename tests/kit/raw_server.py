"""A dashboard server in a process of its own, and requests to it over plain sockets."""

import http.client
import os
import re
import socket
import subprocess
import sys
import time
from contextlib import contextmanager

from tests.kit.browser import ROOT

FOUND_OUT = "external address looked up"
PREPARE = f"""
import sys
from streamlit import net_util
net_util.get_external_ip = net_util.get_internal_ip = lambda: print({FOUND_OUT!r}, flush=True)
"""
START = {
    "serve": "from dpviz.ui.server import serve; sys.exit(serve.main(sys.argv[1:]))",
    "streamlit run": (
        "from streamlit.web import cli;"
        "sys.argv = ['streamlit', 'run', 'app.py', *sys.argv[1:]]; sys.exit(cli.main())"
    ),
    "uvicorn": "import app, uvicorn; uvicorn.run(app.app, port=int(sys.argv[2]))",
}


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@contextmanager
def dashboard(folder, how="serve", prepare="", *options):
    """Port, process and log of a server; ``prepare``: Python that runs before it starts."""
    port, log = free_port(), folder / "log"
    command = [sys.executable, "-c", f"{PREPARE}\n{prepare}\n{START[how]}"]
    command += ["--server.port", str(port), *options]
    environment = os.environ | {"DPVIZ_CACHE": str(folder / "cache")}
    with log.open("w") as out:
        process = subprocess.Popen(
            command, cwd=ROOT, env=environment, stdout=out, stderr=subprocess.STDOUT
        )
        try:
            until_healthy(port, process)
            yield port, process, log
        finally:
            process.kill()
            process.wait()


def until_healthy(port, process, seconds=60):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        assert process.poll() is None, "the server ended before it answered"
        try:
            if ask(port, "/_stcore/health")[0] == 200:
                return
        except OSError:
            time.sleep(0.1)
    raise AssertionError(f"the server did not answer within {seconds} s")


def ask(port, path, method="GET", body=None, **headers):
    """Status, headers and body of one request; ``Host`` is the server's own unless given."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    try:
        given = {"Host": f"127.0.0.1:{port}"} | headers
        connection.request(method, path, body, given)
        answer = connection.getresponse()
        return answer.status, answer.headers, answer.read()
    finally:
        connection.close()


def open_socket(port, host, origin, extra=""):
    """A connection that asked for Streamlit's WebSocket, and the status of the answer."""
    line = socket.create_connection(("127.0.0.1", port), 10)
    line.sendall(
        f"GET /_stcore/stream HTTP/1.1\r\nHost: {host}\r\nUpgrade: websocket\r\n"
        f"Connection: Upgrade\r\nSec-WebSocket-Key: {'A' * 22}==\r\nSec-WebSocket-Version: 13\r\n"
        f"Origin: {origin}\r\n{extra}\r\n".encode()
    )
    return line, int(re.match(rb"HTTP/1\.1 (\d+)", line.recv(65_536))[1])
