"""Middleware and lifespan of the dashboard's ASGI application, whatever starts the server."""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from types import FrameType

import streamlit as st
from starlette.middleware import Middleware
from streamlit import config

from dpviz.machine import public_mode, threads
from dpviz.machine.request_guard import Hosts, RequestGuard, allowed_hosts
from dpviz.text import public_mode as public_text
from dpviz.types import DpvizError
from dpviz.ui import streamlit_internals
from dpviz.ui.frame import visitor
from dpviz.ui.live import imports_ahead
from dpviz.ui.server import classroom_listener, public_limits, security_headers
from dpviz.ui.server.loading_page import LoadingPage
from dpviz.ui.server.public_limits import PublicLimits
from dpviz.ui.server.security_headers import SecurityHeaders
from dpviz.ui.server.upload_limits import UploadLimits
from dpviz.ui.server.visitor_cookie import VisitorCookie

SHUTDOWN_SECONDS = 4.0
#: Seconds after the start that belong to the first visitors.
CLEANUP_DELAY = 60.0
#: Signals that end the server; connections and threads that do not close in time are cut.
SIGNALS = (signal.SIGINT, signal.SIGTERM)


def middleware() -> list[Middleware]:
    """Return the middleware, the outermost first. The allocator is set up on the way: no visitor's
    thread has started yet.
    """
    threads.limit_arenas()
    streamlit_internals.leave_pages_to_the_script()
    try:
        headers = security_headers.headers_from_environment()
        check_public_mode()
    except ValueError as error:
        sys.exit(str(error))
    public: list[Middleware] = []
    if public_mode.is_on():
        public_limits.apply()
        public.append(Middleware(PublicLimits))
    return [
        Middleware(SecurityHeaders, headers=headers),
        Middleware(RequestGuard, hosts=hosts),
        *public,
        Middleware(UploadLimits),
        Middleware(VisitorCookie),
        Middleware(LoadingPage),
    ]


def check_public_mode() -> None:
    """Check that no setting contradicts public mode.

    Raises:
        DpvizError: for ``DPVIZ_SHARED``, ``DPVIZ_ROOM``, or a link that is not https.
    """
    if not public_mode.is_on():
        return
    if visitor.shared():
        raise DpvizError(public_text.NOT_SHARED)
    if os.environ.get(classroom_listener.SETTING, classroom_listener.TURNED_OFF) not in (
        "",
        classroom_listener.TURNED_OFF,
    ):
        raise DpvizError(public_text.NO_CLASS)
    public_mode.link()


def hosts() -> Hosts:
    """Return the hosts that Streamlit's settings allow."""
    names = list(config.get_option("server.allowedHosts"))
    if config.is_manually_set("browser.serverAddress"):
        names.append(config.get_option("browser.serverAddress"))
    return allowed_hosts([config.get_option("server.address") or ""], names)


@asynccontextmanager
async def lifespan(app: st.App) -> AsyncIterator[None]:
    """Import what pages need, delete expired files of visitors every hour, and end in time."""
    limit_shutdown()
    imports_ahead.begin()
    if public_mode.is_on():
        threading.Thread(target=_prepare, daemon=True).start()
    cleanup_timer = threading.Timer(CLEANUP_DELAY, _clean_up_every_hour)
    cleanup_timer.daemon = True
    cleanup_timer.start()
    yield
    cleanup_timer.cancel()


def _prepare() -> None:
    from dpviz.ui.server import warmup  # imports the tests' part of Streamlit

    warmup.prepare()


def _clean_up_every_hour() -> None:
    from dpviz.experiments import cleanup  # the first chart does not wait for these imports

    cleanup.run_forever()


def limit_shutdown() -> None:
    """Have each ending signal also start a timer that ends the process."""
    if threading.current_thread() is not threading.main_thread():
        return
    for number in SIGNALS:
        _limit_signal(number)


def _limit_signal(handled: signal.Signals) -> None:
    handle = signal.getsignal(handled)

    def handle_and_limit(number: int, frame: FrameType | None) -> None:
        timer = threading.Timer(SHUTDOWN_SECONDS, os._exit, (128 + number,))
        timer.daemon = True
        timer.start()
        if callable(handle):
            handle(number, frame)

    signal.signal(handled, handle_and_limit)
