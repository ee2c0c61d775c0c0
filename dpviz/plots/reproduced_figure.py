"""A figure of a paper computed again: lines in panels, printed numbers in open markers."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

import plotly.graph_objects as go

from dpviz.caches import cached
from dpviz.plots.kit import axes, figures, panels
from dpviz.plots.kit.marks import note
from dpviz.plots.kit.style import BLUE, GREEN, ORANGE, PURPLE, RED, SKY
from dpviz.plots.kit.traces import hover, scatter, stroke
from dpviz.types.line_style import BROWN, FOREST, MAGENTA, MAUVE, OLIVE, PERIWINKLE

COLORS = (BLUE, ORANGE, GREEN, RED, PURPLE, SKY, BROWN, MAUVE, FOREST, MAGENTA, OLIVE, PERIWINKLE)
SYMBOLS = ("circle", "square", "diamond", "triangle-up", "triangle-down", "pentagon")
IN_A_ROW = 4
BESIDE = 0.07
"""Between markers of two lines at one name, as a share of the way to the next name."""
PRINTED = "{line}, printed"


@dataclass(frozen=True)
class Point:
    """A value at a place of the axis, with its interval; ``low == high`` where none is known."""

    panel: str
    line: str
    x: float | str
    value: float
    low: float
    high: float


@dataclass(frozen=True)
class Reproduced:
    """What the chart shows.

    Attributes:
        x, y: titles of the axes; log_x: whether the horizontal axis is logarithmic; share: whether
            the vertical axis is a share from 0 to 1.
        computed, printed: points in drawing order.
    """

    x: str
    y: str
    log_x: bool
    share: bool
    computed: tuple[Point, ...]
    printed: tuple[Point, ...]

    @property
    def panels(self) -> list[str]:
        """Titles of the panels in reading order."""
        return list(dict.fromkeys(p.panel for p in (*self.computed, *self.printed)))

    @property
    def lines(self) -> list[str]:
        """Names of the lines in drawing order."""
        return list(dict.fromkeys(p.line for p in (*self.computed, *self.printed)))

    def named(self, panel: str) -> list[str]:
        """Places of a panel's axis where they are names; empty where they are numbers."""
        every = (*self.computed, *self.printed)
        found = dict.fromkeys(p.x for p in every if p.panel == panel)
        return [str(x) for x in found] if any(isinstance(x, str) for x in found) else []


def info(
    x: str,
    y: str,
    computed: Sequence[Point],
    printed: Sequence[Point] = (),
    log_x: bool = False,
    share: bool = True,
) -> Reproduced:
    """The chart's data."""
    return Reproduced(x, y, log_x, share, tuple(computed), tuple(printed))


def alt(chart: Reproduced) -> str:
    """The chart in words, without its numbers."""
    beside = " Open markers on dotted lines are printed numbers." if chart.printed else ""
    return f"{chart.y} against {chart.x} for {', '.join(chart.lines)}.{beside}"


# ------------------------------------------------------------------------------------------ drawing


@cached(16)
def figure(chart: Reproduced) -> go.Figure:
    """All panels with lines, intervals and printed numbers."""
    count = len(chart.panels)
    columns = min(count, IN_A_ROW) or 1
    legend = math.ceil(2 * len(chart.lines) / 4)
    grid = panels.Grid(count, columns, 300, ticks=True, legend=legend)
    traces = [trace for number in range(count) for trace in _panel(chart, number)]
    layout = figures.shared(grid.pixels + 40, {"l": 64, "r": 14, "t": 8, "b": grid.foot + 40})
    for number in range(count):
        layout |= _axes(chart, grid, number)
    notes = [_title(chart, grid, number) for number in range(count)]
    low = -76 if any(map(chart.named, chart.panels)) else -26
    notes.append(
        note(escape(chart.x), 0.5, 0, "center top", xref="paper", yref="paper", yshift=low)
    )
    return figures.make_figure(
        traces,
        layout["height"],
        layout["margin"],
        **{k: v for k, v in layout.items() if k.startswith(("xaxis", "yaxis"))},
        annotations=notes,
        legend=figures.BELOW | {"orientation": "h", "font": {"size": 12}},
    )


def _panel(chart: Reproduced, number: int) -> list[dict[str, Any]]:
    panel, found = chart.panels[number], []
    seen = {p.line for n in range(number) for p in chart.computed if p.panel == chart.panels[n]}
    noted = {p.line for n in range(number) for p in chart.printed if p.panel == chart.panels[n]}
    on = {"xaxis": f"x{panels.axis(number)}", "yaxis": f"y{panels.axis(number)}"}
    names = chart.named(panel)
    for place, line in enumerate(chart.lines):
        color, symbol = COLORS[place % len(COLORS)], SYMBOLS[place % len(SYMBOLS)]
        aside = BESIDE * (place - (len(chart.lines) - 1) / 2)
        mine = [p for p in chart.computed if (p.panel, p.line) == (panel, line)]
        theirs = [p for p in chart.printed if (p.panel, p.line) == (panel, line)]
        if mine:
            found.append(_line(mine, names, line, color, symbol, line not in seen, aside) | on)
        if theirs:
            title = PRINTED.format(line=line)
            drawn = _line(theirs, names, title, color, f"{symbol}-open", line not in noted, aside)
            drawn |= {"line": stroke(color, 1.5, "dot")}
            found.append(drawn | on)
    return found


def _line(
    points: Sequence[Point],
    names: Sequence[str],
    title: str,
    color: str,
    symbol: str,
    shown: bool,
    aside: float,
) -> dict[str, Any]:
    """A line, or markers ``aside`` of their names."""
    x = [names.index(str(p.x)) + aside if names else p.x for p in points]
    mode = "markers" if names else "lines+markers"
    bars = {
        "type": "data",
        "array": [p.high - p.value for p in points],
        "arrayminus": [p.value - p.low for p in points],
        "color": color,
        "thickness": 1.2,
        "width": 3,
    }
    known = any(p.low < p.high for p in points)
    return scatter(
        x,
        [p.value for p in points],
        mode,
        name=escape(title),
        legendgroup=title,
        showlegend=shown,
        **({"error_y": bars} if known else {}),
        line=stroke(color, 2),
        marker={"symbol": symbol, "size": 8, "color": color},
        cliponaxis=False,
        text=[str(p.x) for p in points],
        **hover("%{text}: %{y}", escape(title)),
    )


def _axes(chart: Reproduced, grid: panels.Grid, number: int) -> dict[str, Any]:
    (x, y), name = grid.place(number), panels.axis(number)
    names = chart.named(chart.panels[number])
    across: dict[str, Any] = {"domain": x, "anchor": f"y{name}"}
    if names:
        across |= axes.category_axis([escape(one) for one in names]) | axes.around(len(names))
    elif chart.log_x:
        across |= {"type": "log", "dtick": 1}
    left = number % grid.columns == 0
    up: dict[str, Any] = {"domain": y, "anchor": f"x{name}"}
    title = chart.y if left else ""
    upright = axes.share(title, **up) if chart.share else axes.axis(title, rangemode="tozero", **up)
    return {f"xaxis{name}": axes.axis(**across), f"yaxis{name}": upright}


def _title(chart: Reproduced, grid: panels.Grid, number: int) -> dict[str, Any]:
    (left, _), (_, top) = grid.place(number)
    text = f"<b>{escape(chart.panels[number])}</b>"
    return note(text, left, top, "left bottom", xref="paper", yref="paper")
