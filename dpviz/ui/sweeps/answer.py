"""The answer of the page "Sweeps": what of a sweep is in the store, and how far it is, in words."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Sequence

from dpviz.formatting import literal
from dpviz.plots.budget_curves import BudgetCurve
from dpviz.run import experiment, sweep_files
from dpviz.run.sweep_files import Status
from dpviz.types import DpvizError, Result
from dpviz.ui.frame import page_parts
from dpviz.ui.live import long_work, page_caches
from dpviz.views import phrases, public_only, sweeps_page, trade_off_page
from dpviz.views.sweeps_page import SweepLines

MAX_CELLS = 20_000
"""Cells of a sweep that is opened here; larger ones have their CSV."""
SIGNS = {"running": "▶", "finished": "✓", "stopped": "❚❚", "failed": "✕", "broken off": "⚡"}
STATE_TEXTS = {
    "running": "is running",
    "finished": "is finished",
    "stopped": "was stopped",
    "failed": "failed",
    "broken off": "broke off (no sign of life)",
}
NO_SWEEPS = (
    "A sweep is a list of experiments that run one after another and are then drawn together. No"
    " sweep has run yet: begin one below, or from a shell with `python -m dpviz sweep sweep.toml"
    " --out results.csv`."
)
UNKNOWN_SWEEP = "The sweep that the link names is not on this server. "


def results(status: Status) -> tuple[Result, ...]:
    """What is stored of a sweep; nothing, with a sentence on the page, where it cannot be read."""
    try:
        # a running one is read anew only when more is done
        return _opened(
            status.key, status.done, 0.0 if status.current_state == "running" else status.beat
        )
    except DpvizError as error:
        page_parts.refusals([str(error)])
        return ()


@page_caches.cached(8, "Reading the store")
def _opened(key: str, done: int, beat: float) -> tuple[Result, ...]:
    """``done`` and ``beat`` say how far it is, so that what came since is read anew."""
    status = sweep_files.load(key)
    if status is None:
        return ()
    specs = sweep_files.parse(status.text, status.name, MAX_CELLS, Counter())
    try:
        return tuple(experiment.stored(specs))
    except DpvizError:  # the sweep left its invalid cells out
        valid, _ = sweep_files.without_invalid(specs)
        return tuple(experiment.stored(valid))


def compares(results: Sequence[Result], lines: SweepLines, precise: bool) -> str:
    """That settings are compared below, where any are."""
    names = [sweeps_page.varied_settings(results, method) for method in lines.titles]
    titles = dict.fromkeys(
        title for titles_of_method in names for title in titles_of_method.values()
    )
    return sweeps_page.note(list(titles), precise)


def state(status: Status) -> str:
    """How far the sweep is, in words."""
    return (
        f"**{literal(status.name)}** {STATE_TEXTS[status.current_state]}: {status.done:,} of"
        f" {status.total:,} cells."
    )


def public_alone(key: str, lines: SweepLines) -> list[Result]:
    """Public data alone on the data shown; [] until it is there, and if the sweep has it."""
    spec = public_only.public_run(lines.results[0].spec)
    if spec is None or public_only.KEY in lines.titles:
        return []
    return long_work.late_results(f"{key}-public", (spec,))


def in_precise_words(lines: SweepLines, curve: BudgetCurve, budget: float) -> str:
    """What was found at a budget."""
    return trade_off_page.precise(curve, lines.results[0].spec, budget, rare(lines))


def in_plain_words(lines: SweepLines, curve: BudgetCurve, budget: float) -> str:
    """What was found at a budget, for someone who knows no statistics; classes go by their number,
    since a sweep from the store loads no data.
    """
    first = lines.results[0]
    return trade_off_page.plain(curve, first.spec, budget, rare(lines))


def rare(lines: SweepLines) -> tuple[str, ...]:
    """The classes of the minority, by their numbers."""
    first = lines.results[0]
    names = [f"number {c}" for c in range(len(first.class_counts))]
    return phrases.rare_class_names(names, first.class_counts, first.spec.draw)


def age_text(then: float) -> str:
    """How long a time (seconds since 1970) is past."""
    seconds = max(0.0, time.time() - then)
    for size, word in ((86400, "d"), (3600, "h"), (60, "min")):
        if seconds >= size:
            return f"{seconds / size:.0f} {word}"
    return f"{seconds:.0f} s"
