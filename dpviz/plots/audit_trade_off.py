"""The trade-off that a promise leaves, and the tests of an audit beside it: false alarms (type I)
against misses (type II).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from statistics import NormalDist
from typing import Any

import numpy as np
import plotly.graph_objects as go

from dpviz.formatting import percent_down, percent_up
from dpviz.plots.kit import axes, figures
from dpviz.plots.kit.figures import MARGINS
from dpviz.plots.kit.style import ACCENT, GREY, WRONG, rgba
from dpviz.plots.kit.traces import SILENT, hover, scatter, stroke

NORMAL = NormalDist()
SCALES = {"linear": "linear", "normal": "normal quantiles"}
"""On normal quantiles the curve of a Gaussian promise is a straight line, and the ends are wide."""
LEAST = 1e-4
"""Where the scales of normal quantiles begin, and as far from 1 where they end."""
TICKS = (1e-3, 0.01, 0.1, 0.3, 0.5, 0.7, 0.9, 0.99, 0.999)
_ENDS = np.geomspace(LEAST, 0.5, 80)
GRID = np.unique(np.concatenate([[0.0, 1.0], _ENDS, 1 - _ENDS, np.linspace(0, 1, 121)]))
"""False alarms at which the promise's curve is asked for."""


@dataclass(frozen=True, eq=False)
class TradeOff:
    """What is drawn.

    Attributes:
        alarms, misses: (k,) shares of each test; alarms_within, misses_within: (k, 2) their
            intervals.
        allowed: (len(GRID),) the fewest misses that the promise allows at GRID's false alarms.
        allowed_there: (k,) the same at the most false alarms of each test.
        breaks: the number of the test that breaks the promise most clearly, or None; scale: a key
            of SCALES.
    """

    alarms: np.ndarray
    misses: np.ndarray
    alarms_within: np.ndarray
    misses_within: np.ndarray
    allowed: np.ndarray
    allowed_there: np.ndarray
    breaks: int | None
    scale: str

    @property
    def below(self) -> list[int]:
        """Tests that break the promise: even their most misses are too few."""
        found = np.flatnonzero(self.misses_within[:, 1] < self.allowed_there).tolist()
        return found if self.breaks is not None else []


def info(
    alarms: np.ndarray,
    misses: np.ndarray,
    alarms_within: np.ndarray,
    misses_within: np.ndarray,
    allowed: np.ndarray,
    allowed_there: np.ndarray,
    breaks: int | None,
    scale: str = "linear",
) -> TradeOff:
    """The chart's data."""
    return TradeOff(
        alarms, misses, alarms_within, misses_within, allowed, allowed_there, breaks, scale
    )


def alt(chart: TradeOff) -> str:
    """The chart in words."""
    return (
        "Misses against false alarms, both from 0 to 100 %, of the tests that an audit tries, each"
        " in the rectangle that holds its true errors; below the curve lies what the promise allows"
        " no test. A test whose rectangle lies below it altogether breaks the promise."
    )


def table(chart: TradeOff) -> list[dict[str, Any]]:
    """A row for each test."""
    return [
        {
            "test": number + 1,
            "false alarms": float(chart.alarms[number]),
            "false alarms at most": float(chart.alarms_within[number, 1]),
            "misses": float(chart.misses[number]),
            "misses at most": float(chart.misses_within[number, 1]),
            "misses allowed at those false alarms, at least": float(chart.allowed_there[number]),
            "breaks the promise": number in chart.below,
        }
        for number in range(len(chart.alarms))
    ]


