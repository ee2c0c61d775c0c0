"""How alike two pictures of one class are, from one person and from two: histograms of cosines."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import plotly.graph_objects as go

from dpviz.plots.kit import axes, figures
from dpviz.plots.kit.style import ACCENT, GREY, rgba
from dpviz.plots.kit.traces import hover, scatter, stroke

BINS = 40
SAME, DIFFERENT = "from the same person", "from two persons"


@dataclass(frozen=True, eq=False)
class Likeness:
    """What the chart shows.

    Attributes:
        edges: (BINS + 1,) of the bins, from 0, or from -1 where a cosine is negative, to 1; same,
            different: (BINS,) shares of the pairs of each kind.
    """

    edges: np.ndarray
    same: np.ndarray
    different: np.ndarray


def info(same: np.ndarray, different: np.ndarray) -> Likeness:
    """The chart's data from the cosines of pairs."""
    low = -1.0 if min(same.min(initial=0), different.min(initial=0)) < 0 else 0.0
    edges = np.linspace(low, 1, BINS + 1)
    count = lambda values: np.histogram(np.clip(values, low, 1), edges)[0] / max(1, values.size)
    return Likeness(edges, count(same), count(different))


def alt(chart: Likeness) -> str:
    """The chart in words."""
    return (
        "Two histograms of how alike two pictures of one class are, as the cosine of their features"
        f" from {chart.edges[0]:g} to 1: pictures {SAME} and pictures {DIFFERENT}. The further they"
        " lie apart, the better features tell the sender."
    )


def table(chart: Likeness) -> list[dict[str, Any]]:
    """A row a bin."""
    return [
        {"cosine from": low, "to": high, SAME: same, DIFFERENT: different}
        for low, high, same, different in zip(
            chart.edges[:-1], chart.edges[1:], chart.same, chart.different, strict=True
        )
    ]


def figure(chart: Likeness) -> go.Figure:
    """The two histograms over each other, as steps."""
    top = 1.15 * max(chart.same.max(), chart.different.max(), 1e-9)
    return figures.make_figure(
        [
            _steps(chart.edges, chart.different, DIFFERENT, GREY, "dot"),
            _steps(chart.edges, chart.same, SAME, ACCENT, "solid"),
        ],
        300,
        {"t": 30},
        legend={"y": 1.02, "yanchor": "bottom"},
        xaxis=axes.axis(
            "cosine of two pictures' features", axes.CLOSE, range=[chart.edges[0], 1], grid=False
        ),
        yaxis=axes.axis("pairs", range=[0, top], tickformat=".0%"),
    )


def _steps(
    edges: np.ndarray, shares: np.ndarray, name: str, colour: str, dash: str
) -> dict[str, Any]:
    middles = (edges[:-1] + edges[1:]) / 2
    return scatter(
        middles,
        shares,
        name=name,
        line=stroke(colour, 2, dash) | {"shape": "hvh"},
        fill="tozeroy",
        fillcolor=rgba(colour, 0.18),
        **hover("cosine %{x:.2f}: %{y:.1%} of pairs", name),
    )
