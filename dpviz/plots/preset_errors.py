"""Bars of test error with intervals: the ablations at one budget, or several public sets side by
side.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

import plotly.graph_objects as go

from dpviz.formatting import METRIC_WORDS, percent
from dpviz.plots.kit import axes, figures
from dpviz.plots.kit.readout import brackets
from dpviz.plots.kit.style import GREY, line_style, rgba
from dpviz.plots.kit.traces import SILENT, arms, scatter
from dpviz.stats import Interval

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


def info(errors: Mapping[tuple[str, str], Interval], metric: str) -> ErrorBars:
    """The chart's data from errors by (preset, series), in drawing order."""
    names, series = (tuple(dict.fromkeys(key[i] for key in errors)) for i in (0, 1))
    return ErrorBars(names, series, errors, metric)


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
    height = len(chart.names) * (each + GAP)
    top = 10 + 24 * each * (each > 1)
    middles = [i * (each + GAP) + (each - 1) / 2 for i in range(len(chart.names))]
    ends = [height - GAP / 2 - 0.5, -GAP / 2 - 0.5]
    return figures.make_figure(
        [trace for i, series in enumerate(chart.series) for trace in _bars(chart, i, series)],
        round(26 * height) + 64 + top,
        {"r": 26, "t": top},
        showlegend=each > 1,
        barmode="overlay",
        legend={"orientation": "v", "y": 1.0, "yanchor": "bottom", "traceorder": "normal"},
        xaxis=axes.share("test error"),
        yaxis=axes.axis(grid=False, tickvals=middles, ticktext=list(chart.names), range=ends),
    )


def _bars(chart: ErrorBars, place: int, series: str) -> list[dict[str, Any]]:
    opacity, hatch = SHADES[place % len(SHADES)]
    rows = [(i, name) for i, name in enumerate(chart.names) if (name, series) in chart.points]
    y = [i * (len(chart.series) + GAP) + place for i, _ in rows]
    points = [chart.points[name, series] for _, name in rows]
    colours = [line_style(name).colour for _, name in rows]
    bars: dict[str, Any] = {"type": "bar", "orientation": "h", "name": escape(series)}
    bars |= {"y": y, "x": [p.mean for p in points], "width": 0.86, "hoverinfo": "skip"}
    bars["marker"] = {
        "color": [rgba(c, opacity) for c in colours],
        "line": {"color": colours, "width": 1},
        "pattern": {"shape": hatch, "size": 7, "solidity": 0.2},
    }
    bars["error_x"] = arms(points, GREY, 2, 5)
    return [bars, _numbers(points, y)]


def _numbers(points: Sequence[Interval], y: Sequence[float]) -> dict[str, Any]:
    """Right of the interval, or inside where there is no room."""
    inside = [p.high > 0.8 for p in points]
    return scatter(
        [p.low - 0.01 if i else p.high + 0.01 for p, i in zip(points, inside, strict=True)],
        y,
        "text",
        text=[f"<b>{percent(p)}</b> {brackets(p)}" for p in points],
        textposition=["middle left" if i else "middle right" for i in inside],
        cliponaxis=False,
        **SILENT,
    )
