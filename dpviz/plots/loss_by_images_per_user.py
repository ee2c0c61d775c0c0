"""Who pays, by how many pictures people sent: their privacy losses, or the share of their pictures
that is right, under a promise to each picture and under one to each person.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

import numpy as np
import plotly.graph_objects as go

from dpviz.formatting import number
from dpviz.plots.kit import axes, figures
from dpviz.plots.kit.marks import across, note
from dpviz.plots.kit.style import ACCENT, FONT, GREY, line_style, rgba
from dpviz.plots.kit.traces import hover, scatter, stroke, whiskers

SHIFT = 0.15
LEAST = 1e-3
"""Losses are drawn from this part of the promise on."""
SHOWN = {"spent": "privacy loss ε′ of a person", "right": "of their pictures right"}


@dataclass(frozen=True)
class GuaranteeLine:
    """One promise: its words, and for each group of people the 5, 25, 50, 75 and 95 % quantiles of
    their losses and the mean share of their pictures that is right.
    """

    words: str
    quantiles: tuple[tuple[float, ...], ...]
    right: tuple[float, ...]


@dataclass(frozen=True)
class ByNumber:
    """Groups of people by the number of pictures they sent.

    Attributes:
        shown: a key of SHOWN; method: key; claim: epsilon that is promised, to whom each promise
            is; names, people: of the groups; promises: to each picture, then to each person.
    """

    shown: str
    method: str
    claim: float
    names: tuple[str, ...]
    people: tuple[int, ...]
    promises: tuple[GuaranteeLine, ...]


def info(
    shown: str,
    method: str,
    claim: float,
    groups: Sequence[tuple[str, int]],
    promises: Sequence[GuaranteeLine],
) -> ByNumber:
    """The chart's data; ``groups``: names and numbers of people."""
    names, people = zip(*groups, strict=True)
    return ByNumber(shown, method, claim, names, people, tuple(promises))


def alt(chart: ByNumber) -> str:
    """The chart in words."""
    what = {"spent": "Privacy loss of people", "right": "Share of people's own pictures right"}
    return (
        f"{what[chart.shown]}, by how many pictures they sent, where the promise is"
        f" {' and where it is '.join(promise.words for promise in chart.promises)}."
    )


def figure(chart: ByNumber) -> go.Figure:
    """A mark a group and promise: the median and the spread of losses, or the mean share right."""
    names = zip(chart.names, chart.people, strict=True)
    ticks = axes.category_axis([f"{escape(n)}<br>{k:,}" for n, k in names]) | {"tickangle": 0}
    ticks |= axes.around(len(chart.names), 0.6)
    spent = chart.shown == "spent"
    traces = [
        trace
        for i, promise in enumerate(chart.promises)
        for trace in _traces(chart, promise, SHIFT * (2 * i - 1), _colour(chart, i), spent)
    ]
    return figures.make_figure(
        traces,
        360,
        {"t": 16},
        xaxis=axes.axis("pictures a person sent, how many people", axes.CLOSE, grid=False, **ticks),
        yaxis=_losses(chart) if spent else axes.share(SHOWN["right"]),
        legend={"y": -0.34},
        shapes=[across(chart.claim, ACCENT, 2, "") | {"layer": "below"}] if spent else [],
        annotations=[_line(chart)] if spent else [],
    )


def _colour(chart: ByNumber, i: int) -> str:
    return line_style(chart.method).colour if i else GREY


SMALLEST = 1e-6
"""Of the axis: ε is 0 where δ alone covers a best guess near 50 %."""


def _losses(chart: ByNumber) -> dict[str, Any]:
    """A logarithmic axis that all losses and the promise lie on."""
    values = [v for promise in chart.promises for row in promise.quantiles for v in row]
    low, high = max(LEAST * chart.claim, min(*values, chart.claim)), max(*values, chart.claim)
    low, high = max(low, SMALLEST), max(high, 10 * SMALLEST)
    ends = [math.log10(low) - 0.15, math.log10(high) + 0.25]
    return axes.axis(SHOWN["spent"], type="log", range=ends, dtick=1, exponentformat="none")


def _line(chart: ByNumber) -> dict[str, Any]:
    words, place = (
        f"promised to each person: ε ≤ {number(chart.claim)}",
        {"xref": "paper", "showarrow": False},
    )
    return note(
        words,
        1,
        math.log10(max(chart.claim, SMALLEST)),
        "right bottom",
        font={"size": FONT - 1},
        **place,
    )


def _traces(
    chart: ByNumber, promise: GuaranteeLine, shift: float, colour: str, spent: bool
) -> list[dict[str, Any]]:
    x = [place + shift for place in range(len(chart.names))]
    marker = {"size": 9, "color": colour, "line": stroke("white", 1)}
    name = f"promised {promise.words}"
    if not spent:
        drawn = scatter(x, promise.right, "lines+markers", name=name, marker=marker)
        drawn["line"] = stroke(colour, 2)
        return [drawn | hover("%{y:.0%} right", name)]
    q = np.maximum(np.array(promise.quantiles), LEAST * chart.claim)
    dots = scatter(x, q[:, 2], "markers", marker=marker, name=name, customdata=q)
    said = "%{y:.3g} in the middle, half lie from %{customdata[1]:.3g} to %{customdata[3]:.3g}"
    bars = [bar | {"showlegend": False} for bar in whiskers(x, q, rgba(colour, 0.7))]
    return [*bars, dots | hover(f"ε′ {said}", name)]
