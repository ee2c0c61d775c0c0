"""Serve the dashboard: ``python -m dpviz.ui.server.serve [streamlit options]``.

Serves the application of ``app.py``, as ``streamlit run app.py`` does, and adds three things. A
startup proxy gives the browser its scripts while the server imports its modules. Results that
visitors left behind are deleted every hour. ``DPVIZ_ROOM`` opens the listener of a live class.
"""

from __future__ import annotations

import gc
import sys
import sysconfig
import threading
from pathlib import Path

from dpviz.ui.server import classroom_listener, security_headers, startup_proxy

SHARED = Path(sysconfig.get_path("data"), "share", "dpviz")
"""Where an installed package has ``app.py``, its pages and the server's settings."""
QUIET = 60.0
"""Seconds after the start that belong to the first visitors."""


def app() -> Path:
    """The file that Streamlit runs: of this checkout, or as it was installed."""
    from dpviz.machine import files

    return next(path for home in (files.ROOT, SHARED) if (path := home / "app.py").is_file())


def begin_rounds() -> None:
    """Clear away what visitors left behind, in a thread of its own, a while after the start and
    every hour.
    """

    def rounds() -> None:
        from dpviz.run import cleanup  # nobody's first chart waits for all that this imports

        cleanup.rounds()

    timer = threading.Timer(QUIET, rounds)
    timer.daemon = True
    timer.start()


def use(opened: startup_proxy.Door) -> None:
    """Streamlit's server takes over the door where it listens there, else shuts it."""
    from streamlit.web.server.starlette import starlette_server

    bind = starlette_server._bind_socket

    def taken_over(address: str, port: int, backlog: int) -> object:
        starlette_server._bind_socket = bind
        if (address, port) == (startup_proxy.HOST, opened.port):
            return opened.take_over()
        opened.shut()
        return bind(address, port, backlog)

    starlette_server._bind_socket = taken_over


def main(options: list[str]) -> int:
    """Open the door, then import what takes seconds, and serve until someone ends it."""
    try:
        security_headers.of_the_environment()
        phones = classroom_listener.bound(options)
        port = startup_proxy.port_of(options)
        opened = startup_proxy.open_door(port, startup_proxy.hosts_of(options)) if port else None
    except ValueError as error:
        print(error, file=sys.stderr)
        return 2
    gc.disable()  # until the first page is complete: what is imported stays anyway

    from streamlit.web import cli

    from dpviz.ui.live import imports_ahead

    if opened:
        use(opened)
    if phones:
        print(classroom_listener.sentence(port, phones), flush=True)
        classroom_listener.begin(phones)
    begin_rounds()
    imports_ahead.begin()
    sys.argv = ["streamlit", "run", str(app()), *options]
    return cli.main()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
