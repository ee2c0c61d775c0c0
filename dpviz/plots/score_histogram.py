"""Scores 1 + cos of records and public pictures, and the window that is kept."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import plotly.graph_objects as go

from dpviz.plots.kit.style import ACCENT, FONT, GREY, GRID, ORANGE

DRAWN = 100
"""Bars over [0, 2]."""


@dataclass(frozen=True, eq=False)
class ScoreHistogram:
    """Bars and window.

    Attributes:
        middles: (B,) of the bars; shares: (B,) of all pairs of a record and a public picture.
        d_min, d_max: the window; below, inside, above: shares of the pairs there.
    """

    middles: np.ndarray
    shares: np.ndarray
    d_min: float
    d_max: float
    below: float
    inside: float
    above: float


def info(counts: np.ndarray, window: Sequence[float], kept: Sequence[float]) -> ScoreHistogram:
    """The chart's data.

    Args:
        counts: (bins,) pairs a bin over [0, 2], a multiple of ``DRAWN`` bins; kept: shares below,
            inside, above.
    """
    bars = counts.reshape(DRAWN, -1).sum(axis=1)
    middles = (np.arange(DRAWN) + 0.5) * 2 / DRAWN
    return ScoreHistogram(middles, bars / max(1, bars.sum()), *window, *map(float, kept))


def alt(chart: ScoreHistogram) -> str:
    """The chart in words."""
    return (
        "Histogram of scores 1 + cosine from 0 to 2, with lines at d_min and d_max; scores outside"
        " count as the nearer line."
    )


def figure(chart: ScoreHistogram) -> go.Figure:
    """Bars inside the window in colour, the rest grey."""
    inside = (chart.middles > chart.d_min) & (chart.middles < chart.d_max)
    bars: dict[str, Any] = {
        "type": "bar",
        "x": chart.middles.tolist(),
        "y": chart.shares.tolist(),
        "showlegend": False,
    }
    bars["marker"] = {"color": [ORANGE if here else GREY for here in inside], "line": {"width": 0}}
    bars["hovertemplate"] = "score %{x:.2f}: %{y:.2%} of pairs<extra></extra>"
    lines = [_line(chart.d_min), _line(chart.d_max)]
    top = float(chart.shares.max()) * 1.25
    notes = [
        _note(chart.d_min, f"d_min {chart.d_min:g}", "right"),
        _note(chart.d_max, f"d_max {chart.d_max:g}", "left" if chart.d_max < 1.6 else "right"),
    ]
    layout = {
        "height": 300,
        "margin": {"l": 8, "r": 8, "t": 26, "b": 8},
        "font": {"size": FONT},
        "bargap": 0,
    }
    layout["xaxis"] = {
        "range": [0, 2.2],
        "title": {"text": "score 1 + cos", "standoff": 4},
        "fixedrange": True,
        "showgrid": False,
        "tickvals": [0, 0.5, 1, 1.5, 2],
    }
    layout["yaxis"] = {
        "range": [0, top],
        "tickformat": ".0%",
        "title": {"text": "pairs"},
        "gridcolor": GRID,
        "fixedrange": True,
        "zeroline": False,
    }
    return go.Figure(
        data=[bars], layout=layout | {"shapes": lines, "annotations": notes}, _validate=False
    )


def _line(x: float) -> dict[str, Any]:
    return {
        "type": "line",
        "x0": x,
        "x1": x,
        "yref": "paper",
        "y0": 0,
        "y1": 1,
        "line": {"color": ACCENT, "width": 2},
    }


def _note(x: float, text: str, side: str) -> dict[str, Any]:
    return {
        "x": x,
        "y": 1.0,
        "yref": "paper",
        "yanchor": "bottom",
        "xanchor": side,
        "text": text,
        "showarrow": False,
    }
