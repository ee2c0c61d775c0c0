"""Caps on the uploads that Streamlit holds in memory.

Streamlit accepts a file for any open session, whether or not a page asked for it, and holds it
until the session is discarded. The caps count what Streamlit holds and what is on its way.
"""

from __future__ import annotations

import asyncio
import re
import time
from collections import defaultdict
from collections.abc import Iterable
from http import HTTPStatus

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from dpviz.data import limits
from dpviz.machine.request_guard import respond
from dpviz.ui.streamlit_internals import delete_uploads, is_connected, upload_sizes

SESSION_BYTES = 2 * limits.UPLOAD_MEGABYTES * 2**20
SESSION_FILES = 64
UPLOADS_AT_ONCE = 256
TOTAL_BYTES = 2**30
MAX_SECONDS = 900
#: Seconds after which the files of a session without a connection are deleted.
CLOSED_SECONDS = 120.0
CHECK_INTERVAL = 5.0
PATH = re.compile(r"/_stcore/upload_file/([^/]+)/([^/]+)/?$")
#: Bytes that a form adds to the file in it, at most.
MULTIPART = 2**20
NO_LENGTH = "An upload needs one Content-Length header and no Transfer-Encoding header.\n"
TOO_LONG = "The upload is longer than its Content-Length. Send it again.\n"


class _TooLong(Exception):
    """A request body longer than its Content-Length."""


class UploadLimits:
    """ASGI middleware that refuses an upload beyond the caps."""

    def __init__(self, app: ASGIApp) -> None:
        """Guard ``app``."""
        self._app = app
        self._arriving: defaultdict[str, list[int]] = defaultdict(list)
        self._closed: dict[str, float] = {}
        self._watch: asyncio.Task[None] | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass an upload on if the caps allow it."""
        match = PATH.search(scope["path"]) if scope["type"] == "http" else None
        if match is None or scope["method"] != "PUT":
            await self._app(scope, receive, send)
            return
        session, size = match[1], _length(scope["headers"])
        if size is None:
            await respond(send, HTTPStatus.LENGTH_REQUIRED, NO_LENGTH)
        elif reason := self._refusal(session, size):
            # a browser shows the answer only if it may send the whole file
            close = size > SESSION_BYTES + MULTIPART
            await respond(send, HTTPStatus.REQUEST_ENTITY_TOO_LARGE, reason, close)
        else:
            await self._take(session, size, scope, receive, send)

    async def _take(
        self, session: str, size: int, scope: Scope, receive: Receive, send: Send
    ) -> None:
        self._arriving[session].append(size)
        try:
            await asyncio.wait_for(self._app(scope, _limited(receive, size), send), MAX_SECONDS)
        except _TooLong:
            await respond(send, HTTPStatus.BAD_REQUEST, TOO_LONG)
        except TimeoutError:
            await respond(send, HTTPStatus.REQUEST_TIMEOUT, "The upload took too long.\n")
        finally:
            self._arriving[session].remove(size)
            if not self._arriving[session]:
                del self._arriving[session]
            if self._watch is None or self._watch.done():
                self._watch = asyncio.create_task(self._watch_sessions())

    def _refusal(self, session: str, size: int) -> str:
        stored = upload_sizes()
        own_sizes = [*stored.get(session, ()), *self._arriving.get(session, ()), size]
        session_sizes = [sum(sizes) for sizes in (*stored.values(), *self._arriving.values())]
        if sum(own_sizes) > SESSION_BYTES + MULTIPART or len(own_sizes) > SESSION_FILES:
            return (
                f"This tab has reached its limit of {SESSION_BYTES >> 20} MiB or {SESSION_FILES}"
                " uploaded files. Open a new tab.\n"
            )
        if sum(session_sizes) + size > TOTAL_BYTES + MULTIPART:
            return (
                f"All tabs together have reached the limit of {TOTAL_BYTES >> 20} MiB of uploads."
                " Try again in a few minutes.\n"
            )
        if sum(map(len, self._arriving.values())) >= UPLOADS_AT_ONCE:
            return f"The limit of {UPLOADS_AT_ONCE} concurrent uploads is reached. Try again.\n"
        return ""

    async def _watch_sessions(self) -> None:
        """Delete the files of closed sessions until Streamlit holds none."""
        while upload_sizes():
            self._delete_closed(time.monotonic())
            await asyncio.sleep(CHECK_INTERVAL)

    def _delete_closed(self, now: float) -> None:
        """Delete the files of sessions without a connection for ``CLOSED_SECONDS``."""
        waiting = {name for name in upload_sizes() if not is_connected(name)}
        self._closed = {name: self._closed.get(name, now) for name in waiting}
        for name, since in self._closed.items():
            if now - since >= CLOSED_SECONDS:
                delete_uploads(name)


def _length(headers: Iterable[tuple[bytes, bytes]]) -> int | None:
    """Return the Content-Length, or None where it does not bound the body.

    HTTP/1.1 gives Transfer-Encoding precedence over Content-Length (RFC 9112, section 6.3).
    """
    if any(name == b"transfer-encoding" for name, _ in headers):
        return None
    lengths = [value for name, value in headers if name == b"content-length"]
    return int(lengths[0]) if len(lengths) == 1 and lengths[0].isdigit() else None


def _limited(receive: Receive, size: int) -> Receive:
    """Return ``receive``, which raises ``_TooLong`` after more than ``size`` bytes of body."""
    bytes_left = size

    async def receive_counted() -> Message:
        nonlocal bytes_left
        message = await receive()
        bytes_left -= len(message.get("body", b""))
        if bytes_left < 0:
            raise _TooLong
        return message

    return receive_counted
