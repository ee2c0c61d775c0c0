"""Parts of traces: lines, bands, error bars, what stands beside the pointer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from dpviz.plots.kit.style import ACCENT, LineStyle, rgba
from dpviz.stats import Interval

SILENT = {"hoverinfo": "skip", "showlegend": False}
"""Of a trace that is neither pointed at nor named."""


def scatter(x: Any, y: Any, mode: Any = "lines", **entries: Any) -> dict[str, Any]:
    """Points or lines."""
    return {"type": "scatter", "x": x, "y": y, "mode": mode} | entries


def stroke(colour: str, width: float | Sequence[float], dash: str = "") -> dict[str, Any]:
    """A pen."""
    return {"color": colour, "width": width} | ({"dash": dash} if dash else {})


def drawn_as(look: LineStyle, width: float, size: float) -> dict[str, Any]:
    """Line and marker in a method's look."""
    marker = {"symbol": look.marker, "size": size, "color": look.colour}
    return {"line": stroke(look.colour, width, look.dash), "marker": marker}


def hover(words: str, name: str = "") -> dict[str, Any]:
    """What stands beside the pointer, and in its box's second part."""
    return {"hovertemplate": f"{words}<extra>{name}</extra>"}


def band(
    x: Sequence[float], low: Sequence[float], high: Sequence[float], colour: str, **entries: Any
) -> dict[str, Any]:
    """A band between two lines over the same places."""
    x, edge = list(x), [*high, *list(low)[::-1]]
    fill = {"fill": "toself", "fillcolor": rgba(colour, 0.16), "line": {"width": 0}}
    return scatter(x + x[::-1], edge, **SILENT | fill | entries)


def arms(points: Sequence[Interval], colour: str, thickness: float, width: float) -> dict[str, Any]:
    """Error bars from low to high, ``width`` pixels at their ends."""
    up, down = [p.high - p.mean for p in points], [p.mean - p.low for p in points]
    look = {"color": colour, "thickness": thickness, "width": width}
    return {"type": "data", "array": up, "arrayminus": down} | look


def ring(x: Sequence[float], y: Sequence[float], size: float) -> dict[str, Any]:
    """Rings around what is looked at now."""
    look = {"symbol": "circle-open", "size": size, "line": {"width": 2.5}, "color": ACCENT}
    return scatter(x, y, "markers", marker=look, cliponaxis=False, **SILENT)


def strokes(
    ends: Sequence[tuple[Sequence[float], Sequence[float]]],
    colour: str,
    width: float,
    dash: str = "",
) -> dict[str, Any]:
    """Separate lines in one trace, each with its x and its y: Plotly's time goes by traces."""
    x, y = ([value for line in ends for value in [*line[k], None]] for k in range(2))
    return scatter(x, y, line=stroke(colour, width, dash), hoverinfo="skip")


def whiskers(x: Sequence[float], quantiles: np.ndarray, colour: str) -> list[dict[str, Any]]:
    """Upright bars at each x: thin over nine tenths, thick over the middle half.

    Args:
        quantiles: (len(x), 5), at 5, 25, 50, 75 and 95 %.
    """
    upright = lambda low, high, width: strokes(
        [([a, a], q[[low, high]].tolist()) for a, q in zip(x, quantiles, strict=True)],
        colour,
        width,
    )
    return [upright(0, 4, 2), upright(1, 3, 7)]
