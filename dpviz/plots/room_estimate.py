"""What a private question revealed: how many of all who answered say yes, with the interval."""

from __future__ import annotations

from dataclasses import dataclass

import plotly.graph_objects as go

from dpviz.plots.kit import axes, figures, marks
from dpviz.plots.kit.style import ACCENT, GREY, rgba
from dpviz.plots.kit.traces import hover, scatter, stroke

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
    ends = [[0, chart.people], [chart.low, chart.high]]
    bars = [
        scatter(x, [0, 0], line=stroke(colour, 26), hoverinfo="skip", cliponaxis=False)
        for x, colour in zip(ends, (rgba(GREY, 0.25), rgba(ACCENT, 0.55)), strict=True)
    ]
    dot = {"size": 26, "color": ACCENT, "line": {"width": 3, "color": "white"}}
    said = f"about {chart.count:.0f}, between {chart.low} and {chart.high}"
    point = scatter([chart.count], [0], "markers", marker=dot, cliponaxis=False, **hover(said))
    note = marks.note(f"<b>{said}</b>", chart.count, 1, "center bottom", yref="paper")
    side = "left" if chart.count < chart.people / 4 else "right"
    if not chart.people / 4 <= chart.count <= 3 * chart.people / 4:
        note |= {"xanchor": side, "x": 0 if side == "left" else chart.people}
    return figures.drawn(
        [*bars, point],
        HEIGHT,
        {"l": 24, "r": 24, "t": 44, "b": 50},
        showlegend=False,
        annotations=[note | {"showarrow": False}],
        xaxis=axes.axis(
            f"people who say yes, of {chart.people}", axes.CLOSE, range=[0, chart.people]
        ),
        yaxis=axes.axis(range=[-1, 1], **axes.HIDDEN),
    )
