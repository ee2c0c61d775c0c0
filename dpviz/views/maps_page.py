"""The page "Maps": its runs over two settings, and its sentences."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

from dpviz.formatting import METRIC_WORDS, SYMBOLS, numbers, percent, subset
from dpviz.methods import METHODS
from dpviz.plots.setting_maps import Cell, SettingMap, Side
from dpviz.stats import Interval
from dpviz.types import Result, RunSpec
from dpviz.views.page_config import Group, PageConfig
from dpviz.views.phrases import group_text, method_in_sentence, times, untested

BUDGETS = {
    "approx": (0.1, 0.3, 0.5, 1.0, 2.0, 5.0, 10.0),
    "guess": (50.5, 51.0, 52.0, 55.0, 60.0, 70.0, 90.0),
    "zcdp": (0.003, 0.01, 0.05, 0.1, 0.5, 1.0, 10.0),
    "paper": (0.1, 0.3, 0.5, 1.0, 2.0, 5.0, 10.0),
}
"""Some of the stops of each axis, so that other pages' runs are found again."""
RATIOS = (1.0, 5.0, 10.0, 20.0, 50.0, 100.0)
POOLS = (1, 2, 3, 5, 10, 20)
LOWS = (0.7, 0.9, 1.1, 1.2, 1.3, 1.4, 1.5)
HIGHS = (1.2, 1.4, 1.5, 1.6, 1.7, 1.8, 1.9)
EMPTY_RANGE = "d_min has to lie below d_max"


@dataclass(frozen=True)
class Axis:
    """A setting over which a map goes: its name (of a method's setting, ``ir`` or ``eps``), its
    title, and its values.
    """

    name: str
    title: str
    values: tuple[float, ...]

    @property
    def side(self) -> Side:
        """As the chart has it."""
        return Side(self.title, tuple(numbers(self.values)))


@dataclass(frozen=True)
class MapKind:
    """A map: title, its two settings by name, rows first, and the method that it begins with."""

    title: str
    rows: str
    columns: str
    first: str


MAPS = {
    "window": MapKind("d_min × d_max", "d_min", "d_max", "dppl-public"),
    "pool": MapKind("Pooling × budget", "k_pool", "eps", "dppl-mean"),
    "ir": MapKind("Imbalance × budget", "ir", "eps", "dppl-public"),
}


def fitting(kind: str) -> dict[str, str]:
    """Titles of the private methods that have the settings of a map."""
    names = {MAPS[kind].rows, MAPS[kind].columns} - {"ir", "eps"}
    return {
        key: row.title
        for key, row in METHODS.items()
        if row.private and names <= {param.name for param in row.params}
    }


