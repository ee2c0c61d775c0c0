"""The exact error of one noisy step over dimension and feature shift, with the curve below which
the paper says that dimension does not matter, and the shifts measured on features.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

import numpy as np
import plotly.graph_objects as go

from dpviz.plots.kit import axes, figures
from dpviz.plots.kit.style import ACCENT, GREY, RIGHT, rgba
from dpviz.plots.kit.traces import hover, scatter, stroke

FLOOR = -6
"""Power of ten at which the shades begin."""
SHADES = [[0, rgba(ACCENT, 0.03)], [1, rgba(ACCENT, 0.75)]]
CURVE = "β = p^(−1/2)"


@dataclass(frozen=True)
class Measured:
    """The median shift of one kind of features, and their dimension."""

    title: str
    p: int
    beta: float


@dataclass(frozen=True)
class CollapseMap:
    """Errors by shift (rows) and dimension (columns), what was measured, and the records of the
    step.
    """

    dimensions: tuple[int, ...]
    shifts: tuple[float, ...]
    errors: tuple[tuple[float, ...], ...]
    measured: tuple[Measured, ...]
    n: int


def info(
    dimensions: Sequence[int],
    shifts: Sequence[float],
    errors: np.ndarray,
    measured: Sequence[Measured],
    n: int,
) -> CollapseMap:
    """The chart's data; errors (shifts, dimensions)."""
    cells = tuple(tuple(row) for row in errors.tolist())
    return CollapseMap(tuple(dimensions), tuple(shifts), cells, tuple(measured), n)


def alt(chart: CollapseMap) -> str:
    """The chart in words."""
    names = "; ".join(one.title for one in chart.measured)
    return (
        "Map of the error of one noisy step on two classes over dimension p and feature shift β,"
        f" both on log axes, with the curve {CURVE}"
        + (f" and the measured shifts of {names}." if names else ".")
    )


def table(chart: CollapseMap) -> list[dict[str, Any]]:
    """A row a cell."""
    return [
        {"shift beta": beta, "dimension p": p, "records": chart.n, "exact error": error}
        for beta, row in zip(chart.shifts, chart.errors, strict=True)
        for p, error in zip(chart.dimensions, row, strict=True)
    ]


def figure(chart: CollapseMap) -> go.Figure:
    """Shades from 0.0001 % to 50 %, curve and marks; places are powers of 2 and of 10."""
    x = [math.log2(p) for p in chart.dimensions]
    low, high = math.log10(chart.shifts[0]), math.log10(chart.shifts[-1])
    ticks = [k for k in range(1, 15) if x[0] <= k <= x[-1]][::2]
    across = axes.axis(
        "dimension p (log)",
        axes.CLOSE,
        grid=False,
        range=[x[0] - 0.5, x[-1] + 0.5],
        tickvals=ticks,
        ticktext=[f"{2**k:,}" for k in ticks],
    )
    sizes = (0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1)
    upright = axes.axis(
        "feature shift β (log)",
        grid=False,
        range=[low, high],
        tickvals=[math.log10(v) for v in sizes],
        ticktext=[f"{v:g}" for v in sizes],
    )
    return figures.make_figure(
        [_cells(chart, x), _curve(chart), *_marks(chart)],
        440,
        {"l": 8, "r": 8, "t": 8},
        legend={"y": -0.2},
        xaxis=across,
        yaxis=upright,
    )


def _cells(chart: CollapseMap, x: Sequence[float]) -> dict[str, Any]:
    logs = np.log10(np.maximum(chart.errors, 10.0**FLOOR))
    said = [[_error(e) for e in row] for row in chart.errors]
    cells: dict[str, Any] = {
        "type": "heatmap",
        "x": list(x),
        "y": [math.log10(b) for b in chart.shifts],
    }
    cells |= {"z": logs.tolist(), "zmin": FLOOR, "zmax": math.log10(0.5), "colorscale": SHADES}
    places = [-6, -4, -2, math.log10(0.5)]
    words = ["≤ 0.0001 %", "0.01 %", "1 %", "50 %"]
    bar: dict[str, Any] = {"thickness": 10, "len": 0.8, "tickvals": places, "ticktext": words}
    cells |= {"colorbar": bar | {"title": {"text": "error"}}, "text": said}
    cells["customdata"] = [[[p, b] for p in chart.dimensions] for b in chart.shifts]
    return cells | hover(
        "p = %{customdata[0]:,}, β = %{customdata[1]:.3g}<br>error %{text}", "exact"
    )


def _error(value: float) -> str:
    return f"{100 * value:.2g} %" if value > 1e-12 else "below 1e-10 %"


def _curve(chart: CollapseMap) -> dict[str, Any]:
    least = max(math.log2(chart.dimensions[0]) - 0.5, 0)
    ends = [least, math.log2(chart.dimensions[-1]) + 0.5]
    heights = [-0.5 * place * math.log10(2) for place in ends]
    return scatter(ends, heights, name=CURVE, line=stroke(RIGHT, 3, "dash"), hoverinfo="skip")


def _marks(chart: CollapseMap) -> list[dict[str, Any]]:
    symbols = ("circle", "diamond", "square", "cross", "triangle-up", "star")
    return [
        scatter(
            [math.log2(one.p)],
            [math.log10(max(one.beta, chart.shifts[0]))],
            "markers",
            name=f"{escape(one.title)} (measured)",
            cliponaxis=False,
            marker={
                "size": 13,
                "symbol": symbols[place % len(symbols)],
                "color": GREY,
                "line": {"width": 1.5, "color": "#FFFFFF"},
            },
            **hover(
                f"p = {one.p:,}, median β = {one.beta:.3g}, β²p = {one.beta**2 * one.p:.2g}",
                escape(one.title),
            ),
        )
        for place, one in enumerate(chart.measured)
    ]
