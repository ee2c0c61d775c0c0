"""The listener's server: how many may be connected at once, and how long one may take to ask."""

from __future__ import annotations

import asyncio
import socket
from contextlib import suppress
from typing import Any

import h11
import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from dpviz.classroom.middleware import HEAD
from dpviz.classroom.pages import Pages
from dpviz.classroom.rooms import MOST_CLASSES, MOST_SEATS, LiveClasses
from dpviz.classroom.server import PATIENCE, JoiningPages

MOST_CONNECTIONS = MOST_CLASSES * MOST_SEATS + 200
"""A stream for each seat, and room for those who ask and answer meanwhile."""
WINDOW_BYTES = 65_536
"""Bytes that one connection may send in each ``PATIENCE`` seconds."""
FILES = MOST_CONNECTIONS + 600
"""Open files that the process may need: connections, and the dashboard's own."""
TORN_AFTER = 30_000
"""Milliseconds without an acknowledgement after which a phone is gone (Linux)."""
ROUNDS = 30
"""Seconds between two looks for rooms that their teacher has left."""


class Bounded(H11Protocol):
    """A connection that is one of not too many, and whose requests come whole and soon."""

    _waits: asyncio.TimerHandle | None = None
    _window = 0.0
    _sent = 0

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        if len(self.connections) > MOST_CONNECTIONS:
            transport.abort()
        else:
            self._wait()

    def data_received(self, data: bytes) -> None:
        now = self.loop.time()
        if now - self._window > PATIENCE:
            self._window, self._sent = now, 0
        self._sent += len(data)
        if self._sent > WINDOW_BYTES:
            self.transport.abort()
            return
        super().data_received(data)
        self._wait()

    def on_response_complete(self) -> None:
        """Close the connection if the answer came before the end of the request."""
        super().on_response_complete()
        if self.conn.their_state is h11.SEND_BODY:
            self.transport.close()

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self._stop_waiting()

    def _wait(self) -> None:
        """Wait for a whole head, from its first byte on; what follows it has its own patience."""
        if self.cycle is not None and not self.cycle.response_complete:
            self._stop_waiting()
        elif self._waits is None:
            self._waits = self.loop.call_later(PATIENCE, self._give_up)

    def _give_up(self) -> None:
        self._waits = None
        if self.cycle is None or self.cycle.response_complete:
            self.transport.abort()

    def _stop_waiting(self) -> None:
        if self._waits is not None:
            self._waits.cancel()
            self._waits = None


def server(pages: Pages, rooms: LiveClasses) -> uvicorn.Server:
    """A server that serves the joining pages alone and writes no log."""

    async def look_round() -> None:
        rooms.end_untouched()

    return uvicorn.Server(
        uvicorn.Config(
            JoiningPages(pages, rooms).app(),
            http=Bounded,
            ws="none",
            loop="asyncio",
            lifespan="off",
            interface="asgi3",
            log_config=None,
            proxy_headers=False,
            server_header=False,
            h11_max_incomplete_event_size=HEAD,
            timeout_notify=ROUNDS,
            callback_notify=look_round,
        )
    )


def serve(bound: socket.socket, pages: Pages, rooms: LiveClasses) -> None:
    """Serve on a bound socket until the process ends."""
    _allow_files()
    with suppress(AttributeError, OSError):
        bound.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, TORN_AFTER)
    server(pages, rooms).run(sockets=[bound])


def _allow_files() -> None:
    """Let the process hold a file open for each connection, where the system would let it."""
    with suppress(ImportError, ValueError, OSError):
        import resource

        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        endless = hard == resource.RLIM_INFINITY
        target = FILES if endless else min(FILES, hard)
        if soft != resource.RLIM_INFINITY and soft < target:
            resource.setrlimit(resource.RLIMIT_NOFILE, (target, hard))
