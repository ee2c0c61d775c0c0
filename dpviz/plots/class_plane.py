"""Records of three classes around a perfect frame's corners on the unit circle. A private view."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

import numpy as np
import plotly.graph_objects as go

from dpviz.plots.kit import axes, figures
from dpviz.plots.kit.style import ACCENT, GREY, rgba
from dpviz.plots.kit.traces import hover, scatter, stroke

COLOURS, SYMBOLS = (ACCENT, GREY, "#B3A9EE"), ("circle", "square", "triangle-up")


@dataclass(frozen=True, eq=False)
class ClassPlane:
    """Names of three classes, points (k, 2) of each, their means and a perfect frame's corners,
    both (3, 2).
    """

    names: tuple[str, ...]
    points: tuple[np.ndarray, ...]
    means: np.ndarray
    corners: np.ndarray


def info(
    names: Sequence[str], points: Sequence[np.ndarray], means: np.ndarray, corners: np.ndarray
) -> ClassPlane:
    """The chart's data."""
    return ClassPlane(tuple(names), tuple(points), means, corners)


def alt(chart: ClassPlane) -> str:
    """The chart in words."""
    return (
        f"Records of the classes {', '.join(chart.names)} in the plane of their means, with those"
        " means, a unit circle and a perfect frame's three corners on it."
    )


def table(chart: ClassPlane) -> list[dict[str, Any]]:
    """A row a class: where its mean and its corner lie."""
    return [
        {"class": name, "mean 1": m[0], "mean 2": m[1], "corner 1": c[0], "corner 2": c[1]}
        for name, m, c in zip(
            chart.names, chart.means.round(4).tolist(), chart.corners.round(4).tolist(), strict=True
        )
    ]


def figure(chart: ClassPlane) -> go.Figure:
    """Points, means as crosses in a ring, corners as open stars."""
    reach = 1.08 * max(1.15, *(float(np.abs(x).max()) for x in chart.points if len(x)))
    bare = {"range": [-reach, reach], "showticklabels": False, "zeroline": False}
    return figures.make_figure(
        [_circle(), *_points(chart), _corners(chart), _means(chart)],
        460,
        legend={"y": -0.06},
        xaxis=axes.axis(grid=False, **bare),
        yaxis=axes.axis(grid=False, scaleanchor="x", **bare),
    )


def _circle() -> dict[str, Any]:
    turn = np.linspace(0, 2 * np.pi, 90)
    line = stroke(rgba(GREY, 0.6), 1)
    return scatter(np.cos(turn), np.sin(turn), line=line, hoverinfo="skip", showlegend=False)


def _points(chart: ClassPlane) -> list[dict[str, Any]]:
    parts = zip(chart.names, chart.points, COLOURS, SYMBOLS, strict=True)
    return [
        scatter(
            x[:, 0].astype(np.float32),
            x[:, 1].astype(np.float32),
            "markers",
            name=escape(name),
            marker={"size": 6, "symbol": symbol, "color": rgba(colour, 0.45)},
            hoverinfo="skip",
        )
        for name, x, colour, symbol in parts
    ]


def _corners(chart: ClassPlane) -> dict[str, Any]:
    look = {"size": 17, "symbol": "star-open", "color": GREY, "line": {"width": 2}}
    names = [escape(name) for name in chart.names]
    said = hover("where a perfect frame has %{text}")
    return _spots(chart.corners, look, "a perfect frame's corner") | {"text": names} | said


def _means(chart: ClassPlane) -> dict[str, Any]:
    look = {"size": 14, "symbol": "circle-x", "color": list(COLOURS)}
    names = [escape(name) for name in chart.names]
    look["line"] = {"width": 1.5, "color": "#FFFFFF"}
    return _spots(chart.means, look, "class mean") | {"text": names} | hover("mean of %{text}")


def _spots(places: np.ndarray, look: dict[str, Any], name: str) -> dict[str, Any]:
    x, y = places.T.tolist()
    return scatter(x, y, "markers", name=name, marker=look, cliponaxis=False)
