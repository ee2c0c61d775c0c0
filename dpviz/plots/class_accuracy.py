"""Accuracy of each class at one budget, largest class first: who pays."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

import plotly.graph_objects as go

from dpviz.caches import cached
from dpviz.formatting import percent, spread
from dpviz.plots.kit import axes, classes, figures
from dpviz.plots.kit.style import line_style
from dpviz.plots.kit.traces import drawn_as, hover, scatter
from dpviz.stats import Interval, accuracy
from dpviz.types import Result


@dataclass(frozen=True)
class Dots:
    """One method: key, title, one point a class in drawing order."""

    method: str
    title: str
    points: tuple[Interval, ...]


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
    rows: dict[str, list[Result]] = defaultdict(list)
    for result in results:
        if result.spec.budget.value == budget or not result.spec.budget.private:
            rows[result.spec.method].append(result)
    ranked = classes.order(results[0].class_counts)
    points = {m: tuple(accuracy(rows[m], c) for c in ranked) for m in rows}
    dots = [Dots(m, titles[m], points[m]) for m in titles if m in rows]
    some = classes.smallest(results[0].minority_classes, results[0].class_counts)
    minority = classes.among(some, ranked)
    return PerClass(classes.picked(names, ranked), minority, tuple(dots))


def alt(chart: PerClass) -> str:
    """The chart in words."""
    return (
        f"Accuracy from 0 to 100 % of each of {len(chart.names)} classes, largest first, for"
        f" {', '.join(d.title for d in chart.methods)}."
    )


@cached(64)
def figure(chart: PerClass) -> go.Figure:
    """Dots over the classes, which have no order that a line could follow; those of a class side by
    side, the minority shaded.
    """
    names = [escape(name) for name in chart.names]
    layout = figures.shared(370) | {
        "showlegend": True,
        "legend": figures.BELOW | figures.CLICKABLE,
        "xaxis": classes.axis(names, **axes.around(len(names))),
        "yaxis": axes.share(),
        "shapes": classes.minority_bands(chart.minority),
    }
    apart = min(0.12, 0.7 / max(len(chart.methods), 1))
    middle = (len(chart.methods) - 1) / 2
    rows = [_dots(d, names, apart * (i - middle)) for i, d in enumerate(chart.methods)]
    return figures.still(rows, layout)


def _dots(dots: Dots, names: Sequence[str], shift: float) -> dict[str, Any]:
    pairs = zip(names, dots.points, strict=True)
    return scatter(
        [place + shift for place in range(len(names))],
        [p.mean for p in dots.points],
        "markers",
        name=dots.title,
        customdata=[f"class {n}: {percent(p)} {spread(p)}" for n, p in pairs],
        cliponaxis=False,
        marker=drawn_as(line_style(dots.method), 1.6, 9)["marker"],
        **hover("%{customdata}", dots.title),
    )
