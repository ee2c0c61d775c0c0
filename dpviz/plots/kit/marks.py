"""Lines across, bands behind and words on a chart, as shapes and annotations of a layout."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dpviz.plots.kit.style import ACCENT, GREY, rgba
from dpviz.plots.kit.traces import stroke

REFERENCE = {"size": 11, "color": GREY}
"""Letters of a reference's name."""


def across(y: float, colour: str = GREY, width: float = 1.2, dash: str = "dot") -> dict[str, Any]:
    """A line from left to right at a height."""
    ends = {"type": "line", "xref": "paper", "x0": 0, "x1": 1, "y0": y, "y1": y}
    return ends | {"line": stroke(colour, width, dash)}


def upright(x: float, width: float = 2, dash: str = "", colour: str = ACCENT) -> dict[str, Any]:
    """A line from bottom to top at a place."""
    ends = {"type": "line", "yref": "paper", "y0": 0, "y1": 1, "x0": x, "x1": x}
    return ends | {"line": stroke(colour, width, dash)}


def backdrop(low: float, high: float, opacity: float = 0.1) -> dict[str, Any]:
    """A band from bottom to top behind everything."""
    ends = {"type": "rect", "yref": "paper", "y0": 0, "y1": 1, "x0": low, "x1": high}
    return ends | {"fillcolor": rgba(ACCENT, opacity), "line": {"width": 0}, "layer": "below"}


def note(text: str, x: float, y: float, corner: str, **entries: Any) -> dict[str, Any]:
    """Words at a place; ``corner`` of theirs lies there, such as "left bottom"."""
    side, edge = corner.split()
    return {"text": text, "x": x, "y": y, "xanchor": side, "yanchor": edge} | entries


def panel_title(title: str, y: float, x: float = 0) -> dict[str, Any]:
    """The title above a panel, its lower left corner given as shares of the figure."""
    return note(f"<b>{title}</b>", x, y, "left bottom", xref="paper", yref="paper")


def levels(values: Sequence[tuple[str, float]], corner: str) -> dict[str, Any]:
    """Layout entries of named lines across; ``corner`` of a name lies at the line's end."""
    x = 0 if corner.startswith("left") else 1
    names = [note(name, x, y, corner, xref="paper", font=REFERENCE) for name, y in values]
    return {"shapes": [across(y) for _, y in values], "annotations": names}
