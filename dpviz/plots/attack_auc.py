"""Area under the attack's ROC against the budget, each method under the most that its guarantee
allows.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

import plotly.graph_objects as go

from dpviz.formatting import axis_title, bound, number
from dpviz.plots.kit import axes, figures
from dpviz.plots.kit.figures import MARGINS
from dpviz.plots.kit.marks import across, note, upright
from dpviz.plots.kit.style import ACCENT, GREY, line_style
from dpviz.plots.kit.traces import hover, scatter, stroke

ERRORS = 2
"""Standard errors drawn to each side."""


@dataclass(frozen=True)
class Point:
    """One attack: budget (inf for a reference), area, its standard error, and the most the
    guarantee allows.
    """

    method: str
    title: str
    budget: float
    auc: float
    error: float
    most: float

    @property
    def above(self) -> bool:
        """Whether the area lies above the bound by more than its error bar."""
        return self.auc - ERRORS * self.error > self.most


@dataclass(frozen=True)
class AucCurve:
    """Points a private method by budget, references with one point each, and the budget axis."""

    axis: str
    delta: float
    lines: tuple[tuple[Point, ...], ...]
    references: tuple[Point, ...]

    @property
    def above(self) -> tuple[Point, ...]:
        """Points above their bound beyond their error bar: there should be none."""
        return tuple(p for line in self.lines for p in line if p.above)


def info(points: Sequence[Point], axis: str, delta: float) -> AucCurve:
    """The chart's data from points in any order."""
    keys = dict.fromkeys(p.method for p in points if math.isfinite(p.budget))
    lines = tuple(
        tuple(sorted((p for p in points if p.method == key), key=lambda p: p.budget))
        for key in keys
    )
    return AucCurve(axis, delta, lines, tuple(p for p in points if not math.isfinite(p.budget)))


def alt(chart: AucCurve) -> str:
    """The chart in words."""
    names = ", ".join(line[0].title for line in chart.lines) or "no method yet"
    return (
        "Area under the attack's curve from 0.4 to 1 against the privacy budget on a log axis, for"
        f" {names}, with error bars and with the most that each guarantee allows."
    )


def figure(chart: AucCurve, now: float, ends: tuple[float, float]) -> go.Figure:
    """Lines with error bars, their bounds dotted, references across, one half, and the budget
    looked at.

    Args:
        ends: of the budget axis.
    """
    bounds = _bounds(chart.lines)
    traces = [_bound(line, titles if len(bounds) > 1 else []) for line, titles in bounds]
    traces += [
        _line(line, 1.05 ** (i - (len(chart.lines) - 1) / 2)) for i, line in enumerate(chart.lines)
    ]
    guess = note("guessing blindly", 0.99, 0.47, "right top", xref="paper", font={"color": GREY})
    return figures.make_figure(
        traces + [_level(p, ends) for p in chart.references],
        420,
        MARGINS | {"r": 12, "t": 24},
        xaxis=_budgets(chart, ends),
        yaxis=axes.axis(
            "area under the attack's curve",
            axes.BESIDE,
            **{"range": [0.4, 1], "dtick": 0.1, "tickformat": ".1f"} | axes.WITHIN_MARGINS,
        ),
        legend={"y": -0.22},
        shapes=[across(0.5, width=1), upright(now, 1.5)],
        annotations=[guess],
    )


def _budgets(chart: AucCurve, ends: tuple[float, float]) -> dict[str, Any]:
    ticks = sorted({p.budget for line in chart.lines for p in line})
    span = [math.log10(ends[0] / 1.3), math.log10(ends[1] * 1.3)]
    scale = {"type": "log", "range": span, "tickvals": ticks, "ticktext": [*map(number, ticks)]}
    return axes.axis(axis_title(chart.axis, chart.delta), axes.CLOSE, **scale | axes.WITHIN_MARGINS)


def _bounds(lines: Sequence[Sequence[Point]]) -> list[tuple[Sequence[Point], list[str]]]:
    """A line for each different bound, with the titles of all methods whose bound it is."""
    found: dict[tuple, tuple[Sequence[Point], list[str]]] = {}
    for line in lines:
        key = tuple((p.budget, round(p.most, 6)) for p in line)
        found.setdefault(key, (line, []))[1].append(line[0].title)
    return list(found.values())


def _bars(errors: Sequence[float], colour: str, thickness: float, width: float) -> dict[str, Any]:
    look = {"color": colour, "thickness": thickness, "width": width}
    return {"type": "data", "array": [ERRORS * error for error in errors]} | look


def _line(line: Sequence[Point], shift: float) -> dict[str, Any]:
    """Points beside their budget by a factor, so that error bars of several methods can be told
    apart.
    """
    style, title = line_style(line[0].method), escape(line[0].title)
    return scatter(
        [shift * p.budget for p in line],
        [p.auc for p in line],
        "lines+markers",
        name=title,
        line=stroke(style.colour, 2, style.dash),
        marker={"symbol": style.marker, "size": 8},
        error_y=_bars([p.error for p in line], style.colour, 1.4, 4),
        customdata=[(ERRORS * p.error, bound(p.most)) for p in line],
        **hover("%{y:.3f} ± %{customdata[0]:.3f}, at most %{customdata[1]}", title),
    )


def _bound(line: Sequence[Point], titles: Sequence[str]) -> dict[str, Any]:
    """The most that is possible; ``titles`` says against whom, none where all have the same."""
    colour = line_style(line[0].method).colour if len(titles) == 1 else ACCENT
    whom = escape(f" against {' or '.join(titles)}") if titles else ""
    return scatter(
        [p.budget for p in line],
        [p.most for p in line],
        line=stroke(colour, 1.8, "dot"),
        name=f"the most any attack reaches{whom}",
        customdata=[bound(p.most) for p in line],
        **hover("at most %{customdata}", f"any attack{whom}"),
    )


def _level(point: Point, ends: tuple[float, float]) -> dict[str, Any]:
    style, title = line_style(point.method), escape(point.title)
    return scatter(
        list(ends),
        [point.auc] * 2,
        name=title,
        line=stroke(style.colour, 1.6, style.dash),
        error_y=_bars([point.error] * 2, style.colour, 1, 3),
        **hover("%{y:.3f}", title),
    )
