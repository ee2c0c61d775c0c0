"""Which classes are heard: of the queries of each class, how many are answered, and how many
rightly.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import Any, NamedTuple

import numpy as np
import plotly.graph_objects as go

from dpviz.plots.kit import axes, classes, figures
from dpviz.plots.kit.style import GREY, RIGHT, WRONG, rgba
from dpviz.plots.kit.traces import hover


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
    ranked = classes.order(counts)
    of = lambda chosen: tuple(int(np.sum(chosen & (truth == c))) for c in ranked)
    answered = labels >= 0
    return ClassSay(
        classes.picked(names, ranked),
        tuple(int(counts[c]) for c in ranked),
        classes.among(minority, ranked),
        of(np.ones(len(labels), bool)),
        of(answered & (labels == truth)),
        of(answered & (labels != truth)),
        tuple(int(np.sum(labels == c)) for c in ranked),
    )


class QueryCounts(NamedTuple):
    """Numbers of queries: asked, answered of these, and right of the answers."""

    asked: int
    answered: int
    right: int


def query_counts(chart: ClassSay, minority: bool) -> QueryCounts:
    """What became of the queries of the minority, or of the other classes."""
    at = [i for i, small in enumerate(chart.minority) if small == minority]
    asked, right, wrong = (
        sum(part[i] for i in at) for part in (chart.asked, chart.right, chart.wrong)
    )
    return QueryCounts(asked, right + wrong, right)


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
    names = [escape(n) for n in chart.names]
    answers = zip(chart.asked, chart.right, chart.wrong, strict=True)
    refused = [asked - right - wrong for asked, right, wrong in answers]
    return figures.make_figure(
        [
            _bars(chart.right, chart.asked, "answered rightly", RIGHT),
            _bars(chart.wrong, chart.asked, "answered wrongly", WRONG, "/"),
            _bars(refused, chart.asked, "not answered", rgba(GREY, 0.45)),
        ],
        320,
        barmode="stack",
        bargap=0.25,
        legend=figures.BELOW | figures.CLICKABLE,
        xaxis=classes.axis(names, **axes.around(len(names))),
        yaxis=axes.share("of the class's queries"),
        shapes=classes.minority_bands(chart.minority),
    )


def _bars(
    part: Sequence[int], asked: Sequence[int], title: str, colour: str, hatch: str = ""
) -> dict[str, Any]:
    pairs = list(zip(part, asked, strict=True))
    bars: dict[str, Any] = {"type": "bar", "x": list(range(len(pairs))), "name": title}
    bars["y"] = [n / a if a else 0.0 for n, a in pairs]
    bars["marker"] = {"color": colour, "pattern": {"shape": hatch, "solidity": 0.4}}
    bars["customdata"] = [f"{n} of {a}" for n, a in pairs]
    return bars | hover(f"%{{customdata}} {title}")


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
