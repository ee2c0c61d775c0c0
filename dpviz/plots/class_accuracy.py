"""Accuracy of each class at one budget, largest class first: who pays."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

import plotly.graph_objects as go

from dpviz.caches import remembered
from dpviz.plots.class_sizes import class_axis, order, shade
from dpviz.plots.kit.style import FONT, GRID, Still, look
from dpviz.stats import Interval, interval
from dpviz.types import Result
from dpviz.words import percent, spread


@dataclass(frozen=True)
class Dots:
    """One method: key, title, one point a class in drawing order."""

    method: str
    title: str
    points: tuple[Interval, ...]
    private: bool


@dataclass(frozen=True)
class PerClass:
    """Classes in drawing order, which of them are the minority, and a row of dots a method."""

    names: tuple[str, ...]
    minority: tuple[bool, ...]
    methods: tuple[Dots, ...]


def info(
    results: Sequence[Result], titles: Mapping[str, str], names: Sequence[str], budget: float
) -> PerClass:
    """The chart's data at ``budget``; references are drawn whatever the budget."""
    rows: dict[str, list[Sequence[float]]] = defaultdict(list)
    for result in results:
        if result.spec.budget.value == budget or not result.spec.budget.private:
            rows[result.spec.method].append(result.scores.per_class)
    references = {r.spec.method for r in results if not r.spec.budget.private}
    ranked = order(results[0].class_counts)
    dots = [
        Dots(
            m,
            titles[m],
            tuple(interval([row[c] for row in rows[m]]) for c in ranked),
            m not in references,
        )
        for m in titles
        if m in rows
    ]
    minority = tuple(c in results[0].minority_classes for c in ranked)
    return PerClass(tuple(names[c] for c in ranked), minority, tuple(dots))


def alt(chart: PerClass) -> str:
    """The chart in words."""
    return (
        f"Accuracy from 0 to 100 % of each of {len(chart.names)} classes, largest first, for"
        f" {', '.join(d.title for d in chart.methods)}."
    )


@remembered(64)
def figure(chart: PerClass) -> go.Figure:
    """Lines of dots over the classes, the minority shaded."""
    names = [escape(name) for name in chart.names]
    layout = {
        "height": 330,
        "margin": {"l": 8, "r": 8, "t": 8, "b": 8},
        "font": {"size": FONT},
        "showlegend": True,
    }
    layout["legend"] = {"orientation": "h", "y": -0.25, "x": 0, "yanchor": "top"}
    layout["xaxis"] = class_axis(names) | {"range": [-0.5, len(names) - 0.5]}
    layout["yaxis"] = {
        "range": [0, 1],
        "tickformat": ".0%",
        "dtick": 0.2,
        "gridcolor": GRID,
        "fixedrange": True,
        "zeroline": False,
    }
    layout["shapes"] = [shade(place) for place, small in enumerate(chart.minority) if small]
    return Still(
        data=[_dots(dots, names) for dots in chart.methods], layout=layout, _validate=False
    )


def _dots(dots: Dots, names: Sequence[str]) -> dict[str, Any]:
    style = look(dots.method)
    drawn = {
        "type": "scatter",
        "x": list(range(len(names))),
        "y": [p.mean for p in dots.points],
        "name": dots.title,
    }
    drawn |= {"mode": "lines+markers" if dots.private else "lines", "cliponaxis": False}
    drawn["line"] = {"color": style.colour, "dash": style.dash, "width": 1.6}
    drawn["marker"] = {"symbol": style.marker, "size": 9, "color": style.colour}
    drawn["customdata"] = [
        f"class {n}: {percent(p)} {spread(p)}" for n, p in zip(names, dots.points, strict=True)
    ]
    drawn["hovertemplate"] = f"%{{customdata}}<extra>{dots.title}</extra>"
    return drawn
