"""Bars of test error with intervals: the ablations at one budget, or several public sets side by
side.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

import plotly.graph_objects as go

from dpviz.plots.kit.style import FONT, GREY, GRID, look, rgba
from dpviz.stats import Interval, interval
from dpviz.words import METRIC_WORDS, percent, spread

SHADES = ((1.0, ""), (0.7, "/"), (0.45, "."), (0.3, "x"))
"""Opacity and hatch of the first, second, … series."""
GAP = 0.7
"""Space between presets, in bars."""


@dataclass(frozen=True)
class ErrorBars:
    """Bars: presets from top to bottom, series (public sets, or one without name), errors by
    (preset, series).
    """

    names: tuple[str, ...]
    series: tuple[str, ...]
    points: Mapping[tuple[str, str], Interval]
    metric: str


def info(errors: Mapping[tuple[str, str], Sequence[float]], metric: str) -> ErrorBars:
    """The chart's data from errors by (preset, series), one a seed, in drawing order."""
    names, series = (tuple(dict.fromkeys(key[i] for key in errors)) for i in (0, 1))
    return ErrorBars(
        names, series, {key: interval(values) for key, values in errors.items()}, metric
    )


def alt(chart: ErrorBars) -> str:
    """The chart in words."""
    of = f" with the public sets {', '.join(chart.series)}" if len(chart.series) > 1 else ""
    return (
        f"Bars of test error from 0 to 100 % (100 % minus records {METRIC_WORDS[chart.metric]}) for"
        f" {', '.join(chart.names)}{of}."
    )


def table(chart: ErrorBars) -> list[dict[str, Any]]:
    """A row a bar."""
    return [
        {
            "preset": name,
            "public set": series,
            "error": p.mean,
            "low": p.low,
            "high": p.high,
            "runs": p.runs,
        }
        for (name, series), p in chart.points.items()
    ]


def figure(chart: ErrorBars) -> go.Figure:
    """Horizontal bars, the first on top; the number stands behind each."""
    each = len(chart.series)
    drawn = [trace for i, series in enumerate(chart.series) for trace in _bars(chart, i, series)]
    height = len(chart.names) * (each + GAP)
    top = 10 + 24 * each * (each > 1)
    layout: dict[str, Any] = {
        "height": round(26 * height) + 64 + top,
        "margin": {"l": 8, "r": 26, "t": top, "b": 8},
        "font": {"size": FONT},
    }
    layout |= {"showlegend": each > 1, "barmode": "overlay", "hovermode": "closest"}
    layout["legend"] = {
        "orientation": "v",
        "x": 0,
        "y": 1.0,
        "yanchor": "bottom",
        "traceorder": "normal",
        "itemclick": False,
        "itemdoubleclick": False,
    }
    middles = [i * (each + GAP) + (each - 1) / 2 for i in range(len(chart.names))]
    y = {
        "tickvals": middles,
        "ticktext": list(chart.names),
        "range": [height - GAP / 2 - 0.5, -GAP / 2 - 0.5],
    }
    layout["yaxis"] = y | {
        "fixedrange": True,
        "automargin": True,
        "showgrid": False,
        "zeroline": False,
    }
    x = {
        "range": [0, 1],
        "tickformat": ".0%",
        "dtick": 0.2,
        "gridcolor": GRID,
        "fixedrange": True,
        "zeroline": False,
    }
    layout["xaxis"] = x | {"title": {"text": "test error"}}
    return go.Figure(data=drawn, layout=layout, _validate=False)


def _bars(chart: ErrorBars, place: int, series: str) -> list[dict[str, Any]]:
    opacity, hatch = SHADES[place % len(SHADES)]
    rows = [
        (i * (len(chart.series) + GAP) + place, name)
        for i, name in enumerate(chart.names)
        if (name, series) in chart.points
    ]
    y, points = [row for row, _ in rows], [chart.points[name, series] for _, name in rows]
    colours = [look(name).colour for _, name in rows]
    bars: dict[str, Any] = {
        "type": "bar",
        "orientation": "h",
        "y": y,
        "x": [p.mean for p in points],
        "name": escape(series),
        "width": 0.86,
    }
    bars["marker"] = {
        "color": [rgba(c, opacity) for c in colours],
        "line": {"color": colours, "width": 1},
    }
    bars["marker"]["pattern"] = {"shape": hatch, "size": 7, "solidity": 0.2}
    up, down = [p.high - p.mean for p in points], [p.mean - p.low for p in points]
    bars["error_x"] = {
        "type": "data",
        "array": up,
        "arrayminus": down,
        "color": GREY,
        "thickness": 2,
        "width": 5,
    }
    bars["hoverinfo"] = "skip"
    said = [f"<b>{percent(p)}</b> {f'({spread(p)})' if spread(p) else ''}" for p in points]
    # right of the interval, or inside where there is no room
    inside = [p.high > 0.8 for p in points]
    words = {
        "type": "scatter",
        "mode": "text",
        "y": y,
        "text": said,
        "hoverinfo": "skip",
        "showlegend": False,
        "cliponaxis": False,
    }
    words["x"] = [p.low - 0.01 if i else p.high + 0.01 for p, i in zip(points, inside, strict=True)]
    return [
        bars,
        words | {"textposition": ["middle left" if i else "middle right" for i in inside]},
    ]
