"""The Sweeps page: the lines of a sweep, the settings that it compares, and a new sweep."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from dpviz.formatting import SYMBOLS, budget_text, number, setting_text, subset
from dpviz.methods import METHODS
from dpviz.plots.budget_curves import BudgetCurve, Line
from dpviz.plots.setting_maps import Cell, ParallelSettings, Setting, SettingMap, Side
from dpviz.stats import Interval, accuracy
from dpviz.text import maps
from dpviz.text import sweeps as text
from dpviz.text.template import render, render_text
from dpviz.types import Budget, Result, RunSpec
from dpviz.views import panels_in_words, public_only, settings_in_words
from dpviz.views.experiment_tiles import group, guess_tile, public_tiles
from dpviz.views.page_as_shown import Tile
from dpviz.views.page_config import PageConfig
from dpviz.views.phrases import title_in_sentence


@dataclass(frozen=True)
class SweepLines:
    """Results of one setting per method on one part of the images, and a budget.

    Attributes:
        results: those of the main chart; budget: the selected one; all_counts: the same and those
            with other numbers of images per class.
    """

    results: tuple[Result, ...]
    budget: float
    all_counts: tuple[Result, ...] = ()

    def with_budget(self, budget: float) -> SweepLines:
        """Return the same at another budget."""
        return replace(self, budget=budget)

    @property
    def titles(self) -> dict[str, str]:
        """Names of the methods, in table order."""
        present = {r.spec.method for r in self.results}
        return {key: row.title for key, row in METHODS.items() if key in present}

    @property
    def current_runs(self) -> list[Result]:
        """Private runs at the selected budget."""
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
        """Runs at the selected budget by line of the chart and by images per class."""
        lines: dict[tuple[str, str, bool], dict[int, list[Result]]] = {}
        for r in drawable(self.all_counts):
            if r.spec.budget.value in (self.budget, math.inf):
                line = METHODS[r.spec.method].title, r.spec.method, False
                lines.setdefault(line, {}).setdefault(r.spec.records, []).append(r)
        return lines

    @property
    def drawable(self) -> list[Result]:
        """The runs of the lines. A method without noise is one line across all budgets."""
        return drawable(self.results)


def drawable(results: Sequence[Result]) -> list[Result]:
    """Return the runs of the lines, also of several data: one without noise once for each."""
    private = lambda r: METHODS[r.spec.method].private
    across = {(r.spec.method, tuple(r.spec.facts.values())): r for r in results if not private(r)}
    runs = [r for r in results if private(r) and r.spec.budget.private]
    return runs + [_without_budget(r) for r in across.values()]


def _without_budget(result: Result) -> Result:
    budget = replace(result.spec.budget, value=math.inf)
    return replace(result, spec=replace(result.spec, budget=budget))


#: Facts of the data, which nobody chooses, compared beside a method's own settings.
FACTS = text.FACTS


def varied_settings(results: Sequence[Result], method: str) -> dict[str, str]:
    """Return titles of a private method's settings with several values, its own first."""
    values_of_runs = [_values(r.spec) for r in _results_of(results, method)]
    names = [p.name for p in METHODS[method].params] + list(FACTS)
    varied = [name for name in names if len({values[name] for values in values_of_runs}) > 1]
    return {name: FACTS.get(name, name) for name in varied}


def _results_of(results: Sequence[Result], method: str) -> list[Result]:
    private = METHODS[method].private
    return [r for r in results if private and r.spec.method == method and r.spec.budget.private]


def _values(spec: RunSpec) -> dict[str, Any]:
    """Return everything that may differ between runs of a method but budget and seed."""
    own = {p.name: p.default for p in METHODS[spec.method].params} | dict(spec.params)
    return own | {"unit": spec.unit} | {name: getattr(spec, name) for name in FACTS}


