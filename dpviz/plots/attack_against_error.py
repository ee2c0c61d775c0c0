"""Area under a membership attack's curve against test error: the ablations together, each with its
budgets where it has several.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from html import escape
from typing import Any

import plotly.graph_objects as go

from dpviz.formatting import METRIC_WORDS, SYMBOLS, bound, number, percent, spread
from dpviz.plots.kit import axes, figures
from dpviz.plots.kit.marks import across, note
from dpviz.plots.kit.style import GREY, line_style
from dpviz.plots.kit.traces import arms, drawn_as, hover, ring, scatter
from dpviz.stats import Interval

ERRORS = 2
"""Standard errors drawn to each side of an area."""
LOW, NEAR, HIGH = 0.4, 0.7, 1.0
"""Ends of the axis of areas: it ends at ``NEAR`` until an attack gets further."""
CLEARANCE = 0.06, 0.025
"""Error and area within which another point leaves no room for a number."""


@dataclass(frozen=True)
class Point:
    """One preset at a budget (inf for a reference): its test error, the area under the attack's
    curve, that area's standard error, and the most that the promise allows.
    """

    error: Interval
    auc: float
    unsure: float
    most: float

    @property
    def ends(self) -> tuple[float, float]:
        """The area's interval."""
        return self.auc - ERRORS * self.unsure, self.auc + ERRORS * self.unsure


@dataclass(frozen=True)
class AttackedErrors:
    """Points by preset and budget, in drawing order; ``now``: the budget looked at; ``axis`` and
    ``metric``: of what the budget and the error are.
    """

    points: Mapping[str, Mapping[float, Point]]
    now: float
    axis: str
    metric: str

    def at_now(self) -> dict[str, Point]:
        """The point of each preset at the budget looked at, and of each reference."""
        found = {name: some.get(self.now, some.get(math.inf)) for name, some in self.points.items()}
        return {name: point for name, point in found.items() if point is not None}


def info(
    points: Mapping[tuple[str, float], Point], now: float, axis: str, metric: str
) -> AttackedErrors:
    """The chart's data from points by (preset, budget)."""
    lines: dict[str, dict[float, Point]] = {}
    for name, budget in sorted(points, key=lambda key: key[1]):
        lines.setdefault(name, {})[budget] = points[name, budget]
    order = dict.fromkeys(name for name, _ in points)
    return AttackedErrors({name: lines[name] for name in order}, now, axis, metric)


def alt(chart: AttackedErrors) -> str:
    """The chart in words."""
    return (
        f"Area under the attack's curve, from {LOW:g}, against test error, from 0 to 100 % (100 %"
        f" minus records {METRIC_WORDS[chart.metric]}), for"
        f" {', '.join(chart.points) or 'no preset yet'}, with intervals; 0.5 is guessing blindly."
    )


def table(chart: AttackedErrors) -> list[dict[str, Any]]:
    """A row a point."""
    return [
        {
            "preset": name,
            "budget": budget,
            "error": p.error.mean,
            "error low": p.error.low,
            "error high": p.error.high,
            "area": p.auc,
            "area low": p.ends[0],
            "area high": p.ends[1],
            "area at most": p.most,
        }
        for name, some in chart.points.items()
        for budget, p in some.items()
    ]


def figure(chart: AttackedErrors) -> go.Figure:
    """A point a preset and budget, with both intervals; budgets of a preset are joined, and what is
    looked at is ringed where a preset has several.
    """
    every = [p for some in chart.points.values() for p in some.values()]
    high = HIGH if any(p.ends[1] > NEAR for p in every) else NEAR
    several = [
        some[chart.now] for some in chart.points.values() if len(some) > 1 and chart.now in some
    ]
    guess = note("guessing blindly", 0.995, 0.497, "right top", font={"color": GREY, "size": 11})
    return figures.make_figure(
        [_line(chart, name) for name in chart.points]
        + [ring([p.error.mean for p in several], [p.auc for p in several], 17)],
        440,
        {"r": 14, "t": 14, "l": 58},
        legend=figures.CLICKABLE | {"y": -0.2},
        hovermode="closest",
        xaxis=axes.share("test error", axes.CLOSE),
        yaxis=axes.axis(
            "area under the attack's curve",
            axes.BESIDE,
            range=[LOW, high],
            dtick=0.1,
            tickformat=".1f",
        ),
        shapes=[across(0.5, width=1)],
        annotations=[guess],
    )


def _line(chart: AttackedErrors, name: str) -> dict[str, Any]:
    some, style = chart.points[name], line_style(name)
    errors = [p.error for p in some.values()]
    said = [_point_text(chart, name, budget) for budget in some]
    bars = {"type": "data", "array": [ERRORS * p.unsure for p in some.values()]}
    told = len(some) > 1
    words = [
        f"  {number(b)}" if told and b != chart.now and _is_clear(chart, p) else ""
        for b, p in some.items()
    ]
    return scatter(
        [e.mean for e in errors],
        [p.auc for p in some.values()],
        "lines+markers+text",
        name=escape(name),
        text=words,
        textposition="top right",
        textfont={"size": 11},
        customdata=said,
        error_x=arms(errors, style.colour, 1, 0),
        error_y=bars | {"color": style.colour, "thickness": 1, "width": 3},
        **drawn_as(style, 1, 9),
        **hover("%{customdata}", escape(name)),
    )


def _is_clear(chart: AttackedErrors, here: Point) -> bool:
    """Whether a number beside a point is clear of all other points."""
    every = [p for some in chart.points.values() for p in some.values() if p is not here]
    return not any(
        abs(p.error.mean - here.error.mean) < CLEARANCE[0] and abs(p.auc - here.auc) < CLEARANCE[1]
        for p in every
    )


def _point_text(chart: AttackedErrors, name: str, budget: float) -> str:
    p = chart.points[name][budget]
    where = f"{SYMBOLS[chart.axis]} = {number(budget)}: " if math.isfinite(budget) else ""
    most = f", at most {bound(p.most)} by the promise" if 0.5 < p.most < 1 else ""
    area = f"area {p.auc:.3f} ± {ERRORS * p.unsure:.3f}{most}"
    return f"{where}error {percent(p.error)} ({spread(p.error)}), {area}"
