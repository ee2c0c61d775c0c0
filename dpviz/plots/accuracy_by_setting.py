"""Accuracy against a whole-number setting on a log axis: K, or the size of the public set."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import plotly.graph_objects as go

from dpviz.plots.kit.style import ACCENT, FONT, GREY, GRID, look, rgba
from dpviz.stats import Interval, interval
from dpviz.words import METRIC_WORDS, percent, spread


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
    curve: Mapping[int, Sequence[float]],
    title: str,
    method: str,
    metric: str,
    now: int,
    levels: Sequence[tuple[str, float]],
) -> KnobCurve:
    """The chart's data from the seeds' accuracies by value."""
    values = tuple(sorted(curve))
    return KnobCurve(
        title, method, metric, values, tuple(interval(curve[v]) for v in values), now, tuple(levels)
    )


def alt(chart: KnobCurve) -> str:
    """The chart in words."""
    return (
        f"Accuracy, {METRIC_WORDS[chart.metric]}, from 0 to 100 % against {chart.title} on a log"
        " axis."
    )


def figure(chart: KnobCurve) -> go.Figure:
    """The line with its band, the levels across, a ring at ``now``."""
    style, x = look(chart.method), list(chart.values)
    low, high = [p.low for p in chart.points], [p.high for p in chart.points]
    band = {
        "type": "scatter",
        "x": x + x[::-1],
        "y": high + low[::-1],
        "fill": "toself",
        "mode": "lines",
        "hoverinfo": "skip",
    }
    band |= {"fillcolor": rgba(style.colour, 0.16), "line": {"width": 0}, "showlegend": False}
    line: dict[str, Any] = {
        "type": "scatter",
        "x": x,
        "y": [p.mean for p in chart.points],
        "mode": "lines+markers",
        "showlegend": False,
    }
    line["line"] = {"color": style.colour, "dash": style.dash, "width": 2.5}
    line["marker"] = {"symbol": style.marker, "size": 8, "color": style.colour}
    line["text"] = [
        f"{v:,}: {percent(p)} {spread(p)}" for v, p in zip(x, chart.points, strict=True)
    ]
    line |= {"hovertemplate": "%{text}<extra></extra>", "cliponaxis": False}
    ring = {
        "type": "scatter",
        "mode": "markers",
        "showlegend": False,
        "hoverinfo": "skip",
        "cliponaxis": False,
    }
    here = chart.now in chart.values
    ring |= {"x": [chart.now] * here, "y": [chart.at(chart.now).mean] if here else []}
    ring["marker"] = {"symbol": "circle-open", "size": 15, "color": ACCENT, "line": {"width": 2.5}}
    return go.Figure(data=[band, line, ring], layout=_layout(chart), _validate=False)


def _layout(chart: KnobCurve) -> dict[str, Any]:
    ends = math.log10(chart.values[0]), math.log10(max(chart.values[-1], chart.now))
    layout: dict[str, Any] = {
        "height": 340,
        "margin": {"l": 8, "r": 8, "t": 12, "b": 8},
        "font": {"size": FONT},
    }
    layout["xaxis"] = {
        "type": "log",
        "range": [ends[0] - 0.08, ends[1] + 0.08],
        "tickvals": list(chart.values),
        "gridcolor": GRID,
    }
    layout["xaxis"] |= {
        "ticktext": [f"{v:,}" for v in chart.values],
        "title": {"text": chart.title, "standoff": 4},
        "fixedrange": True,
    }
    layout["yaxis"] = {
        "range": [0, 1],
        "tickformat": ".0%",
        "dtick": 0.2,
        "gridcolor": GRID,
        "fixedrange": True,
        "zeroline": False,
    }
    layout["shapes"] = [_across(y) for _, y in chart.levels]
    layout["annotations"] = [_name(name, y) for name, y in chart.levels]
    return layout


def _across(y: float) -> dict[str, Any]:
    return {
        "type": "line",
        "xref": "paper",
        "x0": 0,
        "x1": 1,
        "y0": y,
        "y1": y,
        "line": {"color": GREY, "width": 1.2, "dash": "dot"},
    }


def _name(name: str, y: float) -> dict[str, Any]:
    place = {
        "xref": "paper",
        "x": 0,
        "y": y,
        "xanchor": "left",
        "yanchor": "bottom",
        "showarrow": False,
    }
    return place | {"text": name, "font": {"size": 11, "color": GREY}}
