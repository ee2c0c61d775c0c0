"""What charts over the budget share: lines with bands, names at the lines' ends, and numbers where
the lines meet the budget looked at.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any, Protocol

from dpviz.formatting import SYMBOLS, axis_title, budget_text, number, percent, spread
from dpviz.plots.kit import axes, figures, traces
from dpviz.plots.kit.animation_frames import frames_of, standing
from dpviz.plots.kit.figures import Still
from dpviz.plots.kit.line_ends import Scale, spread_out
from dpviz.plots.kit.style import ACCENT, FONT, GREY, LineStyle, rgba
from dpviz.plots.kit.traces import SILENT, drawn_as, hover, scatter, stroke
from dpviz.stats import Interval
from dpviz.types import Budget

ROW, LEAST = 20, 260
"""Pixels from one name to the next, and of the lowest plot in which they stay apart."""
LETTER, SAMPLE = 6.7, 36
"""Pixels of a letter, and from the plot to a name."""
WAY, BAR = (4, 18), (21, 24)
"""Pixels beside the plot between which the way from a line to its name lies, and the bar of the
line's colour before the name. Neither looks like a line of the plot, nor lies in it.
"""
FIGURE = "\u2007"
"""A space as wide as a digit."""
GUESSING = LineStyle(GREY, "dot", "line-ew-open")
MOST = 300
"""Most pixels that the names take beside the plot."""


@dataclass(frozen=True)
class Row:
    """A line of the chart and its row: title, look, a point for each budget; one point alone holds
    at every budget.
    """

    title: str
    look: LineStyle
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


def guessing(share: float) -> Row:
    """The level of who guesses blindly, right or wrong this often."""
    return Row("guessing", GUESSING, (math.inf,), (Interval(share, share, share, 0),))


def common(budgets: Iterable[Sequence[float]]) -> tuple[float, ...]:
    """Budgets at which every line has a point."""
    sets = [set(each) for each in budgets]
    return tuple(sorted(set.intersection(*sets))) if sets else ()


def smallest(budget: Budget, budgets: Iterable[Sequence[float]]) -> Budget:
    """Return the smallest budget of all lines, with the axis and delta of ``budget``: the same
    whichever budget is looked at.
    """
    return budget.at(min(chain.from_iterable(budgets), default=budget.value))


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


def names(rows: Sequence[Row], scale: Scale, ends: Sequence[float]) -> dict[str, Any]:
    """The names of the lines, beside the plot."""
    words = [_row_label(row) for row in rows]
    return _words([scale.edge] * len(rows), ends, words, "middle right")


def ways(rows: Sequence[Row], scale: Scale, ends: Sequence[float]) -> list[dict[str, Any]]:
    """Of each line its way on to its name, then of each the bar before that."""
    beside = {"xref": "paper", "xanchor": 1, "xsizemode": "pixel"}
    line = {"type": "line", "line": {"color": rgba(GREY, 0.8), "width": 1}} | beside
    bar = {"type": "rect", "line": {"width": 0}, "ysizemode": "pixel", "yref": "paper"} | beside
    return [
        line | {"x0": WAY[0], "x1": WAY[1], "y0": _height(row, scale), "y1": end}
        for row, end in zip(rows, ends, strict=True)
    ] + [
        bar
        | {"x0": BAR[0], "x1": BAR[1], "y0": -6, "y1": 6, "yanchor": scale.share(end)}
        | {"fillcolor": row.look.colour}
        for row, end in zip(rows, ends, strict=True)
    ]


def _words(
    x: Sequence[float], y: Sequence[float], text: Sequence[str], side: str | Sequence[str]
) -> dict[str, Any]:
    look = {"textfont": {"size": FONT}, "textposition": side, "cliponaxis": False}
    return scatter(list(x), list(y), "text", text=list(text), **look | SILENT)


def _height(row: Row, scale: Scale) -> float:
    """How high a line ends, within the plot."""
    return _is_within(row.points[-1], scale)


def _is_within(point: Interval, scale: Scale) -> float:
    return min(max(point.mean, scale.floor), scale.top)


def moving(rows: Sequence[Row], scale: Scale, now: float, head: str) -> list[dict[str, Any]]:
    """What follows the hand: the line at a budget with ``head`` above it, a ring on every curve,
    and its number there.
    """
    ringed = [p.mean for row in rows if not row.level and (p := row.at(now))]
    above = _words([now], [scale.top], [f"<b>{head}</b>"], [f"top {scale.side(now)}"])
    rule = scatter([now, now], [scale.floor, scale.top], line=stroke(ACCENT, 2), **SILENT)
    ring = traces.ring([now] * len(ringed), ringed, 13)
    return [rule, above, ring, _numbers(rows, scale, now)]


def _numbers(rows: Sequence[Row], scale: Scale, now: float) -> dict[str, Any]:
    """The numbers beside the rings, clear of one another; a line without one has a blank."""
    shown = [None if row.level else row.at(now) for row in rows]
    there = [point for point in shown if point]
    wanted = [scale.share(_is_within(point, scale)) / CLEAR for point in there]
    places = iter(spread_out(wanted, ROW / LEAST / CLEAR))
    heights = [scale.at(CLEAR * next(places)) if point else scale.floor for point in shown]
    words = [f"{GAP}<b>{percent(p)}</b> {brackets(p)}{GAP}" if p else FIGURE for p in shown]
    side = "middle left" if scale.along(now) > MIDDLE else "middle right"
    return _words([now] * len(rows), heights, words, [side] * len(rows))


MIDDLE = 0.55
"""Share of a plot's width past which numbers stand left of the line: there they have room even on a
phone, and curves that rise leave the place free.
"""
CLEAR = 0.95
"""Share of a plot's height above which no number stands, under the budget's own."""
GAP = "\u2007\u2007"
"""Clear of a ring."""
BESIDE = "\u2007" * 5
"""Clear of the way to a name and the bar before it."""


def _row_label(row: Row) -> str:
    """A line's name, with its number where no budget moves that."""
    told = f"<b>{percent(row.points[0])}</b> {brackets(row.points[0])}" if row.level else ""
    return f"{BESIDE}{row.title} {told}".rstrip()


