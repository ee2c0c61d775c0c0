"""Middleware and lifespan of the dashboard's ASGI application, whatever starts the server."""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from types import FrameType
from typing import Any

from starlette.middleware import Middleware
from streamlit import config
from streamlit.runtime.pages_manager import PagesManager

from dpviz.machine import allocator
from dpviz.machine.request_guard import Hosts, RequestGuard, allowed_hosts
from dpviz.ui.server import security_headers
from dpviz.ui.server.loading_page import Opening
from dpviz.ui.server.upload_limits import ParkedUploads
from dpviz.ui.server.visitor_cookie import VisitorCookie

SHUTDOWN_SECONDS = 4.0
#: Signals that end the server; connections and threads that do not close in time are cut.
SIGNALS = (signal.SIGINT, signal.SIGTERM)


def middleware() -> list[Middleware]:
    """Return the middleware, the outermost first. The allocator is set up on the way: no visitor's
    thread has started yet.
    """
    allocator.limit_arenas()
    # Otherwise Streamlit takes the folder ``pages`` for the navigation until ``app.py`` first ran.
    PagesManager.uses_pages_directory = False
    try:
        given = security_headers.of_the_environment()
    except ValueError as error:
        sys.exit(str(error))
    return [
        Middleware(security_headers.with_headers, given=given),
        Middleware(RequestGuard, hosts=hosts),
        Middleware(ParkedUploads),
        Middleware(VisitorCookie),
        Middleware(Opening),
    ]


def hosts() -> Hosts:
    """Return the hosts that Streamlit's settings allow."""
    names = list(config.get_option("server.allowedHosts"))
    if config.is_manually_set("browser.serverAddress"):
        names.append(config.get_option("browser.serverAddress"))
    return allowed_hosts([config.get_option("server.address") or ""], names)


@asynccontextmanager
async def lifespan(app: Any) -> AsyncIterator[None]:
    """Limit the time that the server takes to end."""
    limit_shutdown()
    yield


def limit_shutdown() -> None:
    """Have each ending signal also start a timer that ends the process."""
    if threading.current_thread() is not threading.main_thread():
        return
    for number in SIGNALS:
        _limit(number)


def _limit(number: signal.Signals) -> None:
    handle = signal.getsignal(number)

    def handle_and_limit(found: int, frame: FrameType | None) -> None:
        timer = threading.Timer(SHUTDOWN_SECONDS, os._exit, (128 + found,))
        timer.daemon = True
        timer.start()
        if callable(handle):
            handle(found, frame)

    signal.signal(number, handle_and_limit)
