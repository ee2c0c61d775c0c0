"""Accuracy and noise against k_pool at one budget: what pooling buys and what it costs."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import plotly.graph_objects as go

from dpviz.plots.kit.style import ACCENT, FONT, GREEN, GREY, GRID, look, rgba
from dpviz.stats import Interval, interval
from dpviz.words import percent, spread


@dataclass(frozen=True)
class Pooling:
    """A point for each k: length of noise and of the mean, their ratio, accuracy without and with
    noise, and in the public rehearsal.

    Attributes:
        rehearsed: accuracies in the rehearsal, empty where there is none; best, best_public: the k
            with the highest mean accuracy on private data and in the rehearsal (None where there is
            none).
    """

    ks: tuple[int, ...]
    noise: tuple[float, ...]
    signal: tuple[float, ...]
    ratios: tuple[float, ...]
    quiet: tuple[float, ...]
    noisy: tuple[Interval, ...]
    rehearsed: tuple[Interval, ...]
    best: int
    best_public: int | None


def info(rows: Sequence[Any], rehearsed: Sequence[Any], metric: str) -> Pooling:
    """The chart's data from ``diagnostics.means.pooling`` on private and on public records."""
    ks = tuple(row.k for row in rows)
    noisy, public = (
        tuple(interval([getattr(s, metric) for s in row.noisy]) for row in side)
        for side in (rows, rehearsed)
    )
    quiet = tuple(getattr(row.quiet, metric) for row in rows)
    top = lambda points: ks[max(range(len(ks)), key=lambda i: points[i].mean)]
    noise, signal, ratios = (
        tuple(getattr(row, name) for row in rows) for name in ("noise", "signal", "ratio")
    )
    return Pooling(
        ks, noise, signal, ratios, quiet, noisy, public, top(noisy), top(public) if public else None
    )


def alt(chart: Pooling) -> str:
    """The chart in words."""
    return (
        f"Above: accuracy from 0 to 100 % against k_pool from {chart.ks[0]} to {chart.ks[-1]} with"
        " noise, without noise and in a rehearsal on public data. Below: length of the noise over"
        " length of the mean."
    )


def table(chart: Pooling) -> list[dict[str, Any]]:
    """A row a k."""
    rows = []
    for i, k in enumerate(chart.ks):
        row = {
            "k_pool": k,
            "noise ÷ signal": round(chart.ratios[i], 4),
            "without noise": round(chart.quiet[i], 4),
        }
        row |= {"noise": chart.noise[i], "mean": chart.signal[i]}
        row |= {
            "private": round(chart.noisy[i].mean, 4),
            "low": round(chart.noisy[i].low, 4),
            "high": round(chart.noisy[i].high, 4),
        }
        rows.append(
            row | ({"rehearsal": round(chart.rehearsed[i].mean, 4)} if chart.rehearsed else {})
        )
    return rows


