"""An audit as it goes on: the privacy loss that releases show, against how many there were."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import plotly.graph_objects as go

from dpviz.formatting import number
from dpviz.plots.kit import axes, figures, marks
from dpviz.plots.kit.figures import MARGINS
from dpviz.plots.kit.style import ACCENT, WRONG, rgba
from dpviz.plots.kit.traces import band, hover, scatter, stroke

ABOVE = 2.0
"""The chart ends at this multiple of what is promised, or above the last lower bound."""


@dataclass(frozen=True)
class Step:
    """After so many releases of each neighbour: epsilon at least, as it looks, and at most (inf
    where nothing holds it); whether the promise is seen to be broken.
    """

    runs: int
    least: float
    likely: float
    most: float
    broken: bool


@dataclass(frozen=True)
class Progress:
    """What is drawn.

    Attributes:
        steps: looks so far; promised: epsilon; whole: releases of each neighbour at the last look.
    """

    steps: tuple[Step, ...]
    promised: float
    whole: int

    @property
    def broken(self) -> bool:
        """The promise is seen to be broken."""
        return bool(self.steps) and self.steps[-1].broken


def info(steps: Sequence[Step], promised: float, whole: int) -> Progress:
    """The chart's data."""
    return Progress(tuple(steps), promised, whole)


def alt(chart: Progress) -> str:
    """The chart in words."""
    return (
        "Privacy loss ε against the releases of each of two neighbours on a log scale: what the"
        " audit's best test shows at least, the interval above it, and the promise as a line. A"
        " lower bound above the line is a broken promise."
    )


def table(chart: Progress) -> list[dict[str, Any]]:
    """A row for each look."""
    return [
        {
            "releases of each neighbour": step.runs,
            "epsilon at least": step.least,
            "as it looks": step.likely,
            "at most by this test": step.most,
            "promised": chart.promised,
            "broken": step.broken,
        }
        for step in chart.steps
    ]


def figure(chart: Progress) -> go.Figure:
    """The lower bound with its interval, under the promise or above it."""
    top = max(
        [ABOVE * chart.promised, *(1.25 * s.least for s in chart.steps if s.least < math.inf)]
    )
    runs = [step.runs for step in chart.steps]
    cut = lambda value: min(value, top)
    least = [cut(step.least) for step in chart.steps]
    colour = WRONG if chart.broken else ACCENT
    ups = [cut(step.most) - value for step, value in zip(chart.steps, least, strict=True)]
    whisker = {"type": "data", "array": ups, "arrayminus": [0.0] * len(ups)}
    traces = [
        band(runs, least, [cut(step.most) for step in chart.steps], colour),
        scatter(
            runs,
            [cut(step.likely) for step in chart.steps],
            line=stroke(colour, 1.4, "dot"),
            name="as it looks",
            customdata=[number(step.likely) for step in chart.steps],
            **hover("looks like ε = %{customdata}"),
        ),
        scatter(
            runs,
            least,
            "lines+markers",
            line=stroke(colour, 2.4),
            marker={"size": 8, "color": colour},
            name="at least",
            error_y=whisker | {"color": rgba(colour, 0.5), "thickness": 1.2, "width": 4},
            cliponaxis=False,
            customdata=[number(step.least) for step in chart.steps],
            **hover("after %{x:,} releases at least ε = %{customdata}"),
        ),
    ]
    first = min([250, *runs])
    return figures.make_figure(
        traces,
        380,
        MARGINS | {"t": 12, "r": 14},
        showlegend=False,
        xaxis=axes.axis(
            "releases of each neighbour",
            axes.CLOSE,
            type="log",
            range=[math.log10(first / 1.2), math.log10(chart.whole * 1.2)],
            tickvals=[300, 1_000, 3_000, 10_000, 30_000],
            ticktext=["300", "1,000", "3,000", "10,000", "30,000"],
            **axes.WITHIN_MARGINS,
        ),
        yaxis=axes.axis("ε shown", axes.BESIDE, range=[0, top], **axes.WITHIN_MARGINS),
        **marks.levels(
            [(f"promised: ε = {number(chart.promised)}", chart.promised)], "right bottom"
        ),
    )
