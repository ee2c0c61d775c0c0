"""The curves that a room drew, a thin line each, and the true one over them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

import numpy as np
import plotly.graph_objects as go

from dpviz.plots.kit import axes, figures
from dpviz.plots.kit.style import ACCENT, FAR_OFF, GREY, RIGHT, rgba
from dpviz.plots.kit.traces import band, hover, scatter, stroke, strokes

HEIGHT = 420
THIN = 0.45
"""Opacity of a line where few are drawn; it falls as there are more."""


@dataclass(frozen=True)
class Curves:
    """What the chart shows.

    Attributes:
        names, places: of what is drawn over, and where each stands, from 0 to 1; below, beside:
            titles of the axes; curves: percentages each, a tuple a phone; middle: their median at
            each place; truth: (mean, low, high) in percent at each place, or nothing.
    """

    names: tuple[str, ...]
    places: tuple[float, ...]
    below: str
    beside: str
    curves: tuple[tuple[int, ...], ...]
    middle: tuple[float, ...]
    truth: tuple[tuple[float, float, float], ...]


def info(
    names: Sequence[str],
    places: Sequence[float],
    titles: tuple[str, str],
    curves: Sequence[Sequence[int]],
    truth: Sequence[tuple[float, float, float]] = (),
) -> Curves:
    """The chart's data."""
    middle = tuple(np.median(np.array(curves, float), axis=0).tolist()) if curves else ()
    drawn = tuple(tuple(one) for one in curves)
    return Curves(tuple(names), tuple(places), *titles, drawn, middle, tuple(truth))


def alt(chart: Curves) -> str:
    """The chart in words."""
    number = len(chart.curves)
    rows = [f"{n}: {m:g} %" for n, m in zip(chart.names, chart.middle, strict=False)]
    true = [f"{n}: {t[0]:g} %" for n, t in zip(chart.names, chart.truth, strict=False)]
    told = f" Their middle: {', '.join(rows)}." if rows else ""
    told += f" The true curve: {', '.join(true)}." if true else ""
    drawn = f"{number} curve{'' if number == 1 else 's'} drawn by the room"
    return f"{drawn}, {chart.beside} by {chart.below}.{told}"


def figure(chart: Curves) -> go.Figure:
    """All of them in one trace, their median where there are several, the true curve on top."""
    x, traces = list(chart.places), []
    if chart.curves:
        thin = rgba(GREY, max(0.18, THIN - len(chart.curves) / 400))
        lines = [(x, one) for one in chart.curves]
        traces.append(strokes(lines, thin, 1.6) | {"name": "the room", "showlegend": True})
    if len(chart.curves) > 2:
        pen = stroke(ACCENT, 2.5, "dash")
        said: dict[str, Any] = {"name": "the room's middle", "line": pen, "text": list(chart.names)}
        traces.append(scatter(x, list(chart.middle), **said | hover("%{text}: %{y:.0f} %")))
    if chart.truth:
        mean, low, high = (list(part) for part in zip(*chart.truth, strict=True))
        traces.append(band(x, low, high, RIGHT))
        look: dict[str, Any] = {"line": stroke(RIGHT, 4), "marker": {"size": 9, "color": RIGHT}}
        said = {"name": "what is true", "text": list(chart.names)} | look
        traces.append(scatter(x, mean, "lines+markers", **said | hover("%{text}: %{y:.1f} %")))
    ticks = {"tickvals": x, "ticktext": list(map(escape, chart.names)), "range": [-0.03, 1.03]}
    return figures.make_figure(
        traces,
        HEIGHT,
        {"l": 58, "b": 50, "t": 34, "r": 20},
        legend={"y": 1.01, "yanchor": "bottom"},
        showlegend=True,
        meta=FAR_OFF,
        xaxis=axes.axis(escape(chart.below), axes.CLOSE, **ticks),
        yaxis=axes.axis(escape(chart.beside), axes.CLOSE, range=[-2, 102], dtick=20),
    )
