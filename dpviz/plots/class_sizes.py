"""Records of each class, largest first, the minority marked. A private view unless counts are
public.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

import plotly.graph_objects as go

from dpviz.caches import cached
from dpviz.plots.kit import axes, classes, figures
from dpviz.plots.kit.style import ACCENT, GREY
from dpviz.plots.kit.traces import hover

LETTERS = 9
"""Size of the numbers above the bars, which stay apart in a narrow chart."""


@dataclass(frozen=True)
class ClassSizes:
    """Bars in drawing order: name, records, whether the class counts as minority."""

    names: tuple[str, ...]
    counts: tuple[int, ...]
    minority: tuple[bool, ...]


def info(counts: Sequence[int], minority: Sequence[int], names: Sequence[str]) -> ClassSizes:
    """The chart's data; ``counts`` and ``names`` have one entry a class, ``minority`` lists
    classes, of which none is one where all are as large.
    """
    ranked = classes.order(counts)
    return ClassSizes(
        classes.picked(names, ranked),
        classes.picked(counts, ranked),
        classes.among(classes.smallest(minority, counts), ranked),
    )


def alt(sizes: ClassSizes) -> str:
    """The chart in words."""
    smallest = ", ".join(
        name for name, small in zip(sizes.names, sizes.minority, strict=True) if small
    )
    minority = f"; the minority is {smallest}" if smallest else ""
    return (
        f"Bar chart of records a class, from {max(sizes.counts)} down to"
        f" {min(sizes.counts)}{minority}."
    )


@cached(64)
def figure(sizes: ClassSizes) -> go.Figure:
    """One bar a class; the minority in the accent colour with a hatch."""
    names = [escape(name) for name in sizes.names]
    bars: dict[str, Any] = {"type": "bar", "x": list(range(len(names))), "y": list(sizes.counts)}
    bars["marker"] = {
        "color": [ACCENT if small else GREY for small in sizes.minority],
        "line": {"width": 0},
        "pattern": {
            "shape": ["/" * small for small in sizes.minority],
            "size": 6,
            "solidity": 0.35,
        },
    }
    marked = zip(names, sizes.minority, strict=True)
    bars["customdata"] = [f"{n}{', minority' if small else ''}" for n, small in marked]
    bars |= hover("class %{customdata}: %{y} records")
    if len(names) <= classes.MANY:
        bars |= {"text": list(sizes.counts), "textposition": "outside", "cliponaxis": False}
        bars |= {"textfont": {"size": LETTERS}}
    layout = figures.shared(270, {"t": 22}) | {
        "bargap": 0.25,
        "uniformtext": {"mode": "show", "minsize": LETTERS},
        "xaxis": classes.axis(names),
        "yaxis": axes.axis("records", rangemode="tozero", zeroline=True),
    }
    return figures.still([bars], layout)
