"""Epsilon as it grows with the queries asked, by every way to count."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import plotly.graph_objects as go

from dpviz.formatting import number
from dpviz.plots.kit import axes, figures
from dpviz.plots.kit.style import ACCENT, GREY, RIGHT, WRONG, rgba
from dpviz.plots.kit.traces import band, hover, scatter, stroke

WAYS = {
    "independent": ("data-independent, counted exactly: the promise", ACCENT, "solid"),
    "converted": ("data-independent, by the papers' conversion as all below", ACCENT, "dot"),
    "sanitised": ("sanitised, its own cost included (± 2 sd)", RIGHT, "dash"),
    "dependent": ("data-dependent, not releasable", WRONG, "dash"),
    "expected": ("expected, as the papers report, not releasable", WRONG, "dot"),
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
    ends = [0, chart.queries[-1] * 1.01]
    return figures.make_figure(
        _band(chart) + [_line(chart, way, values) for way, values in chart.lines],
        360,
        legend={"y": -0.18} | figures.CLICKABLE,
        xaxis=axes.axis("queries asked", axes.CLOSE, grid=False, range=ends),
        yaxis=axes.axis(f"ε at δ = {number(chart.delta)}", rangemode="tozero", zeroline=True),
    )


def _line(chart: EpsilonGrowth, way: str, values: Sequence[float]) -> dict[str, Any]:
    title, colour, dash = WAYS[way]
    return scatter(
        list(chart.queries),
        list(values),
        name=title,
        line=stroke(colour, 3 if way == "independent" else 2, dash),
        customdata=list(chart.answered),
        **hover("%{x} asked, %{customdata} answered: ε = %{y:.3g}", title),
    )


def _band(chart: EpsilonGrowth) -> list[dict[str, Any]]:
    """Two standard deviations of the noise on the sanitised one, where it has noise."""
    if not chart.spread:
        return []
    pairs = list(zip(dict(chart.lines)["sanitised"], chart.spread, strict=True))
    low, high = [max(0.0, m - 2 * s) for m, s in pairs], [m + 2 * s for m, s in pairs]
    return [band(chart.queries, low, high, RIGHT) | {"fillcolor": rgba(RIGHT, 0.14)}]


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
