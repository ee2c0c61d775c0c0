"""Serve the dashboard: ``python -m dpviz.ui.server.serve [streamlit options]``.

Runs ``streamlit run app.py`` after it has checked the settings, and opens the listener of a live
class if ``DPVIZ_ROOM`` names its address.
"""

from __future__ import annotations

import runpy
import socket
import sys
import sysconfig
from pathlib import Path

from dpviz.machine import files, public_mode
from dpviz.types import DpvizError
from dpviz.ui.server import classroom_listener, security_headers

#: Folder with ``app.py``, its pages and the server's settings, where the package is installed.
SHARED = Path(sysconfig.get_path("data"), "share", "dpviz")


def app() -> Path:
    """Return the file that Streamlit runs: of this checkout, or as it was installed."""
    return next(path for home in (files.ROOT, SHARED) if (path := home / "app.py").is_file())


def check_free(port: int) -> None:
    """Check that this machine's own address has the port to give.

    Raises:
        DpvizError: if the port is taken, or not allowed.
    """
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((classroom_listener.LOOPBACK, port))
        except OSError as error:
            raise DpvizError(
                f"The dashboard cannot listen on port {port} ({error.strerror}). Use another"
                " --port."
            ) from None


def main(options: list[str]) -> int:
    """Check the settings, then serve until the process ends."""
    port = classroom_listener.port_of(options)
    try:
        security_headers.headers_from_environment()
        phones = classroom_listener.bind(options)
        if port and not any(option.startswith("--server.address") for option in options):
            check_free(port)
    except ValueError as error:
        print(error, file=sys.stderr)
        return 2
    if phones:
        print(classroom_listener.describe(port, phones), flush=True)
        classroom_listener.start(phones)
    if public_mode.is_on():
        # the server reads this limit before it imports the application
        from dpviz.ui.server import public_limits

        public_limits.limit_incoming_messages()
    sys.argv = ["streamlit", "run", str(app()), *options]
    runpy.run_module("streamlit", run_name="__main__")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
