"""Error of each class in parts that add up: which records are missing, what clipping costs, what
noise costs.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

import numpy as np
import plotly.graph_objects as go

from dpviz.plots.kit import axes, classes, figures
from dpviz.plots.kit.style import ACCENT, GREY, rgba
from dpviz.plots.kit.traces import SILENT, hover, scatter, stroke

PARTS = {
    "base": ("exact means of all available records", rgba(GREY, 0.45), ""),
    "sampling": ("fewer records", GREY, "."),
    "clipping": ("clipping and pooling", rgba(ACCENT, 0.45), "\\"),
    "noise": ("noise", ACCENT, ""),
}
ABOVE = 0.1
"""Room for the number above a bar."""


@dataclass(frozen=True)
class ClassErrors:
    """Classes in drawing order: name, records, minority, the parts by name, and the total."""

    names: tuple[str, ...]
    counts: tuple[int, ...]
    minority: tuple[bool, ...]
    parts: dict[str, tuple[float, ...]]
    total: tuple[float, ...]


def info(rows: Sequence[Any], minority: Sequence[int], names: Sequence[str]) -> ClassErrors:
    """The chart's data from ``diagnostics.mean_errors.error_parts``, one row a class; classes
    without test records are left out.
    """
    ranked = [c for c in classes.order([row.n for row in rows]) if not math.isnan(rows[c].total)]
    column = lambda name: tuple(getattr(rows[c], name) for c in ranked)
    return ClassErrors(
        classes.picked(names, ranked),
        column("n"),
        classes.among(minority, ranked),
        {name: column(name) for name in PARTS},
        column("total"),
    )


def means(chart: ClassErrors, minority: bool) -> dict[str, float]:
    """Each part and the total, mean over the minority or the others; nan where there are none."""
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
    few, names = len(chart.names) <= classes.MANY, [escape(n) for n in chart.names]
    title = {}
    if few:
        names = classes.with_numbers(names, chart.counts)
        title = axes.axis("class and its records, largest first", axes.CLOSE, grid=False)
    hanging = [
        sum(min(0.0, v) for v in column) for column in zip(*chart.parts.values(), strict=True)
    ]
    lowest = np.floor(min(0.0, *hanging) * 20) / 20
    highest = max(1.1, max(_tops(chart)) + ABOVE)
    return figures.make_figure(
        [*(_bars(chart, name) for name in PARTS), *_totals(chart, few)],
        400,
        barmode="relative",
        bargap=0.25,
        legend=figures.BELOW | {"traceorder": "normal"},
        xaxis=classes.axis(names, **axes.around(len(names)) | title),
        yaxis=axes.share(
            "test records wrong, in parts that add up",
            range=[lowest, highest],
            zeroline=True,
            zerolinecolor=GREY,
        ),
        shapes=classes.minority_bands(chart.minority),
    )


def _bars(chart: ClassErrors, part: str) -> dict[str, Any]:
    title, colour, hatch = PARTS[part]
    values = chart.parts[part]
    bars: dict[str, Any] = {
        "type": "bar",
        "x": list(range(len(values))),
        "y": list(values),
        "name": title,
    }
    pattern: dict[str, Any] = {"shape": hatch, "size": 5, "solidity": 0.3}
    bars["marker"] = {"color": colour, "line": {"width": 0}, "pattern": pattern}
    pairs = zip(chart.names, values, strict=True)
    bars["customdata"] = [f"class {escape(n)}: {100 * v:+.1f} points" for n, v in pairs]
    return bars | hover("%{customdata}", title)


def _tops(chart: ClassErrors) -> list[float]:
    """Where each bar ends: above its total where a part hangs below zero."""
    columns = zip(*chart.parts.values(), strict=True)
    return [sum(max(0.0, v) for v in column) for column in columns]


def _totals(chart: ClassErrors, few: bool) -> list[dict[str, Any]]:
    """A dash at each total, and its number above the bar, clear of the dash."""
    x, still = list(range(len(chart.names))), {"hoverinfo": "skip", "cliponaxis": False}
    marker = {"symbol": "line-ew", "size": 18, "line": stroke(GREY, 2.5)}
    dash = scatter(x, list(chart.total), "markers", name="total", marker=marker, **still)
    top = [top + 0.015 for top in _tops(chart)]
    words = scatter(x, top, "text", text=[f"<b>{100 * t:.0f}</b>" for t in chart.total])
    words |= {"textposition": "top center", "cliponaxis": False} | SILENT
    return [dash, words] if few else [dash]
