"""What of a sweep is drawn: one setting a method, on one part of the records."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from dpviz.methods import METHODS
from dpviz.types import Result
from dpviz.views.page_config import PageConfig


@dataclass(frozen=True)
class SweepLines:
    """Results of one setting a method on one part of the records, and the budget looked at.

    Attributes:
        results: those of the main chart; budget: the one looked at; few_and_many: the same and
            those with other numbers of records a class.
    """

    results: tuple[Result, ...]
    budget: float
    few_and_many: tuple[Result, ...] = ()

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
    def view(self) -> PageConfig:
        """The same as settings of a page."""
        first, seeds = self.results[0].spec, {r.spec.seed for r in self.results}
        params = {r.spec.method: r.spec.params for r in self.results if r.spec.params}
        return PageConfig(
            **first.facts,
            budget=replace(first.budget, value=self.budget),
            first_seed=min(seeds),
            seeds=len(seeds),
            methods=tuple(self.titles),
            params=tuple(params.items()),
        )

    @property
    def by_records(self) -> dict[tuple[str, str, bool], dict[int, list[Result]]]:
        """Runs at the budget looked at by line, as ``accuracy_by_records`` has them, and by records
        a class.
        """
        lines: dict[tuple[str, str, bool], dict[int, list[Result]]] = {}
        for r in drawable(self.few_and_many):
            if r.spec.budget.value in (self.budget, math.inf):
                line = METHODS[r.spec.method].title, r.spec.method, False
                lines.setdefault(line, {}).setdefault(r.spec.records, []).append(r)
        return lines

    @property
    def drawable(self) -> list[Result]:
        """The runs that lines are drawn from. A method without noise is the same at every budget:
        one line across.
        """
        return drawable(self.results)


def drawable(results: Sequence[Result]) -> list[Result]:
    """The runs that lines are drawn from, of several data as well: a method without noise once for
    each, at every budget.
    """
    private = lambda r: METHODS[r.spec.method].private
    across = {(r.spec.method, tuple(r.spec.facts.values())): r for r in results if not private(r)}
    runs = [r for r in results if private(r) and r.spec.budget.private]
    return runs + [_without_budget(r) for r in across.values()]


def _without_budget(result: Result) -> Result:
    budget = replace(result.spec.budget, value=math.inf)
    return replace(result, spec=replace(result.spec, budget=budget))
