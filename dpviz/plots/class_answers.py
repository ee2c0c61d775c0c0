"""Which classes are heard: of the queries of each class, how many are answered, and how many
rightly.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

import numpy as np
import plotly.graph_objects as go

from dpviz.plots.class_sizes import class_axis, order, shade
from dpviz.plots.kit.style import BLUE, FONT, GREY, GRID, RED, rgba


@dataclass(frozen=True)
class ClassSay:
    """Classes in drawing order, largest private class first.

    Attributes:
        names; records: private ones; minority; asked: queries of the class; right, wrong: answered
        so.
        named: answers that name the class, rightly or not.
    """

    names: tuple[str, ...]
    records: tuple[int, ...]
    minority: tuple[bool, ...]
    asked: tuple[int, ...]
    right: tuple[int, ...]
    wrong: tuple[int, ...]
    named: tuple[int, ...]


def info(
    labels: np.ndarray,
    truth: np.ndarray,
    counts: Sequence[int],
    minority: Sequence[int],
    names: Sequence[str],
) -> ClassSay:
    """The chart's data from labels and truth (q,), -1 where refused and not known; one entry a
    class elsewhere.
    """
    ranked = order(counts)
    of = lambda chosen: tuple(int(np.sum(chosen & (truth == c))) for c in ranked)
    answered = labels >= 0
    return ClassSay(
        tuple(names[c] for c in ranked),
        tuple(int(counts[c]) for c in ranked),
        tuple(c in minority for c in ranked),
        of(np.ones(len(labels), bool)),
        of(answered & (labels == truth)),
        of(answered & (labels != truth)),
        tuple(int(np.sum(labels == c)) for c in ranked),
    )


def share(chart: ClassSay, minority: bool) -> tuple[float, float]:
    """Answered share, and rightly answered share, of the queries of the minority or of the other
    classes; nan for none.
    """
    at = [i for i, small in enumerate(chart.minority) if small == minority]
    asked = sum(chart.asked[i] for i in at)
    right, wrong = (sum(part[i] for i in at) for part in (chart.right, chart.wrong))
    return ((right + wrong) / asked, right / asked) if asked else (float("nan"), float("nan"))


def alt(chart: ClassSay) -> str:
    """The chart in words."""
    told = [
        f"{n}: {r + w} of {a} answered, {r} rightly"
        for n, a, r, w in zip(chart.names, chart.asked, chart.right, chart.wrong, strict=True)
    ]
    return (
        "For each class, largest first, the share of its queries that are answered."
        f" {'; '.join(told[:12])}."
    )


def figure(chart: ClassSay) -> go.Figure:
    """Stacked shares a class, the minority shaded."""
    names, places = [escape(n) for n in chart.names], list(range(len(chart.names)))
    parts = [("answered rightly", chart.right, BLUE), ("answered wrongly", chart.wrong, RED)]
    refused = tuple(
        a - r - w for a, r, w in zip(chart.asked, chart.right, chart.wrong, strict=True)
    )
    traces = [
        _bars(places, part, chart.asked, title, colour)
        for title, part, colour in [*parts, ("not answered", refused, rgba(GREY, 0.45))]
    ]
    layout = {
        "height": 320,
        "margin": {"l": 8, "r": 8, "t": 8, "b": 8},
        "font": {"size": FONT},
        "barmode": "stack",
        "bargap": 0.25,
    }
    layout["legend"] = {"orientation": "h", "y": -0.25, "x": 0, "yanchor": "top"}
    layout["xaxis"] = class_axis(names) | {"range": [-0.5, len(names) - 0.5]}
    layout["yaxis"] = {
        "range": [0, 1],
        "tickformat": ".0%",
        "dtick": 0.2,
        "gridcolor": GRID,
        "fixedrange": True,
        "zeroline": False,
        "title": {"text": "of the class's queries"},
    }
    layout["shapes"] = [shade(i) for i, small in enumerate(chart.minority) if small]
    return go.Figure(data=traces, layout=layout, _validate=False)


def _bars(
    places: Sequence[int], part: Sequence[int], asked: Sequence[int], title: str, colour: str
) -> dict[str, Any]:
    shares = [n / a if a else 0.0 for n, a in zip(part, asked, strict=True)]
    bars = {
        "type": "bar",
        "x": list(places),
        "y": shares,
        "name": title,
        "marker": {
            "color": colour,
            "pattern": {"shape": "/" if "wrongly" in title else "", "solidity": 0.4},
        },
    }
    return bars | {
        "customdata": [f"{n} of {a}" for n, a in zip(part, asked, strict=True)],
        "hovertemplate": f"%{{customdata}} {title}<extra></extra>",
    }


def table(chart: ClassSay) -> list[dict[str, Any]]:
    """A row a class."""
    columns = zip(
        chart.names,
        chart.records,
        chart.minority,
        chart.asked,
        chart.right,
        chart.wrong,
        chart.named,
        strict=True,
    )
    keys = (
        "class",
        "private records",
        "minority",
        "queries",
        "answered rightly",
        "answered wrongly",
        "answers that name it",
    )
    return [dict(zip(keys, row, strict=True)) for row in columns]
