"""The Maps page: its runs over two settings, its cases and fields."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

import numpy as np

from dpviz import stats
from dpviz.formatting import SYMBOLS, budget_at_level, numbers, subset
from dpviz.methods import METHODS
from dpviz.plots.setting_maps import Cell, SettingMap, Side
from dpviz.stats import Interval
from dpviz.text import maps as text
from dpviz.text.template import render, render_text
from dpviz.types import Result, RunSpec
from dpviz.views.experiment_tiles import group, guess_tile, public_tiles
from dpviz.views.page_as_shown import Tile
from dpviz.views.page_config import Group, PageConfig
from dpviz.views.phrases import score_text, title_in_sentence

#: Some of the stops of each axis, so that runs of other pages are reused.
BUDGETS = {
    "approx": (0.1, 0.3, 0.5, 1.0, 2.0, 5.0, 10.0),
    "guess": (50.5, 51.0, 52.0, 55.0, 60.0, 70.0, 90.0),
    "zcdp": (0.003, 0.01, 0.05, 0.1, 0.5, 1.0, 10.0),
    "paper": (0.1, 0.3, 0.5, 1.0, 2.0, 5.0, 10.0),
}
RATIOS = (1.0, 5.0, 10.0, 20.0, 50.0, 100.0)
POOLS = (1, 2, 3, 5, 10, 20)
LOWS = (0.9, 1.0, 1.1, 1.2, 1.3, 1.4, 1.5)
HIGHS = (1.3, 1.4, 1.5, 1.6, 1.7, 1.8, 1.9)


@dataclass(frozen=True)
class Axis:
    """A side of a map: a setting of a method, ``ir`` or ``eps``, with its title and values."""

    name: str
    title: str
    values: tuple[float, ...]

    def side(self, precise: bool) -> Side:
        """Return the side of the chart."""
        words = text.AXIS_TITLES[self.name].fill(precise, symbol=self.title)
        return Side(self.title, tuple(numbers(self.values)), words)


@dataclass(frozen=True)
class MapKind:
    """A kind of map: title, names of its two settings, and the default method."""

    title: str
    rows: str
    columns: str
    first: str


MAPS = {
    "window": MapKind(text.KINDS["window"], "d_min", "d_max", "dppl-public"),
    "pool": MapKind(text.KINDS["pool"], "k_pool", "eps", "dppl-mean"),
    "ir": MapKind(text.KINDS["ir"], "ir", "eps", "dppl-public"),
}


def fitting(kind: str) -> dict[str, str]:
    """Return titles of the private methods that have the settings of a map."""
    names = {MAPS[kind].rows, MAPS[kind].columns} - {"ir", "eps"}
    return {
        key: row.title
        for key, row in METHODS.items()
        if row.private and names <= {param.name for param in row.params}
    }


@dataclass(frozen=True)
class MapRequest:
    """A map of one method, ``view.methods[0]``, around the settings of the side bar."""

    kind: str
    view: PageConfig

    @property
    def method(self) -> str:
        """Key of the method."""
        return self.view.methods[0]

    @property
    def axes(self) -> tuple[Axis, Axis]:
        """Rows and columns; the settings of the side bar are among their values."""
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
        """Return the value of a setting in the side bar."""
        if name in ("eps", "ir"):
            return self.view.budget.value if name == "eps" else self.view.ir
        return self._params()[name]

    def _params(self) -> dict[str, Any]:
        """Return all settings of the method."""
        own = {param.name: param.default for param in METHODS[self.method].params}
        return own | dict(dict(self.view.params).get(self.method, ()))

    @property
    def cell(self) -> Cell:
        """The cell of the settings in the side bar."""
        rows, columns = self.axes
        return rows.values.index(self.current_value(rows.name)), columns.values.index(
            self.current_value(columns.name)
        )

    def values(self, cell: Cell) -> dict[str, float]:
        """Return the two settings of a cell, by name."""
        return {axis.name: axis.values[place] for axis, place in zip(self.axes, cell, strict=True)}

    def spec(self, cell: Cell) -> RunSpec:
        """Return the run of a cell with the first seed."""
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
        """Return why a cell cannot run, or ""."""
        values = self.values(cell)
        empty = values.get("d_min", -math.inf) >= values.get("d_max", math.inf)
        return text.EMPTY_RANGE if empty else ""

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
        """Return results by cell; cells without any are left out."""
        rows, columns = self.axes
        ends = range(len(rows.values)), range(len(columns.values))
        cells = [(i, j) for i in ends[0] for j in ends[1] if not self.reason((i, j))]
        cells_by_key = {self._key(self.spec(cell)): cell for cell in cells}
        results_by_cell: dict[Cell, list[Result]] = {}
        for result in results:
            results_by_cell.setdefault(cells_by_key[self._key(result.spec)], []).append(result)
        return results_by_cell

    def _key(self, spec: RunSpec) -> tuple[Any, ...]:
        """Return a key per cell, equal whether or not defaults are written out."""
        own = {param.name: param.default for param in METHODS[self.method].params}
        return spec.ir, spec.budget.value, tuple(sorted((own | dict(spec.params)).items()))

    def budget_text(self) -> str:
        """Return the budget, where all cells share it; "" otherwise."""
        if "eps" in {axis.name for axis in self.axes}:
            return ""
        return budget_at_level(self.view.budget, precise=False)

    def fixed(self) -> str:
        """Return the settings that all cells share."""
        names = {axis.name for axis in self.axes}
        parts = [self.budget_text(), subset(self.view) if "ir" not in names else ""]
        return " and ".join(filter(None, parts))


class Mapped(Protocol):
    """Runs of one method over two settings."""

    @property
    def method(self) -> str:
        """Key of the method."""

    def fixed(self) -> str:
        """The settings that all cells share."""


def answers(chart: SettingMap, request: MapRequest, rare: Sequence[str] = ()) -> tuple[str, str]:
    """Return the answer, precise and plain.

    Args:
        rare: names of the rare classes.
    """
    others = len(chart.points) - 1
    has_level = not chart.fact and chart.worse < others
    fields: dict[str, Any] = {"worse": chart.worse, "equal": others - chart.worse}
    if has_level:
        means = [point.mean for point in chart.points.values()]
        low, high = np.quantile(means, (0.25, 0.75)).tolist()
        at = request.budget_text() or text.ALL_BUDGETS
        fields |= {"others": others, "low": low, "high": high, "at": at}
    return _answers(chart, request, rare, fields if has_level else {})


def _answers(
    chart: SettingMap, request: Mapped, rare: Sequence[str], level_fields: Mapping[str, Any]
) -> tuple[str, str]:
    """Return the answer, precise and plain; ``level_fields``: numbers of equally good and of
    all other cells, where there are such, and quartiles of all.
    """
    best, method = chart.best, title_in_sentence(METHODS[request.method].title)
    if best is None:
        return (_missing(chart, rare),) * 2
    point = chart.points[best]
    fields: dict[str, Any] = {"method": method}
    if level_fields:
        case = "level" if chart.worse else "level_none"
        fields |= level_fields
    elif chart.fact:
        case, low = "range", _lowest(chart)
        fields |= {"low": chart.points[low], "lowest": chart.cell_text(low)}
        fields |= {"high": point, "highest": chart.cell_text(best)}
    else:
        case = "best"
        fields |= {"best": point, "cell": chart.cell_text(best)}
    # the plain answer about all cells has no room for names
    names = {True: rare, False: () if level_fields else rare}
    precise, plain = (
        text.ANSWERS[case].fill(level, **fields, group=group(chart.metric, names[level], level))
        for level in (True, False)
    )
    return precise, plain


def _missing(chart: SettingMap, rare: Sequence[str]) -> str:
    """Return why no accuracy is known."""
    if not chart.untested:
        return text.ANSWERS["empty"].fill(False)
    case = "untested classes" if rare else "untested"
    return text.ANSWERS[case].fill(False, classes=rare)


def compared(chart: SettingMap, request: Mapped, rare: Sequence[str]) -> tuple[str, str]:
    """Return the answer and its limits, precise and plain, for a map on another page."""
    if chart.best is None:
        return _answers(chart, request, rare, {})
    fixed = request.fixed()
    levels = []
    for level, answer in zip((True, False), _answers(chart, request, rare, {}), strict=True):
        case = "fact" if chart.fact else "best"
        limits = text.COMPARED[case].fill(level, worse=chart.worse, others=len(chart.points) - 1)
        same = text.COMPARED["same"].fill(level, fixed=fixed) if fixed and level else ""
        levels.append(" ".join(filter(None, (answer, limits, same))))
    return levels[0], levels[1]


def tiles(
    chart: SettingMap, current: Sequence[Result], public: Interval | None, precise: bool
) -> list[Tile]:
    """Return the tiles of a map.

    Args:
        current: runs of the framed cell; public: accuracy of public images alone, if known.
    """
    row = []
    if chart.current is not None and chart.current in chart.points:
        tile = _tile("current", chart, chart.current, precise, text.FRAMED)
        row.append(replace(tile, aside=text.ONE_DRAW))
    notes = text.PUBLIC_NOTES["current" if chart.fact else "best"]
    shown = public_tiles(candidates(chart), public, notes)
    # phones show the note alone
    row += [replace(tile, note=text.ONE_DRAW, runs=tile.note) for tile in shown]
    if chart.best is not None and not chart.fact:
        note = text.BEST_NOTES[chart.has_winner]
        tile = _tile("best", chart, chart.best, precise, note)
        row.append(replace(tile, runs=chart.cell_text(chart.best)))
    if current:
        tile = guess_tile([result.guarantee for result in current])
        row.append(tile if chart.fact else replace(tile, note=text.ONE_RUN))
    return row


def _tile(name: str, chart: SettingMap, cell: Cell, precise: bool, note: str) -> Tile:
    label = render_text(text.TILES[name], cells=len(chart.points))
    value = score_text(chart.points[cell], precise)
    return Tile(label, value, note, text.TILE_HELP[name])


def chart_title(chart: SettingMap, request: Mapped, precise: bool) -> str:
    """Return the finding above the map; "" without any cell."""
    if chart.best is None:
        return ""
    others = len(chart.points) - 1
    fields: dict[str, Any] = {"method": METHODS[request.method].title}
    high = chart.points[chart.best]
    fields |= {"low": chart.points[_lowest(chart)], "high": high, "runs": high.runs}
    if chart.fact:
        case = "range"
    elif not others:
        case = "single"
    else:
        case = "few worse" if chart.worse < others / 2 else "some worse"
        case = {0: "none worse", others: "all worse"}.get(chart.worse, case)
        if case != "all worse" and (found := _pattern(chart)):
            case, words = found
            fields |= words
    return text.CHART_TITLES[case].fill(precise, **fields)


def _pattern(chart: SettingMap) -> tuple[str, dict[str, str]] | None:
    """Return the case and the fields of a title about one setting of a map: its better half where
    that is significant, otherwise its weakest value; None where lines cannot be compared.

    The halves of both settings are compared together (Holm). Lines are compared where all have
    cells.
    """
    sides = {
        side.title: lines
        for side, lines in ((chart.rows, _lines(chart, 0)), (chart.columns, _lines(chart, 1)))
        if side.title in text.WEAKEST and len(lines) > 1
    }
    runs = {len(point.values) for point in chart.points.values()}
    if not sides or len(runs) > 1 or min(runs) < 2:
        return None
    labels = {side.title: side.labels for side in (chart.rows, chart.columns)}
    pairs = {
        name: (_mean_of(lines[: len(lines) // 2]), _mean_of(lines[-(len(lines) // 2) :]))
        for name, lines in sides.items()
    }
    clear = {name: sign for name, sign in stats.signs(pairs).items() if sign}
    if clear:
        name = max(clear, key=lambda name: abs(pairs[name][1].mean - pairs[name][0].mean))
        half, high = len(sides[name]) // 2, clear[name] > 0
        value = labels[name][-half if high else half - 1]
        template = text.PATTERNS[name, "high" if high else "low"]
        return "pattern", {"pattern": render_text(template, value=value)}
    means = {
        (name, place): _mean_of([line]).mean
        for name, lines in sides.items()
        for place, line in enumerate(lines)
    }
    name, place = min(means, key=lambda line: means[line])
    value, mean = labels[name][place], means[name, place]
    return "weakest", {"weakest": render_text(text.WEAKEST[name], value=value, mean=mean)}


def _mean_of(lines: Sequence[Sequence[Interval]]) -> Interval:
    return stats.pooled([point for line in lines for point in line])


def _lines(chart: SettingMap, side: int) -> list[list[Interval]]:
    """Return the cells of each row (side 0) or column (side 1), where all of them have one."""
    ends = len(chart.rows.labels), len(chart.columns.labels)
    cell = lambda line, place: (line, place) if side == 0 else (place, line)
    lines, places = range(ends[side]), range(ends[1 - side])
    shared = [p for p in places if all(cell(line, p) in chart.points for line in lines)]
    return [[chart.points[cell(line, p)] for p in shared] for line in lines] if shared else []


def candidates(chart: SettingMap) -> dict[Cell, Interval]:
    """Return the cells that the best is picked from; on a map of data, the framed one."""
    if not chart.fact:
        return dict(chart.points)
    point = chart.points.get(chart.current) if chart.current else None
    return {chart.current: point} if chart.current and point else {}


def _lowest(chart: SettingMap) -> Cell:
    return min(chart.points, key=lambda cell: chart.points[cell].mean)


def with_public(chart: SettingMap, public: Interval | None) -> SettingMap:
    """Return the map with the cells that are significantly worse than public images alone.

    All cells are compared together (Holm).
    """
    if public is None or not public.is_measured or any(p.runs < 2 for p in chart.points.values()):
        return chart
    below = stats.signs({cell: (public, point) for cell, point in chart.points.items()})
    return replace(chart, below_public=frozenset(cell for cell, sign in below.items() if sign < 0))


def caption(chart: SettingMap, precise: bool) -> str:
    """Return how to read the map."""
    runs = max((point.runs for point in chart.points.values()), default=0)
    template = text.CAPTION_BEST if chart.has_winner and not chart.fact else text.CAPTION
    fields = {"rows": chart.rows.title, "columns": chart.columns.title, "runs": runs}
    sentences = [template.fill(precise, **fields)]
    if chart.is_score_range:
        sentences.append(text.SCORE.fill(precise))
    if chart.below_public:
        sentences.append(text.BELOW_PUBLIC.fill(precise))
    return " ".join(sentences)


def notes(chart: SettingMap, request: Mapped, seeds: int) -> list[str]:
    """Return the limits of a map: cost of choosing, shared settings, intervals."""
    first = [text.COMPARED["fact"].fill(True)] if chart.fact else list(text.CHOICE)
    if fixed := request.fixed():
        first.append(text.COMPARED["same"].fill(True, fixed=fixed))
    if chart.points and not chart.fact and len(chart.points) > 1:
        others = len(chart.points) - 1
        first.append(text.COMPARED["best"].fill(True, worse=chart.worse, others=others))
    return [*first, text.ONE_SEED if seeds < 2 else render(text.INTERVALS, seeds=seeds)]


def controls_at(request: MapRequest, cell: Cell) -> dict[str, Any]:
    """Return values of Trade-off's controls for a cell, by their keys."""
    return {
        name if name in ("eps", "ir") else f"{request.method}.{name}": (
            int(value) if name in ("ir", "k_pool") else float(value)
        )
        for name, value in request.values(cell).items()
    }
