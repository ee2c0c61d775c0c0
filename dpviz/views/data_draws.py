"""A method's runs on all data draws, for the accuracies of a page whose picture shows one draw.

Trade-off compares methods over the same draws and seeds, so each setting has one accuracy on all
pages.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from dpviz.stats import Interval, accuracy
from dpviz.types import Result, RunSpec
from dpviz.views import public_only
from dpviz.views.page_config import DRAW_STEPS, FIRST_SEEDS, Group, PageConfig, draws_differ

STEP = DRAW_STEPS[-1]
"""Data draws, and seeds of each: the last step of Trade-off."""
MAX_SECONDS = 60.0
"""Seconds of computing from which on a page keeps to one draw."""


@dataclass(frozen=True, eq=False)
class DrawRuns:
    """Results on all data draws, as one run of a page uses them.

    Attributes:
        by_budget: results of the method, those without noise at an infinite budget; public: of
            public images alone, empty where they do not have the private classes.
    """

    by_budget: Mapping[float, Sequence[Result]]
    public: Sequence[Result]
    _accuracies: dict[tuple[float, str], Interval] = field(default_factory=dict, init=False)

    @property
    def all_results(self) -> list[Result]:
        """All of these."""
        return [*(run for runs in self.by_budget.values() for run in runs), *self.public]

    def at_budget(self, budget: float) -> Sequence[Result]:
        """Return the results at a budget; those without noise at an infinite one."""
        return self.by_budget.get(budget, ())

    def accuracy(self, budget: float, metric: str) -> Interval:
        """Return the accuracy at a budget, infinite without noise; it is computed once, since a
        page states each several times.
        """
        key = budget, metric
        if key not in self._accuracies:
            self._accuracies[key] = accuracy(self.at_budget(budget), metric)
        return self._accuracies[key]

    def public_accuracy(self, metric: str) -> Interval | None:
        """Return the accuracy of public images alone, None where there is none."""
        return accuracy(self.public, metric) if self.public else None


def over_draws(view: PageConfig, draws: DrawRuns | None) -> PageConfig:
    """Return the view of the runs behind the accuracies: on all data draws, once they ran."""
    return replace(view, draws=STEP.draws) if draws else view


def are_affordable(spec: RunSpec, seeds: int, seconds: float) -> bool:
    """Return whether other data draws differ, are not chosen already, and take little time.

    Args:
        spec: of a run of the page; seeds: that the page's controls give, or their first choice;
        seconds: of computing that one seed took on one data draw.
    """
    if not draws_differ(spec) or spec.draw or seeds != FIRST_SEEDS:
        return False
    return STEP.draws * STEP.seeds * seconds <= MAX_SECONDS


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
    """Return the runs by role.

    Args:
        noisy: results with noise; fixed: results of ``fixed_group``.
    """
    quiet, public = fixed[: STEP.draws], fixed[STEP.draws :]
    by_budget: dict[float, list[Result]] = {}
    for run in (*noisy, *quiet):
        by_budget.setdefault(run.spec.budget.value, []).append(run)
    return DrawRuns(by_budget, public)