@dataclass(frozen=True)
class SettingComparison:
    """One method's runs around the selected settings.

    Attributes:
        results: of the whole sweep; spec: the selected settings and budget; rows: name of a
            setting; columns: name of another, or "".
    """

    results: tuple[Result, ...]
    spec: RunSpec
    rows: str
    columns: str = ""

    @property
    def method(self) -> str:
        """Key of the method."""
        return self.spec.method

    @property
    def runs(self) -> list[Result]:
        """The runs that differ from ``spec`` only in the compared settings, budget and seed."""
        rest = self._rest(self.spec)
        return [r for r in _results_of(self.results, self.method) if self._rest(r.spec) == rest]

    def _rest(self, spec: RunSpec) -> dict[str, Any]:
        compared = (self.rows, self.columns)
        return {name: value for name, value in _values(spec).items() if name not in compared}

    @property
    def sides(self) -> tuple[list[Any], list[Any]]:
        """The values of rows and of columns, in order; all images come last."""
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
        """Return accuracies at the selected budget; one column for one setting."""
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
        missing = {
            (i, j): text.NOT_IN_SWEEP for i in ends[0] for j in ends[1] if (i, j) not in points
        }
        current_cell, fact = (
            self._place(self.spec, sides),
            bool({self.rows, self.columns} & FACTS.keys()),
        )
        return SettingMap.from_points(rows, columns, metric, points, missing, current_cell, fact)

    def lines(self, metric: str) -> BudgetCurve:
        """Return a line per value of the compared setting, over the budget."""
        found = []
        runs_shown = self.runs
        for shade, value in enumerate(self.sides[0]):
            runs: dict[float, list[Result]] = {}
            for run in runs_shown:
                if _values(run.spec)[self.rows] == value:
                    runs.setdefault(run.spec.budget.value, []).append(run)
            name = FACTS.get(self.rows, self.rows)
            title = render_text(text.SETTING, name=name, value=_value_text(self.rows, value))
            budgets = tuple(sorted(runs))
            points = tuple(accuracy(runs[budget], metric) for budget in budgets)
            if budgets:
                found.append(Line(self.method, title, budgets, points, shade))
        budget, seeds = self.spec.budget, {r.spec.seed for r in runs_shown}
        chance = 1 / len(self.results[0].class_counts)
        lines = tuple(found)
        return BudgetCurve(metric, budget, lines, (), chance, len(seeds))

    def fixed(self) -> str:
        """Return the settings that all cells share."""
        names = (self.rows, self.columns)
        parts = [budget_text(self.spec.budget)] if self.columns else []
        # a part of the records that is compared is not the same everywhere
        if not any(name in FACTS for name in names):
            parts.append(subset(self.spec))
        return " and ".join(parts)


def parallel_chart(
    results: Sequence[Result], spec: RunSpec, budget: float, metric: str
) -> ParallelSettings:
    """Return all settings of a run's method at a budget, with two scores: the chosen one, then
    balanced or minority.
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
    """Return the comparison around a run, at a budget."""
    around = replace(spec, budget=replace(spec.budget, value=budget))
    return SettingComparison(tuple(results), around, rows, columns)


def all_settings(chart: ParallelSettings, spec: RunSpec, budget: float, precise: bool) -> str:
    """Return lowest and highest accuracy of a method's settings, and how many are worse."""
    if chart.best is None:
        return text.ALL_SETTINGS["none"].fill(precise)
    low, high = _ends(chart)
    sentences = [
        text.ALL_SETTINGS["ends"].fill(
            precise,
            method=METHODS[spec.method].title,
            budget=budget_text(replace(spec.budget, value=budget)),
            low=chart.first[low],
            lowest=chart.setting_text(low),
            high=chart.first[high],
            highest=chart.setting_text(high),
        )
    ]
    case, others = "fact" if chart.fact else "best", len(chart.points) - 1
    sentences.append(maps.COMPARED[case].fill(precise, worse=chart.worse, others=others))
    if chart.omitted:
        sentences.append(text.ALL_SETTINGS["omitted"].fill(precise, omitted=chart.omitted))
    return " ".join(sentences)


def _ends(chart: ParallelSettings) -> tuple[Setting, Setting]:
    means = {place: point.mean for place, point in chart.first.items()}
    return min(means, key=means.__getitem__), max(means, key=means.__getitem__)


