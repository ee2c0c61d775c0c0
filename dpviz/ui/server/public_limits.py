"""What the server of a public demo answers: pages and their messages, bounded, and nothing else.

``docs/hosting.md`` has the threat model.
"""

from __future__ import annotations

import logging
import re
import time
import traceback
from collections import deque
from http import HTTPStatus

from starlette.types import ASGIApp, Message, Receive, Scope, Send
from streamlit import config

from dpviz.formatting import printable
from dpviz.machine.request_guard import POLICY_VIOLATION, respond
from dpviz.text import public_mode as text
from dpviz.text.template import render_text
from dpviz.ui import streamlit_internals
from dpviz.ui.server import visitor_cookie

#: Open tabs of all visitors.
MAX_CONNECTIONS = 100
#: Bytes of a message of a browser. Those of the largest pages have a few thousand.
MAX_MESSAGE_BYTES = 2**18
#: Messages of one tab in ``WINDOW`` seconds. A held arrow key sends 30 a second.
MAX_MESSAGES, WINDOW = 400, 10.0
#: Megabytes of a message that the server sends.
MAX_MEGABYTES = 32
#: Files on demand of one tab, and of all tabs, that are being made.
MAX_FILES, MAX_FILES_IN_ALL = 2, 4
#: Lines of the log in a minute, and characters of a line.
MAX_LOG_LINES, MAX_LINE = 60, 300
METHODS = ("GET", "HEAD", "OPTIONS")
#: Streamlit's own addresses that pages need, as the end of a path.
SERVED = re.compile(r"/_stcore/(health|host-config|stream|bidi-components/.*)$")
INTERNAL = re.compile(r"/_stcore(/|$)|/(auth|oauth2callback)(/|$)")
#: WebSocket close codes.
TOO_LARGE, TRY_LATER = 1009, 1013


def limit_incoming_messages() -> None:
    """Have the server refuse a long message of a browser at its header."""
    streamlit_internals.limit_incoming_messages(MAX_MESSAGE_BYTES)


def apply() -> None:
    """Set the limits that Streamlit and the HTTP server keep themselves."""
    config.set_option("server.maxMessageSize", MAX_MEGABYTES)
    streamlit_internals.limit_deferred_files(MAX_FILES, MAX_FILES_IN_ALL, text.FILES_BUSY)
    streamlit_internals.bind_sessions(visitor_cookie.NAME)
    streamlit_internals.hide_installation()
    short = ShortLog()
    for logger in streamlit_internals.loggers():
        logger.addFilter(short)


class PublicLimits:
    """ASGI middleware that refuses uploads, internal addresses, and connections above the caps."""

    def __init__(self, app: ASGIApp) -> None:
        """Guard ``app``."""
        self._app = app
        self.connections = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on if the demo serves it."""
        if scope["type"] == "websocket":
            await self._connect(scope, receive, send)
        elif scope["type"] == "http" and (refusal := self._refusal(scope)):
            await respond(send, *refusal)
        else:
            await self._app(scope, receive, send)

    def _refusal(self, scope: Scope) -> tuple[HTTPStatus, str] | None:
        path = scope["path"]
        if scope["method"] not in METHODS:
            return HTTPStatus.FORBIDDEN, text.NO_WRITES
        if INTERNAL.search(path) and not SERVED.search(path):
            return HTTPStatus.NOT_FOUND, text.NOT_SERVED
        is_page = "." not in path and not INTERNAL.search(path)
        if is_page and self.connections >= MAX_CONNECTIONS:
            return HTTPStatus.SERVICE_UNAVAILABLE, text.NO_ROOM
        return None

    async def _connect(self, scope: Scope, receive: Receive, send: Send) -> None:
        if self.connections >= MAX_CONNECTIONS:
            await send({"type": "websocket.close", "code": TRY_LATER})
            return
        self.connections += 1
        try:
            await self._app(scope, _bounded(receive, send), send)
        finally:
            self.connections -= 1


def _bounded(receive: Receive, send: Send) -> Receive:
    """Return ``receive`` without messages that only developers send; too many close the tab."""
    times: deque[float] = deque(maxlen=MAX_MESSAGES)

    async def receive_bounded() -> Message:
        while True:
            message = await receive()
            content = message.get("bytes") or b""
            if message["type"] != "websocket.receive":
                return message
            code = TOO_LARGE if len(content) > MAX_MESSAGE_BYTES else 0
            now = time.monotonic()
            if len(times) == MAX_MESSAGES and now - times[0] < WINDOW:
                code = POLICY_VIOLATION
            times.append(now)
            if code:
                await send({"type": "websocket.close", "code": code})
                return {"type": "websocket.disconnect", "code": code}
            if streamlit_internals.is_visitors_message(content):
                return message

    return receive_bounded


class ShortLog(logging.Filter):
    """Filter of a log that keeps one line of each message, and few messages a minute.

    Messages of one filter count together. An error has its type and place, but no traceback.
    """

    def __init__(self) -> None:
        """Start without a message."""
        super().__init__()
        self._times: deque[float] = deque(maxlen=MAX_LOG_LINES)

    def filter(self, record: logging.LogRecord) -> bool:
        """Shorten a message; return whether it is written."""
        now = time.monotonic()
        if len(self._times) == MAX_LOG_LINES and now - self._times[0] < 60:
            return False
        self._times.append(now)
        line = record.getMessage()
        if record.exc_info and (error := record.exc_info[1]) is not None:
            frames = traceback.extract_tb(error.__traceback__)
            place = f"{frames[-1].filename}:{frames[-1].lineno}" if frames else ""
            fields = {"message": line, "error": type(error).__name__, "place": place}
            line = render_text(text.LOG_ERROR, **fields)
        record.msg, record.args = printable(line[:MAX_LINE]), ()
        record.exc_info = record.exc_text = record.stack_info = None
        return True