@dataclass(frozen=True)
class MapRequest:
    """A map of one method, ``view.methods[0]``, around the settings looked at."""

    kind: str
    view: PageConfig

    @property
    def method(self) -> str:
        """Its key."""
        return self.view.methods[0]

    @property
    def axes(self) -> tuple[Axis, Axis]:
        """Rows and columns; what is looked at is among their values."""
        kind = MAPS[self.kind]
        return self._axis(kind.rows), self._axis(kind.columns)

    def _axis(self, name: str) -> Axis:
        axis = self.view.budget.axis
        values: dict[str, tuple[str, Sequence[float]]] = {
            "eps": (SYMBOLS[axis], BUDGETS[axis]),
            "ir": ("IR", RATIOS),
            "k_pool": ("k_pool", POOLS),
            "d_min": ("d_min", LOWS),
            "d_max": ("d_max", HIGHS),
        }
        title, stops = values[name]
        return Axis(name, title, tuple(sorted({*stops, self.current_value(name)})))

    def current_value(self, name: str) -> float:
        """The value of a setting that is looked at."""
        if name in ("eps", "ir"):
            return self.view.budget.value if name == "eps" else self.view.ir
        return self._params()[name]

    def _params(self) -> dict[str, Any]:
        """All settings of the method."""
        own = {param.name: param.default for param in METHODS[self.method].params}
        return own | dict(dict(self.view.params).get(self.method, ()))

    @property
    def cell(self) -> Cell:
        """That of the settings looked at."""
        rows, columns = self.axes
        return rows.values.index(self.current_value(rows.name)), columns.values.index(
            self.current_value(columns.name)
        )

    def values(self, cell: Cell) -> dict[str, float]:
        """The two settings of a cell, by name."""
        return {axis.name: axis.values[place] for axis, place in zip(self.axes, cell, strict=True)}

    def spec(self, cell: Cell) -> RunSpec:
        """The run of a cell with the first seed."""
        values = self.values(cell)
        method = METHODS[self.method]
        given = self._params() | values
        changed = tuple(
            (p.name, type(p.default)(given[p.name]))
            for p in method.params
            if given[p.name] != p.default
        )
        ratio = values.get("ir", self.view.ir)
        return self.view.spec(self.method, values.get("eps"), ir=ratio, params=changed)

    def reason(self, cell: Cell) -> str:
        """Why a cell cannot be run, where that is known beforehand."""
        values = self.values(cell)
        empty = values.get("d_min", -math.inf) >= values.get("d_max", math.inf)
        return EMPTY_RANGE if empty else ""

    @property
    def groups(self) -> dict[int, Group]:
        """The runs of each row."""
        rows, columns = self.axes
        seeds = range(self.view.first_seed, self.view.first_seed + self.view.seeds)
        cells = {
            i: [(i, j) for j in range(len(columns.values)) if not self.reason((i, j))]
            for i in range(len(rows.values))
        }
        specs = {i: [self.spec(cell) for cell in cell_specs] for i, cell_specs in cells.items()}
        return {
            i: tuple(replace(spec, seed=seed) for spec in cell_specs for seed in seeds)
            for i, cell_specs in specs.items()
            if cell_specs
        }

    def by_cell(self, results: Sequence[Result]) -> dict[Cell, list[Result]]:
        """Results by cell; cells without any are left out."""
        rows, columns = self.axes
        ends = range(len(rows.values)), range(len(columns.values))
        cells = [(i, j) for i in ends[0] for j in ends[1] if not self.reason((i, j))]
        cells_by_key = {self._key(self.spec(cell)): cell for cell in cells}
        results_by_cell: dict[Cell, list[Result]] = {}
        for result in results:
            results_by_cell.setdefault(cells_by_key[self._key(result.spec)], []).append(result)
        return results_by_cell

    def _key(self, spec: RunSpec) -> tuple[Any, ...]:
        """What tells cells apart, defaults written out or not."""
        own = {param.name: param.default for param in METHODS[self.method].params}
        return spec.ir, spec.budget.value, tuple(sorted((own | dict(spec.params)).items()))

    def fixed(self) -> str:
        """What is the same in all cells, in words."""
        names = {axis.name for axis in self.axes}
        budget = f"{SYMBOLS[self.view.budget.axis]} = {numbers([self.view.budget.value])[0]}"
        parts = [budget] * ("eps" not in names) + [subset(self.view)] * ("ir" not in names)
        return " and ".join(parts)


NOTHING = "No cell of this map is there."


class Mapped(Protocol):
    """What a map is of."""

    @property
    def method(self) -> str:
        """Key of its method."""

    def fixed(self) -> str:
        """What is the same in all cells, in words."""


def precise(chart: SettingMap, request: Mapped) -> str:
    """Where the map is highest, and how sure that is."""
    best, title = chart.best, METHODS[request.method].title
    if best is None:
        return untested() if chart.untested else NOTHING
    point, fixed = chart.points[best], request.fixed()
    place_text = f"At {fixed} " if fixed else ""
    if chart.fact:
        low = _lowest(chart)
        return (
            f"{place_text}{title} goes from **{percent(chart.points[low])}** at"
            f" {chart.cell_text(low)} to"
            f" **{percent(point)}** at {chart.cell_text(best)}; {FACT}. {_current_cell(chart)}"
        ).strip()
    level = (
        f"with N = {point.runs}, **{chart.worse}** of the other {len(chart.points) - 1}"
        f" {_are(chart.worse)} shown not to be the best (each compared with the highest, one-sided,"
        " Bonferroni, which counts that the highest was picked among them)"
    )
    right = METRIC_WORDS[chart.metric].removeprefix("right").lstrip(", ")
    return (
        f"{place_text}{title} is right most often at **{chart.cell_text(best)}**,"
        f" **{percent(point)}** {right}; {level}. {_current_cell(chart)}"
    ).strip()


