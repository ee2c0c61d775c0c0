"""The door that stands open while the server gets ready."""

import asyncio
import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from http.client import HTTPException
from pathlib import Path

import pytest

from dpviz.machine import ownership
from dpviz.ui.server import (
    link_previews,
    loading_page,
    security_headers,
    startup_proxy,
    visitor_cookie,
)
from dpviz.ui.server.serve import main
from tests.kit.browser import ROOT

SERVER = """
import sys
from http.server import BaseHTTPRequestHandler, HTTPServer
from dpviz.ui.server import startup_proxy
opened = startup_proxy.open_door(0)
print(opened and opened.port, flush=True)
class Server(BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200)
        self.end_headers()
        self.wfile.write(f"server {self.path} {self.headers['X-Own']}".encode())
word = sys.stdin.readline()
if word == "take over\\n":
    server = HTTPServer(("127.0.0.1", 0), Server, bind_and_activate=False)
    server.socket = opened.take_over()
    server.serve_forever()
elif word == "shut\\n":
    opened.shut()
    print("shut", flush=True)
    sys.stdin.readline()
"""


@contextmanager
def opened(prepare=""):
    """A process with its door open, and its address; ``prepare``: Python that runs before."""
    command = [sys.executable, "-c", SERVER.replace("opened =", f"{prepare}\nopened =", 1)]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    process = subprocess.Popen(command, cwd=ROOT, text=True, **pipes)
    try:
        yield process, f"http://127.0.0.1:{int(process.stdout.readline())}"
    finally:
        process.kill()
        process.communicate()


def ask(address, **told):
    """Status, headers and body; a refusal is an answer too."""
    try:
        with urllib.request.urlopen(
            urllib.request.Request(address, headers=told), timeout=20
        ) as found:
            return found.status, found.headers, found.read()
    except urllib.error.HTTPError as error:
        return error.code, error.headers, b""


def test_the_door_gives_the_opening_and_scripts_and_holds_the_rest_for_the_server():
    page = (loading_page.STATIC / "index.html").read_bytes()
    with opened() as (process, address):
        status, told, body = ask(f"{address}/who-pays?ir=10", Accept="text/html")
        head = link_previews.head("/who-pays", address.removeprefix("http://"), secure=False)
        assert status == 200 and body == loading_page.opened(
            page, loading_page.chart_script(), head
        )
        assert (
            security_headers.headers()["content-security-policy"] == told["Content-Security-Policy"]
        )
        token = told["Set-Cookie"].partition(";")[0]
        assert (
            token
            == ask(address, Accept="text/html", Cookie=token)[1]["Set-Cookie"].partition(";")[0]
        )
        for script in re.findall(rb'src="\./(static/[^"]+)"', page):
            status, told, body = ask(f"{address}/{script.decode()}")
            assert body == (loading_page.STATIC / script.decode()).read_bytes()
            assert "immutable" in told["Cache-Control"] and "javascript" in told["Content-Type"]
        status, told, _ = ask(f"{address}/_stcore/stream", Upgrade="websocket")
        assert status == 503 and told["X-Content-Type-Options"] == "nosniff"

        asked = {
            "_stcore/health": None,
            "static/../../../setup.py": None,
            "static/js/none.js": None,
        }

        def hold(path):
            asked[path] = ask(f"{address}/{path}", **{"X-Own": "é"})

        threads = [threading.Thread(target=hold, args=(path,)) for path in asked]
        for thread in threads:
            thread.start()
        time.sleep(0.2)
        assert not any(asked.values())
        process.stdin.write("take over\n")
        process.stdin.flush()
        for thread in threads:
            thread.join(20)
        for path, (status, _, body) in asked.items():
            assert (status, body) == (200, f"server /{path} é".encode())
        assert ask(f"{address}/later")[2] == b"server /later None"


def test_startup_proxy_refuses_foreign_hosts_and_origins():
    with opened() as (_, address):
        own = address.removeprefix("http://")
        evil = {"Host": "evil.example", "Origin": "http://evil.example"}
        for told in (evil, {"Host": "192.0.2.1"}, {"Origin": "http://127.0.0.1:1"}):
            for path in ("", "favicon.png", "_stcore/health"):
                status, headers, _ = ask(f"{address}/{path}", Accept="text/html", **told)
                assert status == (403 if "Host" not in told else 421), (path, told)
                assert headers["X-Content-Type-Options"] == "nosniff"
        assert ask(address, Accept="text/html", Origin=f"http://{own}")[0] == 200


@pytest.mark.parametrize(
    ("words", "setting", "host", "known"),
    [
        ((), "", "dash.example.org", False),
        (("--server.allowedHosts", "dash.example.org"), "", "dash.example.org", True),
        (("--server.allowedHosts=*.example.org",), "", "dash.example.org:8501", True),
        (("--browser.serverAddress", "dash.example.org"), "", "dash.example.org.", True),
        ((), "a.org dash.example.org", "dash.example.org", True),
        ((), "", "[::1]:8501", True),
    ],
)
def test_startup_proxy_knows_allowed_hosts(monkeypatch, words, setting, host, known):
    monkeypatch.setenv(startup_proxy.NAMES_SETTING, setting)
    assert startup_proxy.hosts_of(words).allow(host) == known


