"""Serve the dashboard: ``python -m dpviz.ui.serve [streamlit options]``.

As ``streamlit run app.py``, which works too, but for two things: because there is a folder
``pages``, Streamlit takes the app for one without navigation of its own until it has run once, and
greets the first visitor who comes by a link to a page with "Page not found"; and its answers lack
the headers that say who may frame them.
"""

from __future__ import annotations

import sys
import sysconfig
from pathlib import Path

from streamlit.runtime.pages_manager import PagesManager
from streamlit.web.cli import main

from dpviz.machine.files import ROOT
from dpviz.types import DpvizError
from dpviz.ui import headers
from dpviz.ui.live import imports_ahead

SHARED = Path(sysconfig.get_path("data"), "share", "dpviz")
"""Where an installed package has ``app.py``, its pages and the server's settings."""


def app() -> Path:
    """The file that Streamlit runs: of this checkout, or as it was installed."""
    return next(path for home in (ROOT, SHARED) if (path := home / "app.py").is_file())


if __name__ == "__main__":
    PagesManager.uses_pages_directory = False
    try:
        headers.install()
    except DpvizError as error:
        print(error, file=sys.stderr)
        sys.exit(2)
    imports_ahead.begin()
    sys.argv = ["streamlit", "run", str(app()), *sys.argv[1:]]
    sys.exit(main())
