"""One query: the teachers' votes for each class, and the votes as they look after noise."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

import plotly.graph_objects as go

from dpviz.plots.kit.style import ACCENT, BLUE, FONT, GREY, GRID, ORANGE


@dataclass(frozen=True)
class QueryVotes:
    """Bars of one query.

    Attributes:
        names: classes; votes, noisy: one a class; truth, label: places among them, or -1;
            threshold: None without one.
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
    whole, seen = tuple(int(v) for v in votes), tuple(float(v) for v in noisy)
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
    """Bars of votes, the true class in colour, with the noisy votes on top."""
    places = list(range(len(chart.names)))
    bars: dict[str, Any] = {
        "type": "bar",
        "x": places,
        "y": list(chart.votes),
        "name": "votes (the true class in blue)",
    }
    bars["marker"] = {"color": [BLUE if i == chart.truth else GREY for i in places]}
    bars["hovertemplate"] = "%{y} votes<extra></extra>"
    marks: dict[str, Any] = {
        "type": "scatter",
        "mode": "markers",
        "x": places,
        "y": list(chart.noisy),
        "name": (
            f"with noise, σ₂ = {chart.sigma2:g}"
            + (" (the answer as a star)" if chart.label >= 0 else "")
        ),
    }
    marks["marker"] = {
        "symbol": ["star" if i == chart.label else "diamond" for i in places],
        "color": ORANGE,
        "size": [15 if i == chart.label else 9 for i in places],
    }
    marks["hovertemplate"] = "%{y:.0f} votes with noise<extra></extra>"
    layout = {
        "height": 300,
        "margin": {"l": 8, "r": 8, "t": 8, "b": 8},
        "font": {"size": FONT},
        "bargap": 0.25,
    }
    layout["legend"] = {"orientation": "h", "y": -0.2, "x": 0, "yanchor": "top"}
    layout["xaxis"] = {
        "tickvals": places,
        "ticktext": [escape(n) for n in chart.names],
        "fixedrange": True,
        "showgrid": False,
        "zeroline": False,
    }
    layout["yaxis"] = {
        "title": {"text": "votes"},
        "gridcolor": GRID,
        "fixedrange": True,
        "zeroline": True,
    }
    if chart.threshold is not None:
        layout["shapes"] = [
            {
                "type": "line",
                "xref": "paper",
                "x0": 0,
                "x1": 1,
                "y0": chart.threshold,
                "y1": chart.threshold,
                "line": {"color": ACCENT, "width": 2, "dash": "dot"},
            }
        ]
        layout["annotations"] = [
            {
                "xref": "paper",
                "x": 0,
                "xanchor": "left",
                "y": chart.threshold,
                "yanchor": "bottom",
                "text": f"threshold T = {chart.threshold:g}",
                "showarrow": False,
            }
        ]
    return go.Figure(data=[bars, marks], layout=layout, _validate=False)


def table(chart: QueryVotes) -> list[dict[str, Any]]:
    """A row a class."""
    rows = zip(chart.names, chart.votes, chart.noisy, strict=True)
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