def _value_text(name: str, value: Any) -> str:
    if name in FACTS:
        return settings_in_words.value_text(name, value)
    return setting_text(value)


# --------------------------------------------------------------------------- answer and tiles


@dataclass(frozen=True)
class Leaders:
    """The private methods at a budget.

    Attributes:
        case: a key of ``text.ANSWERS``; methods: keys, the best first; points: accuracy of each.
    """

    case: str
    methods: tuple[str, ...] = ()
    points: tuple[Interval, ...] = ()


def leaders(curve: BudgetCurve, budget: float) -> Leaders:
    """Return the best private method at a budget, and the second best where they are level."""
    points = curve.points_at(budget)
    known = {key: point for key, point in points.items() if point.is_measured}
    if not known:
        return Leaders("untested" if points else "reference")
    rows = panels_in_words.ranked({"": known})[""]
    _, clear = panels_in_words.leader(rows)
    best = rows[: 1 if clear or len(rows) < 2 else 2]
    case = "best" if len(best) < 2 else "level"
    return Leaders(case, tuple(row.key for row in best), tuple(row.point for row in best))


def answer(
    curve: BudgetCurve,
    spec: RunSpec,
    budget: float,
    rare: Sequence[str],
    precise: bool,
    public: Interval | None = None,
) -> str:
    """Return the answer at a budget.

    Args:
        spec: a run of the chart; rare: names of the rare classes; public: accuracy of public
            images alone, if known.
    """
    found = leaders(curve, budget)
    if public_only.sign(curve.points_at(budget), public) == 1:
        found = replace(found, case="public_better")
    fields = _leader_fields(found, spec.budget, budget) | {"public": public}
    if found.points:
        fields |= {"best": found.points[0], "other": found.points[-1], "data": subset(spec)}
        fields["ratio"] = _ratio_text(spec)
        fields["group"] = group(curve.metric, rare, precise)
    return text.ANSWERS[found.case].fill(precise, **fields)


def chart_title(curve: BudgetCurve, spec: RunSpec, budget: float, precise: bool) -> str:
    """Return the finding above the main chart."""
    found = leaders(curve, budget)
    fields = _leader_fields(found, spec.budget, budget)
    return text.CHART_TITLES[found.case].fill(precise, **fields)


def _leader_fields(found: Leaders, axis: Budget, budget: float) -> dict[str, Any]:
    names = [title_in_sentence(METHODS[key].title) for key in found.methods] or [""]
    shown = budget_text(replace(axis, value=budget))
    return {"method": names[0], "rival": names[-1], "budget": shown}


def _ratio_text(spec: RunSpec) -> str:
    case = "original" if spec.has_original_sizes else "ratio"
    return render_text(text.RATIOS[case], ratio=spec.ir)


def tiles(lines: SweepLines, curve: BudgetCurve, runs: Tile, public: Interval | None) -> list[Tile]:
    """Return the tiles: runs, best private method, best guess, public images."""
    row, found = [runs], leaders(curve, lines.budget)
    if found.points:
        row.append(
            Tile(
                text.TILES["best"],
                render_text("{best:interval}", best=found.points[0]),
                METHODS[found.methods[0]].title,
                text.TILE_HELP["best"],
            )
        )
    if lines.current_runs:
        row.append(guess_tile([result.guarantee for result in lines.current_runs]))
    return row + public_tiles(curve.points_at(lines.budget), public)


#: Score of the example.
EXAMPLE_METRIC = "balanced"


