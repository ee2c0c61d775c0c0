"""Frames of a figure, one a budget: the page's own slider shows them in the browser, without asking
the server.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from dpviz.formatting import numbers


def frames_of(
    budgets: Sequence[float], draw: Callable[[float], list[dict[str, Any]]], traces: Sequence[int]
) -> list[dict[str, Any]]:
    """A frame for each budget, called by its number; ``draw`` gives what ``traces`` are there."""
    return [
        {"name": name, "data": draw(budget), "traces": traces}
        for name, budget in zip(numbers(budgets), budgets, strict=True)
    ]


def standing(traces: list[dict[str, Any]], place: int) -> list[dict[str, Any]]:
    """What moves, its first trace marked with the place in the row of frames at which it stands:
    Plotly carries the mark along.
    """
    first, *others = traces
    return [first | {"meta": place}, *others]
