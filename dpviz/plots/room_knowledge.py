"""How closely a room can know its own share of yes: half the width of the interval against epsilon,
by coins on the phones and by a server that all trust, for rooms of several sizes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import plotly.graph_objects as go

from dpviz.caches import cached
from dpviz.plots.kit import readout
from dpviz.plots.kit.figures import KEPT
from dpviz.plots.kit.readout import Row
from dpviz.plots.kit.style import LineStyle, line_style
from dpviz.stats import Interval

PLOT = 330
"""Pixels of the plot itself."""
WIDEST = 0.5
"""Of an interval from nobody to all: nothing is known."""
WAYS = {
    "coin": ("coins", "circle", line_style("coin").colour),
    "server": ("server", "square", line_style("by trust").colour),
}
"""Name, marker and colour; of the spare colours, which no method has."""
DASHES = ("dot", "dash", "solid", "longdashdot")


@dataclass(frozen=True)
class Knowledge:
    """What the chart shows.

    Attributes:
        budgets: epsilon of each answer; lines: (way, a key of WAYS, people, half-widths as shares
            of the people); mine: people in the room that is open, 0 for none.
    """

    budgets: tuple[float, ...]
    lines: tuple[tuple[str, int, tuple[float, ...]], ...]
    mine: int = 0
    budget: None = None
    waiting: tuple[str, ...] = ()


def info(
    budgets: Sequence[float],
    halves: Mapping[tuple[str, int], Sequence[float]],
    mine: int = 0,
) -> Knowledge:
    """The chart's data from half-widths in people, by way and size of the room."""
    lines = tuple((way, n, tuple(half / n for half in some)) for (way, n), some in halves.items())
    return Knowledge(tuple(budgets), lines, mine)


def alt(chart: Knowledge) -> str:
    """The chart in words."""
    sizes = ", ".join(str(n) for n in dict.fromkeys(n for _, n, _ in chart.lines))
    return (
        "Half the width of the 95 % interval for how many of a room say yes, from 0 to 50 of 100,"
        f" against ε of each answer, for rooms of {sizes} people: by coins on the phones, and by a"
        " server that all trust. It falls as ε grows, sooner in larger rooms and by the server."
    )


def table(chart: Knowledge) -> list[dict[str, Any]]:
    """A row for each budget and line."""
    return [
        {"epsilon": b, "way": way, "people": n, "half-width 95 %, share of the room": half}
        for way, n, halves in chart.lines
        for b, half in zip(chart.budgets, halves, strict=True)
    ]


@cached(KEPT)
def figure(chart: Knowledge, now: float) -> go.Figure:
    """A line each, with its number at ``now``, and a frame for every budget."""
    rows = [_row(chart, *line) for line in chart.lines]
    y = {"title": "95 % interval: ± of the room", "range": [0, WIDEST], "dtick": 0.1}
    return readout.figure(chart, rows, now, readout.Plot(PLOT, y, top=WIDEST))


def _row(chart: Knowledge, way: str, people: int, halves: tuple[float, ...]) -> Row:
    named, marker, colour = WAYS[way]
    sizes = list(dict.fromkeys(n for _, n, _ in chart.lines if n != chart.mine))
    own = people == chart.mine
    dash = DASHES[-1] if own else DASHES[sizes.index(people) % 3]
    points = tuple(Interval(half, half, half, 1) for half in halves)
    mine = LineStyle(colour, dash, marker)
    return Row(f"{'your ' if own else ''}{people} people, {named}", mine, chart.budgets, points)
