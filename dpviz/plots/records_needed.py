"""Records that an error asks for against the dimension, on two log axes."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from html import escape
from typing import Any

import plotly.graph_objects as go

from dpviz.plots.kit import axes, figures
from dpviz.plots.kit.style import LineStyle
from dpviz.plots.kit.traces import drawn_as, hover, scatter


@dataclass(frozen=True)
class Line:
    """Records at each dimension; None where no number of them is enough."""

    name: str
    look: LineStyle
    dimensions: tuple[int, ...]
    records: tuple[float | None, ...]


@dataclass(frozen=True)
class RecordsNeeded:
    """Lines, and the error that they are for."""

    lines: tuple[Line, ...]
    wanted: float


def info(
    lines: Mapping[str, Mapping[int, float | None]], looks: Mapping[str, LineStyle], wanted: float
) -> RecordsNeeded:
    """The chart's data: records by line and dimension, in the order of the looks."""
    drawn = (
        Line(name, looks[name], tuple(sorted(at)), tuple(at[p] for p in sorted(at)))
        for name in looks
        if (at := lines.get(name))
    )
    return RecordsNeeded(tuple(drawn), wanted)


def alt(chart: RecordsNeeded) -> str:
    """The chart in words."""
    names = ", ".join(line.name for line in chart.lines)
    return f"Records needed for a wanted error against dimension p, on log axes: {names}."


def table(chart: RecordsNeeded) -> list[dict[str, Any]]:
    """A row a point; no number where none is enough."""
    return [
        {"line": line.name, "dimension p": p, "error at most": chart.wanted, "records": n}
        for line in chart.lines
        for p, n in zip(line.dimensions, line.records, strict=True)
    ]


def figure(chart: RecordsNeeded) -> go.Figure:
    """Lines that break off where no number of records is enough."""
    places = sorted({p for line in chart.lines for p in line.dimensions})
    tops = [n for line in chart.lines for n in line.records if n]
    high = math.log10(max(tops, default=10)) + 0.15
    ends = [math.log10(places[0]) - 0.1, math.log10(places[-1]) + 0.1] if places else [0, 1]
    ticks = {"tickvals": places[::2], "ticktext": [f"{p:,}" for p in places[::2]]}
    every = max(1, math.ceil(high / 6))
    powers = [10**k for k in range(0, math.ceil(high) + 1, every)]
    return figures.make_figure(
        [_line(line) for line in chart.lines],
        400,
        {"r": 14, "t": 14},
        legend={"y": -0.22},
        xaxis=axes.axis("dimension p", axes.CLOSE, type="log", range=ends, **ticks),
        yaxis=axes.axis(
            "records n",
            type="log",
            range=[-0.1, high],
            tickvals=powers,
            ticktext=[f"{v:,}" if v < 1e6 else f"1e{round(math.log10(v))}" for v in powers],
        ),
    )


def _line(line: Line) -> dict[str, Any]:
    said = [f"{math.ceil(n):,} records" if n else "" for n in line.records]
    return scatter(
        list(line.dimensions),
        list(line.records),
        "lines+markers",
        name=escape(line.name),
        text=said,
        connectgaps=False,
        **drawn_as(line.look, 2.5, 8),
        **hover("p = %{x:,}: %{text}", escape(line.name)),
    )
