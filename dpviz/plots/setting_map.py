"""Accuracy over two settings as a map with its number in every cell; the one looked at is framed,
and the best starred where both settings are for someone to choose.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

import plotly.graph_objects as go

from dpviz.formatting import METRIC_WORDS, percent, spread
from dpviz.plots.kit import axes, figures
from dpviz.plots.kit.style import SHADES, WRONG
from dpviz.plots.kit.traces import SILENT, hover, scatter, stroke
from dpviz.stats import Interval, not_best

ROW, TOP, FOOT = 38, 12, 50
"""Pixels of a row of cells, above them, and of ticks and title."""
MISSING = "–"
NOT_TESTED = "no test record is of the classes that count"
Cell = tuple[int, int]


@dataclass(frozen=True)
class Side:
    """An axis: its title, and the value of each row or column in words."""

    title: str
    labels: tuple[str, ...]


@dataclass(frozen=True)
class SettingMap:
    """Cells by (row, column).

    Attributes:
        points: accuracies of those that are there; reasons: why others are not; now: the cell of
            the settings looked at; fact: whether a side is a fact of the data, such as its class
            sizes, so that no cell can be chosen.
    """

    rows: Side
    columns: Side
    metric: str
    points: Mapping[Cell, Interval]
    reasons: Mapping[Cell, str]
    now: Cell | None = None
    fact: bool = False

    @property
    def best(self) -> Cell | None:
        """The cell with the highest mean."""
        return max(self.points, key=lambda cell: self.points[cell].mean, default=None)

    @property
    def untested(self) -> bool:
        """Whether there are runs, and no accuracy of any is known."""
        return not self.points and NOT_TESTED in self.reasons.values()

    @property
    def worse(self) -> int:
        """Cells that are shown not to be the best, given that it was picked among all."""
        return len(not_best(self.points)[1]) if self.points else 0

    @property
    def cells(self) -> list[Cell]:
        """All, row by row."""
        ends = len(self.rows.labels), len(self.columns.labels)
        return [(i, j) for i in range(ends[0]) for j in range(ends[1])]

    def called(self, cell: Cell) -> str:
        """A cell's settings in words."""
        sides = (self.rows, cell[0]), (self.columns, cell[1])
        return ", ".join(f"{side.title} {side.labels[at]}" for side, at in sides)


def info(
    rows: Side,
    columns: Side,
    metric: str,
    points: Mapping[Cell, Interval],
    reasons: Mapping[Cell, str],
    now: Cell | None = None,
    fact: bool = False,
) -> SettingMap:
    """The chart's data; an accuracy that is not known is no point."""
    known = {cell: point for cell, point in points.items() if point.known}
    gone = {cell: NOT_TESTED for cell in points if cell not in known}
    return SettingMap(rows, columns, metric, known, gone | dict(reasons), now, fact)


def alt(chart: SettingMap) -> str:
    """The chart in words."""
    rows, columns = (
        f"{side.title} from {side.labels[0]} to {side.labels[-1]}"
        for side in (chart.rows, chart.columns)
    )
    return f"Map of accuracy, {METRIC_WORDS[chart.metric]}, over {rows} and {columns}."


def table(chart: SettingMap) -> list[dict[str, Any]]:
    """A row a cell that is there."""
    return [
        {
            chart.rows.title: chart.rows.labels[i],
            chart.columns.title: chart.columns.labels[j],
            "accuracy": point.mean,
            "low": point.low,
            "high": point.high,
            "runs": point.runs,
        }
        for (i, j), point in sorted(chart.points.items())
    ]


def figure(chart: SettingMap) -> go.Figure:
    """Cells from 0 to 100 % in shades on which the page's own letters can be read, and a mark over
    each, unseen, to point at and to click.
    """
    count = len(chart.rows.labels), len(chart.columns.labels)
    height = TOP + ROW * count[0] + FOOT
    x, y = (
        axes.axis(side.title, standoff, grid=False, **_ticks(side))
        for side, standoff in ((chart.columns, axes.CLOSE), (chart.rows, axes.BESIDE))
    )
    return figures.make_figure(
        [_shades(chart), _missing(chart), _marks(chart)],
        height,
        {"l": 64, "t": TOP, "b": FOOT},
        showlegend=False,
        hovermode="closest",
        hoverdistance=-1,  # wherever one points to, it is the cell there
        xaxis=x,
        yaxis=y,
        shapes=[_frame(chart.now)] if chart.now else [],
    )


def _ticks(side: Side) -> dict[str, Any]:
    labels = [escape(label) for label in side.labels]
    ticks = {"tickvals": list(range(len(labels))), "ticktext": labels, "tickangle": 0}
    return ticks | axes.around(len(labels))


def _shades(chart: SettingMap) -> dict[str, Any]:
    rows, columns = range(len(chart.rows.labels)), range(len(chart.columns.labels))
    means = {cell: point.mean for cell, point in chart.points.items()}
    z = [[means.get((i, j)) for j in columns] for i in rows]
    words = [[_number(chart, (i, j)) for j in columns] for i in rows]
    cells: dict[str, Any] = {
        "type": "heatmap",
        "x": list(columns),
        "y": list(rows),
        "z": z,
        "text": words,
    }
    cells |= {"zmin": 0, "zmax": 1, "xgap": 2, "ygap": 2, "colorscale": SHADES}
    look = {"texttemplate": "%{text}", "textfont": {"size": 13}, "showscale": False}
    return cells | look | {"hoverinfo": "skip"}


def _number(chart: SettingMap, cell: Cell) -> str:
    point = chart.points.get(cell)
    if point is None:
        return ""
    number = f"{100 * point.mean:.0f}"
    return f"<b>★{number}</b>" if cell == chart.best and not chart.fact else number


def _missing(chart: SettingMap) -> dict[str, Any]:
    gone = [cell for cell in chart.cells if cell not in chart.points and cell in chart.reasons]
    places = [j for _, j in gone], [i for i, _ in gone]
    return scatter(*places, "text", text=[MISSING] * len(gone), **SILENT)


def _marks(chart: SettingMap) -> dict[str, Any]:
    unseen = {"marker": {"opacity": 0}}
    return scatter(
        [j for _, j in chart.cells],
        [i for i, _ in chart.cells],
        "markers",
        marker={"symbol": "square", "size": ROW - 4, "opacity": 0},
        selected=unseen,
        unselected=unseen,
        customdata=[_hover_text(chart, cell) for cell in chart.cells],
        **hover("%{customdata}"),
    )


def _hover_text(chart: SettingMap, cell: Cell) -> str:
    """What stands beside the pointer."""
    point, name = chart.points.get(cell), escape(chart.called(cell))
    if point is None:
        return f"{name}: {escape(chart.reasons.get(cell, 'not there yet'))}"
    between = f", 95 % interval {spread(point)}" if spread(point) else ""
    return f"{name}: <b>{percent(point)}</b>{between}, N = {point.runs}"


def _frame(cell: Cell) -> dict[str, Any]:
    (i, j), half = cell, 0.48
    ends = {"x0": j - half, "x1": j + half, "y0": i - half, "y1": i + half}
    return {"type": "rect", "line": stroke(WRONG, 3), **ends}


def pick(points: Sequence[Mapping[str, Any]], chart: SettingMap) -> Cell | None:
    """The cell that a click chose, as a browser tells it; None for what is no cell."""
    for point in points:
        if isinstance(at := point.get("point_index"), int) and 0 <= at < len(chart.cells):
            return chart.cells[at]
    return None
