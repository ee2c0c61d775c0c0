"""Class means with and without noise among public pictures, in a map that keeps neighbours. A
private view.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

import numpy as np
import plotly.graph_objects as go

from dpviz.plots.kit import axes, figures
from dpviz.plots.kit.style import ACCENT, GREY, rgba
from dpviz.plots.kit.traces import SILENT, hover, scatter, strokes

FOOT = 40
"""Pixels of a row of names: left to find them, Plotly draws a chart twice."""


@dataclass(frozen=True, eq=False)
class NeighbourMap:
    """Names of the classes, C; places of public pictures, (m, 2), and of the exact and the private
    mean of each class, (C, 2).
    """

    names: tuple[str, ...]
    public: np.ndarray
    exact: np.ndarray
    private: np.ndarray


def info(
    names: Sequence[str], public: np.ndarray, exact: np.ndarray, private: np.ndarray
) -> NeighbourMap:
    """The chart's data."""
    return NeighbourMap(tuple(names), public, exact, private)


def alt(chart: NeighbourMap) -> str:
    """The chart in words."""
    return (
        f"Map of {len(chart.public)} public pictures in which like ones lie together, with the"
        f" means of {len(chart.names)} classes; a line leads from each exact mean to its private"
        " one."
    )


def table(chart: NeighbourMap) -> list[dict[str, Any]]:
    """A row a class."""
    places = zip(chart.names, chart.exact.tolist(), chart.private.tolist(), strict=True)
    return [
        {"class": name, "exact 1": e[0], "exact 2": e[1], "private 1": p[0], "private 2": p[1]}
        for name, e, p in places
    ]


def figure(chart: NeighbourMap) -> go.Figure:
    """Public pictures as grey dots, means named, lines from exact to private ones."""
    names = [escape(name) for name in chart.names]
    lines = [
        ([e[0], p[0]], [e[1], p[1]])
        for e, p in zip(chart.exact.tolist(), chart.private.tolist(), strict=True)
    ]
    every = np.concatenate([chart.public, chart.exact, chart.private])
    low, high = every.min(axis=0), every.max(axis=0)
    pad = 0.08 * (high - low)
    bare = {"showticklabels": False, "zeroline": False, "grid": False}
    return figures.make_figure(
        [
            _points(chart.public, "public pictures", {"size": 5, "color": rgba(GREY, 0.55)}),
            strokes(lines, ACCENT, 1.6) | SILENT,
            _points(
                chart.private,
                "private mean",
                {"size": 11, "color": ACCENT, "line": {"color": "white", "width": 1}},
                names,
            ),
            _points(
                chart.exact,
                "exact mean",
                {"symbol": "circle-open", "size": 15, "color": GREY, "line": {"width": 3}},
                names,
                "markers+text",
            ),
        ],
        480,
        {"b": FOOT},
        legend=figures.BELOW,
        hovermode="closest",
        xaxis=axes.axis(range=[low[0] - pad[0], high[0] + pad[0]], **bare),
        yaxis=axes.axis(range=[low[1] - pad[1], high[1] + pad[1]], **bare),
    )


def _points(
    places: np.ndarray,
    name: str,
    marker: dict[str, Any],
    names: Sequence[str] = (),
    mode: str = "markers",
) -> dict[str, Any]:
    words = {"text": list(names), "textposition": "top center", "textfont": {"size": 14}}
    told = hover("%{text}", name) if names else {"hoverinfo": "skip"}
    x, y = places[:, 0].tolist(), places[:, 1].tolist()
    return scatter(x, y, mode, name=name, marker=marker, **(words if names else {}), **told)
