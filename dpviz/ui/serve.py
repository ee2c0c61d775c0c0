"""Serve the dashboard: ``python -m dpviz.ui.serve [streamlit options]``.

As ``streamlit run app.py``, which works too, but for one thing: because there is a folder
``pages``, Streamlit takes the app for one without navigation of its own until it has run once, and
greets the first visitor who comes by a link to a page with "Page not found".
"""

from __future__ import annotations

import sys
from pathlib import Path

from streamlit.runtime.pages_manager import PagesManager
from streamlit.web.cli import main

if __name__ == "__main__":
    PagesManager.uses_pages_directory = False
    app = Path(__file__).resolve().parents[2] / "app.py"
    sys.argv = ["streamlit", "run", str(app), *sys.argv[1:]]
    sys.exit(main())
