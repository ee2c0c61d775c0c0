"""Settings of a page as one frozen value, its run specs, and its refinement by more seeds."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import KW_ONLY, dataclass, replace
from typing import Any, NamedTuple, Self

from dpviz.caches import KeyTuple, cached
from dpviz.data import one_pool
from dpviz.methods import METHODS
from dpviz.text import settings as text
from dpviz.text.template import render_text
from dpviz.types import MAX_DRAW, Budget, DataConfig, Result, RunSpec

STOPS = {
    "approx": (0.01, 0.02, 0.03, 0.05, 0.1, 0.2, 0.3, 0.5, 1.0, 2.0, 3.0, 5.0, 10.0),
    "guess": (50.1, 50.2, 50.5, 51.0, 52.0, 53.0, 55.0, 60.0, 65.0, 70.0, 80.0, 90.0, 95.0),
    "zcdp": (1e-4, 3e-4, 1e-3, 3e-3, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 3.0, 10.0),
    "paper": (0.01, 0.02, 0.03, 0.05, 0.1, 0.2, 0.3, 0.5, 1.0, 2.0, 3.0, 5.0, 10.0),
}
"""Budgets that every chart draws, and that the control's slider stops at."""
EVEN_STOPS = {
    "approx": (0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0),
    "guess": (50.1, 51.0, 53.0, 60.0, 70.0, 80.0, 95.0),
    "zcdp": (1e-4, 1e-3, 0.01, 0.1, 1.0, 10.0),
    "paper": (0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0),
}
"""Those of ``STOPS`` that lie at even distances: what small charts draw at first."""

Group = tuple[RunSpec, ...]


class SettingStep(NamedTuple):
    """One step of a setting of methods.

    Attributes:
        name: of the setting; value, next_value: before and after; in_defaults:
            whether specs of the page name the setting at its default, too.
    """

    name: str
    value: Any
    next_value: Any
    in_defaults: bool = False


def neighbors(now: float, stops: Sequence[float]) -> list[float]:
    """Return the next stop above a value and the next below, as far as there are."""
    return [stop for stop in stops if stop > now][:1] + [s for s in stops if s < now][-1:]


@dataclass(frozen=True)
class PageConfig(DataConfig):
    """All settings of a page about accuracy and budget.

    Attributes:
        budget: the one looked at; first_seed, seeds: noise seeds first_seed, first_seed + 1, …;
            methods: keys in drawing order;
        draws: data draws draw, draw + 1, …;
        params: (method, ((name, value), …)) pairs of what differs from the defaults; even: draws
            the stops at even distances alone; sliders: (method, setting) of the sliders in sight;
            the rest: as in ``DataConfig``.
    """

    _: KW_ONLY
    budget: Budget
    first_seed: int
    seeds: int
    methods: tuple[str, ...]
    params: tuple[tuple[str, tuple[tuple[str, Any], ...]], ...] = ()
    even: bool = False
    draws: int = 1
    sliders: tuple[tuple[str, str], ...] = ()

    @property
    def stops(self) -> tuple[float, ...]:
        """Budgets of a curve."""
        return (EVEN_STOPS if self.even else STOPS)[self.budget.axis]

    @property
    def budgets(self) -> tuple[float, ...]:
        """The stops of the axis and the budget looked at, in order."""
        return tuple(sorted({*self.stops, self.budget.value}))

    def with_budget(self, value: float) -> Self:
        """The same at another budget of the axis."""
        return replace(self, budget=self.budget.with_value(value))

    def at_now(self, results: Iterable[Result]) -> list[Result]:
        """Of some results those at the budget looked at."""
        return [r for r in results if r.spec.budget.value == self.budget.value]

    def near(self, spec: RunSpec) -> float:
        """How far a run's budget lies from the one looked at, on a log scale; 0 without one."""
        value = spec.budget.value
        return abs(math.log(value / self.budget.value)) if math.isfinite(value) else 0.0

    @property
    def titles(self) -> dict[str, str]:
        """Name for people of each method, in drawing order."""
        return {key: METHODS[key].title for key in self.methods}

    def setting_steps(self) -> list[SettingStep]:
        """Steps of the method sliders in sight, up and down."""
        found = []
        for method, name in self.sliders:
            [param] = [param for param in METHODS[method].params if param.name == name]
            now = dict(dict(self.params).get(method, ())).get(name, param.default)
            values = [round(now + sign * param.slider_step, 10) for sign in (1, -1)]
            found += [SettingStep(name, now, v) for v in values if param.low <= v <= param.high]
        return found

    def groups(self) -> list[Group]:
        """Specs a method: its curve, and one more group where the budget lies between or beyond the
        stops.

        References come first and once: without noise, budgets and seeds change nothing.
        """
        references = [self._noiseless(key) for key in self.methods if not METHODS[key].private]
        private = [key for key in self.methods if METHODS[key].private]
        stops, value = self.stops, self.budget.value
        curves = [self._cells(key, stops) for key in private]
        extra = [] if value in stops else [self._cells(key, (value,)) for key in private]
        return references + curves + extra

    def quiet(self) -> list[Group]:
        """A spec without noise of each private method, alike for all budgets and seeds."""
        private = [key for key in self.methods if METHODS[key].private]
        return [self._noiseless(key) for key in private]

    def of_first_draw(self, results: Iterable[Result]) -> list[Result]:
        """Of some results those of the first data draw."""
        return [r for r in results if r.spec.draw == self.draw]

    def of_draws(self, results: Iterable[Result]) -> list[Result]:
        """Of some results those of the view's data draws."""
        return [r for r in results if r.spec.draw in self.all_draws]

    @property
    def all_draws(self) -> range:
        """Numbers of the view's data draws."""
        return range(self.draw, min(self.draw + self.draws, MAX_DRAW + 1))

    def _noiseless(self, key: str) -> Group:
        """A run without noise in each data draw."""
        return tuple(self.spec(key, math.inf, draw=draw) for draw in self.all_draws)

    def _cells(self, key: str, budgets: tuple[float, ...]) -> Group:
        firsts = tuple(self.spec(key, budgets[0], draw=draw) for draw in self.all_draws)
        return _grid(firsts, budgets, self.seeds)

    def spec(self, method: str, budget: float | None = None, **other: Any) -> RunSpec:
        """A method's run with the first seed, at the budget looked at; a reference has none.

        Args:
            budget: another one of the axis; other: other fields of the run.
        """
        value = self.budget.value if budget is None else budget
        fields = {"params": dict(self.params).get(method, ()), "seed": self.first_seed}
        return RunSpec(
            **self.facts | fields | other,
            method=method,
            budget=self.budget.with_value(value if METHODS[method].private else math.inf),
        )


