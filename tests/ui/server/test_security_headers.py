"""What every answer of the served dashboard tells a browser, over HTTP."""

import asyncio
import os
import re
import subprocess
import sys
import urllib.error
import urllib.request
from concurrent.futures import ThreadPoolExecutor

import pytest
import uvicorn

from dpviz.cli import main
from dpviz.machine.request_guard import respond
from dpviz.ui.server import security_headers
from tests.kit.browser import ROOT, serving


def answer(address, method="GET"):
    """Status, headers and body; a refusal is an answer too."""
    try:
        request = urllib.request.Request(address, method=method, headers={"Accept": "text/html"})
        with urllib.request.urlopen(request) as found:
            return found.status, found.headers, found.read().decode(errors="replace")
    except urllib.error.HTTPError as error:
        return error.code, error.headers, ""


@pytest.mark.slow
def test_every_response_has_security_headers(tmp_path, monkeypatch):
    """Pages, files, health, what is not there and what is refused."""
    monkeypatch.setenv(security_headers.FRAME_ANCESTORS, "self https://courses.example.org")
    with serving(tmp_path) as server:
        url = server["url"]
        script = re.search(r'src="\./(static/js/[^"]+)"', answer(url)[2])[1]
        kinds = {
            ("GET", ""): 200,
            ("GET", "trade-off"): 200,
            ("GET", script): 200,
            ("HEAD", script): 200,
            ("GET", "_stcore/health"): 200,
            ("GET", "media/none.png"): 404,
            ("PUT", "_stcore/upload_file/a/b"): 403,
            ("DELETE", "_stcore/health"): 405,
            ("GET", "..%5c..%5cetc"): 400,
        }
        for (method, path), status in kinds.items():
            code, found, _ = answer(f"{url}/{path}", method)
            assert code == status, path
            assert found.get_all("X-Content-Type-Options") == ["nosniff"], path
            assert found["Referrer-Policy"] == "same-origin", path
            assert (
                "frame-ancestors 'self' https://courses.example.org;"
                in found["Content-Security-Policy"]
            ), path
            assert (found["Link"] is not None) == (path in ("", "trade-off")), path
        assert "One moment" in answer(url)[2]  # the opening, also once the server answers itself
        links = ",".join(answer(url)[1].get_all("Link"))
        scripts = re.findall(r"<\./([^>]*)>; rel=modulepreload", links)
        assert "plotly" in scripts[-1].lower()
        assert all(answer(f"{url}/{name}", "HEAD")[0] == 200 for name in scripts)


@pytest.mark.parametrize(
    ("words", "sources"),
    [
        ("self", "'self'"),
        ("'none'", "'none'"),
        ("self https://a.example.org:8443 https://*.b.org", "'self' https://a.example.org:8443"),
    ],
)
def test_frame_ancestors_allow_configured_sites(words, sources):
    policy = security_headers.security_headers(words)["content-security-policy"]
    assert policy.startswith(f"frame-ancestors {sources}")


@pytest.mark.parametrize(
    "words",
    ["", " ", "*", "self none", "https://a.org; script-src *", "https://a.org,b", "a.org\r\nX: y"],
)
def test_invalid_frame_ancestor_is_refused_with_message(words):
    with pytest.raises(ValueError, match="Use self, none, or addresses"):
        security_headers.security_headers(words)


def test_command_forwards_allowed_sites(monkeypatch):
    monkeypatch.setenv(security_headers.FRAME_ANCESTORS, "self")
    monkeypatch.setattr("runpy.run_module", lambda *_, **__: None)
    monkeypatch.setattr("sys.argv", [])
    assert main(["app"]) == 0 and os.environ[security_headers.FRAME_ANCESTORS] == "self"
    assert main(["app", "--frame-ancestors", "none"]) == 0
    assert os.environ[security_headers.FRAME_ANCESTORS] == "none"


@pytest.mark.slow
def test_server_refuses_invalid_sites_before_starting():
    ended = subprocess.run(
        [sys.executable, "-m", "dpviz.ui.server.serve"],
        cwd=ROOT,
        env=os.environ | {security_headers.FRAME_ANCESTORS: "*; script-src *"},
        capture_output=True,
        text=True,
    )
    assert ended.returncode == 2 and "Traceback" not in ended.stderr
    assert ended.stderr.startswith("Invalid frame ancestor '*;'")


@pytest.mark.parametrize("body", [b"zz\r\n", b"5\r\nabcde\r\nzz\r\n"])
def test_malformed_body_leaves_no_traceback(body, caplog):
    async def refuse(scope, receive, send):
        await respond(send, 403, "Refused.\n")

    async def talk():
        app = security_headers.SecurityHeaders(refuse, security_headers.security_headers())
        server = uvicorn.Server(
            uvicorn.Config(app, port=0, http="h11", lifespan="off", log_config=None)
        )
        serving = asyncio.create_task(server.serve())
        while not server.started:
            await asyncio.sleep(0.01)
        address = server.servers[0].sockets[0].getsockname()
        reader, writer = await asyncio.open_connection(*address)
        head = b"POST / HTTP/1.1\r\nHost: here\r\nTransfer-Encoding: chunked\r\n\r\n"
        writer.write(head + body)
        answered = await reader.read()
        writer.close()
        server.should_exit = True
        await serving
        return answered

    with ThreadPoolExecutor(1) as thread:  # a browser test may have left a loop in this one
        assert thread.submit(asyncio.run, talk()).result().startswith(b"HTTP/1.1 400")
    assert not [record for record in caplog.records if record.levelname == "ERROR"]
