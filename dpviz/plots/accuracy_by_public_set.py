"""Accuracy with one public set beside another."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

import plotly.graph_objects as go

from dpviz.plots.kit.style import ACCENT, FONT, GREY, GRID, look
from dpviz.stats import Interval, interval
from dpviz.words import METRIC_WORDS, percent


@dataclass(frozen=True)
class PublicBars:
    """Bars: name of each public set, its accuracy, which is looked at now; levels drawn across."""

    names: tuple[str, ...]
    points: tuple[Interval, ...]
    now: str
    metric: str
    levels: tuple[tuple[str, float], ...]


def info(
    values: Mapping[str, Sequence[float]],
    now: str,
    metric: str,
    levels: Sequence[tuple[str, float]],
) -> PublicBars:
    """The chart's data from the seeds' accuracies by public set."""
    return PublicBars(
        tuple(values), tuple(interval(v) for v in values.values()), now, metric, tuple(levels)
    )


def alt(chart: PublicBars) -> str:
    """The chart in words."""
    return (
        f"Bars of accuracy, {METRIC_WORDS[chart.metric]}, from 0 to 100 % for the public sets"
        f" {', '.join(chart.names)}."
    )


def figure(chart: PublicBars) -> go.Figure:
    """One bar a set with its interval; the one in use outlined."""
    here = [name == chart.now for name in chart.names]
    bars: dict[str, Any] = {
        "type": "bar",
        "x": [escape(n) for n in chart.names],
        "y": [p.mean for p in chart.points],
        "width": 0.5,
    }
    bars["marker"] = {
        "color": look("dppl-public").colour,
        "line": {"color": ACCENT, "width": [3 * h for h in here]},
    }
    up, down = [p.high - p.mean for p in chart.points], [p.mean - p.low for p in chart.points]
    bars["error_y"] = {
        "type": "data",
        "array": up,
        "arrayminus": down,
        "color": GREY,
        "thickness": 2,
        "width": 8,
    }
    bars |= {
        "text": [f"<b>{percent(p)}</b>" for p in chart.points],
        "textposition": "inside",
        "insidetextanchor": "start",
    }
    bars |= {
        "textfont": {"color": "#14171F", "size": 15},
        "hovertemplate": "%{x}: %{y:.1%}<extra></extra>",
    }
    layout = {"height": 330, "margin": {"l": 8, "r": 8, "t": 12, "b": 8}, "font": {"size": FONT}}
    layout["xaxis"] = {"fixedrange": True, "showgrid": False}
    layout["yaxis"] = {
        "range": [0, 1],
        "tickformat": ".0%",
        "dtick": 0.2,
        "gridcolor": GRID,
        "fixedrange": True,
        "zeroline": False,
    }
    line = {"color": GREY, "width": 1.2, "dash": "dot"}
    layout["shapes"] = [
        {"type": "line", "xref": "paper", "x0": 0, "x1": 1, "y0": y, "y1": y, "line": line}
        for _, y in chart.levels
    ]
    note = {
        "xref": "paper",
        "x": 1,
        "xanchor": "right",
        "yanchor": "bottom",
        "showarrow": False,
        "font": {"size": 11, "color": GREY},
    }
    layout["annotations"] = [note | {"y": y, "text": name} for name, y in chart.levels]
    return go.Figure(data=[bars], layout=layout, _validate=False)
