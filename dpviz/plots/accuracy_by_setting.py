"""Accuracy against a whole-number setting on a log axis: K, or the size of the public set."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import plotly.graph_objects as go

from dpviz import stats
from dpviz.formatting import METRIC_WORDS, percent, spread
from dpviz.plots.kit import axes, figures
from dpviz.plots.kit.marks import levels
from dpviz.plots.kit.style import line_style
from dpviz.plots.kit.traces import band, drawn_as, hover, ring, scatter
from dpviz.stats import Interval
from dpviz.types import Scores


@dataclass(frozen=True)
class KnobCurve:
    """One line.

    Attributes:
        title: of the axis; method: key whose look it takes; metric; values, points: of the line;
            now: the setting looked at; levels: (name, accuracy) drawn across.
    """

    title: str
    method: str
    metric: str
    values: tuple[int, ...]
    points: tuple[Interval, ...]
    now: int
    levels: tuple[tuple[str, float], ...]

    @property
    def best(self) -> int:
        """The value with the highest mean."""
        return max(zip(self.values, self.points, strict=True), key=lambda pair: pair[1].mean)[0]

    def at(self, value: int) -> Interval:
        """Accuracy at one of the values."""
        return self.points[self.values.index(value)]


def info(
    curve: Mapping[int, Sequence[Scores]],
    title: str,
    method: str,
    metric: str,
    now: int,
    levels: Sequence[tuple[str, float]],
) -> KnobCurve:
    """The chart's data from the seeds' scores by value."""
    values = tuple(sorted(curve))
    points = tuple(stats.band(curve[v], metric) for v in values)
    return KnobCurve(title, method, metric, values, points, now, tuple(levels))


def alt(chart: KnobCurve) -> str:
    """The chart in words."""
    return (
        f"Accuracy, {METRIC_WORDS[chart.metric]}, from 0 to 100 % against {chart.title} on a log"
        " axis."
    )


def figure(chart: KnobCurve) -> go.Figure:
    """The line with its band, the levels across, a ring at ``now``."""
    style, points = line_style(chart.method), chart.points
    pairs = zip(chart.values, points, strict=True)
    line = scatter(
        list(chart.values),
        [p.mean for p in points],
        "lines+markers",
        showlegend=False,
        text=[f"{v:,}: {percent(p)} {spread(p)}" for v, p in pairs],
        cliponaxis=False,
        **drawn_as(style, 2.5, 8),
        **hover("%{text}"),
    )
    here = [chart.now] if chart.now in chart.values else []
    return figures.make_figure(
        [
            band(chart.values, [p.low for p in points], [p.high for p in points], style.colour),
            line,
            ring(here, [chart.at(value).mean for value in here], 15),
        ],
        340,
        {"t": 12},
        xaxis=_x(chart),
        yaxis=axes.share(),
        **levels(chart.levels, "left bottom"),
    )


def _x(chart: KnobCurve) -> dict[str, Any]:
    ends = math.log10(chart.values[0]), math.log10(max(chart.values[-1], chart.now))
    scale = {"type": "log", "range": [ends[0] - 0.08, ends[1] + 0.08]}
    ticks = {"tickvals": list(chart.values), "ticktext": [f"{v:,}" for v in chart.values]}
    return axes.axis(chart.title, axes.CLOSE, **scale | ticks)
