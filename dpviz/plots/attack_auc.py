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

from dpviz.plots.kit.style import ACCENT, FIXED, FONT, GREY, GRID, ROOM, look
from dpviz.words import axis_title, number

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
    traces += [_level(p, ends) for p in chart.references]
    layout = {
        "height": 420,
        "margin": ROOM | {"r": 12, "t": 24},
        "font": {"size": FONT},
        "hovermode": "closest",
    }
    span = [math.log10(ends[0] / 1.3), math.log10(ends[1] * 1.3)]
    ticks = sorted({p.budget for line in chart.lines for p in line})
    layout["xaxis"] = {
        "type": "log",
        "range": span,
        "tickvals": ticks,
        "ticktext": list(map(number, ticks)),
        "gridcolor": GRID,
    } | FIXED
    layout["xaxis"] |= {"title": {"text": axis_title(chart.axis, chart.delta), "standoff": 4}}
    layout["yaxis"] = {
        "range": [0.4, 1],
        "dtick": 0.1,
        "tickformat": ".1f",
        "gridcolor": GRID,
        "zeroline": False,
    } | FIXED
    layout["yaxis"] |= {"title": {"text": "area under the attack's curve", "standoff": 4}}
    layout["legend"] = {
        "orientation": "h",
        "y": -0.22,
        "x": 0,
        "yanchor": "top",
        "itemclick": False,
        "itemdoubleclick": False,
    }
    layout["shapes"] = [_blind(), _now(now)]
    layout["annotations"] = [
        {
            "x": 0.99,
            "xref": "paper",
            "xanchor": "right",
            "y": 0.47,
            "yanchor": "top",
            "text": "guessing blindly",
            "showarrow": False,
            "font": {"color": GREY},
        }
    ]
    return go.Figure(data=traces, layout=layout, _validate=False)


def _bounds(lines: Sequence[Sequence[Point]]) -> list[tuple[Sequence[Point], list[str]]]:
    """A line for each different bound, with the titles of all methods whose bound it is."""
    found: dict[tuple, tuple[Sequence[Point], list[str]]] = {}
    for line in lines:
        key = tuple((p.budget, round(p.most, 6)) for p in line)
        found.setdefault(key, (line, []))[1].append(line[0].title)
    return list(found.values())


def _line(line: Sequence[Point], shift: float) -> dict[str, Any]:
    """Points beside their budget by a factor, so that error bars of several methods can be told
    apart.
    """
    style, first = look(line[0].method), line[0]
    bars = {
        "type": "data",
        "array": [ERRORS * p.error for p in line],
        "color": style.colour,
        "thickness": 1.4,
        "width": 4,
    }
    drawn: dict[str, Any] = {
        "type": "scatter",
        "mode": "lines+markers",
        "x": [shift * p.budget for p in line],
        "y": [p.auc for p in line],
        "error_y": bars,
    }
    drawn |= {
        "line": {"color": style.colour, "width": 2, "dash": style.dash},
        "marker": {"symbol": style.marker, "size": 8},
        "name": escape(first.title),
    }
    return drawn | {
        "customdata": [(ERRORS * p.error, p.most) for p in line],
        "hovertemplate": (
            "%{y:.3f} ± %{customdata[0]:.3f}, at most %{customdata[1]:.3f}<extra>"
            + escape(first.title)
            + "</extra>"
        ),
    }


def _bound(line: Sequence[Point], titles: Sequence[str]) -> dict[str, Any]:
    """The most that is possible; ``titles`` says against whom, none where it is the same for all."""
    colour = look(line[0].method).colour if len(titles) == 1 else ACCENT
    whom = escape(f" against {' or '.join(titles)}") if titles else ""
    drawn: dict[str, Any] = {
        "type": "scatter",
        "mode": "lines",
        "x": [p.budget for p in line],
        "y": [p.most for p in line],
    }
    drawn |= {
        "line": {"color": colour, "width": 1.8, "dash": "dot"},
        "name": f"the most any attack reaches{whom}",
    }
    return drawn | {"hovertemplate": f"at most %{{y:.3f}}<extra>any attack{whom}</extra>"}


def _level(point: Point, ends: tuple[float, float]) -> dict[str, Any]:
    style = look(point.method)
    bars = {
        "type": "data",
        "array": [ERRORS * point.error] * 2,
        "color": style.colour,
        "thickness": 1,
        "width": 3,
    }
    drawn: dict[str, Any] = {
        "type": "scatter",
        "mode": "lines",
        "x": list(ends),
        "y": [point.auc] * 2,
        "error_y": bars,
        "line": {"color": style.colour, "width": 1.6, "dash": style.dash},
    }
    return drawn | {
        "name": escape(point.title),
        "hovertemplate": "%{y:.3f}<extra>" + escape(point.title) + "</extra>",
    }


def _blind() -> dict[str, Any]:
    return {
        "type": "line",
        "x0": 0,
        "x1": 1,
        "xref": "paper",
        "y0": 0.5,
        "y1": 0.5,
        "line": {"color": GREY, "width": 1, "dash": "dot"},
    }


def _now(value: float) -> dict[str, Any]:
    return {
        "type": "line",
        "x0": value,
        "x1": value,
        "yref": "paper",
        "y0": 0,
        "y1": 1,
        "line": {"color": ACCENT, "width": 1.5},
    }
