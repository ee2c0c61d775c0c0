"""Error of each class in parts that add up: which records are missing, what clipping costs, what
noise costs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

import numpy as np
import plotly.graph_objects as go

from dpviz.plots.class_sizes import MANY, class_axis, order, shade
from dpviz.plots.kit.style import ACCENT, FONT, GREY, GRID, SKY, rgba

PARTS = {
    "base": ("exact means of all available records", rgba(GREY, 0.45), ""),
    "sampling": ("fewer records", GREY, "."),
    "clipping": ("clipping and pooling", SKY, "\\"),
    "noise": ("noise", ACCENT, ""),
}


@dataclass(frozen=True)
class ClassErrors:
    """Classes in drawing order: name, records, minority, the parts by name, and the total."""

    names: tuple[str, ...]
    counts: tuple[int, ...]
    minority: tuple[bool, ...]
    parts: dict[str, tuple[float, ...]]
    total: tuple[float, ...]


def info(rows: Sequence[Any], minority: Sequence[int], names: Sequence[str]) -> ClassErrors:
    """The chart's data from ``diagnostics.means.error_parts``, one row a class."""
    ranked = order([row.n for row in rows])
    parts = {name: tuple(getattr(rows[c], name) for c in ranked) for name in PARTS}
    return ClassErrors(
        tuple(names[c] for c in ranked),
        tuple(rows[c].n for c in ranked),
        tuple(c in minority for c in ranked),
        parts,
        tuple(rows[c].total for c in ranked),
    )


def means(chart: ClassErrors, minority: bool) -> dict[str, float]:
    """Each part and the total, mean over the minority or over the others; nan where there are none."""
    pick = [i for i, small in enumerate(chart.minority) if small == minority]
    mean = lambda row: float(np.mean([row[i] for i in pick])) if pick else float("nan")
    return {name: mean(row) for name, row in chart.parts.items()} | {"total": mean(chart.total)}


def alt(chart: ClassErrors) -> str:
    """The chart in words."""
    words = ", ".join(text for text, _, _ in PARTS.values())
    return (
        f"Stacked bars of the test error of {len(chart.names)} classes, largest first, in parts:"
        f" {words}."
    )


def table(chart: ClassErrors) -> list[dict[str, Any]]:
    """A row a class, in percentage points."""
    points = {
        name: [round(100 * v, 2) for v in row]
        for name, row in (chart.parts | {"total": chart.total}).items()
    }
    shared = zip(chart.names, chart.counts, chart.minority, strict=True)
    return [
        {"class": n, "records": c, "minority": m}
        | {f"{name} (points)": row[i] for name, row in points.items()}
        for i, (n, c, m) in enumerate(shared)
    ]


def figure(chart: ClassErrors) -> go.Figure:
    """One stacked bar a class with a tick at the total; a part that helps hangs below zero."""
    few = len(chart.names) <= MANY
    names = [
        f"{escape(n)}<br>{c}" if few else escape(n)
        for n, c in zip(chart.names, chart.counts, strict=True)
    ]
    lowest = min(
        0.0, *(sum(min(0.0, row[i]) for row in chart.parts.values()) for i in range(len(names)))
    )
    layout = {
        "height": 400,
        "margin": {"l": 8, "r": 8, "t": 8, "b": 8},
        "font": {"size": FONT},
        "barmode": "relative",
        "bargap": 0.25,
    }
    layout["legend"] = {
        "orientation": "h",
        "y": -0.3,
        "x": 0,
        "yanchor": "top",
        "traceorder": "normal",
        "itemclick": False,
        "itemdoubleclick": False,
    }
    layout["xaxis"] = class_axis(names) | {"range": [-0.5, len(names) - 0.5]}
    layout["xaxis"] |= (
        {"title": {"text": "class and its records, largest first", "standoff": 4}} if few else {}
    )
    layout["yaxis"] = {
        "range": [np.floor(lowest * 20) / 20, 1.1],
        "tickformat": ".0%",
        "dtick": 0.2,
        "gridcolor": GRID,
        "fixedrange": True,
    }
    layout["yaxis"] |= {"zerolinecolor": GREY, "title": {"text": "test records wrong"}}
    layout["shapes"] = [shade(place) for place, small in enumerate(chart.minority) if small]
    return go.Figure(
        data=[*(_bars(chart, name) for name in PARTS), *_totals(chart, few)],
        layout=layout,
        _validate=False,
    )


def _bars(chart: ClassErrors, part: str) -> dict[str, Any]:
    title, colour, hatch = PARTS[part]
    bars = {
        "type": "bar",
        "x": list(range(len(chart.names))),
        "y": list(chart.parts[part]),
        "name": title,
    }
    bars["marker"] = {
        "color": colour,
        "line": {"width": 0},
        "pattern": {"shape": hatch, "size": 5, "solidity": 0.3},
    }
    bars["customdata"] = [
        f"class {escape(n)}: {100 * v:+.1f} points"
        for n, v in zip(chart.names, chart.parts[part], strict=True)
    ]
    return bars | {"hovertemplate": f"%{{customdata}}<extra>{title}</extra>"}


def _totals(chart: ClassErrors, few: bool) -> list[dict[str, Any]]:
    """A dash at each total, and its number above the bar."""
    x = list(range(len(chart.names)))
    dash = {
        "type": "scatter",
        "x": x,
        "y": list(chart.total),
        "mode": "markers",
        "name": "total",
        "hoverinfo": "skip",
        "cliponaxis": False,
    }
    dash["marker"] = {"symbol": "line-ew", "size": 18, "line": {"width": 2.5, "color": GREY}}
    top = [
        sum(max(0.0, row[i]) for row in chart.parts.values()) + 0.015 for i in x
    ]  # clear of the dash
    words = {
        "type": "scatter",
        "x": x,
        "y": top,
        "mode": "text",
        "text": [f"<b>{100 * t:.0f}</b>" for t in chart.total],
    }
    words |= {
        "textposition": "top center",
        "showlegend": False,
        "hoverinfo": "skip",
        "cliponaxis": False,
    }
    return [dash, words] if few else [dash]
