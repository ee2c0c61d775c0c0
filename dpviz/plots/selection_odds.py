"""Selection probability of public pictures by their rank, a line a class: sharp choice or lottery."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

import numpy as np
import plotly.graph_objects as go

from dpviz.plots.kit.style import ACCENT, FONT, GREY, GRID, ORANGE

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
    lines = [
        _line(chart, k) for k in sorted(range(len(chart.names)), key=lambda k: chart.minority[k])
    ]
    even = {
        "type": "scatter",
        "mode": "lines",
        "x": [1, chart.public],
        "y": [1 / chart.public] * 2,
        "hoverinfo": "skip",
    }
    even |= {"line": {"color": GREY, "width": 1.5, "dash": "dot"}, "name": "even lottery"}
    layout = {
        "height": 300,
        "margin": {"l": 8, "r": 8, "t": 26, "b": 8},
        "font": {"size": FONT},
        "hovermode": "closest",
    }
    layout["legend"] = {"orientation": "h", "y": 1, "x": 0, "yanchor": "bottom"}
    span = [-0.1, float(np.log10(chart.public)) + 0.1]
    powers = [10**k for k in range(9) if 10**k <= chart.public]
    layout["xaxis"] = {
        "type": "log",
        "range": span,
        "tickvals": powers,
        "ticktext": [f"{p:,}" for p in powers],
        "gridcolor": GRID,
        "fixedrange": True,
    }
    layout["xaxis"] |= {
        "title": {"text": "public pictures, best first", "standoff": 4},
        "zeroline": False,
    }
    ticks = [10.0**-k for k in (0, 2, 4, 6, 8)]
    layout["yaxis"] = {
        "type": "log",
        "range": [float(np.log10(FLOOR)), 0.15],
        "tickvals": ticks,
        "ticktext": ["1", "0.01", "1e-4", "1e-6", "1e-8"],
    }
    layout["yaxis"] |= {
        "gridcolor": GRID,
        "fixedrange": True,
        "title": {"text": "probability"},
        "zeroline": False,
    }
    return go.Figure(data=[*lines, even], layout=layout, _validate=False)


def _line(chart: SelectionOdds, k: int) -> dict[str, Any]:
    small, curve = chart.minority[k], chart.curves[k]
    seen = curve >= FLOOR / 10
    first = k == chart.minority.index(small)
    drawn = {
        "type": "scatter",
        "mode": "lines",
        "x": chart.ranks[seen].tolist(),
        "y": curve[seen].tolist(),
    }
    drawn["line"] = {
        "color": ACCENT if small else ORANGE,
        "dash": "dash" if small else "solid",
        "width": 2 if small else 1.4,
    }
    drawn |= {"name": "minority classes" if small else "other classes", "showlegend": first}
    told = escape(f"class {chart.names[k]}: among as good as {chart.candidates[k]:,.0f}")
    return drawn | {"hovertemplate": f"{told}<br>rank %{{x:,}}: %{{y:.2g}}<extra></extra>"}
