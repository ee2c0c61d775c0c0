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

from dpviz.plots.kit.style import BLUE, FONT, GREEN, GRID

BELOW = 0.2
"""Height between two rows, for the names under the upper one."""
SERIES = {
    "answered": ("queries answered", BLUE, "circle"),
    "right": ("answers that are right", GREEN, "diamond"),
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
    layout: dict[str, Any] = {
        "height": 90 + 220 * rows,
        "margin": {"l": 8, "r": 8, "t": 30, "b": 8},
        "font": {"size": FONT},
    }
    layout["legend"] = {"orientation": "h", "y": -0.3 / rows, "x": 0, "yanchor": "top"}
    layout["annotations"], traces = [], []
    for place, (title, mine) in enumerate(chart.panels):
        left, tail = 0.52 * (place % 2), "" if place == 0 else str(place + 1)
        low = (rows - 1 - place // 2) * (height + BELOW)
        names = [escape(cell.name) for cell in mine]
        axis = {
            "domain": [left, left + 0.48],
            "range": [-0.5, len(mine) - 0.5],
            "tickvals": list(range(len(mine))),
            "ticktext": names,
        }
        layout[f"xaxis{tail}"] = axis | {
            "fixedrange": True,
            "showgrid": False,
            "zeroline": False,
            "anchor": f"y{tail}",
        }
        y = {
            "domain": [low, low + height],
            "range": [0, 1.03],
            "tickformat": ".0%",
            "dtick": 0.2,
            "gridcolor": GRID,
            "fixedrange": True,
            "zeroline": False,
            "anchor": f"x{tail}",
        }
        layout[f"yaxis{tail}"] = y | ({"showticklabels": False} if place % 2 else {})
        layout["annotations"].append(
            {
                "x": left,
                "y": low + height + 0.01,
                "xref": "paper",
                "yref": "paper",
                "xanchor": "left",
                "yanchor": "bottom",
                "text": f"<b>{escape(title)}</b>",
                "showarrow": False,
            }
        )
        traces += [_marks(mine, series, tail, place == 0) for series in SERIES]
    return go.Figure(data=traces, layout=layout, _validate=False)


def _marks(mine: Sequence[Cell], series: str, tail: str, first: bool) -> dict[str, Any]:
    title, colour, symbol = SERIES[series]
    values = [getattr(cell, series) for cell in mine]
    numbers = all(
        cell.name.replace(".", "").isdigit() for cell in mine
    )  # a line between kinds would mean nothing
    drawn = {
        "type": "scatter",
        "mode": "lines+markers" if numbers else "markers",
        "x": list(range(len(mine))),
        "y": [None if v != v else v for v in values],
        "name": title,
    }
    drawn |= {
        "xaxis": f"x{tail}",
        "yaxis": f"y{tail}",
        "showlegend": first,
        "legendgroup": series,
        "cliponaxis": False,
    }
    drawn |= {
        "line": {"color": colour, "width": 1.5},
        "marker": {"color": colour, "symbol": symbol, "size": 10},
    }
    drawn["customdata"] = [
        f"{escape(c.name)}: {v:.0%} {title}, ε = {c.epsilon:.3g}, {c.queries} queries"
        for c, v in zip(mine, values, strict=True)
    ]
    return drawn | {"hovertemplate": "%{customdata}<extra></extra>"}


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