def figure(chart: Pooling, now: int) -> go.Figure:
    """Two plots over one axis, a line at ``now``."""
    drawn = (
        _private(chart)
        + [_quiet(chart)]
        + ([_rehearsed(chart)] if chart.rehearsed else [])
        + [_ratio(chart)]
    )
    layout = {"height": 480, "margin": {"l": 8, "r": 12, "t": 8, "b": 8}, "font": {"size": FONT}}
    layout["legend"] = {
        "orientation": "h",
        "y": -0.14,
        "x": 0,
        "yanchor": "top",
        "itemclick": False,
        "itemdoubleclick": False,
    }
    x = {
        "type": "log",
        "tickvals": list(chart.ks),
        "ticktext": [str(k) for k in chart.ks],
        "gridcolor": GRID,
        "fixedrange": True,
        "zeroline": False,
    }
    layout["xaxis"] = x | {
        "anchor": "y2",
        "title": {"text": "k_pool: coordinates averaged into one", "standoff": 4},
    }
    common = {"gridcolor": GRID, "fixedrange": True, "zeroline": False, "automargin": True}
    layout["yaxis"] = {
        "domain": [0.4, 1],
        "range": [0, 1],
        "tickformat": ".0%",
        "dtick": 0.2,
        "title": {"text": "accuracy"},
    } | common
    layout["yaxis2"] = (
        {"domain": [0, 0.3], "type": "log", "title": {"text": "noise ÷ signal"}}
        | common
        | _decades(chart.ratios)
    )
    layout["shapes"] = [
        {
            "type": "line",
            "x0": now,
            "x1": now,
            "yref": "paper",
            "y0": 0,
            "y1": 1,
            "line": {"color": ACCENT, "width": 2},
        }
    ]
    if max(chart.ratios) > 0:
        layout["shapes"].append(
            {
                "type": "line",
                "xref": "paper",
                "x0": 0,
                "x1": 1,
                "yref": "y2",
                "y0": 1,
                "y1": 1,
                "line": {"color": GREY, "dash": "dot", "width": 1},
            }
        )
    return go.Figure(data=drawn, layout=layout, _validate=False)


def _decades(ratios: Sequence[float]) -> dict[str, Any]:
    """At least a decade on either side of the ratios' middle, so that a flat line looks flat."""
    found = [math.log10(r) for r in ratios if r > 0]
    if not found:
        return {}
    return {"range": [math.floor(min(found) - 0.3), math.ceil(max(found) + 0.3)], "dtick": 1}


def _line(
    x: Sequence[int], y: Sequence[float], name: str, colour: str, dash: str, marker: str
) -> dict[str, Any]:
    drawn = {
        "type": "scatter",
        "x": list(x),
        "y": list(y),
        "name": name,
        "mode": "lines+markers",
        "cliponaxis": False,
    }
    return drawn | {
        "line": {"color": colour, "dash": dash, "width": 2.3},
        "marker": {"symbol": marker, "size": 7, "color": colour},
    }


def _private(chart: Pooling) -> list[dict[str, Any]]:
    style, x = look("dppl-mean"), list(chart.ks)
    line = _line(
        x, [p.mean for p in chart.noisy], "with noise", style.colour, style.dash, style.marker
    )
    line["text"] = [f"{percent(p)} {spread(p)}" for p in chart.noisy]
    line["hovertemplate"] = "k = %{x}: %{text}<extra>with noise</extra>"
    edge = [p.high for p in chart.noisy] + [p.low for p in chart.noisy][::-1]
    band = {
        "type": "scatter",
        "x": x + x[::-1],
        "y": edge,
        "fill": "toself",
        "fillcolor": rgba(style.colour, 0.16),
        "mode": "lines",
    }
    return [band | {"line": {"width": 0}, "hoverinfo": "skip", "showlegend": False}, line]


def _quiet(chart: Pooling) -> dict[str, Any]:
    line = _line(
        chart.ks,
        chart.quiet,
        "without noise (the signal that is left)",
        GREY,
        "dash",
        "circle-open",
    )
    return line | {"hovertemplate": "k = %{x}: %{y:.1%}<extra>without noise</extra>"}


def _rehearsed(chart: Pooling) -> dict[str, Any]:
    line = _line(
        chart.ks,
        [p.mean for p in chart.rehearsed],
        "rehearsal on public data",
        GREEN,
        "dot",
        "diamond",
    )
    return line | {"hovertemplate": "k = %{x}: %{y:.1%}<extra>public rehearsal</extra>"}


def _ratio(chart: Pooling) -> dict[str, Any]:
    style = look("dppl-mean")
    line = _line(chart.ks, chart.ratios, "noise ÷ signal", style.colour, "solid", "circle")
    return line | {
        "yaxis": "y2",
        "showlegend": False,
        "hovertemplate": "k = %{x}: %{y:.3g}<extra>noise ÷ signal</extra>",
    }
