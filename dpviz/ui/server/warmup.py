"""Once after an installation: ``python -m dpviz.ui.server.warmup``.

Opens the front page and Trade-off without a browser, so that their features and results are stored,
and everything that the server and these pages import is compiled.
"""

from __future__ import annotations

import sys
from importlib import import_module

from streamlit import config
from streamlit.logger import set_log_level
from streamlit.testing.v1 import AppTest

from dpviz.ui.live import imports_ahead
from dpviz.ui.server import serve

SAID = "Once: compiling what the dashboard imports, computing the default features and first chart."
PATIENCE = 1800.0
"""Seconds that a page may take here."""
NEXT = "pages/trade_off.py"
"""What is opened after the front page."""
SERVES = ("streamlit.web.bootstrap", "uvicorn")


def main() -> int:
    """Exit status 0 where both pages stand, else 1."""
    print(SAID, flush=True)
    set_log_level("ERROR")  # it warns that there is no browser
    config.set_option("client.showErrorDetails", "full")  # to whoever installs
    for module in (*SERVES, *imports_ahead.DRAWS, *imports_ahead.COMPUTES):
        import_module(module)
    page = AppTest.from_file(serve.app(), default_timeout=PATIENCE).run()
    if not _refused(page):
        page.switch_page(NEXT).run()
    return int(_refused(page))


def _refused(page: AppTest) -> bool:
    """Whether a page fell over; says what was refused."""
    for refused in (*page.exception, *page.error):
        print(refused.value, file=sys.stderr)
    return bool(page.exception)


if __name__ == "__main__":
    sys.exit(main())
