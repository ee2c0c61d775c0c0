"""Accuracy of students against epsilon, a line for each setting that is moved alone; and what
papers print, as hollow marks in grey, which are about other data.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

import plotly.graph_objects as go

from dpviz.plots.kit import axes, figures
from dpviz.plots.kit.style import ACCENT, GREY, shaded
from dpviz.plots.kit.traces import arms, hover, ring, scatter, stroke
from dpviz.stats import Interval
from dpviz.types import LineStyle

MARKERS = ("circle", "square", "diamond", "triangle-up", "cross")
"""Of the lines, which are of one method: they differ in shade, dash and marker."""
HEIGHT = 440


@dataclass(frozen=True)
class Point:
    """A student: the value of the setting that gave it, its epsilon and accuracy."""

    name: str
    epsilon: float
    accuracy: Interval


@dataclass(frozen=True)
class Printed:
    """A figure as a paper prints it: where, of which method on which data, with the accuracy in
    [0, 1] and its standard deviation (nan where none is printed).

    Attributes:
        sanitised: the epsilon that may be published, nan where none is printed.
    """

    place: str
    name: str
    data: str
    epsilon: float
    accuracy: float
    sd: float = math.nan
    sanitised: float = math.nan


@dataclass(frozen=True)
class StudentCurve:
    """Lines by the setting that moves, the point that all share, printed figures, guessing."""

    lines: tuple[tuple[str, tuple[Point, ...]], ...]
    now: Point | None
    printed: tuple[Printed, ...]
    chance: float


def info(
    lines: Mapping[str, Sequence[Point]],
    now: Point | None,
    printed: Sequence[Printed],
    classes: int,
) -> StudentCurve:
    """The chart's data: lines with at least a point, each by rising epsilon."""
    some = tuple(
        (title, tuple(sorted(mine, key=lambda p: p.epsilon)))
        for title, mine in lines.items()
        if mine
    )
    return StudentCurve(some, now, tuple(printed), 1 / classes)


def alt(curve: StudentCurve) -> str:
    """The chart in words."""
    names = ", ".join(title for title, _ in curve.lines) or "nothing yet"
    more = " Hollow grey marks are printed in papers and about other data." if curve.printed else ""
    return (
        "Share of test records that the student gets right against epsilon on a log axis, moving"
        f" one setting at a time: {names}.{more}"
    )


def figure(curve: StudentCurve) -> go.Figure:
    """A line a setting, the ring at what all share, printed figures in grey."""
    traces = [_line(title, mine, _style(i)) for i, (title, mine) in enumerate(curve.lines)]
    if curve.now:
        traces.append(ring([curve.now.epsilon], [curve.now.accuracy.mean], 20))
    if curve.printed:
        traces.append(_printed(curve.printed))
    found = [p.epsilon for _, mine in curve.lines for p in mine] + [
        p.epsilon for p in curve.printed
    ]
    ends = [math.log10(min(found, default=0.1)) - 0.1, math.log10(max(found, default=10)) + 0.1]
    x = axes.axis(
        "ε, whatever the votes",
        type="log",
        range=ends,
        tickvals=[a * 10.0**b for b in range(-3, 5) for a in (1, 2, 5)],
        ticktext=[f"{a * 10.0**b:g}" for b in range(-3, 5) for a in (1, 2, 5)],
    )
    guess = {"type": "line", "xref": "paper", "x0": 0, "x1": 1, "y0": curve.chance}
    return figures.make_figure(
        traces,
        HEIGHT,
        xaxis=x,
        yaxis=axes.share("test records right", range=[0, 1.02]),
        legend={"orientation": "h", "y": -0.2} | figures.CLICKABLE,
        shapes=[guess | {"y1": curve.chance, "line": stroke(GREY, 1.2, "dot")}],
    )


def _style(number: int) -> LineStyle:
    return shaded(LineStyle(ACCENT, "solid", MARKERS[number % len(MARKERS)]), number)


def _line(title: str, mine: Sequence[Point], look: LineStyle) -> dict[str, Any]:
    colour, symbol, dash = look.colour, look.marker, look.dash
    said = [
        f"{escape(title)} {escape(p.name)}: {p.accuracy.mean:.1%}"
        f" ({p.accuracy.low:.1%} to {p.accuracy.high:.1%}), ε = {p.epsilon:.3g}"
        for p in mine
    ]
    return scatter(
        [p.epsilon for p in mine],
        [p.accuracy.mean for p in mine],
        "lines+markers",
        name=escape(title),
        line=stroke(colour, 1.6, dash),
        marker={"color": colour, "symbol": symbol, "size": 8},
        error_y=arms([p.accuracy for p in mine], colour, 1, 3),
        customdata=said,
        **hover("%{customdata}"),
    )


def _printed(rows: Sequence[Printed]) -> dict[str, Any]:
    look = {"symbol": "diamond-open", "size": 10, "color": GREY, "line": {"width": 1.6}}
    return scatter(
        [p.epsilon for p in rows],
        [p.accuracy for p in rows],
        "markers",
        name="from the paper: other data and encoders, not comparable",
        marker=look,
        customdata=[
            f"from the paper, {p.place}: {escape(p.name)} on {escape(p.data)}, {p.accuracy:.2%} at"
            f" ε = {p.epsilon:g}{_sanitised(p)}"
            for p in rows
        ],
        **hover("%{customdata}"),
    )


def _sanitised(row: Printed) -> str:
    return "" if math.isnan(row.sanitised) else f" ({row.sanitised:g} once sanitised)"


def table(curve: StudentCurve) -> list[dict[str, Any]]:
    """A row a student, then a row a printed figure."""
    rows: list[dict[str, Any]] = [
        {"what varies": title, "at": p.name, "epsilon": p.epsilon, "student": p.accuracy.mean}
        for title, mine in curve.lines
        for p in mine
    ]
    return rows + [
        {
            "what varies": f"from the paper: {p.place}",
            "at": f"{p.name}, {p.data}",
            "epsilon": p.epsilon,
            "student": p.accuracy,
        }
        for p in curve.printed
    ]