FACT = "how many records there are is a fact of the data, which nobody chooses: none is called best"


def candidates(chart: SettingMap) -> dict[Cell, Interval]:
    """The cells that the best is picked from; your own where they are facts of the data."""
    if not chart.fact:
        return dict(chart.points)
    point = chart.points.get(chart.current) if chart.current else None
    return {chart.current: point} if chart.current and point else {}


def _are(number: int) -> str:
    return "is" if number == 1 else "are"


def _lowest(chart: SettingMap) -> Cell:
    return min(chart.points, key=lambda cell: chart.points[cell].mean)


def _current_cell(chart: SettingMap) -> str:
    point = chart.points.get(chart.current) if chart.current else None
    return f"Your settings give **{percent(point)}**." if point else ""


def plain(chart: SettingMap, request: Mapped, rare: Sequence[str], kind: str = "square") -> str:
    """The same in whole numbers; ``kind``: what stands for a choice of settings."""
    best = chart.best
    if best is None:
        return untested(rare) if chart.untested else NOTHING
    point, others = chart.points[best], len(chart.points) - 1
    if chart.fact:
        low = _lowest(chart)
        return (
            f"Each {kind} is {method_in_sentence(request.method)} on other data:"
            f" {group_text(chart.metric, rare)}"
            f" {times(chart.points[low].mean)} with {chart.cell_text(low)}, {times(point.mean)}"
            f" with {chart.cell_text(best)}; {FACT}."
        )
    tries = f"{point.runs} tries each" if point.runs > 1 else "one try each"
    star = "marked with a star, " if kind == "square" else ""
    left = others - chart.worse
    rest = f" for {left} they are too few to tell, and" if left else ""
    return (
        f"Each {kind} is one choice of settings for {method_in_sentence(request.method)}. In the"
        " highest,"
        f" {chart.cell_text(best)}, {star}{group_text(chart.metric, rare)} {times(point.mean)}. By"
        f" {tries},"
        f" **{chart.worse} of the {others} others** {_are(chart.worse)} shown not to be the"
        f" best;{rest} the highest among many owes part of its number to luck."
    )


def caption(chart: SettingMap, seeds: int, precise: bool) -> str:
    """What the marks of a map mean, and how sure its numbers are."""
    star = "" if chart.fact else ", a star in the best cell"
    interval_text = (
        f"Beside the pointer of each: its 95% interval from N = {seeds} seeds and test records."
    )
    if seeds < 2:
        interval_text = "One draw of the noise: how much of a number is luck cannot be told."
    elif not precise:
        interval_text = (
            f"Beside the pointer: how far luck alone may have moved a number ({seeds} draws)."
        )
    return (
        f"Accuracy in %, {METRIC_WORDS[chart.metric]}, means of runs; a frame is round your"
        f" settings{star}, – where none can be run."
        f" {interval_text}{'' if chart.fact else f' {UNPAID}'}"
    )


UNPAID = (
    "Choosing a cell by this map is not paid for: it is made of test accuracies of private"
    " releases. An honest choice is the default, public data, or a share of the budget."
)


def controls_at(request: MapRequest, cell: Cell) -> dict[str, Any]:
    """What controls that the page Trade-off has as well stand at in a cell, by their keys."""
    return {
        name if name in ("eps", "ir") else f"{request.method}.{name}": (
            int(value) if name in ("ir", "k_pool") else float(value)
        )
        for name, value in request.values(cell).items()
    }
