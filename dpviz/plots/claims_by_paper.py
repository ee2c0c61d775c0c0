"""What came of trying the claims of each paper, by outcome."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import plotly.graph_objects as go

from dpviz.caches import cached
from dpviz.plots.kit import axes, figures
from dpviz.plots.kit.style import ACCENT, GREY, rgba
from dpviz.plots.kit.traces import SILENT, hover, scatter

BAR_STYLES = {
    "holds": (ACCENT, "", "#ffffff"),
    "holds, but says nothing here": (rgba(ACCENT, 0.3), "x", None),
    "does not hold": (rgba(ACCENT, 0.6), "/", None),
    "cannot be told": (rgba(GREY, 0.45), "", None),
    "premise not met here": (rgba(GREY, 0.25), "-", None),
    "not tried here": (rgba(GREY, 0.12), ".", None),
}
"""Colour, hatch and colour of the number of each outcome; None: the page's own ink."""
LEAST = 0.04
"""Of the longest bar: a shorter part has no room for its number."""
ROW = 44
"""Pixels of a paper's bar with its gap."""


@dataclass(frozen=True)
class ClaimCounts:
    """A bar a paper, the first on top.

    Attributes:
        papers: short names; counts: (papers,) numbers of runs, by outcome.
    """

    papers: tuple[str, ...]
    counts: tuple[tuple[str, tuple[int, ...]], ...]


def info(counts: Mapping[str, Mapping[str, int]]) -> ClaimCounts:
    """The chart's data from how many of each outcome there are, by paper."""
    return ClaimCounts(
        tuple(counts),
        tuple(
            (name, numbers)
            for name in BAR_STYLES
            if any(numbers := tuple(row.get(name, 0) for row in counts.values()))
        ),
    )


def alt(chart: ClaimCounts) -> str:
    """The chart in words."""
    rows = [
        f"{paper}: " + ", ".join(f"{row[i]} {name}" for name, row in chart.counts)
        for i, paper in enumerate(chart.papers)
    ]
    return f"Stacked bars of what came of trying claims. {'; '.join(rows)}."


def table(chart: ClaimCounts) -> list[dict[str, Any]]:
    """The numbers drawn."""
    return [
        {"paper": paper} | {name: row[i] for name, row in chart.counts}
        for i, paper in enumerate(chart.papers)
    ]


@cached(16)
def figure(chart: ClaimCounts) -> go.Figure:
    """A stacked bar a paper, with each number in its part."""
    rows = list(range(len(chart.papers)))
    layout = figures.shared(ROW * len(rows) + 84, figures.MARGINS | {"l": 118, "t": 34}) | {
        "barmode": "stack",
        "bargap": 0.3,
        "legend": {"x": 0, "y": 1.02, "xanchor": "left", "yanchor": "bottom", "orientation": "h"}
        | {"traceorder": "normal", "itemclick": False, "itemdoubleclick": False},
        "xaxis": axes.axis(
            "tries, each run once", axes.CLOSE, rangemode="tozero", **axes.WITHIN_MARGINS
        ),
        "yaxis": axes.axis(grid=False, **axes.category_axis(chart.papers) | axes.WITHIN_MARGINS)
        | {"autorange": "reversed", "ticks": ""},
    }
    bars = [_bar(name, row, chart.papers) for name, row in chart.counts]
    return figures.still([*bars, *_numbers(chart)], layout)


def _bar(name: str, row: tuple[int, ...], papers: tuple[str, ...]) -> dict[str, Any]:
    colour, hatch, ink = BAR_STYLES[name]
    bar: dict[str, Any] = {"type": "bar", "orientation": "h", "y": list(range(len(row)))}
    bar["x"] = [n or None for n in row]  # of nothing the edge alone would be drawn
    bar |= {"name": name}
    if ink:
        bar |= {"text": [str(n) if n else "" for n in row], "textposition": "inside"}
        bar |= {"textangle": 0, "insidetextanchor": "middle", "insidetextfont": {"color": ink}}
    pattern: dict[str, Any] = {"shape": hatch, "size": 6, "solidity": 0.25}
    edge: dict[str, Any] = {"width": 1 if hatch else 0, "color": ACCENT if hatch == "/" else GREY}
    bar["marker"] = {"color": colour, "line": edge, "pattern": pattern}
    bar["customdata"] = [f"{paper}: {n} {name}" for paper, n in zip(papers, row, strict=True)]
    return bar | hover("%{customdata}")


def _numbers(chart: ClaimCounts) -> list[dict[str, Any]]:
    """The number in the middle of each faint part, as words of the page: a bar's own words take
    their ink from a bright page, and are lost on a dark one.
    """
    before = [0] * len(chart.papers)
    longest = max(
        (sum(column) for column in zip(*(row for _, row in chart.counts), strict=True)), default=0
    )
    traces = []
    for name, row in chart.counts:
        kept = [i for i, n in enumerate(row) if n and n >= LEAST * longest]
        middles = [before[i] + row[i] / 2 for i in kept]
        if BAR_STYLES[name][2] is None:
            words = [str(row[i]) for i in kept]
            traces.append(scatter(middles, kept, "text", text=words, **SILENT))
        before = [done + n for done, n in zip(before, row, strict=True)]
    return traces
