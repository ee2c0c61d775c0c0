"""What a crowd's recorded answers tell: the estimated share of yes against the coin's honesty."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import plotly.graph_objects as go

from dpviz.plots.kit import axes, figures, marks
from dpviz.plots.kit.style import ACCENT, GREY
from dpviz.plots.kit.traces import band, hover, ring, scatter, stroke

ESTIMATE, RECORDED = "estimate from the recorded answers", "yes among the recorded answers"


@dataclass(frozen=True)
class Crowd:
    """What the chart shows.

    Attributes:
        honesties: percent; estimates, recorded: shares of yes at each; halves: half-widths of 95 %
            intervals about the truth; truth: the share; now: the honesty looked at.
    """

    honesties: tuple[int, ...]
    estimates: tuple[float, ...]
    recorded: tuple[float, ...]
    halves: tuple[float, ...]
    truth: float
    now: int


def info(
    points: Sequence[tuple[int, float, float, float]],
    truth: float,
    now: int,
) -> Crowd:
    """The chart's data from (honesty, estimate, recorded share, half-width) in order."""
    honesties, estimates, recorded, halves = zip(*points, strict=True)
    return Crowd(honesties, estimates, recorded, halves, truth, now)


def alt(chart: Crowd) -> str:
    """The chart in words."""
    return (
        "Share of yes, from 0 to 100 %, against how often the own answer gets through, from"
        f" {chart.honesties[0]} to {chart.honesties[-1]} times in 100: the estimates, the band in"
        f" which 95 of 100 lie, the recorded answers and the truth, {chart.truth:.0%}. The further"
        " to the left, the more private and the wider the band."
    )


def table(chart: Crowd) -> list[dict[str, Any]]:
    """A row for each honesty."""
    rows = zip(chart.honesties, chart.estimates, chart.halves, chart.recorded, strict=True)
    return [
        {"honesty %": h, "estimate": share, "half-width 95 %": half, "recorded yes": recorded}
        for h, share, half, recorded in rows
    ]


def figure(chart: Crowd) -> go.Figure:
    """The estimates in their band about the truth, with the recorded shares."""
    low = [max(0.0, chart.truth - half) for half in chart.halves]
    high = [min(1.0, chart.truth + half) for half in chart.halves]
    inside = [min(1.0, max(0.0, share)) for share in chart.estimates]
    at = chart.honesties.index(chart.now)
    says = [f"estimate {share:.1%}" for share in chart.estimates]
    return figures.make_figure(
        [
            band(chart.honesties, low, high, ACCENT),
            scatter(
                chart.honesties,
                chart.recorded,
                name=RECORDED,
                line=stroke(GREY, 1.8, "dash"),
                **hover("recorded %{y:.1%}"),
            ),
            scatter(
                chart.honesties,
                inside,
                "lines+markers",
                name=ESTIMATE,
                line=stroke(ACCENT, 2.2),
                marker={"size": 7, "color": ACCENT},
                text=says,
                **hover("%{x} in 100: %{text}"),
            ),
            ring([chart.now], [inside[at]], 15),
        ],
        360,
        {"t": 30},
        legend={"y": 1.02, "yanchor": "bottom"},
        xaxis=axes.axis(
            "own answers that get through, in 100",
            axes.CLOSE,
            range=[chart.honesties[0] - 2, chart.honesties[-1] + 2],
        ),
        yaxis=axes.share("say yes"),
        **marks.levels([("the truth", chart.truth)], "right top"),
    )
