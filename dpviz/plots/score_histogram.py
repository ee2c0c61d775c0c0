"""Scores 1 + cos of records and public pictures, and the window that is kept."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go

from dpviz.plots.kit import axes, figures
from dpviz.plots.kit.marks import note, upright
from dpviz.plots.kit.style import GREY, ORANGE
from dpviz.plots.kit.traces import hover

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
    bars = {"type": "bar", "x": chart.middles.tolist(), "y": chart.shares.tolist()}
    bars["marker"] = {"color": [ORANGE if here else GREY for here in inside], "line": {"width": 0}}
    right = "left" if chart.d_max < 1.6 else "right"
    top = float(chart.shares.max()) * 1.25
    x = {"range": [0, 2.2], "tickvals": [0, 0.5, 1, 1.5, 2]}
    return figures.make_figure(
        [bars | {"showlegend": False} | hover("score %{x:.2f}: %{y:.2%} of pairs")],
        300,
        {"t": 26},
        bargap=0,
        xaxis=axes.axis("score 1 + cos", axes.CLOSE, grid=False, **x),
        yaxis=axes.axis("pairs", range=[0, top], tickformat=".0%"),
        shapes=[upright(chart.d_min), upright(chart.d_max)],
        annotations=[
            note(f"d_min {chart.d_min:g}", chart.d_min, 1.0, "right bottom", yref="paper"),
            note(f"d_max {chart.d_max:g}", chart.d_max, 1.0, f"{right} bottom", yref="paper"),
        ],
    )
