"""What an attack gains against the records of each class that a fit saw, both by powers of ten,
with the line through each method's and the published slope beside it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

import numpy as np
import plotly.graph_objects as go

from dpviz.plots.kit import axes, figures
from dpviz.plots.kit.figures import MARGINS
from dpviz.plots.kit.style import GREY, line_style
from dpviz.plots.kit.traces import hover, scatter, stroke

LEAST = 1e-4
"""Gain below which nothing is drawn."""
PERCENT = {"tickformat": ".2~%", "dtick": "D2"}


@dataclass(frozen=True)
class Point:
    """A gain that can be told from nothing: shots, gain, and its interval."""

    shots: float
    gain: float
    low: float
    high: float


@dataclass(frozen=True)
class Line:
    """One method's points, in the order of shots; line: factor and slope through them, or None."""

    method: str
    title: str
    points: tuple[Point, ...]
    line: tuple[float, float] | None


@dataclass(frozen=True)
class Gains:
    """Methods with something to draw; shots: all that were tried; published: the slope."""

    lines: tuple[Line, ...]
    shots: tuple[float, ...]
    published: float


def info(lines: Sequence[Line], shots: Sequence[float], published: float) -> Gains:
    """The chart's data; a method without a gain that can be told is left out."""
    return Gains(tuple(line for line in lines if line.points), tuple(sorted(shots)), published)


def alt(chart: Gains) -> str:
    """The chart in words."""
    names = ", ".join(line.title for line in chart.lines) or "no method yet"
    return (
        "What the attack gains at 1 % false alarms against the records of each class in a fit, on"
        f" log axes, for {names}, with a line through the points of each and the published slope."
    )


def figure(chart: Gains) -> go.Figure:
    """Points with their intervals, lines through them, and the published slope."""
    ends = np.array([min(chart.shots, default=1.0), max(chart.shots, default=10.0)])
    traces = [trace for line in chart.lines for trace in _line(line, ends)]
    if chart.lines:
        traces.append(_published(chart, ends))
    gains = [p.gain for line in chart.lines for p in line.points] or [0.01, 0.1]
    heights = np.array([max(min(gains) / 3, LEAST), min(max(gains) * 2, 1.0)])
    return figures.make_figure(
        traces,
        400,
        MARGINS | {"r": 16, "t": 14},
        xaxis=_axis("records of each class in a fit", axes.CLOSE, ends, _shots(chart)),
        yaxis=_axis("found, beyond blind guessing", axes.BESIDE, heights, PERCENT),
        legend={"y": -0.2},
    )


def _axis(title: str, standoff: float, ends: np.ndarray, ticks: dict[str, Any]) -> dict[str, Any]:
    low, high = np.log10(ends[0] / 1.2), np.log10(ends[1] * 1.2)
    return axes.axis(
        title, standoff, type="log", range=[float(low), float(high)], **ticks | axes.WITHIN_MARGINS
    )


def _shots(chart: Gains) -> dict[str, Any]:
    return {"tickvals": list(chart.shots), "ticktext": [f"{s:g}" for s in chart.shots]}


def _line(line: Line, ends: np.ndarray) -> list[dict[str, Any]]:
    style = line_style(line.method)
    bars = {
        "type": "data",
        "array": [p.high - p.gain for p in line.points],
        "arrayminus": [p.gain - max(p.low, LEAST / 10) for p in line.points],
        "color": style.colour,
        "thickness": 1.4,
        "width": 4,
    }
    told = f": slope {line.line[1]:.2f}" if line.line else ""
    points = scatter(
        [p.shots for p in line.points],
        [p.gain for p in line.points],
        "markers",
        name=escape(f"{line.title}{told}"),
        legendgroup=line.method,
        marker={"symbol": style.marker, "size": 9, "color": style.colour},
        error_y=bars,
        **hover("%{x:g} records a class: %{y:.2%}", escape(line.title)),
    )
    if not line.line:
        return [points]
    factor, slope = line.line
    pen = {"line": stroke(style.colour, 1.8, style.dash), "hoverinfo": "skip"}
    through = scatter(ends, factor * ends**slope, legendgroup=line.method, showlegend=False, **pen)
    return [points, through]


def _published(chart: Gains, ends: np.ndarray) -> dict[str, Any]:
    """A line of the published slope through the middle of the first method's points."""
    first = chart.lines[0].points
    x, y = (np.exp(np.mean(np.log([getattr(p, n) for p in first]))) for n in ("shots", "gain"))
    pen = {"line": stroke(GREY, 1.2, "dot"), "hoverinfo": "skip"}
    name = f"published slope, {chart.published:g}".replace("-", "−")
    return scatter(ends, y * (ends / x) ** chart.published, name=name, **pen)
