"""Accuracy over (d_min, d_max) as a heat map; the default, the window now and the best cell are
marked.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import plotly.graph_objects as go

from dpviz.formatting import METRIC_WORDS
from dpviz.plots.kit import axes, figures
from dpviz.plots.kit.style import ACCENT, GREY, SHADES, WRONG
from dpviz.plots.kit.traces import hover, scatter, stroke

Window = tuple[float, float]


@dataclass(frozen=True, eq=False)
class WindowMap:
    """Cells and marks.

    Attributes:
        lows, highs: values of d_min and d_max; accuracy: (lows, highs), NaN where not there (yet).
        now, default: windows as (d_min, d_max); best: the best cell, None while nothing is there.
    """

    lows: tuple[float, ...]
    highs: tuple[float, ...]
    accuracy: np.ndarray
    metric: str
    now: Window
    default: Window
    best: Window | None

    @property
    def windows(self) -> list[Window]:
        """The windows that are there, row by row."""
        some = [(low, high) for low in self.lows for high in self.highs]
        return [window for window in some if self.at(window) is not None]

    def at(self, window: Window) -> float | None:
        """Accuracy of a window that is a cell."""
        if window[0] not in self.lows or window[1] not in self.highs:
            return None
        value = float(self.accuracy[self.lows.index(window[0]), self.highs.index(window[1])])
        return None if np.isnan(value) else value


def info(
    lows: Sequence[float],
    highs: Sequence[float],
    accuracy: np.ndarray,
    metric: str,
    now: Window,
    default: Window,
) -> WindowMap:
    """The chart's data."""
    best = None
    if not np.isnan(accuracy).all():
        i, j = divmod(int(np.nanargmax(accuracy)), accuracy.shape[1])
        best = (lows[i], highs[j])
    return WindowMap(tuple(lows), tuple(highs), accuracy, metric, now, default, best)


def alt(chart: WindowMap) -> str:
    """The chart in words."""
    return (
        f"Heat map of accuracy, {METRIC_WORDS[chart.metric]}, over d_min from {chart.lows[0]:g} to"
        f" {chart.lows[-1]:g} and d_max from {chart.highs[0]:g} to {chart.highs[-1]:g}."
    )


def figure(chart: WindowMap) -> go.Figure:
    """Cells with their percentage, in shades on which the page's own letters can be read."""
    marks = [
        _mark(chart.default, "default", "square-open", 24, GREY),
        _mark(chart.now, "now", "circle-open", 20, WRONG),
    ]
    marks += [_mark(chart.best, "best cell", "star-open", 24, ACCENT)] if chart.best else []
    legend = {"y": 1.01, "yanchor": "bottom", "bgcolor": "rgba(128,136,150,.25)"}
    return figures.make_figure(
        [_cells(chart), *marks, _touched(chart)],
        470,
        {"t": 34},
        legend=legend | figures.CLICKABLE,
        xaxis=_side("d_max", axes.CLOSE, chart.highs),
        yaxis=_side("d_min", None, chart.lows),
    )


def _side(title: str, standoff: float | None, values: Sequence[float]) -> dict[str, Any]:
    ends = {"range": [values[0] - 0.05, values[-1] + 0.05], "dtick": 0.2}
    return axes.axis(title, standoff, grid=False, **ends)


def _cells(chart: WindowMap) -> dict[str, Any]:
    shown = [[None if np.isnan(v) else float(v) for v in row] for row in chart.accuracy]
    words = [["" if v is None else f"{100 * v:.0f}" for v in row] for row in shown]
    cells: dict[str, Any] = {
        "type": "heatmap",
        "x": list(chart.highs),
        "y": list(chart.lows),
        "z": shown,
    }
    cells |= {"zmin": 0, "zmax": 1, "xgap": 1, "ygap": 1, "hoverongaps": False}
    cells |= {"text": words, "texttemplate": "%{text}", "textfont": {"size": 11}}
    cells["colorscale"] = SHADES
    cells["colorbar"] = {"tickformat": ".0%", "thickness": 12, "outlinewidth": 0}
    return cells | hover("d_min %{y:g}, d_max %{x:g}: %{z:.1%}")


def _touched(chart: WindowMap) -> dict[str, Any]:
    """A mark over each cell, unseen, to point at and to click."""
    unseen = {"marker": {"opacity": 0}}
    return scatter(
        [high for _, high in chart.windows],
        [low for low, _ in chart.windows],
        "markers",
        marker={"symbol": "square", "size": 26, "opacity": 0},
        selected=unseen,
        unselected=unseen,
        showlegend=False,
        customdata=[chart.at(window) for window in chart.windows],
        **hover("d_min %{y:g}, d_max %{x:g}: %{customdata:.1%}"),
    )


def pick(points: Sequence[Mapping[str, Any]], chart: WindowMap) -> Window | None:
    """The window that a click chose, as a browser tells it; None for what is no cell."""
    chosen = [(point.get("y"), point.get("x")) for point in points]
    return next((window for window in chart.windows if window in chosen), None)


def _mark(window: Window, name: str, symbol: str, size: int, colour: str) -> dict[str, Any]:
    low, high = window
    marker = {"symbol": symbol, "size": size, "color": colour, "line": stroke(colour, 2.5)}
    said = hover(f"{name}: d_min {low:g}, d_max {high:g}")
    return scatter([high], [low], "markers", name=name, marker=marker, cliponaxis=False, **said)
