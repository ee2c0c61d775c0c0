"""Caps on the uploads that Streamlit holds in memory.

Streamlit accepts a file for any open session, whether or not a page asked for it, and holds it
until the session is discarded. The caps count what Streamlit holds and what is on its way.
"""

from __future__ import annotations

import asyncio
import re
import time
from collections import defaultdict
from http import HTTPStatus
from typing import Any

from streamlit.runtime import Runtime

from dpviz.data import limits
from dpviz.machine.request_guard import App, Receive, Send, respond

SESSION_BYTES = 2 * limits.UPLOAD_MEGABYTES * 2**20
SESSION_FILES = 64
UPLOADS_AT_ONCE = 256
TOTAL_BYTES = 2**30
SECONDS = 900
#: Seconds after which the files of a session without a connection are deleted.
CLOSED = 120.0
BEAT = 5.0
PATH = re.compile(r"/_stcore/upload_file/([^/]+)/([^/]+)/?$")
MULTIPART = 2**20
"""Bytes that a form adds to the file in it, at most."""
NO_LENGTH = "An upload needs one Content-Length header and no Transfer-Encoding header.\n"
TOO_LONG = "The upload is longer than its Content-Length; send it again.\n"


class _TooLong(Exception):
    """A request body longer than its Content-Length."""


class ParkedUploads:
    """ASGI middleware that refuses an upload beyond the caps."""

    def __init__(self, app: App) -> None:
        """Guard ``app``."""
        self._app = app
        self._coming: defaultdict[str, list[int]] = defaultdict(list)
        self._closed: dict[str, float] = {}
        self._watch: asyncio.Task[None] | None = None

    async def __call__(self, scope: Any, receive: Receive, send: Send) -> None:
        """Pass an upload on if the caps allow it."""
        found = PATH.search(scope["path"]) if scope["type"] == "http" else None
        if found is None or scope["method"] != "PUT":
            await self._app(scope, receive, send)
            return
        session, size = found[1], _length(scope["headers"])
        if size is None:
            await respond(send, HTTPStatus.LENGTH_REQUIRED, NO_LENGTH)
        elif reason := self._refusal(session, size):
            # a browser shows the answer only if it may send the whole file
            close = size > SESSION_BYTES + MULTIPART
            await respond(send, HTTPStatus.REQUEST_ENTITY_TOO_LARGE, reason, close)
        else:
            await self._take(session, size, scope, receive, send)

    async def _take(
        self, session: str, size: int, scope: Any, receive: Receive, send: Send
    ) -> None:
        self._coming[session].append(size)
        try:
            await asyncio.wait_for(self._app(scope, _limited(receive, size), send), SECONDS)
        except _TooLong:
            await respond(send, HTTPStatus.BAD_REQUEST, TOO_LONG)
        except TimeoutError:
            await respond(send, HTTPStatus.REQUEST_TIMEOUT, "The upload took too long.\n")
        finally:
            self._coming[session].remove(size)
            if not self._coming[session]:
                del self._coming[session]
            if self._watch is None or self._watch.done():
                self._watch = asyncio.create_task(self._watch_sessions())

    def _refusal(self, session: str, size: int) -> str:
        held = held_bytes()
        own = [*held.get(session, ()), *self._coming.get(session, ()), size]
        every = [sum(sizes) for sizes in (*held.values(), *self._coming.values())]
        if sum(own) > SESSION_BYTES + MULTIPART or len(own) > SESSION_FILES:
            return (
                f"This tab has uploaded {SESSION_BYTES >> 20} MiB or {SESSION_FILES} files, the"
                " most allowed; open a new tab.\n"
            )
        if sum(every) + size > TOTAL_BYTES + MULTIPART:
            return (
                f"All tabs together have uploaded {TOTAL_BYTES >> 20} MiB, the most allowed; try"
                " again in a few minutes.\n"
            )
        if sum(map(len, self._coming.values())) >= UPLOADS_AT_ONCE:
            return f"{UPLOADS_AT_ONCE} uploads are in progress, the most allowed; try again.\n"
        return ""

    async def _watch_sessions(self) -> None:
        """Delete the files of closed sessions until Streamlit holds none."""
        while held_bytes():
            self._delete_closed(time.monotonic())
            await asyncio.sleep(BEAT)

    def _delete_closed(self, now: float) -> None:
        """Delete the files of sessions that have had no connection for ``CLOSED`` seconds."""
        runtime = Runtime.instance()
        waiting = {name for name in held_bytes() if not runtime.is_active_session(name)}
        self._closed = {name: self._closed.get(name, now) for name in waiting}
        for name, since in self._closed.items():
            if now - since >= CLOSED:
                runtime.uploaded_file_mgr.remove_session_files(name)


def held_bytes() -> dict[str, list[int]]:
    """Return the sizes of the files that Streamlit holds, by session."""
    if not Runtime.exists():
        return {}
    held = getattr(Runtime.instance().uploaded_file_mgr, "file_storage", {})
    return {
        session: [len(file.data) for file in list(files.values())]
        for session, files in list(held.items())
    }


def _length(headers: Any) -> int | None:
    """Return the Content-Length, or None where it does not bound the body.

    HTTP/1.1 gives Transfer-Encoding precedence over Content-Length (RFC 9112, section 6.3).
    """
    if any(name == b"transfer-encoding" for name, _ in headers):
        return None
    found = [value for name, value in headers if name == b"content-length"]
    return int(found[0]) if len(found) == 1 and found[0].isdigit() else None


def _limited(receive: Receive, size: int) -> Receive:
    """Return ``receive``, which raises ``_TooLong`` after more than ``size`` bytes of body."""
    left = size

    async def counted() -> Any:
        nonlocal left
        message = await receive()
        left -= len(message.get("body", b""))
        if left < 0:
            raise _TooLong
        return message

    return counted
