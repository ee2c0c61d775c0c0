"""Records of each class, largest first, the minority marked. A private view unless counts are
public.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

import plotly.graph_objects as go

from dpviz.caches import remembered
from dpviz.plots.kit.style import ACCENT, FONT, GREY, GRID, Still, rgba

MANY = 40


@dataclass(frozen=True)
class ClassSizes:
    """Bars in drawing order: name, records, whether the class counts as minority."""

    names: tuple[str, ...]
    counts: tuple[int, ...]
    minority: tuple[bool, ...]


def order(counts: Sequence[int]) -> list[int]:
    """Classes from the largest to the smallest; ties in class order."""
    return sorted(range(len(counts)), key=lambda c: (-counts[c], c))


def info(counts: Sequence[int], minority: Sequence[int], names: Sequence[str]) -> ClassSizes:
    """The chart's data; ``counts`` and ``names`` have one entry a class, ``minority`` lists
    classes.
    """
    ranked = order(counts)
    return ClassSizes(
        tuple(names[c] for c in ranked),
        tuple(counts[c] for c in ranked),
        tuple(c in minority for c in ranked),
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


@remembered(64)
def figure(sizes: ClassSizes) -> go.Figure:
    """One bar a class; the minority in the accent colour with a hatch."""
    names = [escape(name) for name in sizes.names]
    marker = {
        "color": [ACCENT if small else GREY for small in sizes.minority],
        "line": {"width": 0},
    }
    marker["pattern"] = {
        "shape": ["/" if small else "" for small in sizes.minority],
        "size": 6,
        "solidity": 0.35,
    }
    bars = {"type": "bar", "x": list(range(len(names))), "y": list(sizes.counts), "marker": marker}
    bars["customdata"] = [
        f"{n}{', minority' if s else ''}" for n, s in zip(names, sizes.minority, strict=True)
    ]
    bars["hovertemplate"] = "class %{customdata}: %{y} records<extra></extra>"
    if len(names) <= MANY:
        bars |= {"text": list(sizes.counts), "textposition": "outside", "cliponaxis": False}
    layout = {
        "height": 270,
        "margin": {"l": 8, "r": 8, "t": 22, "b": 8},
        "font": {"size": FONT},
        "bargap": 0.25,
    }
    layout["xaxis"] = class_axis(names)
    layout["yaxis"] = {
        "rangemode": "tozero",
        "gridcolor": GRID,
        "fixedrange": True,
        "title": {"text": "records"},
    }
    return Still(data=[bars], layout=layout, _validate=False)


def shade(place: int) -> dict:
    """A band behind a class of the minority."""
    across = {
        "type": "rect",
        "x0": place - 0.5,
        "x1": place + 0.5,
        "yref": "paper",
        "y0": 0,
        "y1": 1,
    }
    return across | {"fillcolor": rgba(ACCENT, 0.1), "line": {"width": 0}, "layer": "below"}


def class_axis(names: Sequence[str]) -> dict:
    """An axis of classes, largest first; names only where they fit."""
    axis = {
        "title": {"text": "class, largest first", "standoff": 4},
        "fixedrange": True,
        "showgrid": False,
        "zeroline": False,
    }
    if len(names) > MANY:
        return axis | {"showticklabels": False}
    return axis | {"tickvals": list(range(len(names))), "ticktext": list(names)}
