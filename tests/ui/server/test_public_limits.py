"""What the server of a public demo refuses, in memory and over real sockets."""

import asyncio
import json
import logging
import sys
from io import StringIO

import pytest
from streamlit.proto.BackMsg_pb2 import BackendOperationRequest, BackMsg
from streamlit.proto.ForwardMsg_pb2 import BackendOperationResponse, ForwardMsg
from streamlit.runtime.backend_operation_handler import DeferredFileHandler
from websockets.sync.client import connect

from dpviz.text import public_mode as text
from dpviz.ui import streamlit_internals
from dpviz.ui.server import application, public_limits, visitor_cookie
from dpviz.ui.server.public_limits import PublicLimits
from tests.kit.raw_server import ask, dashboard, open_socket
from tests.ui.server.test_upload_limits import run


def message(**fields):
    return BackMsg(**fields).SerializeToString()


RERUN = message(rerun_script={})
#: Messages that only developers send: they clear caches, run git, or write files.
DEVELOPERS = [
    message(clear_cache=True),
    message(load_git_info=True),
    message(set_run_on_save=True),
    message(file_urls_request={}),
    message(debug_shutdown_runtime=True),
    message(backend_operation_request={"install_skills": {}}),
    b"",
    b"\xff\xff",
]


async def answer(app, path="/trade-off", method="GET"):
    sent = []

    async def send(message):
        sent.append(message)

    await app({"type": "http", "method": method, "path": path, "headers": []}, None, send)
    return sent[0]["status"]


async def served(scope, receive, send):
    await send({"type": "http.response.start", "status": 200, "headers": []})


class Socket:
    """Streamlit's end of a WebSocket: reads until the connection ends."""

    def __init__(self, contents=()):
        self.contents, self.read, self.sent = list(contents), [], []

    async def receive(self):
        if self.contents:
            return {"type": "websocket.receive", "bytes": self.contents.pop(0)}
        return {"type": "websocket.disconnect", "code": 1000}

    async def send(self, message):
        self.sent.append(message)

    async def app(self, scope, receive, send):
        while (message := await receive())["type"] == "websocket.receive":
            self.read.append(message["bytes"])


def exchanged(*contents):
    """What Streamlit reads of a browser's messages, and the close code."""
    socket = Socket(contents)
    app = PublicLimits(socket.app)
    run(lambda: app({"type": "websocket", "path": "/_stcore/stream"}, socket.receive, socket.send))
    assert app.connections == 0
    return socket.read, [sent["code"] for sent in socket.sent]


@pytest.mark.parametrize("method", ["PUT", "DELETE", "POST", "PATCH"])
@pytest.mark.parametrize("path", ["/_stcore/upload_file/a/b", "/x/_stcore/upload_file/a/b", "/"])
def test_writes_are_refused(method, path):
    assert run(lambda: answer(PublicLimits(served), path, method)) == 403


@pytest.mark.parametrize(
    "path",
    [
        *("/_stcore/metrics", "/_stcore/agent/mcp", "/_stcore/script-health-check"),
        *("/x/_stcore/metrics", "/_stcore/upload_file/a/b", "/_stcore", "/auth/login"),
        *("/oauth2callback", "/_stcore/health/../metrics"),
    ],
)
def test_internal_addresses_are_not_served(path):
    assert run(lambda: answer(PublicLimits(served), path)) == 404


@pytest.mark.parametrize(
    "path", ["/", "/trade-off", "/_stcore/health", "/_stcore/host-config", "/static/js/a.js"]
)
def test_pages_are_served(path):
    assert run(lambda: answer(PublicLimits(served), path)) == 200


def test_messages_of_developers_are_dropped():
    assert exchanged(RERUN, *DEVELOPERS, RERUN) == ([RERUN, RERUN], [])


def test_messages_of_pages_are_passed_on():
    kept = [
        RERUN,
        message(stop_script=True),
        message(app_heartbeat=True),
        message(backend_operation_request={"deferred_file": {"file_id": "a"}}),
        message(backend_operation_request={"dataframe_chunk": {}}),
    ]
    assert exchanged(*kept) == (kept, [])


def test_long_message_closes_the_tab():
    state = {"widget_states": {"widgets": [{"id": "a", "string_value": "x" * 2**18}]}}
    assert exchanged(RERUN, message(rerun_script=state), RERUN) == ([RERUN], [1009])


def test_too_many_messages_close_the_tab():
    most = public_limits.MAX_MESSAGES
    read, codes = exchanged(*[RERUN] * (most + 10))
    assert len(read) == most and codes == [1008]


def test_connections_are_capped(monkeypatch):
    monkeypatch.setattr(public_limits, "MAX_CONNECTIONS", 2)
    is_over = asyncio.Event()

    async def app(scope, receive, send):
        if scope["type"] == "websocket":
            await is_over.wait()
        else:
            await served(scope, receive, send)

    async def scenario():
        guard, socket = PublicLimits(app), Socket()
        scope = {"type": "websocket", "path": "/_stcore/stream"}
        open_tabs = [asyncio.create_task(guard(scope, None, None)) for _ in range(2)]
        await asyncio.sleep(0)
        await guard(scope, socket.receive, socket.send)
        assert socket.sent == [{"type": "websocket.close", "code": 1013}]
        assert await answer(guard) == 503 and await answer(guard, "/_stcore/health") == 200
        is_over.set()
        await asyncio.gather(*open_tabs)
        assert await answer(guard) == 200

    run(scenario)


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("DPVIZ_SHARED", "1", text.NOT_SHARED),
        ("DPVIZ_ROOM", "0.0.0.0:8502", text.NO_CLASS),
        ("DPVIZ_PUBLIC_LINK", "http://a.example", "https"),
    ],
)
def test_contradicting_settings_are_refused(monkeypatch, name, value, words):
    monkeypatch.setenv(name, value)
    application.check_public_mode()
    monkeypatch.setenv("DPVIZ_PUBLIC", "1")
    with pytest.raises(ValueError, match=words[:30].replace("(", r"\(")):
        application.check_public_mode()


