"""Selection probability of public pictures by rank, a line a class: sharp choice or lottery."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

import numpy as np
import plotly.graph_objects as go

from dpviz.plots.kit import axes, figures
from dpviz.plots.kit.style import ACCENT, GREY, ORANGE
from dpviz.plots.kit.traces import hover, scatter, stroke

FLOOR = 1e-8
"""Smallest probability drawn."""


@dataclass(frozen=True, eq=False)
class SelectionOdds:
    """Lines in drawing order.

    Attributes:
        ranks: (R,); curves: (C, R) probabilities; names, minority: of the classes; candidates: (C,)
            effective number of pictures; public: m.
    """

    ranks: np.ndarray
    curves: np.ndarray
    names: tuple[str, ...]
    minority: tuple[bool, ...]
    candidates: np.ndarray
    public: int


def info(
    ranks: np.ndarray,
    curves: np.ndarray,
    candidates: np.ndarray,
    public: int,
    names: Sequence[str],
    minority: Sequence[int],
    order: Sequence[int],
) -> SelectionOdds:
    """The chart's data; ``order`` lists the classes in drawing order, ``minority`` those that count
    as small.
    """
    order = list(order)
    marks = tuple(c in minority for c in order)
    return SelectionOdds(
        ranks, curves[order], tuple(names[c] for c in order), marks, candidates[order], public
    )


def alt(chart: SelectionOdds) -> str:
    """The chart in words."""
    return (
        f"Selection probability against rank of {chart.public} public pictures on log axes, a line"
        f" for each of {len(chart.names)} classes; the minority is dashed."
    )


def figure(chart: SelectionOdds) -> go.Figure:
    """Log-log lines, the minority in the accent, the even lottery dotted."""
    last = sorted(range(len(chart.names)), key=lambda k: chart.minority[k])
    even = scatter([1, chart.public], [1 / chart.public] * 2, name="even lottery")
    even |= {"line": stroke(GREY, 1.5, "dot"), "hoverinfo": "skip"}
    powers = [10**k for k in range(9) if 10**k <= chart.public]
    x = {"type": "log", "range": [-0.1, float(np.log10(chart.public)) + 0.1]}
    x |= {"tickvals": powers, "ticktext": [f"{p:,}" for p in powers]}
    y = {"type": "log", "range": [float(np.log10(FLOOR)), 0.15]}
    y |= {"tickvals": [10.0**-k for k in (0, 2, 4, 6, 8)]}
    y |= {"ticktext": ["1", "0.01", "1e-4", "1e-6", "1e-8"]}
    return figures.make_figure(
        [*(_line(chart, k) for k in last), even],
        300,
        {"t": 26},
        legend={"y": 1, "yanchor": "bottom"} | figures.CLICKABLE,
        xaxis=axes.axis("public pictures, best first", axes.CLOSE, **x),
        yaxis=axes.axis("probability", **y),
    )


def _line(chart: SelectionOdds, k: int) -> dict[str, Any]:
    small, curve = chart.minority[k], chart.curves[k]
    seen = curve >= FLOOR / 10
    told = escape(f"class {chart.names[k]}: among as good as {chart.candidates[k]:,.0f}")
    return scatter(
        chart.ranks[seen].tolist(),
        curve[seen].tolist(),
        name="minority classes" if small else "other classes",
        showlegend=k == chart.minority.index(small),
        line=stroke(ACCENT, 2, "dash") if small else stroke(ORANGE, 1.4, "solid"),
        **hover(f"{told}<br>rank %{{x:,}}: %{{y:.2g}}"),
    )
