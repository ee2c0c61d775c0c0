"""Serve the dashboard: ``python -m dpviz.ui.serve [streamlit options]``.

As ``streamlit run app.py``, which works too, but for some things: because there is a folder
``pages``, Streamlit takes the app for one without navigation of its own until it has run once, and
greets the first visitor who comes by a link to a page with "Page not found"; its answers lack the
headers that say who may frame them, and the cookie by which a visitor is known again; and what
visitors left behind stays.
"""

from __future__ import annotations

import sys
import sysconfig
import threading
from pathlib import Path

from streamlit.runtime.pages_manager import PagesManager
from streamlit.web.cli import main

from dpviz.machine.files import ROOT
from dpviz.types import DpvizError
from dpviz.ui import headers, visitor_cookie
from dpviz.ui.live import imports_ahead

SHARED = Path(sysconfig.get_path("data"), "share", "dpviz")
"""Where an installed package has ``app.py``, its pages and the server's settings."""
QUIET = 60.0
"""Seconds after the start that belong to the first visitors."""


def app() -> Path:
    """The file that Streamlit runs: of this checkout, or as it was installed."""
    return next(path for home in (ROOT, SHARED) if (path := home / "app.py").is_file())


def begin_rounds() -> None:
    """Clear away what visitors left behind, in a thread of its own, a while after the start and
    every hour.
    """

    def rounds() -> None:
        from dpviz.run import leavings  # nobody's first chart waits for all that this imports

        leavings.rounds()

    timer = threading.Timer(QUIET, rounds)
    timer.daemon = True
    timer.start()


if __name__ == "__main__":
    PagesManager.uses_pages_directory = False
    try:
        headers.install()
    except DpvizError as error:
        print(error, file=sys.stderr)
        sys.exit(2)
    visitor_cookie.install()
    begin_rounds()
    imports_ahead.begin()
    sys.argv = ["streamlit", "run", str(app()), *sys.argv[1:]]
    sys.exit(main())
