"""Which Host and Origin headers a server answers."""

import asyncio
import socket
from concurrent.futures import ThreadPoolExecutor

import pytest

from dpviz.machine.request_guard import RequestGuard, allowed_hosts, refusal, same_origin

LOCAL = allowed_hosts(["127.0.0.1"])
OPEN = allowed_hosts(["0.0.0.0"], ["dash.example.org", "*.example.net"])
MALFORMED = ("", "localhost:x", "localhost/", "u@localhost", "localhost:1:2", "[::1", "löcalhost")


@pytest.mark.parametrize(
    ("hosts", "allowed", "refused"),
    [
        (
            LOCAL,
            ("localhost", "LocalHost:8501", "localhost.", "127.0.0.1:1", "127.9.9.9", "[::1]:8501"),
            ("evil.example", "192.0.2.1", "0.0.0.0", "127.1", "127.0.0.1.evil.example"),
        ),
        (
            OPEN,
            (
                *("192.0.2.1", "[2001:db8::1]", "localhost", "dash.example.org.", "a.example.net"),
                socket.gethostname(),
            ),
            ("example.org", "example.net", "aexample.net", "dash.example.org.evil.example"),
        ),
        (allowed_hosts(["127.0.0.1"], ["*"]), ("evil.example",), ()),
    ],
)
def test_allowed_and_refused_hosts(hosts, allowed, refused):
    assert all(map(hosts.allow, allowed))
    assert not any(map(hosts.allow, refused + MALFORMED))


def test_origin_equals_host_regardless_of_scheme():
    assert same_origin("http://a:1", "a:1") and same_origin("https://A:1", "a:1")
    for origin in ("http://a", "http://a:2", "null", "", "ftp://a:1", "http://a:1/", "http://b:1"):
        assert not same_origin(origin, "a:1")


def test_two_hosts_or_a_second_origin_are_refused():
    own = [("host", "localhost"), ("origin", "http://localhost")]
    assert refusal(own, LOCAL) is None
    for more in (("host", "localhost"), ("origin", "http://evil.example")):
        assert refusal([*own, more], LOCAL) is not None
    assert refusal([], LOCAL) is not None


def test_socket_is_closed_before_the_handshake():
    async def app(*_):
        pytest.fail("the application was called")

    sent = []

    async def send(message):
        sent.append(message)

    headers = [(b"host", b"evil.example"), (b"origin", b"http://evil.example")]
    scope = {"type": "websocket", "headers": headers}
    with ThreadPoolExecutor(1) as thread:
        thread.submit(asyncio.run, RequestGuard(app, lambda: LOCAL)(scope, None, send)).result()
    assert sent == [{"type": "websocket.close", "code": 1008}]
