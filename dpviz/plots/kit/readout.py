"""What charts over the budget share: lines with bands, and a read-out above them that is legend and
numbers at once.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from dpviz.plots.kit import animation_frames, axes, figures, traces
from dpviz.plots.kit.figures import Still
from dpviz.plots.kit.style import ACCENT, FONT, GREY, Look
from dpviz.plots.kit.traces import SILENT, drawn_as, hover, scatter, stroke
from dpviz.stats import Interval
from dpviz.types import Budget
from dpviz.words import SYMBOLS, at, axis_title, number, numbers, percent, spread

ROW = 21
"""Pixels a row of the read-out."""
PLACE = {"xaxis": "x2", "yaxis": "y2"}
BESIDE = 0.075
"""Where a row's words begin, as a share of the width; its sample ends at 0.05."""
WIDEST, FIGURE = len("93.9 %"), "\u2007"
"""Signs of the widest number, and a space as wide as a digit."""


@dataclass(frozen=True)
class Row:
    """A line of the chart and its row: title, look, a point for each budget; one point alone holds
    at every budget.
    """

    title: str
    look: Look
    budgets: tuple[float, ...]
    points: tuple[Interval, ...]

    @property
    def level(self) -> bool:
        """True for a line across, which no budget moves."""
        return self.budgets == (math.inf,)

    def at(self, budget: float) -> Interval | None:
        """The point at a budget, where there is one."""
        return (
            self.points[0]
            if self.level
            else dict(zip(self.budgets, self.points, strict=True)).get(budget)
        )


def common(budgets: Iterable[Sequence[float]]) -> tuple[float, ...]:
    """Budgets at which every line has a point."""
    sets = [set(each) for each in budgets]
    return tuple(sorted(set.intersection(*sets))) if sets else ()


def span(rows: Sequence[Row], now: float) -> tuple[float, float]:
    """Least and greatest budget of a chart; never nothing."""
    budgets = {b for row in rows if not row.level for b in row.budgets} | {now}
    return (min(budgets), max(budgets)) if len(budgets) > 1 else (min(0.01, now), max(10.0, now))


def brackets(point: Interval) -> str:
    """The spread of a point in brackets, where it has one."""
    return f"({spread(point)})" if spread(point) else ""


# ------------------------------------------------------------------------------------------- traces


def curves(rows: Sequence[Row], axis: str, now: float, floor: float = 0.0) -> list[dict[str, Any]]:
    """All lines; bands of the swept ones end at ``floor``."""
    swept = [trace for row in rows if not row.level for trace in _curve(row, axis, floor)]
    return swept + [_level(row, span(rows, now)) for row in rows if row.level]


def _curve(row: Row, axis: str, floor: float) -> list[dict[str, Any]]:
    low, high = [max(p.low, floor) for p in row.points], [p.high for p in row.points]
    drawn = scatter(
        list(row.budgets),
        [p.mean for p in row.points],
        "lines+markers",
        name=row.title,
        text=[f"{percent(p)}  {brackets(p)}" for p in row.points],
        cliponaxis=False,
        showlegend=False,
        **drawn_as(row.look, 2.5, 7),
        **hover(f"{SYMBOLS[axis]} = %{{x}}: %{{text}}", row.title),
    )
    several = any(p.low < p.high for p in row.points)
    return [traces.band(row.budgets, low, high, row.look.colour), drawn] if several else [drawn]


def _level(row: Row, ends: tuple[float, float]) -> dict[str, Any]:
    point = row.points[0]
    return scatter(
        list(ends),
        [point.mean] * 2,
        name=row.title,
        showlegend=False,
        line=stroke(row.look.colour, 1.6, row.look.dash),
        **hover(f"{percent(point)} {brackets(point)}", row.title),
    )


def dotted(height: float, words: str, ends: tuple[float, float], place: str) -> dict[str, Any]:
    """A dotted line across with its name at the right end, such as chance; ``place`` is where the
    name stands of that end.
    """
    name = {"text": ["", words], "textposition": place, "textfont": {"size": 11, "color": GREY}}
    line = stroke(GREY, 1, "dot")
    return scatter(list(ends), [height] * 2, "lines+text", line=line, **name | SILENT)


def samples(rows: Sequence[Row]) -> list[dict[str, Any]]:
    """A sample of each line at the left of its row: the legend that also tells the numbers."""
    drawn = []
    for place, row in enumerate(rows, start=1):
        look = drawn_as(row.look, 2.5, 8)
        look["marker"] |= {"size": [0, 0 if row.level else 8, 0], "opacity": 1}
        ends = ([0, 0.025, 0.05], [-place] * 3)
        drawn.append(scatter(*ends, "lines+markers", **look | PLACE | SILENT))
    return drawn


