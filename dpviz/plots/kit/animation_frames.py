"""A slider inside a chart that runs its frames in the browser: it follows the hand, without asking
the server.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from dpviz.plots.kit.style import ACCENT, FAINT, GREY, GRID
from dpviz.words import numbers

STILL = {"mode": "immediate", "transition": {"duration": 0}}
INSTANT = STILL | {"frame": {"duration": 0, "redraw": False}}
SWEEP = STILL | {"fromcurrent": False, "frame": {"duration": 450, "redraw": False}}


def frames_of(
    budgets: Sequence[float], draw: Callable[[float], list[dict[str, Any]]], traces: Sequence[int]
) -> list[dict[str, Any]]:
    """A frame for each budget, called by its number; ``draw`` gives what ``traces`` are there."""
    return [
        {"name": name, "data": draw(budget), "traces": traces}
        for name, budget in zip(numbers(budgets), budgets, strict=True)
    ]


def slider(names: Sequence[str], active: int, below: int = 30) -> dict[str, Any]:
    """Layout entries of a slider over frames called ``names``, standing at ``active``, ``below``
    pixels under the plot.
    """
    steps = [{"label": name, "method": "animate", "args": [[name], INSTANT]} for name in names]
    knob = {"bgcolor": FAINT, "activebgcolor": ACCENT, "bordercolor": ACCENT, "borderwidth": 1}
    ticks = {"ticklen": 3, "tickcolor": GREY, "font": {"size": 11}}
    place = {"x": 0, "len": 1, "y": 0, "pad": {"t": below, "b": 0, "l": 6, "r": 6}}
    still = {"currentvalue": {"visible": False}, "transition": {"duration": 0}}
    return {"sliders": [{"active": active, "steps": steps} | knob | ticks | place | still]}


def sweep(names: Sequence[str]) -> dict[str, Any]:
    """Layout entries of a button that plays all frames, the last one first, and one that stops."""
    play = {"label": "▶ sweep", "method": "animate", "args": [list(reversed(names)), SWEEP]}
    stop = {"label": "◼", "method": "animate", "args": [[None], INSTANT]}
    buttons = {"type": "buttons", "direction": "left", "showactive": False, "buttons": [play, stop]}
    place = {"x": 1, "y": 1, "xanchor": "right", "yanchor": "top", "pad": {"t": 0, "r": 0}}
    look = {"font": {"size": 12}, "bgcolor": "rgba(0,0,0,0)", "bordercolor": GRID}
    return {"updatemenus": [buttons | place | look]}
