"""Epsilon as it grows with the queries asked, by every way to count."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import plotly.graph_objects as go

from dpviz.plots.kit.style import BLUE, FONT, GREEN, GREY, GRID, ORANGE, rgba
from dpviz.words import number

WAYS = {
    "independent": ("data-independent", BLUE, "solid"),
    "sanitised": ("sanitised, its own cost included (± 2 sd)", GREEN, "dash"),
    "dependent": ("data-dependent, not releasable", ORANGE, "dash"),
    "expected": ("expected, as the papers report, not releasable", ORANGE, "dot"),
    "proof": ("by the paper's proof: too low", GREY, "longdash"),
}
"""For each way: name, colour, dash."""


@dataclass(frozen=True)
class EpsilonGrowth:
    """Lines over queries.

    Attributes:
        queries, answered: x; lines: (key of WAYS, epsilons) in drawing order; spread: sd of the
            sanitised; delta.
    """

    queries: tuple[int, ...]
    answered: tuple[int, ...]
    lines: tuple[tuple[str, tuple[float, ...]], ...]
    spread: tuple[float, ...]
    delta: float


def info(growth: Any, delta: float, ways: Sequence[str] = tuple(WAYS)) -> EpsilonGrowth:
    """The chart's data from a ``Growth``."""
    lines = tuple(
        (way, getattr(growth, way)) for way in WAYS if way in ways and getattr(growth, way)
    )
    return EpsilonGrowth(growth.queries, growth.answered, lines, growth.spread, delta)


def alt(chart: EpsilonGrowth) -> str:
    """The chart in words."""
    ends = "; ".join(f"{WAYS[way][0]} {values[-1]:.3g}" for way, values in chart.lines)
    return (
        f"Epsilon at delta {number(chart.delta)} from 1 to {chart.queries[-1]} queries; at the end"
        f" {ends}."
    )


def figure(chart: EpsilonGrowth) -> go.Figure:
    """A line a way, and a band around the sanitised one."""
    traces = [_line(chart, way, values) for way, values in chart.lines]
    if chart.spread:
        traces.insert(0, _band(chart))
    layout = {"height": 360, "margin": {"l": 8, "r": 8, "t": 8, "b": 8}, "font": {"size": FONT}}
    layout["legend"] = {"orientation": "h", "y": -0.18, "x": 0, "yanchor": "top"}
    layout["xaxis"] = {
        "range": [0, chart.queries[-1] * 1.01],
        "title": {"text": "queries asked", "standoff": 4},
        "fixedrange": True,
        "showgrid": False,
        "zeroline": False,
    }
    layout["yaxis"] = {
        "rangemode": "tozero",
        "title": {"text": f"ε at δ = {number(chart.delta)}"},
        "gridcolor": GRID,
        "fixedrange": True,
    }
    return go.Figure(data=traces, layout=layout, _validate=False)


def _line(chart: EpsilonGrowth, way: str, values: Sequence[float]) -> dict[str, Any]:
    title, colour, dash = WAYS[way]
    drawn = {
        "type": "scatter",
        "mode": "lines",
        "x": list(chart.queries),
        "y": list(values),
        "name": title,
    }
    drawn |= {
        "line": {"color": colour, "dash": dash, "width": 3 if way == "independent" else 2},
        "customdata": list(chart.answered),
    }
    return drawn | {
        "hovertemplate": (
            f"%{{x}} asked, %{{customdata}} answered: ε = %{{y:.3g}}<extra>{title}</extra>"
        )
    }


def _band(chart: EpsilonGrowth) -> dict[str, Any]:
    mean = dict(chart.lines)["sanitised"]
    high = [m + 2 * s for m, s in zip(mean, chart.spread, strict=True)]
    low = [max(0.0, m - 2 * s) for m, s in zip(mean, chart.spread, strict=True)]
    band = {
        "type": "scatter",
        "mode": "lines",
        "x": [*chart.queries, *chart.queries[::-1]],
        "y": high + low[::-1],
        "fill": "toself",
    }
    return band | {
        "fillcolor": rgba(GREEN, 0.14),
        "line": {"width": 0},
        "hoverinfo": "skip",
        "showlegend": False,
    }


def table(chart: EpsilonGrowth) -> list[dict[str, Any]]:
    """A row a number of queries."""
    columns = {WAYS[way][0]: values for way, values in chart.lines}
    if chart.spread:
        columns["sd of the sanitised"] = chart.spread
    every = zip(chart.queries, chart.answered, strict=True)
    return [
        {"queries": q, "answered": a} | {name: values[i] for name, values in columns.items()}
        for i, (q, a) in enumerate(every)
    ]