@dataclass(frozen=True)
class SweepExample:
    """Stored runs of a sweep that has not started, of one data setting, at its middle budget.

    Attributes:
        results: the runs, one setting per method; curve: the chart; public: accuracy of public
            images alone, if known.
    """

    results: tuple[Result, ...]
    curve: BudgetCurve
    public: Interval | None = None

    @property
    def budgets(self) -> list[float]:
        """Budgets of the private methods, from small to large."""
        return sorted({r.spec.budget.value for r in self.results if METHODS[r.spec.method].private})

    @property
    def budget(self) -> float:
        """The budget of title and subtitle."""
        return self.budgets[len(self.budgets) // 2]

    @property
    def methods(self) -> set[str]:
        """Keys of the methods with runs."""
        return {result.spec.method for result in self.results}

    @property
    def _level(self) -> str:
        """The budget without its notion."""
        symbol = SYMBOLS[self.results[0].spec.budget.axis]
        return render_text(text.LEVEL, symbol=symbol, budget=self.budget)

    def title(self, precise: bool) -> str:
        """Return the finding above the chart."""
        case, fields = self._finding(precise)
        return text.EXAMPLE_TITLES[case].fill(precise, **fields)

    def subtitle(self, precise: bool) -> str:
        """Return the accuracies of the finding, with the imbalance ratio that they hold for."""
        case, fields = self._finding(precise)
        return text.EXAMPLE_SUBTITLES[case].fill(precise, **fields)

    def _finding(self, precise: bool) -> tuple[str, dict[str, Any]]:
        """Return the case of title and subtitle, and the fields of both."""
        found, spec = leaders(self.curve, self.budget), self.results[0].spec
        fields = _leader_fields(found, spec.budget, self.budget) | {"ratio": _ratio_text(spec)}
        fields |= {"level": self._level, "public": self.public}
        if found.points:
            fields |= {"best": found.points[0], "other": found.points[-1]}
            fields["group"] = group(self.curve.metric, (), precise)
        sign = public_only.sign(self.curve.points_at(self.budget), self.public)
        if sign == 1:
            return "public_better", fields
        if sign == 0 and found.case == "best":
            return "public_level", fields
        if found.case == "best" and len(self.curve.lines) == 1:
            return "only", fields
        if found.case == "level" and any(point.runs < 2 for point in found.points):
            return "leading", fields
        return found.case, fields


def example_of(results: Sequence[Result], public: Sequence[Result] = ()) -> SweepExample | None:
    """Return the runs of the data setting with most runs, and of each method's first setting.

    Args:
        public: run of public images alone on these data, if any.
    """
    data = Counter(tuple(result.spec.facts.items()) for result in results)
    if not data:
        return None
    largest = data.most_common(1)[0][0]
    runs = [result for result in results if tuple(result.spec.facts.items()) == largest]
    first = {result.spec.method: result.spec.params for result in reversed(runs)}
    kept = tuple(result for result in runs if result.spec.params == first[result.spec.method])
    titles = SweepLines((*kept, *public), 0.0).titles
    runs, budget = [*drawable(kept), *public], kept[0].spec.budget
    curve = BudgetCurve.from_results(runs, titles, EXAMPLE_METRIC, budget)
    return SweepExample(kept, curve, accuracy(public, EXAMPLE_METRIC) if public else None)


def runs_tile(name: str, state: str, done: int, total: int, skipped: int = 0) -> Tile:
    """Return the tile of a sweep's progress."""
    case = "skipped" if skipped else "runs"
    return Tile(
        text.TILES["runs"],
        render_text(text.RUNS_VALUE, done=done, total=total),
        render_text(text.NOTES[case], state=text.STATES[state], skipped=skipped),
        render_text(text.TILE_HELP[case], name=name),
    )


def chart_caption(curve: BudgetCurve) -> str:
    """Return how to read the main chart."""
    if curve.seeds < 2:
        return text.CHART_CAPTION_ONE
    return render(text.CHART_CAPTION, seeds=curve.seeds)


# -------------------------------------------------------------------------------- new sweep

#: A sweep to start from.
EXAMPLE = """dataset = "mnist5k"
encoder = "glyphnet"
axis = "zcdp"
budgets = [0.1, 1, 10]
ir = [1, 50]
seeds = 5
[methods.dppl-mean]
[methods.dppl-public]
d_min = [1.2, 1.3]
"""


def skipped_text(invalid: Mapping[str, int], template: str) -> str:
    """Return how many runs are skipped and the most frequent reason; "" without any."""
    if not invalid:
        return ""
    reason = max(invalid, key=lambda key: invalid[key])
    skipped = render(template, count=sum(invalid.values()), reason=reason)
    more = len(invalid) - 1
    return f"{skipped} {render(text.MORE_REASONS, count=more)}" if more else skipped
