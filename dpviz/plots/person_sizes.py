"""How many persons sent how many records, and whose the records are. A private view."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import plotly.graph_objects as go

from dpviz.caches import cached
from dpviz.plots.kit import axes, figures
from dpviz.plots.kit.style import ACCENT
from dpviz.plots.kit.traces import hover

UNDER = 20
"""Pixels from axis to title: nearer, it may stand between two names, where it covers none."""
STARTS = (1, 2, 3, 6, 21, 101, 1001)
"""First number of records of each bar."""


@dataclass(frozen=True)
class PersonSizes:
    """Bars in drawing order.

    Attributes:
        names: the numbers of records that each stands for; persons: who sent so many; records: that
            they sent together.
    """

    names: tuple[str, ...]
    persons: tuple[int, ...]
    records: tuple[int, ...]


def info(sent: Sequence[int]) -> PersonSizes:
    """The chart's data from the records of each person."""
    most = max(sent)
    starts = [start for start in STARTS if start <= most]
    ends = [*(start - 1 for start in starts[1:]), most]
    bars = list(zip(starts, ends, strict=True))
    within = [[n for n in sent if low <= n <= high] for low, high in bars]
    return PersonSizes(
        tuple(f"{low:,}" if low == high else f"{low:,}–{high:,}" for low, high in bars),
        tuple(map(len, within)),
        tuple(map(sum, within)),
    )


def alt(sizes: PersonSizes) -> str:
    """The chart in words."""
    bars = "; ".join(
        f"{persons} with {name}"
        for name, persons in zip(sizes.names, sizes.persons, strict=True)
        if persons
    )
    return f"Bar chart of persons by how many records they sent: {bars}."


def table(sizes: PersonSizes) -> list[dict[str, Any]]:
    """The numbers drawn."""
    rows = zip(sizes.names, sizes.persons, sizes.records, strict=True)
    return [{"records a person": name, "persons": p, "records": r} for name, p, r in rows]


@cached(16)
def figure(sizes: PersonSizes) -> go.Figure:
    """One bar for each range of numbers of records."""
    total = sum(sizes.records)
    bars: dict[str, Any] = {
        "type": "bar",
        "x": list(range(len(sizes.names))),
        "y": list(sizes.persons),
    }
    bars |= {"text": list(sizes.persons), "textposition": "outside", "cliponaxis": False}
    bars |= {"marker": {"color": ACCENT, "line": {"width": 0}}}
    bars["customdata"] = [
        f"{name} records: {persons:,} persons, {100 * records / total:.0f} % of all records"
        for name, persons, records in zip(sizes.names, sizes.persons, sizes.records, strict=True)
    ]
    ticks = axes.category_axis(sizes.names) | axes.WITHIN_MARGINS
    layout = figures.shared(240, figures.MARGINS | {"t": 22}) | {
        "bargap": 0.25,
        "xaxis": axes.axis("records a person", UNDER, grid=False, **ticks),
        "yaxis": axes.axis("persons", axes.BESIDE, rangemode="tozero", **axes.WITHIN_MARGINS),
    }
    return figures.still([bars | hover("%{customdata}")], layout)
