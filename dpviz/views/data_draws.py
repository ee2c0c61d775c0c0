"""A method's runs on all data draws, for the accuracies of a page whose picture shows one draw.

Trade-off compares methods over the same draws and seeds, so each setting has one accuracy on all
pages.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from dpviz.types import Result, RunSpec
from dpviz.views import public_only
from dpviz.views.page_config import DRAW_STEPS, FIRST_SEEDS, Group, PageConfig, draws_differ

STEP = DRAW_STEPS[-1]
"""Data draws, and seeds of each: the last step of Trade-off."""
MAX_SECONDS = 60.0
"""Seconds of computing from which on a page keeps to one draw."""


@dataclass(frozen=True)
class DrawRuns:
    """Results on all data draws.

    Attributes:
        noisy: at all budgets; quiet: without noise; public: of public images alone, empty where
            they do not have the private classes.
    """

    noisy: Sequence[Result]
    quiet: Sequence[Result]
    public: Sequence[Result] = ()

    @property
    def all_results(self) -> list[Result]:
        """All of these."""
        return [*self.noisy, *self.quiet, *self.public]

    def at_budget(self, budget: float) -> list[Result]:
        """Return the results at a budget; those without noise at an infinite one."""
        if math.isinf(budget):
            return list(self.quiet)
        return [run for run in self.noisy if run.spec.budget.value == budget]


def over_draws(view: PageConfig, draws: DrawRuns | None) -> PageConfig:
    """Return the view of the runs behind the accuracies: on all data draws, once they ran."""
    return replace(view, draws=STEP.draws) if draws else view


def are_affordable(spec: RunSpec, seeds: int, results: Iterable[Result]) -> bool:
    """Return whether other data draws differ, are not chosen already, and take little time.

    Args:
        spec: of a run of the page; seeds: that the page's controls give, or that it has;
        results: of one data draw, one per budget and seed.
    """
    if not draws_differ(spec) or spec.draw or seeds != FIRST_SEEDS:
        return False
    factor = STEP.draws * STEP.seeds / FIRST_SEEDS
    return factor * sum(run.seconds for run in results) <= MAX_SECONDS


def curve_groups(view: PageConfig, method: str) -> list[Group]:
    """Return the runs with noise: those of the stops, and of a budget between them."""
    return replace(view, methods=(method,), draws=STEP.draws, seeds=STEP.seeds).groups()


def one_budget_group(spec: RunSpec) -> Group:
    """Return the runs of a run's setting at its budget."""
    draws, seeds = range(STEP.draws), range(STEP.seeds)
    return tuple(replace(spec, draw=draw, seed=spec.seed + s) for draw in draws for s in seeds)


def fixed_group(spec: RunSpec) -> Group:
    """Return the runs that no budget changes, per data draw: without noise, and with public images
    alone where they have the private classes.

    Args:
        spec: of the method, at any budget.
    """
    quiet = replace(spec, budget=replace(spec.budget, value=math.inf))
    per_draw = [replace(quiet, draw=draw) for draw in range(STEP.draws)]
    public = [public_only.public_run(run) for run in per_draw]
    return (*per_draw, *(run for run in public if run))


def from_results(noisy: Sequence[Result], fixed: Sequence[Result]) -> DrawRuns:
    """Return the runs by role; ``fixed``: results of ``fixed_group``."""
    is_public = [run.spec.method == public_only.KEY for run in fixed]
    quiet, public = (
        [run for run, other in zip(fixed, is_public, strict=True) if other is wanted]
        for wanted in (False, True)
    )
    return DrawRuns(noisy, quiet, public)
