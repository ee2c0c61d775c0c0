"""How many teachers agree on each query, the threshold with its noise, and what became of the
queries.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import plotly.graph_objects as go

from dpviz.plots.kit import axes, figures
from dpviz.plots.kit.figures import MARGINS
from dpviz.plots.kit.marks import backdrop, note, upright
from dpviz.plots.kit.style import ACCENT, GREY, RIGHT, WRONG, rgba
from dpviz.plots.kit.traces import hover, scatter, stroke

KINDS = {
    "right": "answered rightly",
    "wrong": "answered wrongly",
    "unknown": "answered, true class unknown",
    "refused": "not answered",
}
COLOURS = {"right": RIGHT, "wrong": WRONG, "unknown": rgba(ACCENT, 0.5), "refused": GREY}
BINS = 40


@dataclass(frozen=True, eq=False)
class VoteHistogram:
    """Bars and the test.

    Attributes:
        edges: (bins + 1,) votes of the winner; counts: (bins,) queries of each kind of KINDS that
            occurs.
        threshold, sigma1: of the test, in votes; None where every query is answered.
        votes, chance: (p,) Pr(answer) against the winner's votes.
        teachers, queries: how many.
    """

    edges: np.ndarray
    counts: dict[str, np.ndarray]
    threshold: float | None
    sigma1: float
    votes: np.ndarray
    chance: np.ndarray
    teachers: int
    queries: int


def info(
    top: np.ndarray,
    kinds: Sequence[str] | np.ndarray,
    teachers: int,
    threshold: float,
    sigma1: float,
    chance: np.ndarray,
) -> VoteHistogram:
    """The chart's data.

    Args:
        top: (q,) winner's votes; kinds: (q,) keys of KINDS; chance: (teachers + 1,) Pr(answer) by
            the winner's votes.
    """
    edges = np.linspace(0, teachers, min(BINS, teachers) + 1)
    kind_of = np.asarray(kinds)
    counts = {
        kind: np.histogram(top[kind_of == kind], edges)[0]
        for kind in KINDS
        if np.any(kind_of == kind)
    }
    shown = None if threshold == -np.inf else threshold
    return VoteHistogram(
        edges, counts, shown, sigma1, np.arange(teachers + 1), chance, teachers, len(top)
    )


def bin_of(top: np.ndarray, teachers: int) -> np.ndarray:
    """Bar (q,) that each query is in."""
    bars = min(BINS, teachers)
    return np.clip(
        np.searchsorted(np.linspace(0, teachers, bars + 1), top, side="right") - 1, 0, bars - 1
    )


def alt(chart: VoteHistogram) -> str:
    """The chart in words."""
    told = ", ".join(f"{counts.sum()} {KINDS[kind]}" for kind, counts in chart.counts.items())
    line = (
        "no threshold"
        if chart.threshold is None
        else f"threshold {chart.threshold:g} with noise {chart.sigma1:g}"
    )
    return (
        f"Histogram of the winner's votes of {chart.queries} queries by {chart.teachers} teachers,"
        f" {line}: {told}."
    )


def figure(chart: VoteHistogram) -> go.Figure:
    """Stacked bars, the threshold with one standard deviation of its noise, and the chance of an
    answer.
    """
    x, y = {"range": [0, chart.teachers * 1.01]}, {"rangemode": "tozero", "zeroline": True}
    return figures.make_figure(
        [*(_bars(chart, kind) for kind in chart.counts), *_chance(chart)],
        380,
        MARGINS | {"r": MARGINS["l"], "t": 26},
        barmode="stack",
        bargap=0,
        legend={"y": -0.2} | figures.CLICKABLE,
        xaxis=axes.axis("votes of the winning class", 10, grid=False, **x | axes.WITHIN_MARGINS),
        yaxis=axes.axis("queries", **y | axes.WITHIN_MARGINS),
        **_threshold(chart),
    )


def _bars(chart: VoteHistogram, kind: str) -> dict[str, Any]:
    edges, hatch = chart.edges, "/" if kind == "wrong" else ""
    bars = {"type": "bar", "x": ((edges[1:] + edges[:-1]) / 2).tolist(), "name": KINDS[kind]}
    bars |= {"y": chart.counts[kind].tolist(), "width": float(edges[1] - edges[0]) * 0.94}
    bars["marker"] = {"color": COLOURS[kind], "pattern": {"shape": hatch, "solidity": 0.4}}
    return bars | hover(f"about %{{x:.0f}} votes: %{{y}} {KINDS[kind]}")


def _chance(chart: VoteHistogram) -> list[dict[str, Any]]:
    if chart.threshold is None:
        return []
    line = {"name": "chance of an answer", "yaxis": "y2", "line": stroke(ACCENT, 2, "dot")}
    line |= hover("%{x} votes: answered with chance %{y:.0%}")
    return [scatter(chart.votes.tolist(), chart.chance.tolist(), **line)]


def _threshold(chart: VoteHistogram) -> dict[str, Any]:
    """Layout entries of the test, and of the axis of its chance."""
    t, s = chart.threshold, chart.sigma1
    if t is None:
        return {}
    side = "right" if t > chart.teachers / 2 else "left"
    right = {"overlaying": "y", "side": "right", "range": [0, 1], "tickformat": ".0%"}
    right |= {"tickmode": "array", "tickvals": [0, 0.25, 0.5, 0.75, 1]}
    noise = backdrop(max(0.0, t - s), min(float(chart.teachers), t + s), 0.12)
    return {
        "shapes": [noise, upright(t)],
        "annotations": [note(f"T = {t:g} ± σ₁ = {s:g}", t, 1.0, f"{side} bottom", yref="paper")],
        "yaxis2": axes.axis("chance of an answer", grid=False, **right | axes.WITHIN_MARGINS),
    }


def table(chart: VoteHistogram) -> list[dict[str, Any]]:
    """A row a bar."""
    rows = []
    for i in range(len(chart.edges) - 1):
        row: dict[str, Any] = {
            "votes from": float(chart.edges[i]),
            "votes below": float(chart.edges[i + 1]),
        }
        rows.append(row | {KINDS[kind]: int(counts[i]) for kind, counts in chart.counts.items()})
    return rows