@cached(1024)
def _grid(firsts: tuple[RunSpec, ...], budgets: tuple[float, ...], seeds: int) -> Group:
    """Specs at other budgets and seeds; the very same objects each time, which are looked up faster
    than their like.
    """
    rows = [replace(first, seed=first.seed + s) for first in firsts for s in range(seeds)]
    return KeyTuple(
        replace(row, budget=replace(row.budget, value=value)) for row in rows for value in budgets
    )


FIRST_SEEDS = 5
"""Noise seeds at first: the control's default, and the only number that is refined."""


class Step(NamedTuple):
    """Noise seeds, and data draws with these seeds each."""

    seeds: int
    draws: int


SEED_STEPS = (10, 20, 40, 60)
"""Numbers of seeds at which a refined view of fixed data draws is drawn."""
DRAW_STEPS = (Step(5, 5), Step(5, 10))
"""Steps at which a view is drawn whose refinement adds data draws."""
QUICK_SECONDS, SLOW_RUNS = 0.25, 25
"""Seconds of a run up to which all steps are made, and runs per point at most of slower methods."""
MAX_SECONDS = 600.0
"""Seconds of computing in all above which a step is not made."""
MAX_RESULTS = 5_000
"""Results of one view in memory: a quarter of what memory keeps (``run.jobs.RESULTS``)."""


def draws_differ(view: DataConfig) -> bool:
    """Whether another data draw has other records or another order of class sizes."""
    return one_pool(view.dataset) or view.ir > 1 or view.records > 0


def seed_steps(view: PageConfig) -> tuple[Step, ...]:
    """Return all steps that add seeds to a view."""
    return tuple(Step(seeds, view.draws) for seeds in SEED_STEPS)


def refinement_steps(
    view: PageConfig, results: Sequence[Result], over_draws: bool
) -> tuple[Step, ...]:
    """Return the steps in which a view is refined, in order.

    Args:
        results: of the view at its first seeds, in any order; over_draws: add data draws, where
            that is not too slow.
    """
    runs = [run for run in results if METHODS[run.spec.method].private and run.spec.budget.private]
    if not runs or view.seeds > FIRST_SEEDS:
        return ()
    steps = _affordable(view, runs, DRAW_STEPS) if over_draws else ()
    return steps or _affordable(view, runs, seed_steps(view))


def _affordable(
    view: PageConfig, runs: Sequence[Result], steps: Sequence[Step]
) -> tuple[Step, ...]:
    slowest = max(_mean_seconds(runs, key) for key in {run.spec.method for run in runs})
    seconds = sum(run.seconds for run in runs)
    factors = {step: step.seeds * step.draws / (view.seeds * view.draws) for step in steps}
    return tuple(
        step
        for step, factor in factors.items()
        if (slowest <= QUICK_SECONDS or factor * view.seeds <= SLOW_RUNS)
        and factor * len(runs) <= MAX_RESULTS
        and (factor - 1) * seconds <= MAX_SECONDS
    )


def _mean_seconds(runs: Sequence[Result], method: str) -> float:
    seconds = [run.seconds for run in runs if run.spec.method == method]
    return sum(seconds) / len(seconds)


def runs_shown(view: PageConfig) -> str:
    """Return seeds and data draws of a view in words: ``60 seeds (0–59)``."""
    return render_text(
        text.RUNS_SHOWN["draws" if view.draws > 1 else "seeds"],
        seeds=view.seeds,
        first=str(view.first_seed),
        last=str(view.first_seed + view.seeds - 1),
        draws=len(view.all_draws),
        first_draw=str(view.draw),
        last_draw=str(view.all_draws[-1]),
    )
