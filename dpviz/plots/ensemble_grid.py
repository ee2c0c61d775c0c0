"""The rows of the paper's tables as small multiples: answered share and answer accuracy of one
choice after another.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

import plotly.graph_objects as go

from dpviz.plots.kit import axes, figures
from dpviz.plots.kit.marks import panel_title
from dpviz.plots.kit.style import ACCENT, RIGHT
from dpviz.plots.kit.traces import hover, scatter, stroke

BELOW = 0.2
"""Height between two rows, for the names under the upper one."""
SERIES = {
    "answered": ("queries answered", ACCENT, "circle"),
    "right": ("answers that are right", RIGHT, "diamond"),
}


@dataclass(frozen=True)
class Cell:
    """One ensemble: its name, shares in [0, 1] (``right`` nan where nothing is answered or known),
    epsilon, queries.
    """

    name: str
    answered: float
    right: float
    epsilon: float
    queries: int


@dataclass(frozen=True)
class EnsembleGrid:
    """Panels by title, each a row of cells."""

    panels: tuple[tuple[str, tuple[Cell, ...]], ...]


def info(cells: Mapping[str, Sequence[Cell]]) -> EnsembleGrid:
    """The chart's data; panels without a cell are left out."""
    return EnsembleGrid(tuple((title, tuple(mine)) for title, mine in cells.items() if mine))


def alt(chart: EnsembleGrid) -> str:
    """The chart in words."""
    told = [
        f"{title}: " + ", ".join(f"{c.name} {c.answered:.0%} answered" for c in mine)
        for title, mine in chart.panels
    ]
    return f"Small charts from 0 to 100 %. {'; '.join(told)}."


def figure(chart: EnsembleGrid) -> go.Figure:
    """A panel a choice, two panels a row, two marks an ensemble."""
    rows = max(1, math.ceil(len(chart.panels) / 2))
    height = (1 - BELOW * (rows - 1)) / rows
    panels: dict[str, Any] = {}
    heads, traces = [], []
    for place, (title, mine) in enumerate(chart.panels):
        left, tail = 0.52 * (place % 2), "" if place == 0 else str(place + 1)
        low = (rows - 1 - place // 2) * (height + BELOW)
        panels |= _axes(mine, tail, left, low, low + height)
        heads.append(panel_title(escape(title), low + height + 0.01, left))
        traces += [_marks(mine, series, tail, place == 0) for series in SERIES]
    legend = {"y": -0.3 / rows} | figures.CLICKABLE
    return figures.drawn(
        traces, 90 + 220 * rows, {"t": 30}, legend=legend, annotations=heads, **panels
    )


def _axes(
    mine: Sequence[Cell], tail: str, left: float, low: float, high: float
) -> dict[str, dict[str, Any]]:
    """Both axes of a panel; shares are told at the left panels alone."""
    x = {"domain": [left, left + 0.48], "anchor": f"y{tail}"} | axes.around(len(mine))
    y = {"domain": [low, high], "anchor": f"x{tail}", "range": [0, 1.03]}
    return {
        f"xaxis{tail}": axes.axis(grid=False, **x | axes.named([escape(c.name) for c in mine])),
        f"yaxis{tail}": axes.share(**y | ({"showticklabels": False} if left else {})),
    }


def _marks(mine: Sequence[Cell], series: str, tail: str, first: bool) -> dict[str, Any]:
    title, colour, symbol = SERIES[series]
    values = [getattr(cell, series) for cell in mine]
    # a line between kinds would mean nothing
    numbers = all(cell.name.replace(".", "").isdigit() for cell in mine)
    said = [
        f"{escape(c.name)}: {v:.0%} {title}, ε = {c.epsilon:.3g}, {c.queries} queries"
        for c, v in zip(mine, values, strict=True)
    ]
    return scatter(
        list(range(len(mine))),
        [None if v != v else v for v in values],
        "lines+markers" if numbers else "markers",
        name=title,
        xaxis=f"x{tail}",
        yaxis=f"y{tail}",
        showlegend=first,
        legendgroup=series,
        cliponaxis=False,
        line=stroke(colour, 1.5),
        marker={"color": colour, "symbol": symbol, "size": 10},
        customdata=said,
        **hover("%{customdata}"),
    )


def table(chart: EnsembleGrid) -> list[dict[str, Any]]:
    """A row an ensemble."""
    keys = (
        "what varies",
        "ensemble",
        "queries",
        "answered",
        "answers right",
        "epsilon, data-independent",
    )
    return [
        dict(zip(keys, (title, c.name, c.queries, c.answered, c.right, c.epsilon), strict=True))
        for title, mine in chart.panels
        for c in mine
    ]
