"""Accuracy and noise against k_pool at one budget: what pooling buys and what it costs."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import plotly.graph_objects as go

from dpviz import stats
from dpviz.formatting import percent, spread
from dpviz.plots.kit import axes, figures
from dpviz.plots.kit.marks import across, upright
from dpviz.plots.kit.style import ACCENT, GREY, LineStyle, line_style
from dpviz.plots.kit.traces import band, drawn_as, hover, scatter
from dpviz.stats import Interval


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
    """The chart's data from ``diagnostics.mean_errors.pooling`` on private and public records."""
    ks = tuple(row.k for row in rows)
    noisy, public = (
        tuple(stats.band(row.noisy, metric) for row in side) for side in (rows, rehearsed)
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
    ticks = {"tickvals": list(chart.ks), "ticktext": [str(k) for k in chart.ks]}
    title = "k_pool: coordinates averaged into one"
    equal = [across(1, width=1) | {"yref": "y2"}] if max(chart.ratios) > 0 else []
    below = {"domain": [0, 0.3], "type": "log"} | _decades(chart.ratios)
    return figures.make_figure(
        [*_private(chart), _quiet(chart), *_rehearsed(chart), _ratio(chart)],
        480,
        {"r": 12},
        legend={"y": -0.14},
        xaxis=axes.axis(title, axes.CLOSE, type="log", anchor="y2", **ticks),
        yaxis=axes.share("accuracy", domain=[0.4, 1]),
        yaxis2=axes.axis("noise ÷ signal", **below),
        shapes=[upright(now), *equal],
    )


def _decades(ratios: Sequence[float]) -> dict[str, Any]:
    """At least a decade on either side of the ratios' middle, so that a flat line looks flat."""
    found = [math.log10(r) for r in ratios if r > 0]
    if not found:
        return {}
    return {"range": [math.floor(min(found) - 0.3), math.ceil(max(found) + 0.3)], "dtick": 1}


def _line(
    chart: Pooling, y: Sequence[float], name: str, style: LineStyle, said: str, box: str = ""
) -> dict[str, Any]:
    """A line over k; ``said`` of a point, and ``box`` beside it where that is not its name."""
    look = drawn_as(style, 2.3, 7) | hover(f"k = %{{x}}: {said}", box or name)
    return scatter(list(chart.ks), list(y), "lines+markers", name=name, cliponaxis=False, **look)


def _private(chart: Pooling) -> list[dict[str, Any]]:
    style, points = line_style("dppl-mean"), chart.noisy
    text = [f"{percent(p)} {spread(p)}" for p in points]
    line = _line(chart, [p.mean for p in points], "with noise", style, "%{text}")
    low, high = [p.low for p in points], [p.high for p in points]
    return [band(chart.ks, low, high, style.colour), line | {"text": text}]


def _quiet(chart: Pooling) -> dict[str, Any]:
    name = "without noise (the signal that is left)"
    grey = LineStyle(GREY, "dash", "circle-open")
    return _line(chart, chart.quiet, name, grey, "%{y:.1%}", "without noise")


def _rehearsed(chart: Pooling) -> list[dict[str, Any]]:
    if not chart.rehearsed:
        return []
    y, name = [p.mean for p in chart.rehearsed], "rehearsal on public data"
    return [
        _line(chart, y, name, LineStyle(ACCENT, "dot", "diamond"), "%{y:.1%}", "public rehearsal")
    ]


def _ratio(chart: Pooling) -> dict[str, Any]:
    solid = LineStyle(line_style("dppl-mean").colour, "solid", "circle")
    line = _line(chart, chart.ratios, "noise ÷ signal", solid, "%{y:.3g}")
    return line | {"yaxis": "y2", "showlegend": False}
