"""Cosines between class means as a table of colours, and the shift of records class by class
(Figure 2).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

import numpy as np
import plotly.graph_objects as go

from dpviz.formatting import minus
from dpviz.plots.kit import axes, figures
from dpviz.plots.kit.style import ACCENT, RIGHT, WRONG, rgba
from dpviz.plots.kit.traces import hover, scatter, whiskers

NAMES_SHOWN = 20
QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)


@dataclass(frozen=True)
class ClassShift:
    """Class names, cosines between their centred means (C, C), and quantiles of beta (C, 5)."""

    names: tuple[str, ...]
    cosines: tuple[tuple[float, ...], ...]
    quantiles: tuple[tuple[float, ...], ...]


def info(names: Sequence[str], cosines: np.ndarray, beta: np.ndarray, y: np.ndarray) -> ClassShift:
    """The chart's data from the measures of every record."""
    quantiles = tuple(
        tuple(
            np.quantile(beta[y == c], QUANTILES).tolist() if c in y else [np.nan] * len(QUANTILES)
        )
        for c in range(len(names))
    )
    return ClassShift(tuple(names), tuple(tuple(row) for row in cosines.tolist()), quantiles)


def alt(chart: ClassShift) -> str:
    """The matrix in words."""
    return (
        f"Cosines between the centred means of {len(chart.names)} classes, from -1 to 1, as a table"
        " of colours."
    )


def shift_alt(chart: ClassShift) -> str:
    """The shifts in words."""
    return (
        f"Shift of the records of {len(chart.names)} classes: median, middle half and middle nine"
        " tenths."
    )


def table(chart: ClassShift) -> list[dict[str, Any]]:
    """A row a class."""
    rows = zip(chart.names, chart.quantiles, chart.cosines, strict=True)
    return [
        {"class": name}
        | {f"beta, {100 * q:.0f} %": v for q, v in zip(QUANTILES, quantiles, strict=True)}
        | {f"cosine to {other}": v for other, v in zip(chart.names, cosines, strict=True)}
        for name, quantiles, cosines in rows
    ]


def figure(chart: ClassShift) -> go.Figure:
    """The matrix of cosines; numbers in the cells where there is room."""
    names = [escape(n) for n in chart.names]
    places = list(range(len(names)))
    cells: dict[str, Any] = {"type": "heatmap", "x": places, "y": places, "z": chart.cosines}
    cells |= {"zmin": -1, "zmax": 1, "xgap": 1, "ygap": 1}
    cells["colorscale"] = [[0, RIGHT], [0.5, "rgba(128,136,150,0.12)"], [1, WRONG]]
    cells["colorbar"] = {"thickness": 10, "tickvals": [-1, 0, 1], "len": 0.8}
    cells |= hover("%{y} and %{x}: %{z:.2f}")
    if len(names) <= 12:
        cells |= {"text": _numbers(chart), "texttemplate": "%{text}", "textfont": {"size": 11}}
    ticks = axes.category_axis(names) if len(names) <= NAMES_SHOWN else axes.HIDDEN
    axis = axes.axis(grid=False, **ticks)
    return figures.make_figure([cells], 380, xaxis=axis, yaxis=axis | {"autorange": "reversed"})


def _numbers(chart: ClassShift) -> list[list[str]]:
    """What stands in the cells; a class with itself is 1 and says nothing."""
    return [
        ["" if i == j else minus(f"{v:z.1f}") for j, v in enumerate(row)]
        for i, row in enumerate(chart.cosines)
    ]


def shift_figure(chart: ClassShift) -> go.Figure:
    """Two bars and a dot a class."""
    q, names = np.array(chart.quantiles), [escape(n) for n in chart.names]
    x = list(range(len(names)))
    dots = scatter(x, q[:, 2], "markers", customdata=q, marker={"size": 9, "color": ACCENT})
    dots |= hover(
        "β %{y:.3g} in the middle, half lie from %{customdata[1]:.3g} to %{customdata[3]:.3g}"
    )
    ticks = axes.category_axis(names) | ({} if len(x) <= NAMES_SHOWN else {"showticklabels": False})
    return figures.make_figure(
        [*whiskers(x, q, rgba(ACCENT, 0.6)), dots],
        380,
        showlegend=False,
        xaxis=axes.axis("class", grid=False, **ticks),
        yaxis=axes.axis("shift β of its records", range=[0, 1.08 * float(q.max()) or 1]),
    )
