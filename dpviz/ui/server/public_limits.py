"""What the server of a public demo answers: pages and their messages, bounded, and nothing else.

``docs/hosting.md`` has the threat model.
"""

from __future__ import annotations

import re
import time
from collections import deque
from http import HTTPStatus

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from dpviz.machine.request_guard import POLICY_VIOLATION, respond
from dpviz.text import public_mode as text
from dpviz.ui.streamlit_internals import is_visitors_message

#: Open tabs of all visitors.
MAX_CONNECTIONS = 100
#: Bytes of a message of a browser. Those of the largest pages have a few thousand.
MAX_MESSAGE_BYTES = 2**18
#: Messages of one tab in ``WINDOW`` seconds. A held arrow key sends 30 a second.
MAX_MESSAGES, WINDOW = 400, 10.0
#: Megabytes of a message that the server reads before it is checked, and of one that it sends.
MAX_MEGABYTES = 32
METHODS = ("GET", "HEAD", "OPTIONS")
#: Streamlit's own addresses that pages need, as the end of a path.
SERVED = re.compile(r"/_stcore/(health|host-config|stream|bidi-components/.*)$")
INTERNAL = re.compile(r"/_stcore(/|$)|/(auth|oauth2callback)(/|$)")
#: WebSocket close codes.
TOO_LARGE, TRY_LATER = 1009, 1013


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
            if is_visitors_message(content):
                return message

    return receive_bounded
