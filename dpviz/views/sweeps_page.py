"""The page "Sweeps": the lines of a sweep, and the settings that it compares."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from dpviz.formatting import METRIC_WORDS, SYMBOLS, budget_text, literal, number, percent, subset
from dpviz.methods import METHODS
from dpviz.plots.budget_curves import BudgetCurve, Line
from dpviz.plots.setting_maps import Cell, ParallelSettings, Setting, SettingMap, Side
from dpviz.stats import accuracy
from dpviz.types import Result, RunSpec
from dpviz.views import maps_page, phrases, settings_in_words
from dpviz.views.page_config import PageConfig
from dpviz.views.phrases import times, title_in_sentence


@dataclass(frozen=True)
class SweepLines:
    """Results of one setting a method on one part of the records, and the budget looked at.

    Attributes:
        results: those of the main chart; budget: the one looked at; all_counts: the same and
            those with other numbers of records a class.
    """

    results: tuple[Result, ...]
    budget: float
    all_counts: tuple[Result, ...] = ()

    @property
    def titles(self) -> dict[str, str]:
        """Names of the methods, in table order."""
        present = {r.spec.method for r in self.results}
        return {key: row.title for key, row in METHODS.items() if key in present}

    @property
    def current_runs(self) -> list[Result]:
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
        for r in drawable(self.all_counts):
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


FACTS = {"ir": "IR", "records": "records a class", "per_person": "records a person"}
"""What is compared besides a method's own settings: facts of the data, which nobody chooses."""
MISSING = "not among the results of this sweep"


def varied_settings(results: Sequence[Result], method: str) -> dict[str, str]:
    """Titles of the settings of a private method that have several values, its own first."""
    values_of_runs = [_values(r.spec) for r in _results_of(results, method)]
    names = [p.name for p in METHODS[method].params] + list(FACTS)
    varied = [name for name in names if len({values[name] for values in values_of_runs}) > 1]
    return {name: FACTS.get(name, name) for name in varied}


def _results_of(results: Sequence[Result], method: str) -> list[Result]:
    private = METHODS[method].private
    return [r for r in results if private and r.spec.method == method and r.spec.budget.private]


def _values(spec: RunSpec) -> dict[str, Any]:
    """All that may differ between runs of one method, by name, but budget and seed."""
    own = {p.name: p.default for p in METHODS[spec.method].params} | dict(spec.params)
    return own | {"unit": spec.unit} | {name: getattr(spec, name) for name in FACTS}


@dataclass(frozen=True)
class SettingComparison:
    """One method's runs around the settings looked at.

    Attributes:
        results: of the whole sweep; spec: the settings and the budget looked at; rows: the name
            of a setting; columns: that of another, or nothing.
    """

    results: tuple[Result, ...]
    spec: RunSpec
    rows: str
    columns: str = ""

    @property
    def method(self) -> str:
        """Its key."""
        return self.spec.method

    @property
    def runs(self) -> list[Result]:
        """The runs that differ from the one looked at in nothing but what is compared, budget and
        seed.
        """
        rest = self._rest(self.spec)
        return [r for r in _results_of(self.results, self.method) if self._rest(r.spec) == rest]

    def _rest(self, spec: RunSpec) -> dict[str, Any]:
        compared = (self.rows, self.columns)
        return {name: value for name, value in _values(spec).items() if name not in compared}

    @property
    def sides(self) -> tuple[list[Any], list[Any]]:
        """The values of rows and of columns, in order; all records come last."""
        return self._side(self.rows), self._side(self.columns)

    def _side(self, name: str) -> list[Any]:
        if not name:
            return [None]
        known = {_values(r.spec)[name] for r in self.runs} | {_values(self.spec)[name]}
        return sorted(known, key=lambda v: math.inf if name in FACTS and v == 0 else v)

    def _place(self, spec: RunSpec, sides: tuple[list[Any], list[Any]]) -> Cell:
        values, (rows, columns) = _values(spec), sides
        return rows.index(values[self.rows]), columns.index(values.get(self.columns))

    def map(self, metric: str) -> SettingMap:
        """Accuracies at the budget looked at; one column where one setting is compared."""
        cells: dict[Cell, list[Result]] = {}
        sides = self.sides
        for run in self.runs:
            if run.spec.budget.value == self.spec.budget.value:
                cells.setdefault(self._place(run.spec, sides), []).append(run)
        points = {cell: accuracy(runs, metric) for cell, runs in cells.items()}
        rows, columns = (
            Side(FACTS.get(name, name), tuple(_value_text(name, value) for value in side))
            for name, side in zip((self.rows, self.columns), sides, strict=True)
        )
        if not self.columns:
            budget = self.spec.budget
            columns = Side(SYMBOLS[budget.axis], (number(budget.value),))
        ends = range(len(rows.labels)), range(len(columns.labels))
        missing = {(i, j): MISSING for i in ends[0] for j in ends[1] if (i, j) not in points}
        current_cell, fact = (
            self._place(self.spec, sides),
            bool({self.rows, self.columns} & FACTS.keys()),
        )
        return SettingMap.from_points(rows, columns, metric, points, missing, current_cell, fact)

    def lines(self, metric: str) -> BudgetCurve:
        """A line a value of the one setting that is compared, over the budget."""
        found = []
        runs_shown = self.runs
        for shade, value in enumerate(self.sides[0]):
            runs: dict[float, list[Result]] = {}
            for run in runs_shown:
                if _values(run.spec)[self.rows] == value:
                    runs.setdefault(run.spec.budget.value, []).append(run)
            title = f"{FACTS.get(self.rows, self.rows)} {_value_text(self.rows, value)}"
            budgets = tuple(sorted(runs))
            points = tuple(accuracy(runs[budget], metric) for budget in budgets)
            if budgets:
                found.append(Line(self.method, title, budgets, points, shade))
        budget, seeds = self.spec.budget, {r.spec.seed for r in runs_shown}
        chance = 1 / len(self.results[0].class_counts)
        lines = tuple(found)
        return BudgetCurve(metric, budget, lines, (), chance, len(seeds))

    def fixed(self) -> str:
        """What is the same everywhere, in words."""
        names = (self.rows, self.columns)
        parts = [budget_text(self.spec.budget)] if self.columns else []
        # a part of the records that is compared is not the same everywhere
        if not any(name in FACTS for name in names):
            parts.append(subset(self.spec))
        return " and ".join(parts)


