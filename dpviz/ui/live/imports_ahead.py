"""What the pages import, brought before it is asked for, on a thread of the server's own.

What a chart from the store needs comes while the first browser still loads its scripts. What
computes comes once the first page is complete: it takes seconds, which a stored chart need not
wait for, and a first move that has to be computed should not.
"""

from __future__ import annotations

import gc
import threading
import time
from importlib import import_module

CHART_MODULES = (
    "dpviz.ui.frame.lesson_strip",
    "dpviz.ui.frame.page_frame",
    "dpviz.ui.front.answer",
    "dpviz.ui.front.answer",
    "dpviz.ui.live.long_work",
    "dpviz.ui.frame.about_numbers",
    "dpviz.ui.frame.pinned",
    "dpviz.ui.trade_off.one_chart",
    "dpviz.ui.trade_off.sections",
    "scipy.special",
)
"""Of the front page and of Trade-off, in the order in which they ask."""
COMPUTING_MODULES = (
    "pandas",
    "torch",
    "scipy.optimize",
    "scipy.stats",
    "autodp.mechanism_zoo",
    "sklearn.linear_model",
)
"""Of a first move."""
PAUSE = 1.0
"""Seconds that the browser has to draw the first page, before what computes is brought."""

_complete = threading.Event()


def begin() -> None:
    """Import both on a thread; call it when the server starts."""
    gc.disable()  # until the first page is complete: imported modules stay anyway
    threading.Thread(target=_import_in_order, daemon=True).start()


def first_page_is_complete() -> None:
    """Whoever runs pages says so; anyone may say so again."""
    gc.enable()
    _complete.set()


def _import_in_order() -> None:
    _import_all(CHART_MODULES)
    _complete.wait()
    time.sleep(PAUSE)
    _import_all(COMPUTING_MODULES)


def _import_all(modules: tuple[str, ...]) -> None:
    for module in modules:
        import_module(module)
