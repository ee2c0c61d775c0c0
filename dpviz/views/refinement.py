"""Refinement of a view by further noise seeds: how many, and in which steps."""

from __future__ import annotations

from collections.abc import Sequence

from dpviz.methods import METHODS
from dpviz.types import Result
from dpviz.views.page_config import PageConfig

FIRST_SEEDS = 5
"""Noise seeds at first: the control's default, and the only number that is refined."""
SEED_STEPS = (10, 20, 40, 60)
"""Numbers of seeds at which a refined view is drawn."""
QUICK_SECONDS, SLOW_SEEDS = 0.25, 20
"""Seconds of a run up to which all steps are made, and the last step of slower methods."""
MAX_SECONDS = 600.0
"""Seconds of computing in all above which a step is not made."""
MAX_RESULTS = 5_000
"""Results of one view in memory: a quarter of what memory keeps (``run.jobs.RESULTS``)."""


def seed_steps(view: PageConfig, results: Sequence[Result]) -> tuple[int, ...]:
    """Return the numbers of seeds that a view is refined to, in order.

    Args:
        results: of the view at its first seeds, in any order.
    """
    runs = [run for run in results if METHODS[run.spec.method].private and run.spec.budget.private]
    if not runs or view.seeds > FIRST_SEEDS:
        return ()
    slowest = max(_mean_seconds(runs, key) for key in {run.spec.method for run in runs})
    last = SEED_STEPS[-1] if slowest <= QUICK_SECONDS else SLOW_SEEDS
    each, seconds = len(runs) / view.seeds, sum(run.seconds for run in runs) / view.seeds
    return tuple(
        n
        for n in SEED_STEPS
        if n <= last and n * each <= MAX_RESULTS and (n - view.seeds) * seconds <= MAX_SECONDS
    )


def _mean_seconds(runs: Sequence[Result], method: str) -> float:
    mine = [run.seconds for run in runs if run.spec.method == method]
    return sum(mine) / len(mine)


def seed_range(view: PageConfig) -> str:
    """Return the seeds of a view in words: ``60 seeds (0–59)``."""
    return f"{view.seeds} seeds ({view.first_seed}–{view.first_seed + view.seeds - 1})"
