"""What one release shows of a method's privacy loss, by the canaries in it, beside many runs."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import plotly.graph_objects as go

from dpviz.formatting import number, rounded
from dpviz.plots.kit import axes, figures
from dpviz.plots.kit.figures import MARGINS
from dpviz.plots.kit.marks import REFERENCE, across, note
from dpviz.plots.kit.style import ACCENT, GREY, RIGHT, WRONG
from dpviz.plots.kit.traces import hover, scatter, stroke

GAUSSIAN, ANY = "if the noise is Gaussian", "whatever the noise"
LEAST = 0.01
"""Seconds below which none are told apart."""


@dataclass(frozen=True)
class Point:
    """One release with so many canaries: epsilon at least, whatever the noise and if it is Gaussian
    (None where the claim is no such), and its seconds.
    """

    canaries: int
    approx: float
    gdp: float | None
    seconds: float


@dataclass(frozen=True)
class RepeatedAudit:
    """The audit by ``runs`` releases from each neighbour: epsilon at least, and its seconds."""

    runs: int
    epsilon: float
    seconds: float


@dataclass(frozen=True)
class BoundByCanaries:
    """What is drawn.

    Attributes:
        points: so far, by canaries; counts: of all that are to come.
        many: None before it is through, or without; claimed: epsilon at ``delta``.
    """

    points: tuple[Point, ...]
    counts: tuple[int, ...]
    many: RepeatedAudit | None
    claimed: float
    delta: float

    @property
    def top(self) -> float:
        """Where the upright axis ends."""
        shown = [value for p in self.points for value in (p.approx, p.gdp or 0.0)]
        return 1.15 * max([self.claimed, self.many.epsilon if self.many else 0.0, *shown])


def info(found: Any, counts: Sequence[int] = ()) -> BoundByCanaries:
    """The chart's data from a ``OneRunAudit``; counts: of the releases that it will have."""
    points = tuple(Point(p.canaries, p.approx, p.gdp, p.seconds) for p in found.points)
    many = found.many and RepeatedAudit(found.many.runs, found.many.epsilon, found.many.seconds)
    every = tuple(sorted({*counts, *(p.canaries for p in points)}))
    return BoundByCanaries(points, every, many, found.claimed, found.delta)


def alt(chart: BoundByCanaries) -> str:
    """The chart in words."""
    forms = " and ".join(f"{name}" for name, _ in _lines(chart)) or "nothing yet"
    return (
        "Privacy loss ε that one release shows at least against the canaries in it on a log axis,"
        f" {forms}; across it the bound of many runs as a dashed line and the promise as a dotted"
        " one, with the seconds of each."
    )


def table(chart: BoundByCanaries) -> list[dict[str, Any]]:
    """A row a release, and one for the many runs."""
    rows: list[dict[str, Any]] = [
        {
            "audit": f"one run, {p.canaries:,} canaries",
            f"ε at least, {ANY}": p.approx,
            f"ε at least, {GAUSSIAN}": p.gdp,
            "promised ε": chart.claimed,
            "seconds": p.seconds,
        }
        for p in chart.points
    ]
    if chart.many is not None:
        names = "audit", "ε at least", "promised ε", "seconds"
        said = f"{chart.many.runs:,} runs on each of two neighbours"
        values = said, chart.many.epsilon, chart.claimed, chart.many.seconds
        rows.append(dict(zip(names, values, strict=True)))
    return rows


def figure(chart: BoundByCanaries) -> go.Figure:
    """A line for each form of the bound, under what many runs show and what is promised, or
    above it.
    """
    ends = [math.log10(edge) for edge in _edges(chart.counts)]
    seconds = {p.canaries: duration_text(p.seconds) for p in chart.points}
    return figures.make_figure(
        [_line(chart, i, *form) for i, form in enumerate(reversed(_lines(chart)))],
        430,
        MARGINS | {"t": 12, "r": 14, "b": 122},
        showlegend=True,
        legend=figures.BELOW,
        xaxis=axes.axis(
            "canaries in one release; seconds it took",
            axes.CLOSE,
            type="log",
            range=ends,
            tickvals=list(chart.counts),
            ticktext=[f"{count:,}<br>{seconds.get(count, '…')}" for count in chart.counts],
            tickangle=0,
            **axes.WITHIN_MARGINS,
        ),
        yaxis=axes.axis(
            f"ε shown{_delta_text(chart.delta)}",
            axes.BESIDE,
            range=[-0.02 * chart.top, chart.top],
            **axes.WITHIN_MARGINS,
        ),
        **_levels(chart),
    )


def duration_text(seconds: float) -> str:
    """Seconds in few signs."""
    if seconds < LEAST:
        return f"< {LEAST:g} s"
    return f"{seconds:.2f} s" if seconds < 1 else f"{rounded(seconds, 2)} s"


def _bound_text(epsilon: float) -> str:
    """A lower bound, rounded down, so that what is written holds as well."""
    return number(math.floor(100 * epsilon) / 100)


def _delta_text(delta: float) -> str:
    return f" at δ = {number(delta)}" if delta else ""


def _edges(counts: Sequence[int]) -> tuple[float, float]:
    return (min(counts, default=10) / 1.5, max(counts, default=1000) * 1.5)


def _lines(chart: BoundByCanaries) -> list[tuple[str, list[float]]]:
    """The forms of the bound that there are, each with its value at every point."""
    forms = {ANY: [p.approx for p in chart.points]}
    gaussian = [p.gdp for p in chart.points if p.gdp is not None]
    if gaussian:
        forms[GAUSSIAN] = gaussian
    return [(name, values) for name, values in forms.items() if values]


def _line(chart: BoundByCanaries, place: int, name: str, values: list[float]) -> dict[str, Any]:
    """The first form has the stronger pen."""
    colour = WRONG if values[-1] > chart.claimed else ACCENT
    symbol, dash = ("diamond-open", "dash") if place else ("circle", "solid")
    said = [
        (_bound_text(v), duration_text(p.seconds))
        for v, p in zip(values, chart.points, strict=True)
    ]
    return scatter(
        [p.canaries for p in chart.points],
        values,
        "lines+markers",
        name=f"one run, {name}",
        line=stroke(colour, 1.8 if place else 2.4, dash),
        marker={"size": 8 if place else 9, "color": colour, "symbol": symbol},
        cliponaxis=False,
        customdata=said,
        **hover("%{x:,} canaries: at least ε = %{customdata[0]}, in %{customdata[1]}", name),
    )


def _levels(chart: BoundByCanaries) -> dict[str, Any]:
    """The promise and what many runs show, each named where the other and the points are not."""
    many = chart.many
    kept = many is None or many.epsilon <= chart.claimed
    promised = f"promised: ε = {number(chart.claimed)}"
    named = [(promised, chart.claimed, GREY, "dot", "left" if kept else "right", "bottom")]
    if many is not None:
        bound, duration = _bound_text(many.epsilon), duration_text(many.seconds)
        words = f"{many.runs:,} runs: ε = {bound} at least, {duration}"
        colour, edge = (RIGHT, "top") if kept else (WRONG, "bottom")
        named.append((words, many.epsilon, colour, "dash", "left", edge))
    return {
        "shapes": [across(at, colour, 1.6, dash) for _, at, colour, dash, *_ in named],
        "annotations": [
            note(words, float(side == "right"), at, f"{side} {edge}", xref="paper", font=REFERENCE)
            | {"showarrow": False}
            for words, at, _, _, side, edge in named
        ],
    }