def label_width(rows: Sequence[Row], waiting: Sequence[str]) -> int:
    """Pixels beside the plot for the longest name."""
    longest = max((len(_row_label(row)) for row in rows), default=0)
    coming = max((len(title) + 4 for title in waiting), default=0)
    return min(MOST, SAMPLE + round(LETTER * max(longest, coming)))


# ------------------------------------------------------------------------------------------- layout


class Chart(Protocol):
    """What a chart over the budget says of itself."""

    @property
    def budget(self) -> Budget | None:
        """A budget with the axis and delta of all; None where all are epsilon without a delta."""

    @property
    def waiting(self) -> tuple[str, ...]:
        """Names of lines still to come."""

    @property
    def budgets(self) -> tuple[float, ...]:
        """Budgets with a frame."""


@dataclass(frozen=True)
class Plot:
    """Pixels of the plot itself, what ``axes.axis`` takes for its upright axis, what stands before
    the budget, where lines and bands end below, and where the plot ends above.
    """

    height: int
    y: dict[str, Any]
    head: str = ""
    floor: float = 0.0
    drawn: float = 0.0
    """Where bands end: below ``floor``, the end of the axis, on one that has no zero."""
    top: float = 1.0

    def at(self, budget: float, chart: Chart) -> str:
        """A budget of the chart in words."""
        if chart.budget is None:
            return f"{self.head}ε = {number(budget)}"
        return self.head + budget_text(chart.budget.at(budget))


def figure(chart: Chart, rows: Sequence[Row], now: float, plot: Plot) -> Still:
    """Lines with their names, and a frame for every budget that all of them have."""
    scale = Scale(*span(rows, now), plot.floor, plot.top, plot.y.get("type") == "log")
    wanted = [scale.share(_height(row, scale)) for row in rows] + [0.5] * len(chart.waiting)
    ends = [scale.at(share) for share in spread_out(wanted, ROW / LEAST)]
    mine, coming = ends[: len(rows)], ends[len(rows) :]
    axis = chart.budget.axis if chart.budget else "approx"
    lines = curves(rows, axis, now, plot.drawn)
    fixed = [*lines, names(rows, scale, mine)]

    def move(budget: float) -> list[dict[str, Any]]:
        moved = moving(rows, scale, budget, plot.at(budget, chart))
        return standing(moved, budgets.index(budget)) if budget in budgets else moved

    budgets = chart.budgets
    moved = move(now)
    places = list(range(len(fixed), len(fixed) + len(moved)))
    layout = _layout(chart, rows, scale, plot)
    layout["annotations"] = _coming(chart.waiting, [scale.share(end) for end in coming])
    layout["shapes"] = ways(rows, scale, mine)
    at_name = {line["name"]: i for i, line in enumerate(lines) if "name" in line}
    layout["meta"]["lines"] = [at_name[row.title] for row in rows]
    return figures.still(fixed + moved, layout, frames_of(budgets, move, places))


PURE = axis_title("approx", 0.0)
HEAD, FOOT = 26, 50
"""Pixels above the plot, for the budget, and below it, for ticks and title."""


def _layout(chart: Chart, rows: Sequence[Row], scale: Scale, plot: Plot) -> dict[str, Any]:
    """The budget on a log axis, with room for the names beside it."""
    ticks = ticks_of(scale.low, scale.high)
    x: dict[str, Any] = {"type": "log", "range": [math.log10(scale.start), math.log10(scale.edge)]}
    x |= {"tickvals": ticks, "ticktext": [number(b) for b in ticks]} | axes.WITHIN_MARGINS
    title = axis_title(chart.budget.axis, chart.budget.delta) if chart.budget else PURE
    beside = label_width(rows, chart.waiting)
    margin = figures.MARGINS | {"r": beside, "t": HEAD, "b": FOOT}
    return figures.shared(HEAD + plot.height + FOOT, margin) | {
        "showlegend": False,
        "meta": {"named": True, "room": beside},
        "xaxis": axes.axis(title, 6, **x),
        "yaxis": axes.axis(**{"tickformat": ".0%"} | plot.y | axes.WITHIN_MARGINS),
    }


def _coming(titles: Sequence[str], places: Sequence[float]) -> list[dict[str, Any]]:
    """The name of each line still to come."""
    side = {"x": 1, "xref": "paper", "yref": "paper", "xanchor": "left", "opacity": 0.75}
    rows = zip(titles, places, strict=True)
    return [side | {"y": place, "yanchor": "middle", "text": f"{t} …"} for t, place in rows]


def ticks_of(low: float, high: float) -> list[float]:
    """Powers of ten inside the span, or multiples of ten; with the ends of it where few fit."""
    powers = [10.0**k for k in range(-12, 13) if low * 0.999 <= 10.0**k <= high * 1.001]
    if len(powers) > 1:
        return powers
    tens = [10.0 * k for k in range(1, 10) if low <= 10 * k <= high]
    return tens if len(tens) > 2 else sorted({low, *powers, high})