def parallel_chart(
    results: Sequence[Result], spec: RunSpec, budget: float, metric: str
) -> ParallelSettings:
    """Every setting of a run's method at a budget, whatever varies; the accuracy chosen comes
    first, then that of every class alike or of the minority, whichever it is not.
    """
    names = varied_settings(results, spec.method)
    same = lambda run_spec: {n: v for n, v in _values(run_spec).items() if n not in names}
    runs = [
        r
        for r in _results_of(results, spec.method)
        if r.spec.budget.value == budget and same(r.spec) == same(spec)
    ]
    order = lambda name: lambda v: math.inf if name in FACTS and v == 0 else v
    values = {n: sorted({_values(r.spec)[n] for r in runs}, key=order(n)) for n in names}
    place = lambda run_spec: tuple(values[n].index(_values(run_spec)[n]) for n in names)
    cells: dict[tuple[int, ...], list[Result]] = {}
    for run in runs:
        cells.setdefault(place(run.spec), []).append(run)
    other = "balanced" if metric == "minority" else "minority"
    points = {
        at_: (accuracy(cell_results, metric), accuracy(cell_results, other))
        for at_, cell_results in sorted(cells.items())
    }
    sides = [Side(names[n], tuple(_value_text(n, v) for v in values[n])) for n in names]
    here = next((place(r.spec) for r in runs if _values(r.spec) == _values(spec)), None)
    fact = bool(names.keys() & FACTS.keys())
    return ParallelSettings.from_points(sides, (metric, other), points, here, fact)


def comparison_of(
    results: Sequence[Result], spec: RunSpec, budget: float, rows: str, columns: str
) -> SettingComparison:
    """The comparison around a run, at a budget."""
    around = replace(spec, budget=replace(spec.budget, value=budget))
    return SettingComparison(tuple(results), around, rows, columns)


def all_precise(chart: ParallelSettings, spec: RunSpec, budget: float) -> str:
    """Between what all settings of a method lie at a budget, and how sure the highest is."""
    if chart.best is None:
        return "No setting of this method is there at this budget."
    low, high = _ends(chart)
    title, right = title_in_sentence(METHODS[spec.method].title), METRIC_WORDS[chart.metrics[0]]
    text = (
        f"At {budget_text(replace(spec.budget, value=budget))} the {len(chart.points)} settings"
        f" of {title} go from **{percent(chart.first[low])}** at"
        f" {literal(chart.setting_text(low))} to"
        f" **{percent(chart.first[high])}** at {literal(chart.setting_text(high))}, {right}"
    )
    if chart.fact:
        return f"{text}; {maps_page.FACT}.{_missing_text(chart)}"
    return (
        f"{text}; **{chart.worse}** of the {len(chart.points) - 1} others are shown not to be the"
        " best (each compared with the highest, one-sided, Bonferroni, which counts that the"
        f" highest was picked among them).{_missing_text(chart)}"
    )


def all_plain(chart: ParallelSettings, spec: RunSpec, rare: Sequence[str]) -> str:
    """The same in whole numbers."""
    if chart.best is None:
        return "No setting of this method is there at this privacy setting."
    low, high = _ends(chart)
    few, many = (times(chart.first[end].mean) for end in (low, high))
    chance_text = (
        ""
        if chart.fact
        else (
            f" By luck alone the highest may be no better than"
            f" {len(chart.points) - 1 - chart.worse} of the {len(chart.points) - 1} others."
        )
    )
    return (
        f"Each line is {phrases.method_in_sentence(spec.method)} with one choice"
        " of settings, or"
        f" on one part of the data: {maps_page.group_text(chart.metrics[0], rare)} {few} in"
        " the lowest"
        f" and {many} in the highest,"
        f" {literal(chart.setting_text(high))}.{chance_text}{_missing_text(chart)}"
    )


def _ends(chart: ParallelSettings) -> tuple[Setting, Setting]:
    means = {place: point.mean for place, point in chart.first.items()}
    return min(means, key=means.__getitem__), max(means, key=means.__getitem__)


def _missing_text(chart: ParallelSettings) -> str:
    return f" {chart.omitted:,} more are not drawn." if chart.omitted else ""


def _value_text(name: str, value: Any) -> str:
    if name in FACTS:
        return settings_in_words.value_text(name, value)
    return number(value) if isinstance(value, float) else str(value)


def note(titles: Sequence[str], precise: bool) -> str:
    """That settings are compared below, for the answer of the page."""
    if not titles:
        return ""
    if not precise:
        return " Below the chart more of it is compared."
    return f" It compares {' and '.join(f'**{title}**' for title in titles)} below the chart."
