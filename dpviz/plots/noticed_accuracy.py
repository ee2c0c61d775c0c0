"""Two accuracies side by side, of a promise that is kept and of one that is broken."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import plotly.graph_objects as go

from dpviz.formatting import percent
from dpviz.plots.kit import axes, figures
from dpviz.plots.kit.style import GREY, WRONG
from dpviz.plots.kit.traces import arms, hover, scatter
from dpviz.stats import Interval

KEPT, BROKEN = "as promised", "with the mistake"


@dataclass(frozen=True)
class Noticed:
    """Accuracies as promised and with a mistake, and what the mistake is called."""

    kept: Interval
    broken: Interval
    mistake: str


def info(kept: Interval, broken: Interval, mistake: str) -> Noticed:
    """The chart's data."""
    return Noticed(kept, broken, mistake)


def alt(chart: Noticed) -> str:
    """The chart in words."""
    return (
        "Class-balanced accuracy from 0 to 100 % of the same method on the same data, as promised"
        f" and with the mistake “{chart.mistake}”: a dot a seed, the mean with its 95 % interval."
    )


def table(chart: Noticed) -> list[dict[str, Any]]:
    """A row for each way."""
    return [
        {"way": way, "accuracy": one.mean, "low": one.low, "high": one.high, "seeds": one.runs}
        for way, one in ((KEPT, chart.kept), (BROKEN, chart.broken))
    ]


def figure(chart: Noticed) -> go.Figure:
    """A row each."""
    traces = []
    for row, (one, colour) in enumerate(((chart.broken, WRONG), (chart.kept, GREY))):
        dots = {"size": 6, "color": colour, "opacity": 0.45}
        traces.append(
            scatter(one.values, [row] * len(one.values), "markers", marker=dots, hoverinfo="skip")
        )
        traces.append(
            scatter(
                [one.mean],
                [row],
                "markers+text",
                marker={"size": 13, "color": colour},
                error_x=arms([one], colour, 2, 6),
                text=[percent(one)],
                textposition="top center",
                **hover("%{x:.1%}"),
            )
        )
    return figures.make_figure(
        traces,
        190,
        {"l": 118, "r": 30, "t": 14, "b": 54},
        showlegend=False,
        xaxis=axes.share("right, class by class", 10, **axes.WITHIN_MARGINS | {"range": [0, 1.04]}),
        yaxis=axes.axis(
            **axes.category_axis([BROKEN, KEPT]), range=[-0.6, 1.7], **axes.WITHIN_MARGINS
        ),
    )
