"""What of a sweep is drawn: one setting a method, at one imbalance ratio."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from dpviz.methods import METHODS
from dpviz.types import Result
from dpviz.views.view import View


@dataclass(frozen=True)
class SweepLines:
    """Results of one setting a method at one imbalance ratio, and the budget looked at."""

    results: tuple[Result, ...]
    ir: float
    budget: float

    @property
    def titles(self) -> dict[str, str]:
        """Names of the methods, in table order."""
        present = {r.spec.method for r in self.results}
        return {key: row.title for key, row in METHODS.items() if key in present}

    @property
    def now(self) -> list[Result]:
        """Private runs at the budget looked at."""
        return [
            r
            for r in self.results
            if r.spec.budget.value == self.budget and METHODS[r.spec.method].private
        ]

    @property
    def view(self) -> View:
        """The same as settings of a page."""
        first, seeds = self.results[0].spec, {r.spec.seed for r in self.results}
        params = {r.spec.method: r.spec.params for r in self.results if r.spec.params}
        return View(
            **first.facts,
            budget=replace(first.budget, value=self.budget),
            first_seed=min(seeds),
            seeds=len(seeds),
            methods=tuple(self.titles),
            params=tuple(params.items()),
        )

    @property
    def drawable(self) -> list[Result]:
        """The runs that lines are drawn from. A method without noise is the same at every budget:
        one line across.
        """
        runs = [r for r in self.results if METHODS[r.spec.method].private and r.spec.budget.private]
        across = {r.spec.method: r for r in self.results if not METHODS[r.spec.method].private}
        return runs + [_without_budget(r) for r in across.values()]


def _without_budget(result: Result) -> Result:
    budget = replace(result.spec.budget, value=math.inf)
    return replace(result, spec=replace(result.spec, budget=budget))
