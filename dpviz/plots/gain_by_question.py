"""The share of a class that has each question right, before and after: how far each dot moves."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

import plotly.graph_objects as go

from dpviz.plots.kit import axes, figures
from dpviz.plots.kit.style import ACCENT, GREY
from dpviz.plots.kit.traces import hover, scatter, strokes

ROW = 30
"""Pixels a question."""


@dataclass(frozen=True)
class Gains:
    """Questions from the top: names, shares right before and after, and whether the difference is
    more than chance; people: how many.
    """

    names: tuple[str, ...]
    before: tuple[float, ...]
    after: tuple[float, ...]
    told: tuple[bool, ...]
    people: int


def info(
    names: Sequence[str],
    before: Sequence[float],
    after: Sequence[float],
    told: Sequence[bool],
    people: int,
) -> Gains:
    """The chart's data, what gained most first."""
    order = sorted(range(len(names)), key=lambda i: (before[i] - after[i], i))
    return Gains(
        names=tuple(names[i] for i in order),
        before=tuple(before[i] for i in order),
        after=tuple(after[i] for i in order),
        told=tuple(told[i] for i in order),
        people=people,
    )


def alt(chart: Gains) -> str:
    """The chart in words."""
    return (
        f"Share of {chart.people} people who are right, before and after the lessons, for each of"
        f" {len(chart.names)} questions, what gained most first."
    )


def figure(chart: Gains) -> go.Figure:
    """A ring before, a dot after, joined: a full line where the gain is more than chance."""
    rows = list(range(len(chart.names)))
    joined = [
        strokes(
            [((chart.before[i], chart.after[i]), (i, i)) for i in rows if chart.told[i] == told],
            ACCENT if told else GREY,
            4 if told else 1.5,
            "" if told else "dot",
        )
        | {"showlegend": False}
        for told in (True, False)
    ]
    said = [
        f"{escape(name)}: {100 * a:.0f} % before, {100 * b:.0f} % after"
        + ("" if told else ", within chance")
        for name, a, b, told in zip(chart.names, chart.before, chart.after, chart.told, strict=True)
    ]
    looks: dict[str, tuple[tuple[float, ...], dict[str, Any]]] = {
        "before": (chart.before, {"symbol": "circle-open", "color": GREY, "line": {"width": 2}}),
        "after": (chart.after, {"symbol": "circle", "color": ACCENT}),
    }
    dots = [
        scatter(
            list(values),
            rows,
            "markers",
            name=name,
            customdata=said,
            cliponaxis=False,
            marker=look | {"size": 11},
            **hover("%{customdata}", name),
        )
        for name, (values, look) in looks.items()
    ]
    names = [escape(name) for name in chart.names]
    y = {"tickvals": rows, "ticktext": names, "range": [len(rows) - 0.4, -0.6], "automargin": True}
    return figures.make_figure(
        [*joined, *dots],
        ROW * len(rows) + 90,
        {"b": 46, "t": 30, "r": 28},
        legend={"y": 1, "yanchor": "bottom"},
        xaxis=axes.share("of the class right", axes.CLOSE),
        yaxis=axes.axis(grid=False, **y),
        showlegend=True,
    )
