"""Prepare an installation, once: ``python -m dpviz.ui.server.warmup``.

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

MESSAGE = "First start: compiling imports and computing the default features and the first chart."
#: Seconds that a page may take here.
PATIENCE = 1800.0
#: Page that is opened after the front page.
NEXT_PAGE = "pages/trade_off.py"
SERVER_MODULES = ("streamlit.web.bootstrap", "uvicorn")


def main() -> int:
    """Return exit status 0 if both pages ran, else 1."""
    print(MESSAGE, flush=True)
    set_log_level("ERROR")  # it warns that there is no browser
    config.set_option("client.showErrorDetails", "full")  # to whoever installs
    for module in (*SERVER_MODULES, *imports_ahead.CHART_MODULES, *imports_ahead.COMPUTING_MODULES):
        import_module(module)
    page = AppTest.from_file(serve.app(), default_timeout=PATIENCE).run()
    if not _print_errors(page):
        page.switch_page(NEXT_PAGE).run()
    return int(_print_errors(page))


def _print_errors(page: AppTest) -> bool:
    """Print the errors of a page; return whether it ended with an exception."""
    for error in (*page.exception, *page.error):
        print(error.value, file=sys.stderr)
    return bool(page.exception)


if __name__ == "__main__":
    sys.exit(main())
