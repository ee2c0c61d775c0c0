"""The three forms of DPPL-Mean under one budget: balanced and minority accuracy with intervals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import plotly.graph_objects as go

from dpviz.plots.kit.style import FONT, GREY, GRID, look
from dpviz.stats import Interval, interval
from dpviz.types import Result
from dpviz.words import METRICS, percent, spread

DRAWN = {"balanced": ("circle", -0.13), "minority": ("diamond", 0.13)}


@dataclass(frozen=True)
class Forms:
    """A row a form: title, and intervals by metric; exact: the same without noise, by metric."""

    titles: tuple[str, ...]
    points: tuple[dict[str, Interval], ...]
    exact: dict[str, float]


def info(results: Mapping[str, Sequence[Result]], exact: Result) -> Forms:
    """The chart's data from results of each form (by title) and of the exact class means."""
    points = tuple(
        {m: interval([getattr(r.scores, m) for r in rows]) for m in DRAWN}
        for rows in results.values()
    )
    return Forms(tuple(results), points, {m: getattr(exact.scores, m) for m in DRAWN})


def alt(chart: Forms) -> str:
    """The chart in words."""
    return (
        "Balanced and minority accuracy from 0 to 100 % with 95 % intervals for"
        f" {', '.join(chart.titles)}."
    )


def figure(chart: Forms) -> go.Figure:
    """Dots with intervals, a row a form; dotted lines show exact means."""
    rows = len(chart.titles)
    layout = {
        "height": 110 + 62 * rows,
        "margin": {"l": 8, "r": 16, "t": 8, "b": 8},
        "font": {"size": FONT},
    }
    layout["xaxis"] = {
        "range": [0, 1],
        "tickformat": ".0%",
        "dtick": 0.2,
        "gridcolor": GRID,
        "fixedrange": True,
        "zeroline": False,
    }
    layout["yaxis"] = {
        "tickvals": list(range(rows)),
        "ticktext": list(chart.titles),
        "range": [rows - 0.5, -0.5],
        "fixedrange": True,
    }
    layout["yaxis"] |= {"automargin": True, "showgrid": False, "zeroline": False}
    layout["legend"] = {
        "orientation": "h",
        "y": -0.22,
        "x": 0,
        "yanchor": "top",
        "itemclick": False,
        "itemdoubleclick": False,
    }
    return go.Figure(
        data=[t for m in DRAWN for t in (_exact(chart, m), _dots(chart, m))],
        layout=layout,
        _validate=False,
    )


def _exact(chart: Forms, metric: str) -> dict[str, Any]:
    marker, shift = DRAWN[metric]
    drawn = {
        "type": "scatter",
        "x": [chart.exact[metric]] * len(chart.titles),
        "y": [i + shift for i in range(len(chart.titles))],
    }
    drawn |= {
        "mode": "markers",
        "name": f"{METRICS[metric]}, exact means",
        "marker": {"symbol": f"{marker}-open", "size": 10, "color": GREY},
    }
    return drawn | {"hovertemplate": "%{x:.1%}<extra>exact means</extra>"}


def _dots(chart: Forms, metric: str) -> dict[str, Any]:
    marker, shift = DRAWN[metric]
    points = [p[metric] for p in chart.points]
    colour = look("dppl-mean").colour
    drawn = {
        "type": "scatter",
        "x": [p.mean for p in points],
        "y": [i + shift for i in range(len(points))],
        "mode": "markers+text",
    }
    drawn["error_x"] = {
        "type": "data",
        "symmetric": False,
        "array": [p.high - p.mean for p in points],
        "thickness": 1.6,
        "width": 5,
    }
    drawn["error_x"] |= {"arrayminus": [p.mean - p.low for p in points], "color": colour}
    drawn |= {
        "name": METRICS[metric],
        "marker": {"symbol": marker, "size": 11, "color": colour},
        "cliponaxis": False,
    }
    drawn |= {
        "text": [f"{percent(p)}" for p in points],
        "textposition": "top center" if shift < 0 else "bottom center",
    }
    return drawn | {
        "customdata": [spread(p) for p in points],
        "hovertemplate": f"%{{text}} (%{{customdata}})<extra>{METRICS[metric]}</extra>",
    }