def threads(pid):
    """Threads of the children of a process."""
    found = 0
    for status in Path("/proc").glob("[0-9]*/status"):
        with suppress(OSError):
            told = status.read_text()
            if re.search(rf"^PPid:\s{pid}$", told, re.M):
                found = max(found, int(re.search(r"^Threads:\s(\d+)$", told, re.M)[1]))
    return found


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="needs Linux's /proc")
def test_startup_proxy_has_few_threads_and_closes_slow_connections():
    slow = "startup_proxy.HEAD_SECONDS = startup_proxy._Visit.timeout = 1.0"
    with opened(slow) as (process, address), ExitStack() as lines:
        port = int(address.rpartition(":")[2])
        for _ in range(150):
            line = lines.enter_context(socket.create_connection(("127.0.0.1", port), 5))
            with suppress(OSError):  # refused, and closed already
                line.sendall(b"GET / HTTP/1.1\r\nHost: 127")
        time.sleep(0.3)
        assert threads(process.pid) <= startup_proxy.MOST_CONNECTIONS + 5
        end = time.monotonic() + 10
        while ask(address, Accept="text/html")[0] != 200:
            assert time.monotonic() < end, "slow connections keep the others out"
            time.sleep(0.1)


def test_the_port_is_free_again_when_the_server_listens_elsewhere_or_dies():
    with opened() as (process, address):
        process.stdin.write("shut\n")
        process.stdin.flush()
        assert process.stdout.readline() == "shut\n"
        with pytest.raises(OSError):
            ask(address)
    with opened() as (process, address):
        assert ask(address, Accept="text/html")[0] == 200
        os.kill(process.pid, signal.SIGKILL)
        for _ in range(200):
            try:
                ask(address, Accept="text/html")
                time.sleep(0.05)
            except (OSError, HTTPException):
                return
        raise AssertionError("it still answers")


def test_a_port_that_is_taken_is_refused_in_a_sentence(monkeypatch, capsys):
    with opened() as (_, address):
        port = address.rpartition(":")[2]
        monkeypatch.delenv("DPVIZ_ROOM", raising=False)
        assert main(["--server.port", port, "--server.headless", "true"]) == 2
    error = capsys.readouterr().err
    assert f"cannot listen on port {port} (Address already in use); give --port" in error
    monkeypatch.delattr("os.fork")
    assert startup_proxy.open_door(0) is None


@pytest.mark.parametrize(
    ("words", "port"),
    [
        (["--server.port", "8501", "--server.headless", "true"], 8501),
        (["--server.headless", "true"], None),
        (["--server.port", "x"], None),
        (["--server.port", "8501", "--server.address", "0.0.0.0"], None),
        (["--server.port", "8501", "--server.sslCertFile", "own.pem"], None),
        (["--server.baseUrlPath=privacy", "--server.port", "8501"], None),
    ],
)
def test_the_door_is_where_the_server_will_be(words, port):
    assert startup_proxy.port_of(words) == port


def test_a_page_without_a_place_for_charts_still_opens_with_words():
    page = b"<title>Streamlit</title><body><div id='root'></div></body>"
    found = loading_page.opened(page, "")
    assert b"what privacy costs</title>" in found and b"One moment" in found
    assert b"import(" not in found and b"import(" in loading_page.opened(page, "./static/js/P.js")


def test_a_visitor_is_known_as_long_as_what_he_holds_is_kept():
    assert visitor_cookie.DAYS == ownership.DAYS


def test_a_shared_link_names_its_page_and_the_picture_by_an_address_that_nobody_can_forge():
    told = link_previews.head("/dpviz/who-pays", "privacy.example.org:8501", secure=True)
    picture = 'og:image" content="https://privacy.example.org:8501/dpviz/preview.png"'
    assert "Whose privacy is spent?" in told and picture in told
    for host in ('x"><script>', "a b", "x/..", ""):
        assert "og:image" not in link_previews.head("/", host, secure=False)
    assert link_previews.head("/<b>", "x", secure=False).count("<") == 6, (
        "the start, without a picture"
    )
    assert link_previews.PICTURE.stat().st_size < 100_000


def test_words_for_a_preview_are_those_of_a_page():
    names = re.findall(r'page\("(\w+)"', (ROOT / "app.py").read_text())
    assert {name.replace("_", "-") for name in names} > set(link_previews.PAGES)


def test_a_preview_is_answered_to_readers_who_name_no_html_and_stay_out_of_the_way_of_others():
    async def server(scope, receive, send):
        told = [(b"content-type", b"text/html")]
        await send({"type": "http.response.start", "status": 200, "headers": told})
        await send({"type": "http.response.body", "body": b"<head></head><body></body>"})

    def given(path, accept):
        sent = []

        async def send(message):
            sent.append(message)

        heard = [(b"accept", accept), (b"host", b"here")]
        scope = {"type": "http", "method": "GET", "path": path, "headers": heard}
        with ThreadPoolExecutor(1) as thread:  # a browser test may have left a loop in this one
            thread.submit(asyncio.run, loading_page.Opening(server)(scope, None, send)).result()
        return dict(sent[0]["headers"]), sent[1]["body"]

    assert b'content="http://here/preview.png"' in given("/data", b"*/*")[1]
    assert b"og:" not in given("/static/js/x.js", b"*/*")[1]
    told, body = given("/preview.png", b"image/*")
    assert body.startswith(b"\x89PNG") and told[b"x-content-type-options"] == b"nosniff"