def test_files_on_demand_are_limited(monkeypatch):
    is_over, made = asyncio.Event(), []

    async def make(handler, request, session):
        made.append(session)
        await is_over.wait()
        return BackendOperationResponse(request_id=request.request_id)

    async def scenario():
        ask = lambda session: asyncio.ensure_future(
            DeferredFileHandler.handle(None, BackendOperationRequest(), session)
        )
        asked = [ask(session) for session in "aaabc"]
        await asyncio.sleep(0)
        asked[0].cancel()  # as a closed session does; the file is still being made
        await asyncio.sleep(0)
        asked.append(ask("a"))
        await asyncio.sleep(0)
        assert made == ["a", "a", "b"]
        is_over.set()
        answers = await asyncio.gather(*asked[1:])
        assert [answer.error_msg for answer in answers] == ["", "busy", "", "busy", "busy"]
        assert not (await ask("a")).error_msg

    monkeypatch.setattr(DeferredFileHandler, "handle", make)
    streamlit_internals.limit_deferred_files(2, 3, "busy")
    run(scenario)


def test_log_has_one_line_of_an_error_and_few_lines(monkeypatch):
    monkeypatch.setattr(public_limits, "MAX_LOG_LINES", 2)
    log, output = logging.getLogger("dpviz.test"), StringIO()
    handler = logging.StreamHandler(output)
    log.addHandler(handler)
    log.addFilter(short := public_limits.ShortLog())
    try:
        json.loads("no number")
    except ValueError:
        log.exception("Uncaught error of %s", "a\nforged line" + "x" * 10**4)
    for _ in range(5):
        log.warning("a" * 10**4)
    log.removeHandler(handler)
    log.removeFilter(short)
    lines = output.getvalue().splitlines()
    assert len(lines) == 2 and max(map(len, lines)) < 2 * public_limits.MAX_LINE


def test_log_line_names_type_and_place_of_an_error():
    try:
        json.loads("no number")
    except ValueError:
        record = logging.LogRecord("a", 40, "a", 1, "Uncaught error", (), sys.exc_info())
    assert public_limits.ShortLog().filter(record)
    line = logging.Formatter().format(record)
    assert "Uncaught error: JSONDecodeError at " in line and "decoder.py:" in line


UPLOAD = "/_stcore/upload_file/a/b"


def closes_long_message(port):
    """Whether the server closes a connection that announces a long message, before its bytes."""
    line, _ = open_socket(port, f"127.0.0.1:{port}", f"http://127.0.0.1:{port}")
    with line:
        size = public_limits.MAX_MESSAGE_BYTES + 1
        line.sendall(b"\x82\xff" + size.to_bytes(8, "big") + bytes(4) + bytes(1000))
        line.settimeout(3)
        try:
            return b"\x03\xf1" in line.recv(1000)  # 1009
        except TimeoutError:
            return False


def session(port, token, joined="", is_public=True):
    """The id of the session that a browser with this cookie gets; checks the first message."""
    protocols = ["streamlit", "x", *([joined] if joined else [])]
    headers = {"Cookie": f"{visitor_cookie.NAME}={token}"}
    address = f"ws://127.0.0.1:{port}/_stcore/stream"
    with connect(address, subprotocols=protocols, additional_headers=headers) as line:
        line.send(RERUN)
        while True:
            new = ForwardMsg.FromString(line.recv(10)).new_session
            if new.initialize.session_id:
                break
    facts = new.initialize.environment_info.python_version, new.initialize.user_info.installation_id
    assert (new.main_script_path == "app.py") == is_public
    assert any(facts) != is_public
    return new.initialize.session_id


@pytest.mark.slow
@pytest.mark.parametrize("is_public", [True, False])
def test_server_in_either_mode(tmp_path, monkeypatch, is_public):
    monkeypatch.setenv("DPVIZ_PUBLIC", str(int(is_public)))
    with dashboard(tmp_path) as (port, _, log):
        put = ask(port, UPLOAD, "PUT", b"x")
        metrics = ask(port, "/_stcore/metrics")
        assert ask(port, "/", Accept="text/html")[0] == 200
        line, status = open_socket(port, f"127.0.0.1:{port}", f"http://127.0.0.1:{port}")
        line.close()
        assert status == 101
        if is_public:
            assert put[0] == 403 and put[2].decode() == text.NO_WRITES
            assert put[1]["X-Content-Type-Options"] == "nosniff"
            assert metrics[0] == 404
            assert closes_long_message(port)
            assert len({session(port, "A" * 43) for _ in range(2)}) == 2
            first = session(port, "A" * 43)
            assert session(port, "A" * 43, first) == first != session(port, "B" * 43, first)
        else:
            assert not closes_long_message(port)
            first = session(port, "A" * 43, is_public=False)
            assert session(port, "B" * 43, first, is_public=False) == first
        if not is_public:
            assert put[2].decode() != text.NO_WRITES and metrics[0] == 200
        assert "Traceback" not in log.read_text()