def moving(rows: Sequence[Row], now: float, head: str, floor: float = 0.0) -> list[dict[str, Any]]:
    """What follows the hand: the line at a budget, a ring on every curve, and the numbers under
    ``head``.
    """
    shown = [(row, row.at(now)) for row in rows]
    ringed = [p.mean for row, p in shown if p and not row.level]
    names = [f"{_aligned(p)}  {row.title} {brackets(p) if p else ''}" for row, p in shown]
    words = scatter(
        [0] + [BESIDE] * len(rows),
        list(range(0, -1 - len(rows), -1)),
        "text",
        text=[f"<b>{head}</b>", *names],
        textfont={"size": FONT},
        textposition="middle right",
        **PLACE | SILENT,
    )
    rule = scatter([now, now], [floor, 1], line=stroke(ACCENT, 2), **SILENT)
    return [rule, traces.ring([now] * len(ringed), ringed, 13), words]


def _aligned(point: Interval | None) -> str:
    """The number of a row, as wide as the widest could be, whatever the width of the chart."""
    words = percent(point) if point else ""
    return f"{(WIDEST - len(words)) * FIGURE}<b>{words}</b>"


# ------------------------------------------------------------------------------------------- layout


class Chart(Protocol):
    """What a chart over the budget says of itself."""

    axis: str
    delta: float
    waiting: tuple[str, ...]

    @property
    def budgets(self) -> tuple[float, ...]:
        """Budgets with a frame."""


@dataclass(frozen=True)
class Plot:
    """Pixels of the plot itself, what ``axes.axis`` takes for its upright axis, what stands before
    the budget, and where lines and bands end below.
    """

    height: int
    y: dict[str, Any]
    head: str = ""
    floor: float = 0.0


def figure(
    chart: Chart, rows: Sequence[Row], now: float, guessing: Sequence[dict[str, Any]], plot: Plot
) -> Still:
    """The read-out over the lines, with a frame for every budget that all of them have."""
    fixed = [*curves(rows, chart.axis, now, plot.floor), *guessing, *samples(rows)]

    def move(budget: float) -> list[dict[str, Any]]:
        return moving(
            rows, budget, plot.head + at(Budget(budget, chart.axis, chart.delta)), plot.floor
        )

    moved = move(now)
    places = list(range(len(fixed), len(fixed) + len(moved)))
    steps = animation_frames.frames_of(chart.budgets, move, places)
    layout = _layout(chart, rows, now, plot) | _handled(chart.budgets, now)
    return figures.still(fixed + moved, layout, steps)


def _layout(chart: Chart, rows: Sequence[Row], now: float, plot: Plot) -> dict[str, Any]:
    """The read-out over the plot, the budget on a log axis."""
    count = 1 + len(rows) + len(chart.waiting)
    top = count * ROW + 10
    share = plot.height / (plot.height + top)
    low, high = span(rows, now)
    ticks = _ticks(low, high)
    x = {"type": "log", "range": [math.log10(low) - 0.06, math.log10(high) + 0.06], "anchor": "y"}
    x |= {"tickvals": ticks, "ticktext": [number(b) for b in ticks]}
    y = {"domain": [0, share], "tickformat": ".0%"} | plot.y
    beside = axes.HIDDEN | {"domain": [0, 1], "range": [0, 1], "anchor": "y2"}
    above = axes.HIDDEN | {"domain": [share, 1], "range": [0.6 - count, 0.5], "anchor": "x2"}
    margin = {"r": 14, "t": 4, "b": FOOT - 4}
    return figures.shared(top + plot.height + FOOT, margin) | {
        "showlegend": False,
        "xaxis": axes.axis(axis_title(chart.axis, chart.delta), 6, **x),
        "yaxis": axes.axis(**y),
        "xaxis2": beside,
        "yaxis2": above,
        "annotations": _places(len(rows), chart.waiting),
    }


FOOT = 128
"""Pixels of axis and slider below the plot."""


def _handled(budgets: Sequence[float], now: float) -> dict[str, Any]:
    """Layout entries of slider and sweep, where there is more than one budget to move to."""
    if now not in budgets or len(budgets) < 2:
        return {}
    names = numbers(budgets)
    return animation_frames.slider(
        names, list(budgets).index(now), below=58
    ) | animation_frames.sweep(names)


def _places(rows: int, waiting: Sequence[str]) -> list[dict[str, Any]]:
    """A row in the read-out for each line still to come."""
    place = {"x": BESIDE, "xref": "x2", "yref": "y2", "xanchor": "left", "opacity": 0.75}
    return [place | {"y": -row, "text": f"{t} …"} for row, t in enumerate(waiting, start=1 + rows)]


def _ticks(low: float, high: float) -> list[float]:
    """Powers of ten inside the span, with the ends of it where few fit."""
    powers = [10.0**k for k in range(-12, 13) if low * 0.999 <= 10.0**k <= high * 1.001]
    return powers if len(powers) > 1 else sorted({low, *powers, high})