def figure(chart: TradeOff) -> go.Figure:
    """The curve with what it forbids, the tests, and the one that breaks it."""
    at = _placed(chart.scale)
    floor = scatter(at(GRID), at(np.zeros(len(GRID))), line={"width": 0}, **SILENT)
    promise = scatter(
        at(GRID),
        at(chart.allowed),
        line=stroke(ACCENT, 2.6),
        name="the promise: no test below this",
        customdata=[
            f"{alarms:.2%}, at least {percent_down(m)} %"
            for alarms, m in zip(GRID, chart.allowed, strict=True)
        ],
        **hover("any test: false alarms and misses %{customdata}"),
    ) | {"fill": "tonexty", "fillcolor": rgba(ACCENT, 0.12)}
    others = [n for n in chart.below if n != chart.breaks]
    kept = [n for n in range(len(chart.alarms)) if n not in chart.below and n != chart.breaks]
    traces = [floor, promise, _blind(at), _boxes(chart, kept, GREY, at)]
    traces.append(_tests(chart, kept, GREY, "tests of the audit, and where their errors lie", at))
    if others:
        traces.append(_boxes(chart, others, WRONG, at, 0.08))
        traces.append(_tests(chart, others, rgba(WRONG, 0.55), "these break it too", at))
    if chart.breaks is not None:
        traces.append(_boxes(chart, [chart.breaks], WRONG, at))
        traces.append(_tests(chart, [chart.breaks], WRONG, "breaks the promise most clearly", at))
    return figures.make_figure(
        traces,
        380,
        MARGINS | {"t": 12, "r": 14, "b": 106},
        xaxis=_axis(chart.scale, "false alarms (type I)", axes.CLOSE),
        yaxis=_axis(chart.scale, "misses (type II)", axes.BESIDE),
        legend={"y": -0.2},
    )


Placed = Callable[[Any], np.ndarray]


def _placed(scale: str) -> Placed:
    """Where shares lie on an axis."""
    if scale == "linear":
        return lambda shares: np.asarray(shares, float)
    return lambda shares: _quantiles(np.clip(np.asarray(shares, float), LEAST, 1 - LEAST))


def _quantiles(shares: np.ndarray) -> np.ndarray:
    found = [NORMAL.inv_cdf(share) for share in shares.ravel().tolist()]
    return np.reshape(found, shares.shape)


def _axis(scale: str, title: str, standoff: float) -> dict[str, Any]:
    if scale == "linear":
        return axes.share(title, standoff, **axes.WITHIN_MARGINS | {"range": [-0.01, 1.01]})
    ends = _placed(scale)([LEAST, 1 - LEAST]).tolist()
    ticks = {
        "tickvals": _placed(scale)(TICKS).tolist(),
        "ticktext": [f"{100 * t:g}%" for t in TICKS],
    }
    return axes.axis(title, standoff, range=ends, zeroline=False, **ticks | axes.WITHIN_MARGINS)


def _blind(at: Placed) -> dict[str, Any]:
    line = stroke(GREY, 1.2, "dot")
    return scatter(at(GRID), at(1 - GRID), name="a coin", line=line, hoverinfo="skip")


def _boxes(
    chart: TradeOff, which: list[int], colour: str, at: Placed, fill: float = 0.22
) -> dict[str, Any]:
    """A rectangle of each test; a gap ends each."""
    x: list[float | None] = []
    y: list[float | None] = []
    for n in which:
        (left, right), (down, up) = (
            at(within[n]).tolist() for within in (chart.alarms_within, chart.misses_within)
        )
        x += [left, right, right, left, left, None]
        y += [down, down, up, up, down, None]
    look = {"fill": "toself", "fillcolor": rgba(colour, fill), "line": stroke(colour, 1)}
    return scatter(x, y, **SILENT | look)


def _tests(chart: TradeOff, which: list[int], colour: str, name: str, at: Placed) -> dict[str, Any]:
    told = [
        f"{chart.alarms[n]:.2%} false alarms, {chart.misses[n]:.2%} missed: at most"
        f" {percent_up(chart.misses_within[n, 1])} % where at least"
        f" {percent_down(chart.allowed_there[n])} % must be"
        for n in which
    ]
    return scatter(
        at(chart.alarms[which]),
        at(chart.misses[which]),
        "markers",
        name=name,
        marker={"size": 6, "color": colour},
        text=told,
        **hover("%{text}"),
    )
