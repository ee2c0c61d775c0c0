"""Privacy loss by class: for each method the middle half, the middle nine tenths and the median of
a class's records.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

import numpy as np
import plotly.graph_objects as go

from dpviz.plots.class_sizes import order, shade
from dpviz.plots.kit.style import ACCENT, FONT, GRID, look, rgba

SHIFT = 0.17


@dataclass(frozen=True)
class Spread:
    """One method: key, name, promise, and for each drawn class its 5, 25, 50, 75 and 95 %
    quantiles.
    """

    method: str
    title: str
    claim: float
    quantiles: tuple[tuple[float, ...], ...]


@dataclass(frozen=True)
class ClassLoss:
    """Classes from the largest: name, records, whether of the minority; spreads: a method each."""

    symbol: str
    names: tuple[str, ...]
    counts: tuple[int, ...]
    minority: tuple[bool, ...]
    spreads: tuple[Spread, ...]


def info(
    symbol: str,
    names: Sequence[str],
    counts: Sequence[int],
    minority: Sequence[int],
    found: Sequence[tuple[str, str, float, np.ndarray]],
) -> ClassLoss:
    """The chart's data.

    Args:
        minority: the classes of the minority; found: key, name, promise and quantiles (C, 5) of
            each method.
    """
    places = order(counts)
    spreads = tuple(
        Spread(key, title, claim, tuple(tuple(map(float, q[c])) for c in places))
        for key, title, claim, q in found
    )
    return ClassLoss(
        symbol,
        tuple(names[c] for c in places),
        tuple(counts[c] for c in places),
        tuple(c in minority for c in places),
        spreads,
    )


def alt(chart: ClassLoss) -> str:
    """The chart in words."""
    titles = " and ".join(spread.title for spread in chart.spreads)
    return (
        f"Privacy loss {chart.symbol} by class, largest class first, for {titles}: median, middle"
        " half and middle nine tenths of the records."
    )


def figure(chart: ClassLoss) -> go.Figure:
    """Two bars a class and method, the median as a marker; the minority shaded."""
    places = range(len(chart.names))
    traces = [
        t
        for i, s in enumerate(chart.spreads)
        for t in _traces(chart, s, SHIFT * (2 * i - 1) if len(chart.spreads) > 1 else 0.0)
    ]
    top = max(s.claim for s in chart.spreads)
    layout = {"height": 340, "margin": {"l": 8, "r": 8, "t": 12, "b": 8}, "font": {"size": FONT}}
    text = [f"{escape(n)}<br>{k:,}" for n, k in zip(chart.names, chart.counts, strict=True)]
    layout["xaxis"] = {
        "tickvals": list(places),
        "ticktext": text,
        "range": [-0.6, len(text) - 0.4],
        "showgrid": False,
        "zeroline": False,
        "fixedrange": True,
    }
    layout["xaxis"] |= {"title": {"text": "class and its records", "standoff": 4}}
    layout["yaxis"] = {
        "range": [0, 1.08 * top],
        "gridcolor": GRID,
        "fixedrange": True,
        "zeroline": False,
        "title": {"text": f"{chart.symbol} of a record"},
    }
    layout["legend"] = {
        "orientation": "h",
        "y": -0.3,
        "x": 0,
        "yanchor": "top",
        "itemclick": False,
        "itemdoubleclick": False,
    }
    layout["shapes"] = [shade(c) for c in places if chart.minority[c]] + [
        _level(v) for v in {s.claim for s in chart.spreads}
    ]
    return go.Figure(data=traces, layout=layout, _validate=False)


def _traces(chart: ClassLoss, spread: Spread, shift: float) -> list[dict[str, Any]]:
    style = look(spread.method)
    x = [c + shift for c in range(len(chart.names))]
    q = np.array(spread.quantiles)
    drawn = [
        _whisker(x, q[:, a], q[:, b], rgba(style.colour, alpha), width)
        for a, b, alpha, width in ((0, 4, 0.7, 2), (1, 3, 0.7, 7))
    ]
    marker = {
        "symbol": style.marker,
        "size": 9,
        "color": style.colour,
        "line": {"width": 1, "color": "white"},
    }
    said = "%{y:.3g} in the middle, half lie from %{customdata[1]:.3g} to %{customdata[3]:.3g}"
    dots: dict[str, Any] = {
        "type": "scatter",
        "mode": "markers",
        "x": x,
        "y": q[:, 2],
        "marker": marker,
        "name": spread.title,
        "customdata": q,
    }
    return [*drawn, dots | {"hovertemplate": f"{chart.symbol} {said}<extra>{spread.title}</extra>"}]


def _whisker(
    x: list[float], low: np.ndarray, high: np.ndarray, colour: str, width: int
) -> dict[str, Any]:
    xs = [v for a in x for v in (a, a, None)]
    ys = [v for a, b in zip(low.tolist(), high.tolist(), strict=True) for v in (a, b, None)]
    return {
        "type": "scatter",
        "mode": "lines",
        "x": xs,
        "y": ys,
        "line": {"color": colour, "width": width},
        "showlegend": False,
        "hoverinfo": "skip",
    }


def _level(claim: float) -> dict[str, Any]:
    return {
        "type": "line",
        "x0": 0,
        "x1": 1,
        "xref": "paper",
        "y0": claim,
        "y1": claim,
        "line": {"color": ACCENT, "width": 2},
        "layer": "below",
    }
