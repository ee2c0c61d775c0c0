"""ROC of the loss-threshold attack, under the line that the guarantee lets no attack cross."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

import numpy as np
import plotly.graph_objects as go

from dpviz.formatting import bound as rounded_up
from dpviz.formatting import percent_up
from dpviz.plots.kit import axes, figures
from dpviz.plots.kit.figures import MARGINS
from dpviz.plots.kit.style import ACCENT, GREY, line_style, rgba
from dpviz.plots.kit.traces import SILENT, hover, scatter, stroke

SCALES = {"linear": "linear", "log": "log, few false alarms"}
LEAST = 1e-3
"""Where the log scales begin."""
LETTERS = 46
"""Of a line in the legend."""


@dataclass(frozen=True, eq=False)
class Curve:
    """One method's attack: key, name, false and true positive rates (k,), area and its standard
    error; dash: of its line, the method's own if empty.
    """

    method: str
    title: str
    fpr: np.ndarray
    tpr: np.ndarray
    auc: float
    error: float
    dash: str = ""


@dataclass(frozen=True, eq=False)
class Bound:
    """The most that any attack reaches against one guarantee: keys and names of the methods that
    promise it.
    """

    methods: tuple[str, ...]
    titles: tuple[str, ...]
    fpr: np.ndarray
    tpr: np.ndarray
    auc: float


@dataclass(frozen=True, eq=False)
class Roc:
    """Attacks that are done, and bounds, which need no attack; scale: a key of ``SCALES``."""

    curves: tuple[Curve, ...]
    bounds: tuple[Bound, ...]
    scale: str


def info(curves: Sequence[Curve], bounds: Sequence[Bound], scale: str) -> Roc:
    """The chart's data; bounds that coincide are drawn as one line."""
    merged: list[Bound] = []
    for bound in bounds:
        same = next(
            (i for i, m in enumerate(merged) if np.allclose(m.tpr, bound.tpr, atol=1e-6)), None
        )
        if same is None:
            merged.append(bound)
        else:
            first = merged[same]
            merged[same] = Bound(
                first.methods + bound.methods,
                first.titles + bound.titles,
                first.fpr,
                first.tpr,
                first.auc,
            )
    return Roc(tuple(curves), tuple(merged), scale)


def alt(chart: Roc) -> str:
    """The chart in words."""
    names = ", ".join(
        dict.fromkeys(
            [*(c.title for c in chart.curves), *(t for b in chart.bounds for t in b.titles)]
        )
    )
    return (
        "Share of members found against share of false alarms, both from 0 to 100 %, for an attack"
        f" on {names}, with the bound that the guarantee puts on any attack and the diagonal of"
        " blind guessing."
    )


def figure(chart: Roc) -> go.Figure:
    """Bounds with the forbidden side shaded, attacks, and the diagonal."""
    one = len(chart.bounds) == 1
    traces = [trace for bound in chart.bounds for trace in _bound(bound, one)]
    traces += [_blind(chart.scale), *(_attack(curve) for curve in chart.curves)]
    return figures.make_figure(
        traces,
        470,
        MARGINS | {"r": 26, "t": 12},
        xaxis=_axis(chart.scale, "false alarms: not used, but taken for used", axes.CLOSE),
        yaxis=_axis(chart.scale, "used, and found", axes.BESIDE),
        legend={"y": -0.17},
    )


def _axis(scale: str, title: str, standoff: float) -> dict[str, Any]:
    if scale == "linear":
        return axes.share(title, standoff, **axes.WITHIN_MARGINS)
    ends = {"type": "log", "range": [float(np.log10(LEAST)), 0]}
    ticks = {"tickvals": [0.001, 0.01, 0.1, 1], "tickformat": ".1~%"}
    return axes.axis(title, standoff, **ends | ticks | axes.WITHIN_MARGINS)


def _bound(bound: Bound, one: bool) -> list[dict[str, Any]]:
    colour = ACCENT if one else line_style(bound.methods[0]).colour
    whom = " on a private method" if one else f" on {escape(' and '.join(bound.titles))}"
    line = scatter(
        bound.fpr,
        bound.tpr,
        name=f"no attack{whom} gets above this (area ≤ {rounded_up(bound.auc)})",
        line=stroke(colour, 2.6, "solid" if one else "longdash"),
        customdata=[percent_up(rate) for rate in bound.tpr],
        **hover("with %{x:.1%} false alarms at most %{customdata}% found", f"any attack{whom}"),
    )
    if not one:
        return [line]
    ceiling = scatter(bound.fpr, np.ones(len(bound.fpr)), line={"width": 0}, **SILENT)
    return [line, ceiling | {"fill": "tonexty", "fillcolor": rgba(ACCENT, 0.1)}]


def _blind(scale: str) -> dict[str, Any]:
    ends = np.geomspace(LEAST, 1, 20) if scale == "log" else np.array([0.0, 1.0])
    look = {"line": stroke(GREY, 1.2, "dot"), "hoverinfo": "skip"}
    return scatter(ends, ends, name="guessing blindly", **look)


def _lines(words: str) -> str:
    """Words on lines that a phone holds, since Plotly breaks none in a legend."""
    return "<br>".join(map(escape, textwrap.wrap(words, LETTERS)))


def _attack(curve: Curve) -> dict[str, Any]:
    style = line_style(curve.method)
    return scatter(
        curve.fpr,
        curve.tpr,
        name=_lines(f"{curve.title}: area {curve.auc:.3f} ± {2 * curve.error:.3f}"),
        line=stroke(style.colour, 2, curve.dash or style.dash),
        **hover("with %{x:.1%} false alarms %{y:.1%} found", escape(curve.title)),
    )
