"""Axes, as entries of a layout."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dpviz.plots.kit.style import GRID

CLOSE = 4
"""Pixels between ticks and title."""
BESIDE = 12
"""The same of an upright axis, where Plotly counts from the ends of its ticks."""
HIDDEN = {"visible": False}
WITHIN_MARGINS = {"automargin": False}
"""Of an axis whose ticks and title fit into the margins ``figures.MARGINS``."""


def axis(title: Any = "", standoff: Any = None, grid: Any = True, **entries: Any) -> dict[str, Any]:
    """An axis with its grid in the house's grey.

    Args:
        title: text; standoff: pixels from ticks to title, the page's own where None; grid: whether
            grid lines are drawn. Types are open, as entries come as dictionaries too.
    """
    words = {"text": title} | ({} if standoff is None else {"standoff": standoff})
    lines = {"gridcolor": GRID} if grid else {"showgrid": False}
    return lines | ({"title": words} if title else {}) | entries


def share(title: Any = "", standoff: Any = None, **entries: Any) -> dict[str, Any]:
    """From 0 to 100 %."""
    return axis(title, standoff, **{"range": [0, 1], "tickformat": ".0%", "dtick": 0.2} | entries)


def category_axis(names: Sequence[str]) -> dict[str, Any]:
    """Names at 0, 1, 2, …, given as HTML; slanted where they do not fit side by side."""
    ticks = {"tickvals": list(range(len(names))), "ticktext": list(names)}
    return ticks | {"autotickangles": [0, -45, -90]}


def around(count: int, room: float = 0.5) -> dict[str, Any]:
    """The range of an axis with something at 0, 1, … up to ``count``, and room at both ends."""
    return {"range": [-room, count - 1 + room]}
