"""Prepare an installation, once: ``python -m dpviz.ui.server.warmup [--all]``.

Opens the front page and Trade-off without a browser, so that their features and results are stored,
with further data draws, and everything that the server and these pages import is compiled.
``--all`` opens all pages, and embeds all data sets on disk. A public demo needs it, as visitors may
start no long computations.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path

from streamlit import config
from streamlit.logger import set_log_level
from streamlit.testing.v1 import AppTest

from dpviz import __version__
from dpviz.machine import public_mode
from dpviz.machine.files import cache_dir, write_atomic
from dpviz.text.navigation import ENTRIES
from dpviz.ui.live import imports_ahead
from dpviz.ui.server import serve

MESSAGE = "First start: compiling imports and computing the default features and the first chart."
#: Seconds that a page may take here.
PATIENCE = 1800.0
#: Pages that are opened after the front page.
TRADE_OFF = "trade_off"
FIRST_PAGES = (TRADE_OFF,)
ALL_PAGES = tuple(page for entry in ENTRIES.values() for page in entry if page != "front")
#: Option that opens all pages and embeds all data sets.
ALL_OPTION = "--all"
SERVER_MODULES = ("streamlit.web.bootstrap", "uvicorn")


def main(options: Sequence[str] = ()) -> int:
    """Return exit status 0 if the pages ran, else 1."""
    print(MESSAGE, flush=True)
    os.environ.pop(public_mode.SETTING, None)  # the operator may start long work
    set_log_level("ERROR")  # it warns that there is no browser
    config.set_option("client.showErrorDetails", "full")  # to whoever installs
    for module in (*SERVER_MODULES, *imports_ahead.CHART_MODULES, *imports_ahead.COMPUTING_MODULES):
        import_module(module)
    failed = _print_errors(_opened())
    for name in ALL_PAGES if ALL_OPTION in options else FIRST_PAGES:
        if failed:
            break
        page = _opened(f"pages/{name}.py")
        failed = _print_errors(page) or (name == TRADE_OFF and _compute_further_draws(page))
    if ALL_OPTION in options:
        _embed_all()
    if not failed:
        write_atomic(_stamp(), lambda file: None)
    return int(failed)


def _compute_further_draws(page: AppTest) -> bool:
    """Store the further data draws of Trade-off, so that its first answer is not preliminary, and
    those of the front page.

    Args:
        page: Trade-off, opened.

    Returns:
        Whether the page ended with an exception.
    """
    from dpviz.experiments import experiment
    from dpviz.ui.live import refining
    from dpviz.ui.widgets.budget_control import RANGES
    from dpviz.views import equal_leakage, front_page

    drawn = refining.requested_view("trade-off", page.session_state)
    if drawn is not None:
        specs = [spec for group in drawn.groups() for spec in group]
        finer = refining.compute_ahead(drawn, experiment.stored(specs))
        finer = finer.with_budget(RANGES[finer.budget.axis][2])  # at which the page opens
        at_now = experiment.stored(
            [s for g in finer.groups() for s in g if s.budget == finer.budget]
        )
        refining.compute(equal_leakage.groups(finer, at_now))
        page.run()  # computes what the page adds to its curves
        refining.compute(front_page.draw_groups(next(iter(front_page.DATASETS))))
    return _print_errors(page)


def _embed_all() -> None:
    """Store the features of each data set on disk, and of its public sets, by its first encoder."""
    from dpviz.data import DATASETS, public_available, suiting_encoder, synthetic
    from dpviz.experiments.embedding_work import Task, embed
    from dpviz.machine.fair_queue import no_progress

    done: set[tuple[str, str]] = set()
    for key, row in DATASETS.items():
        encoder = suiting_encoder(key)
        has_images = "private" in row.roles and not synthetic.is_synthetic(key)
        if not has_images or not row.is_on_disk():
            continue
        for public in public_available(key):
            if not {(key, encoder), (public, encoder)} <= done:
                embed(Task("embed", key, encoder, public), no_progress)
                done |= {(key, encoder), (public, encoder)}


def _stamp() -> Path:
    """Return the file that says that this version's installation is prepared."""
    return cache_dir() / f"prepared-{__version__}"


def prepare() -> None:
    """Prepare the installation in a process of its own, unless it is prepared."""
    if not _stamp().exists():
        command = [sys.executable, "-m", __name__]
        subprocess.run(command, cwd=serve.app().parent, check=False)


def _opened(name: str = "") -> AppTest:
    """Return the front page, or then a page, as a new visitor, whose controls no page has set."""
    page = AppTest.from_file(serve.app(), default_timeout=PATIENCE).run()
    return page.switch_page(name).run() if name else page


def _print_errors(page: AppTest) -> bool:
    """Print the errors of a page; return whether it ended with an exception."""
    for error in (*page.exception, *page.error):
        print(error.value, file=sys.stderr)
    return bool(page.exception)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
