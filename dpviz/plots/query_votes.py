"""One query: the teachers' votes for each class and, where it is answered, the votes as they look
after noise.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

import plotly.graph_objects as go

from dpviz.plots.kit import axes, figures
from dpviz.plots.kit.marks import across, note
from dpviz.plots.kit.style import ACCENT, GREY, RIGHT
from dpviz.plots.kit.traces import hover, scatter


@dataclass(frozen=True)
class QueryVotes:
    """Bars of one query; a refused one has no noisy votes, for none are drawn.

    Attributes:
        names: classes; votes, noisy: one a class, the latter empty where it is refused.
        truth, label: places among them, or -1; threshold: None without one.
        sigma2: noise of the votes; teachers: how many.
    """

    names: tuple[str, ...]
    votes: tuple[int, ...]
    noisy: tuple[float, ...]
    truth: int
    label: int
    threshold: float | None
    sigma2: float
    teachers: int


def info(
    names: Sequence[str],
    votes: Sequence[int],
    noisy: Sequence[float],
    truth: int,
    label: int,
    threshold: float,
    sigma2: float,
) -> QueryVotes:
    """The chart's data; ``threshold`` -inf where every query is answered."""
    shown = None if threshold == float("-inf") else float(threshold)
    whole, seen = tuple(int(v) for v in votes), tuple(float(v) for v in noisy if label >= 0)
    return QueryVotes(
        tuple(names), whole, seen, int(truth), int(label), shown, float(sigma2), sum(whole)
    )


def alt(chart: QueryVotes) -> str:
    """The chart in words."""
    top = max(range(len(chart.votes)), key=chart.votes.__getitem__)
    said = "not answered" if chart.label < 0 else f"answered with {chart.names[chart.label]}"
    return (
        f"Votes of {chart.teachers} teachers on one query: most, {chart.votes[top]}, for"
        f" {chart.names[top]}; {said}."
    )


def figure(chart: QueryVotes) -> go.Figure:
    """Bars of votes, the true class in colour, with the noisy votes on top where some are drawn."""
    return figures.make_figure(
        [_votes(chart), *([_noisy(chart)] if chart.noisy else [])],
        320,
        bargap=0.25,
        legend=figures.BELOW | figures.CLICKABLE,
        xaxis=axes.axis(grid=False, **axes.category_axis([escape(n) for n in chart.names])),
        yaxis=axes.axis("votes", zeroline=True),
        **_threshold(chart),
    )


def _votes(chart: QueryVotes) -> dict[str, Any]:
    bars: dict[str, Any] = {
        "type": "bar",
        "x": list(range(len(chart.names))),
        "y": list(chart.votes),
    }
    colours = [RIGHT if i == chart.truth else GREY for i in bars["x"]]
    bars |= {"name": "votes (the true class in colour)", "marker": {"color": colours}}
    return bars | hover("%{y} votes")


def _noisy(chart: QueryVotes) -> dict[str, Any]:
    answers = [i == chart.label for i in range(len(chart.names))]
    marker = {
        "symbol": ["star" if here else "diamond" for here in answers],
        "color": ACCENT,
        "size": [15 if here else 9 for here in answers],
    }
    name = f"with noise, σ₂ = {chart.sigma2:g} (the answer as a star)"
    marks = scatter(list(range(len(answers))), list(chart.noisy), "markers", name=name)
    return marks | {"marker": marker} | hover("%{y:.0f} votes with noise")


def _threshold(chart: QueryVotes) -> dict[str, Any]:
    if chart.threshold is None:
        return {}
    said = f"threshold T = {chart.threshold:g}"
    return {
        "shapes": [across(chart.threshold, ACCENT, 2)],
        "annotations": [note(said, 0, chart.threshold, "left bottom", xref="paper")],
    }


def table(chart: QueryVotes) -> list[dict[str, Any]]:
    """A row a class."""
    noisy = chart.noisy or (None,) * len(chart.names)
    rows = zip(chart.names, chart.votes, noisy, strict=True)
    return [
        {
            "class": n,
            "votes": v,
            "with noise": x,
            "true": i == chart.truth,
            "answer": i == chart.label,
        }
        for i, (n, v, x) in enumerate(rows)
    ]
