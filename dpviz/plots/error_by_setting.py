"""Error of a few named lines against any setting, with intervals: the share of a test that is
wrong, or a length. A second axis of meaning is told by dash.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from html import escape
from typing import Any

import plotly.graph_objects as go

from dpviz.caches import cached
from dpviz.formatting import percent, spread
from dpviz.plots.kit import axes, figures
from dpviz.plots.kit.marks import levels, note, upright
from dpviz.plots.kit.style import ACCENT, LineStyle
from dpviz.plots.kit.traces import band, drawn_as, hover, scatter
from dpviz.stats import Interval

MARGINS = {"l": 70, "r": 14, "t": 14, "b": 96}
"""Margins with room for powers of ten at the side, and below for two rows of names."""
FLOOR = 1e-4
"""Where the log scale of errors begins."""


@dataclass(frozen=True)
class Line:
    """One line: its name, look, places, and the test error there."""

    name: str
    look: LineStyle
    x: tuple[float, ...]
    points: tuple[Interval, ...]

    def at(self, x: float) -> Interval | None:
        """The error at a place."""
        return dict(zip(self.x, self.points, strict=True)).get(x)


@dataclass(frozen=True)
class ErrorLines:
    """Lines over one axis.

    Attributes:
        title: of the axis; lines: in drawing order; log_x, log_y: scales; chance: error of
            guessing, None to leave it out; now: (place, words) of a mark, or None; words: what
            stands at a place instead of its number; measure: what the error is; length: whether it
            is one, of any size, and not a share.
    """

    title: str
    lines: tuple[Line, ...]
    log_x: bool = True
    log_y: bool = False
    chance: float | None = None
    now: tuple[float, str] | None = None
    words: tuple[tuple[float, str], ...] = ()
    measure: str = "test error"
    length: bool = False


def info(
    title: str,
    points: Mapping[str, Mapping[float, Interval]],
    looks: Mapping[str, LineStyle],
    **settings: Any,
) -> ErrorLines:
    """The chart's data from errors by line and place; lines that are not there are left out.

    Args:
        looks: of the lines, in drawing order; settings: further attributes of ``ErrorLines``.
    """
    lines = []
    for name in looks:
        if name in points:
            places = tuple(sorted(points[name]))
            lines.append(Line(name, looks[name], places, tuple(points[name][x] for x in places)))
    return ErrorLines(title, tuple(lines), **settings)


def alt(chart: ErrorLines) -> str:
    """The chart in words."""
    scale = "on a log axis" if chart.log_y or chart.length else "from 0 to 100 %"
    return (
        f"{chart.measure[:1].upper()}{chart.measure[1:]} {scale} against {chart.title} for"
        f" {', '.join(one.name for one in chart.lines)}."
    )


def table(chart: ErrorLines) -> list[dict[str, Any]]:
    """A row a point."""
    return [
        {
            "line": one.name,
            chart.title: x,
            chart.measure: p.mean,
            "low": p.low,
            "high": p.high,
            "runs": p.runs,
        }
        for one in chart.lines
        for x, p in zip(one.x, one.points, strict=True)
    ]


@cached(figures.KEPT)
def figure(chart: ErrorLines) -> go.Figure:
    """Lines with bands. One figure for all who look at the same."""
    guessed = [] if chart.chance is None else [("guessing", chart.chance)]
    marks = levels(guessed, f"{_free_side(chart)} top")
    if chart.now is not None:
        place, words = chart.now
        x = math.log10(place) if chart.log_x else place
        font = {"size": 11, "color": ACCENT}
        marks["shapes"].append(upright(place, 1.5, "dot"))
        marks["annotations"].append(note(words, x, 1, "left top", yref="paper", font=font))
    layout = figures.shared(400, MARGINS) | {
        "legend": figures.BELOW,
        "xaxis": _x(chart),
        "yaxis": _y(chart),
    }
    return figures.still(
        [trace for one in chart.lines for trace in _line(one, chart)], layout | marks
    )


def _free_side(chart: ErrorLines) -> str:
    """The side on which lines end farther from guessing, whose name has room there."""
    if chart.chance is None or not chart.lines:
        return "left"
    first, last = (
        min(abs(one.points[end].mean - chart.chance) for one in chart.lines) for end in (0, -1)
    )
    return "right" if last > first else "left"


def _line(one: Line, chart: ErrorLines) -> list[dict[str, Any]]:
    floor = _shortest(chart) if chart.length else FLOOR if chart.log_y else 0.0
    mean, low, high = (
        [max(getattr(p, part), floor) for p in one.points] for part in ("mean", "low", "high")
    )
    words = dict(chart.words)
    told = _length if chart.length else lambda p: f"{percent(p)} {spread(p)}"
    said = [f"{words.get(v, f'{v:g}')}: {told(p)}" for v, p in zip(one.x, one.points, strict=True)]
    drawn = scatter(
        list(one.x),
        mean,
        "lines+markers",
        name=escape(one.name),
        text=said,
        cliponaxis=False,
        **drawn_as(one.look, 2.5, 8),
        **hover("%{text}", escape(one.name)),
    )
    several = any(p.low < p.high for p in one.points)
    return [band(one.x, low, high, one.look.colour), drawn] if several else [drawn]


def _length(p: Interval) -> str:
    """A length with its interval."""
    return f"{p.mean:.3g} ({p.low:.3g} to {p.high:.3g})" if p.low < p.high else f"{p.mean:.3g}"


def _shortest(chart: ErrorLines) -> float:
    """Where the log scale of lengths begins: below the shortest of them."""
    seen = [p.mean for one in chart.lines for p in one.points if p.mean > 0]
    return min(seen, default=1.0) / 2


def _x(chart: ErrorLines) -> dict[str, Any]:
    places, words = sorted({x for one in chart.lines for x in one.x}), dict(chart.words)
    said = [words.get(x, f"{x:,g}" if x >= 1000 else f"{x:g}") for x in places]
    axis = axes.axis(chart.title, axes.CLOSE, tickvals=places, ticktext=said)
    if not places:
        return axis
    low, high = (math.log10(x) if chart.log_x else x for x in (places[0], places[-1]))
    room = 0.04 * (high - low) or 0.1
    kind = "log" if chart.log_x else "linear"
    return axis | {"type": kind, "range": [low - room, high + room]}


def _y(chart: ErrorLines) -> dict[str, Any]:
    if chart.length:
        high = [p.high for one in chart.lines for p in one.points]
        ends = [math.log10(_shortest(chart)), math.log10(max([*high, 2 * _shortest(chart)])) + 0.1]
        return axes.axis(
            chart.measure,
            type="log",
            range=ends,
            dtick=1,
            exponentformat="power",
            **axes.WITHIN_MARGINS,
        )
    if not chart.log_y:
        return axes.share(chart.measure, **axes.WITHIN_MARGINS)
    ticks = {
        "tickvals": [1e-4, 1e-3, 1e-2, 1e-1, 1],
        "ticktext": ["0.01 %", "0.1 %", "1 %", "10 %", "100 %"],
    }
    ends = [math.log10(FLOOR) - 0.1, 0.05]
    return axes.axis(chart.measure, type="log", range=ends, **ticks | axes.WITHIN_MARGINS)
