"""ROC of an attack where it accuses hardly anybody wrongly, both axes by powers of ten, under the
lines that the guarantees let no attack cross.
"""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

import numpy as np
import plotly.graph_objects as go

from dpviz.formatting import percent_up
from dpviz.plots import attack_roc
from dpviz.plots.attack_roc import Bound
from dpviz.plots.kit import axes, figures
from dpviz.plots.kit.figures import MARGINS
from dpviz.plots.kit.style import ACCENT, GREY, line_style, rgba
from dpviz.plots.kit.traces import SILENT, hover, scatter, stroke

LEAST = 1e-4
"""Where both axes begin."""
LETTERS = 46
"""Of a line in the legend."""


@dataclass(frozen=True)
class Mark:
    """A rate that is told: share of false alarms, share found, and the ends of its interval."""

    fpr: float
    tpr: float
    low: float
    high: float


@dataclass(frozen=True, eq=False)
class Curve:
    """What the attack finds on one method: key, name, false and true positive rates (k,), marks."""

    method: str
    title: str
    fpr: np.ndarray
    tpr: np.ndarray
    marks: tuple[Mark, ...]


@dataclass(frozen=True, eq=False)
class FewAlarms:
    """Attacks that are done, and bounds, which need no attack; attack: its name."""

    curves: tuple[Curve, ...]
    bounds: tuple[Bound, ...]
    attack: str


def info(curves: Sequence[Curve], bounds: Sequence[Bound], attack: str) -> FewAlarms:
    """The chart's data; bounds that coincide are drawn as one line."""
    return FewAlarms(tuple(curves), attack_roc.info([], bounds, "log").bounds, attack)


def alt(chart: FewAlarms) -> str:
    """The chart in words."""
    named = [*(c.title for c in chart.curves), *(t for b in chart.bounds for t in b.titles)]
    return (
        f"Share of members found by {chart.attack} against share of false alarms, both from 0.01 to"
        f" 100 % on log axes, for {', '.join(dict.fromkeys(named)) or 'no method yet'}, with the"
        " bound that each guarantee puts on any attack and the diagonal of blind guessing."
    )


def figure(chart: FewAlarms) -> go.Figure:
    """Bounds with the forbidden side shaded, attacks with their intervals, and the diagonal."""
    one = len(chart.bounds) == 1
    traces = [trace for bound in chart.bounds for trace in _bound(bound, one)]
    ends = np.geomspace(LEAST, 1, 20)
    pen = {"line": stroke(GREY, 1.2, "dot"), "hoverinfo": "skip"}
    traces.append(scatter(ends, ends, name="guessing blindly", **pen))
    traces += [trace for curve in chart.curves for trace in _attack(curve)]
    return figures.make_figure(
        traces,
        490,
        MARGINS | {"r": 26, "t": 12},
        xaxis=_axis("false alarms: not used, but taken for used", axes.CLOSE),
        yaxis=_axis("used, and found", axes.BESIDE),
        legend={"y": -0.17},
    )


def _axis(title: str, standoff: float) -> dict[str, Any]:
    scale = {"type": "log", "range": [float(np.log10(LEAST)), 0]}
    ticks = {"tickvals": [1e-4, 0.001, 0.01, 0.1, 1], "tickformat": ".2~%"}
    return axes.axis(title, standoff, **scale | ticks | axes.WITHIN_MARGINS)


def _lines(words: str) -> str:
    return "<br>".join(map(escape, textwrap.wrap(words, LETTERS)))


def _bound(bound: Bound, one: bool) -> list[dict[str, Any]]:
    colour = ACCENT if one else line_style(bound.methods[0]).colour
    whom = "a private method" if one else " and ".join(bound.titles)
    drawn = bound.fpr > 0
    fpr, tpr = bound.fpr[drawn], bound.tpr[drawn]
    line = scatter(
        fpr,
        tpr,
        name=_lines(f"no attack on {whom} gets above this"),
        line=stroke(colour, 2.6, "solid" if one else "longdash"),
        customdata=[percent_up(rate, 2) for rate in tpr],
        **hover("with %{x:.2%} false alarms at most %{customdata}% found", "any attack"),
    )
    if not one:
        return [line]
    ceiling = scatter(fpr, np.ones(len(fpr)), line={"width": 0}, **SILENT)
    return [line, ceiling | {"fill": "tonexty", "fillcolor": rgba(ACCENT, 0.1)}]


def _attack(curve: Curve) -> list[dict[str, Any]]:
    style, there = line_style(curve.method), (curve.tpr > 0) & (curve.fpr > 0)
    told = [
        f"{100 * mark.tpr:.2g}\u00a0% at\u00a0{100 * mark.fpr:.2g}\u00a0%"
        for mark in curve.marks[-1:]
    ]
    line = scatter(
        curve.fpr[there],
        curve.tpr[there],
        name=_lines(": ".join([curve.title, *told])),
        legendgroup=curve.method,
        line=stroke(style.colour, 2, style.dash),
        **hover("with %{x:.2%} false alarms %{y:.2%} found", escape(curve.title)),
    )
    return [line, _marks(curve)]


def _marks(curve: Curve) -> dict[str, Any]:
    style, marks = line_style(curve.method), [mark for mark in curve.marks if mark.tpr > 0]
    bars = {
        "type": "data",
        "array": [mark.high - mark.tpr for mark in marks],
        "arrayminus": [mark.tpr - max(mark.low, LEAST / 10) for mark in marks],
        "color": style.colour,
        "thickness": 1.4,
        "width": 4,
    }
    return scatter(
        [mark.fpr for mark in marks],
        [mark.tpr for mark in marks],
        "markers",
        marker={"symbol": style.marker, "size": 8, "color": style.colour},
        error_y=bars,
        legendgroup=curve.method,
        showlegend=False,
        hoverinfo="skip",
    )
