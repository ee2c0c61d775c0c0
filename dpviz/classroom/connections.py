"""The listener's server, with limits on connections and on the time of a request."""

from __future__ import annotations

import asyncio
import socket
from contextlib import suppress
from typing import Any

import h11
import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from dpviz.classroom.joining import Pages
from dpviz.classroom.live_class import MAX_CLASSES, MAX_SEATS, LiveClasses
from dpviz.classroom.middleware import MAX_HEAD_BYTES
from dpviz.classroom.server import PATIENCE, JoiningPages

MAX_CONNECTIONS = MAX_CLASSES * MAX_SEATS + 200
"""A stream for each seat, and some for other requests."""
WINDOW_BYTES = 65_536
"""Bytes that one connection may send in each ``PATIENCE`` seconds."""
OPEN_FILES = MAX_CONNECTIONS + 600
"""Open files that the process may need: connections, and the dashboard's own."""
ACKNOWLEDGE_MILLISECONDS = 30_000
"""Milliseconds without an acknowledgement after which a connection is closed (Linux)."""
CHECK_INTERVAL = 30
"""Seconds between two checks for live classes without a teacher."""


class LimitedProtocol(H11Protocol):
    """HTTP protocol with limits on connections, on bytes and on the time of a request."""

    _timer: asyncio.TimerHandle | None = None
    _window_start = 0.0
    _window_bytes = 0

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        if len(self.connections) > MAX_CONNECTIONS:
            transport.abort()
        else:
            self._update_timer()

    def data_received(self, data: bytes) -> None:
        now = self.loop.time()
        if now - self._window_start > PATIENCE:
            self._window_start, self._window_bytes = now, 0
        self._window_bytes += len(data)
        if self._window_bytes > WINDOW_BYTES:
            self.transport.abort()
            return
        super().data_received(data)
        self._update_timer()

    def on_response_complete(self) -> None:
        """Close the connection if the answer came before the end of the request."""
        super().on_response_complete()
        if self.conn.their_state is h11.SEND_BODY:
            self.transport.close()

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self._stop_timer()

    def _update_timer(self) -> None:
        """Limit the time of a request's head; the body has its own limit."""
        if self.cycle is not None and not self.cycle.response_complete:
            self._stop_timer()
        elif self._timer is None:
            self._timer = self.loop.call_later(PATIENCE, self._time_out)

    def _time_out(self) -> None:
        self._timer = None
        if self.cycle is None or self.cycle.response_complete:
            self.transport.abort()

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None


def server(pages: Pages, classes: LiveClasses) -> uvicorn.Server:
    """Return a server of the joining pages that writes no log."""

    async def end_abandoned() -> None:
        classes.end_abandoned()

    return uvicorn.Server(
        uvicorn.Config(
            JoiningPages(pages, classes).app(),
            http=LimitedProtocol,
            ws="none",
            loop="asyncio",
            lifespan="off",
            interface="asgi3",
            log_config=None,
            proxy_headers=False,
            server_header=False,
            h11_max_incomplete_event_size=MAX_HEAD_BYTES,
            timeout_notify=CHECK_INTERVAL,
            callback_notify=end_abandoned,
        )
    )


def serve(bound: socket.socket, pages: Pages, classes: LiveClasses) -> None:
    """Serve on a bound socket until the process ends."""
    _raise_file_limit()
    with suppress(AttributeError, OSError):
        bound.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, ACKNOWLEDGE_MILLISECONDS)
    server(pages, classes).run(sockets=[bound])


def _raise_file_limit() -> None:
    """Allow the process a file for each connection, if the system permits it."""
    with suppress(ImportError, ValueError, OSError):
        import resource

        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        endless = hard == resource.RLIM_INFINITY
        target = OPEN_FILES if endless else min(OPEN_FILES, hard)
        if soft != resource.RLIM_INFINITY and soft < target:
            resource.setrlimit(resource.RLIMIT_NOFILE, (target, hard))
