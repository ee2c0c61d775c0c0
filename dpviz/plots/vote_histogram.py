"""How many teachers agree on each query, the threshold with its noise, and what became of the
queries.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import plotly.graph_objects as go

from dpviz.plots.kit.style import ACCENT, BLUE, FIXED, FONT, GREY, GRID, ORANGE, RED, ROOM, rgba

KINDS = {
    "right": "answered rightly",
    "wrong": "answered wrongly",
    "unknown": "answered, true class unknown",
    "refused": "not answered",
}
COLOURS = {"right": BLUE, "wrong": RED, "unknown": ORANGE, "refused": GREY}
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
    kinds: Sequence[str],
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
    kinds = np.asarray(kinds)
    counts = {
        kind: np.histogram(top[kinds == kind], edges)[0] for kind in KINDS if np.any(kinds == kind)
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
    middles, width = (chart.edges[1:] + chart.edges[:-1]) / 2, chart.edges[1] - chart.edges[0]
    traces: list[dict[str, Any]] = []
    for kind, counts in chart.counts.items():
        bars = {
            "type": "bar",
            "x": middles.tolist(),
            "y": counts.tolist(),
            "name": KINDS[kind],
            "width": float(width) * 0.94,
        }
        bars["marker"] = {
            "color": COLOURS[kind],
            "pattern": {"shape": "/" if kind == "wrong" else "", "solidity": 0.4},
        }
        bars["hovertemplate"] = f"about %{{x:.0f}} votes: %{{y}} {KINDS[kind]}<extra></extra>"
        traces.append(bars)
    layout = {
        "height": 380,
        "margin": ROOM | {"r": ROOM["l"], "t": 26},
        "font": {"size": FONT},
        "barmode": "stack",
        "bargap": 0,
    }
    layout["legend"] = {"orientation": "h", "y": -0.2, "x": 0, "yanchor": "top"}
    layout["xaxis"] = {
        "range": [0, chart.teachers * 1.01],
        "title": {"text": "votes of the winning class", "standoff": 10},
        "showgrid": False,
        "zeroline": False,
    } | FIXED
    layout["yaxis"] = {
        "rangemode": "tozero",
        "title": {"text": "queries"},
        "gridcolor": GRID,
    } | FIXED
    if chart.threshold is not None:
        traces.append(_chance(chart))
        layout |= {"shapes": _threshold(chart), "annotations": [_note(chart)]}
        layout["yaxis2"] = {
            "overlaying": "y",
            "side": "right",
            "range": [0, 1],
            "tickformat": ".0%",
            "showgrid": False,
            "zeroline": False,
        } | FIXED
        layout["yaxis2"] |= {"tickmode": "array", "tickvals": [0, 0.25, 0.5, 0.75, 1]}
        layout["yaxis2"]["title"] = {"text": "chance of an answer"}
    return go.Figure(data=traces, layout=layout, _validate=False)


def _chance(chart: VoteHistogram) -> dict[str, Any]:
    line = {
        "type": "scatter",
        "x": chart.votes.tolist(),
        "y": chart.chance.tolist(),
        "yaxis": "y2",
        "mode": "lines",
    }
    line |= {"name": "chance of an answer", "line": {"color": ACCENT, "width": 2, "dash": "dot"}}
    return line | {"hovertemplate": "%{x} votes: answered with chance %{y:.0%}<extra></extra>"}


def _threshold(chart: VoteHistogram) -> list[dict[str, Any]]:
    t, s = chart.threshold, chart.sigma1
    band = {
        "type": "rect",
        "x0": max(0.0, t - s),
        "x1": min(float(chart.teachers), t + s),
        "yref": "paper",
        "y0": 0,
        "y1": 1,
    }
    line = {
        "type": "line",
        "x0": t,
        "x1": t,
        "yref": "paper",
        "y0": 0,
        "y1": 1,
        "line": {"color": ACCENT, "width": 2},
    }
    return [band | {"fillcolor": rgba(ACCENT, 0.12), "line": {"width": 0}, "layer": "below"}, line]


def _note(chart: VoteHistogram) -> dict[str, Any]:
    text = f"T = {chart.threshold:g} ± σ₁ = {chart.sigma1:g}"
    side = "right" if chart.threshold > chart.teachers / 2 else "left"
    return {
        "x": chart.threshold,
        "y": 1.0,
        "yref": "paper",
        "yanchor": "bottom",
        "xanchor": side,
        "text": text,
        "showarrow": False,
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
