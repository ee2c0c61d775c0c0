"""The three forms of DPPL-Mean under one budget: balanced and minority accuracy with intervals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import plotly.graph_objects as go

from dpviz.formatting import METRICS, percent, spread
from dpviz.plots.kit import axes, figures
from dpviz.plots.kit.style import GREY, line_style
from dpviz.plots.kit.traces import arms, hover, scatter
from dpviz.stats import Interval, accuracy
from dpviz.types import Result

DRAWN = {"balanced": ("circle", -0.13), "minority": ("diamond", 0.13)}


@dataclass(frozen=True)
class Forms:
    """A row a form: title, and intervals by metric; exact: the same without noise, by metric."""

    titles: tuple[str, ...]
    points: tuple[dict[str, Interval], ...]
    exact: dict[str, float]


def info(results: Mapping[str, Sequence[Result]], exact: Result) -> Forms:
    """The chart's data from results of each form (by title) and of the exact class means."""
    points = tuple({m: accuracy(rows, m) for m in DRAWN} for rows in results.values())
    return Forms(tuple(results), points, {m: getattr(exact.scores, m) for m in DRAWN})


def alt(chart: Forms) -> str:
    """The chart in words."""
    return (
        "Balanced and minority accuracy from 0 to 100 % with 95 % intervals for"
        f" {', '.join(chart.titles)}."
    )


def figure(chart: Forms) -> go.Figure:
    """Dots with intervals, a row a form; open ones show exact means."""
    rows = len(chart.titles)
    return figures.make_figure(
        [trace for m in DRAWN for trace in (_exact(chart, m), _dots(chart, m))],
        110 + 62 * rows,
        {"r": 16},
        xaxis=axes.share(),
        yaxis=axes.axis(
            grid=False, **axes.category_axis(chart.titles) | {"range": [rows - 0.5, -0.5]}
        ),
        legend={"y": -0.22},
    )


def _exact(chart: Forms, metric: str) -> dict[str, Any]:
    marker, shift = DRAWN[metric]
    rows = [i + shift for i in range(len(chart.titles))]
    return scatter(
        [chart.exact[metric]] * len(rows),
        rows,
        "markers",
        name=f"{METRICS[metric]}, exact means",
        marker={"symbol": f"{marker}-open", "size": 10, "color": GREY},
        **hover("%{x:.1%}", "exact means"),
    )


def _dots(chart: Forms, metric: str) -> dict[str, Any]:
    marker, shift = DRAWN[metric]
    points, colour = [p[metric] for p in chart.points], line_style("dppl-mean").colour
    return scatter(
        [p.mean for p in points],
        [i + shift for i in range(len(points))],
        "markers+text",
        name=METRICS[metric],
        marker={"symbol": marker, "size": 11, "color": colour},
        error_x=arms(points, colour, 1.6, 5),
        cliponaxis=False,
        text=[percent(p) for p in points],
        textposition="top center" if shift < 0 else "bottom center",
        customdata=[spread(p) for p in points],
        **hover("%{text} (%{customdata})", METRICS[metric]),
    )
