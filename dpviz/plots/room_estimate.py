"""What a private question revealed: how many of all who answered say yes, with the interval."""

from __future__ import annotations

import math
from dataclasses import dataclass

import plotly.graph_objects as go

from dpviz.plots.kit import axes, figures, marks
from dpviz.plots.kit.style import ACCENT, FAR_OFF, GREY, rgba
from dpviz.plots.kit.traces import band, hover, scatter, stroke

HEIGHT = 190


@dataclass(frozen=True)
class Estimated:
    """How many of ``people`` say yes: ``count`` is the estimate, from ``low`` to ``high`` its 95 %
    interval.
    """

    people: int
    count: float
    low: int
    high: int


def info(people: int, count: float, low: int, high: int) -> Estimated:
    """The chart's data."""
    return Estimated(people, count, low, high)


def alt(chart: Estimated) -> str:
    """The chart in words."""
    return (
        f"Of {chart.people} people who answered about {chart.count:.0f} say yes; the 95 % interval"
        f" goes from {chart.low} to {chart.high}."
    )


def figure(chart: Estimated) -> go.Figure:
    """A bar over all people, the interval on it and the estimate in it."""
    parts = (0, chart.people, rgba(GREY, 0.25)), (chart.low, chart.high, rgba(ACCENT, 0.55))
    bars = [
        band([low, high], [-0.5] * 2, [0.5] * 2, ACCENT, fillcolor=colour)
        for low, high, colour in parts
    ]
    said = f"about {chart.count:.0f}, between {chart.low} and {chart.high}"
    rule = scatter([chart.count] * 2, [-0.7, 0.7], line=stroke(ACCENT, 7), **hover(said))
    share = chart.count / chart.people
    side = "left" if share < 0.3 else "right" if share > 0.7 else "center"
    note = marks.note(f"<b>{said}</b>", chart.count, 1, f"{side} bottom", yref="paper")
    return figures.make_figure(
        [*bars, rule],
        HEIGHT,
        {"l": 24, "r": 24, "t": 44, "b": 50},
        showlegend=False,
        meta=FAR_OFF,
        annotations=[note | {"showarrow": False}],
        xaxis=axes.axis(
            f"people who say yes, of {chart.people}",
            axes.CLOSE,
            range=[-0.01 * chart.people, 1.01 * chart.people],
            dtick=max(1, math.ceil(chart.people / 10)),
        ),
        yaxis=axes.axis(range=[-1, 1], **axes.HIDDEN),
    )
