"""Accuracy with one public set beside another."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

import plotly.graph_objects as go

from dpviz.formatting import METRIC_WORDS, percent
from dpviz.plots.kit import axes, figures
from dpviz.plots.kit.marks import levels
from dpviz.plots.kit.style import ACCENT, GREY, line_style
from dpviz.plots.kit.traces import arms, hover, stroke
from dpviz.stats import Interval, accuracy
from dpviz.types import Result


@dataclass(frozen=True)
class PublicBars:
    """Bars: name of each public set, its accuracy, which is looked at now; levels drawn across."""

    names: tuple[str, ...]
    points: tuple[Interval, ...]
    now: str
    metric: str
    levels: tuple[tuple[str, float], ...]


def info(
    results: Mapping[str, Sequence[Result]],
    now: str,
    metric: str,
    levels: Sequence[tuple[str, float]],
) -> PublicBars:
    """The chart's data from results by public set, one a seed."""
    points = tuple(accuracy(mine, metric) for mine in results.values())
    return PublicBars(tuple(results), points, now, metric, tuple(levels))


def alt(chart: PublicBars) -> str:
    """The chart in words."""
    return (
        f"Bars of accuracy, {METRIC_WORDS[chart.metric]}, from 0 to 100 % for the public sets"
        f" {', '.join(chart.names)}."
    )


def figure(chart: PublicBars) -> go.Figure:
    """One bar a set with its interval; the one in use outlined."""
    outline = stroke(ACCENT, [3 * (name == chart.now) for name in chart.names])
    bars: dict[str, Any] = {"type": "bar", "x": [escape(n) for n in chart.names], "width": 0.5}
    bars["y"] = [p.mean for p in chart.points]
    bars["marker"] = {"color": line_style("dppl-public").colour, "line": outline}
    bars["error_y"] = arms(chart.points, GREY, 2, 8)
    bars |= {"text": [f"<b>{percent(p)}</b>" for p in chart.points], "textposition": "inside"}
    bars |= {"insidetextanchor": "start", "textfont": {"color": "#14171F", "size": 15}}
    return figures.make_figure(
        [bars | hover("%{x}: %{y:.1%}")],
        330,
        {"t": 12},
        xaxis=axes.axis(grid=False),
        yaxis=axes.share(),
        **levels(chart.levels, "right bottom"),
    )
