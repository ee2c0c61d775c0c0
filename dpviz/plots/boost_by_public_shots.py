"""Performance Boost against the number of public shots (Figure 2 of the AdaMix paper)."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import plotly.graph_objects as go
from scipy.stats import t

from dpviz.plots.kit.style import ACCENT, FONT, GREY, GRID, look

SMALL = 0.005
"""Where the method errs at most half a point more than the paragon, the ratio says nothing."""
LOW, HIGH = 0.2, 50.0
"""Ends of the axis."""


@dataclass(frozen=True)
class Boost:
    """A boost and its 95 % interval; all nan where it is undefined, low and high nan for a single
    run.
    """

    value: float
    low: float
    high: float

    @property
    def defined(self) -> bool:
        """Whether there is a number."""
        return not math.isnan(self.value)


UNDEFINED = Boost(math.nan, math.nan, math.nan)


@dataclass(frozen=True)
class BoostCurve:
    """Boosts of each preset by number of shots, and the number looked at."""

    shots: tuple[int, ...]
    lines: tuple[tuple[str, tuple[Boost, ...]], ...]
    now: int


def boost(public: Sequence[float], dp: Sequence[float], paragon: Sequence[float]) -> Boost:
    """(e_public - e_paragon) / (e_DP - e_paragon) of mean errors, with Fieller's interval over
    paired runs.

    Undefined where the denominator is at most ``SMALL`` or cannot be told from 0.
    """
    top, bottom = np.subtract(public, paragon), np.subtract(dp, paragon)
    a, b, n = float(top.mean()), float(bottom.mean()), len(top)
    if not b > SMALL:
        return UNDEFINED
    if n < 2:
        return Boost(a / b, math.nan, math.nan)
    (saa, sab), (_, sbb) = np.cov(top, bottom) * float(t.ppf(0.975, n - 1)) ** 2 / n
    square = b**2 - sbb
    if square <= 0:
        return UNDEFINED
    middle, half = a * b - sab, math.sqrt(max((a * b - sab) ** 2 - square * (a**2 - saa), 0.0))
    return Boost(a / b, (middle - half) / square, (middle + half) / square)


def info(
    errors: Mapping[tuple[str, int], Sequence[float]], names: Sequence[str], now: int
) -> BoostCurve:
    """The chart's data from errors by preset and shots, one a seed; needs Only-Public and paragon
    at each number.
    """
    shots = tuple(sorted({n for _, n in errors}))

    def at(name: str, n: int) -> Boost:
        return boost(errors["Only-Public", n], errors[name, n], errors["paragon", n])

    return BoostCurve(
        shots, tuple((name, tuple(at(name, n) for n in shots)) for name in names), now
    )


def words(value: Boost) -> str:
    """``1.7 (1.4–2.1)``, or that it is undefined."""
    if not value.defined:
        return "undefined"
    return f"{value.value:.2g}" + (
        "" if math.isnan(value.low) else f" ({value.low:.2g}–{value.high:.2g})"
    )


def alt(chart: BoostCurve) -> str:
    """The chart in words."""
    names = ", ".join(name for name, _ in chart.lines)
    return (
        f"Performance Boost on a log axis against the number of public shots for {names}; at 1"
        " private training is as good as public shots alone."
    )


def figure(chart: BoostCurve) -> go.Figure:
    """A line with bars a preset; undefined values stand as open crosses on a row above the axis."""
    drawn = [
        trace
        for row, (name, values) in enumerate(chart.lines)
        for trace in _traces(chart, row, name, values)
    ]
    layout: dict[str, Any] = {
        "height": 380,
        "margin": {"l": 8, "r": 8, "t": 30, "b": 8},
        "font": {"size": FONT},
        "hovermode": "closest",
    }
    layout["legend"] = {"orientation": "h", "x": 0, "y": 1.02, "yanchor": "bottom"}
    x = {
        "tickvals": list(range(len(chart.shots))),
        "ticktext": [str(n) for n in chart.shots],
        "range": [-0.4, len(chart.shots) - 0.6],
    }
    layout["xaxis"] = x | {
        "title": {"text": "public shots a class"},
        "fixedrange": True,
        "showgrid": False,
        "zeroline": False,
    }
    ticks = [0.2, 0.5, 1, 2, 5, 10, 20, 50]
    y = {
        "type": "log",
        "range": [math.log10(LOW), math.log10(HIGH) + 0.25],
        "tickvals": ticks,
        "ticktext": [f"{v:g}" for v in ticks],
    }
    layout["yaxis"] = y | {
        "title": {"text": "Performance Boost"},
        "gridcolor": GRID,
        "fixedrange": True,
        "automargin": True,
    }
    layout["shapes"] = [_across()] + ([_now(chart)] if chart.now in chart.shots else [])
    note = {
        "xref": "paper",
        "x": 1,
        "xanchor": "right",
        "showarrow": False,
        "font": {"size": 11, "color": GREY},
    }
    layout["annotations"] = [
        note | {"y": 0, "yanchor": "top", "text": "1: as good as Only-Public"},
        note | {"y": math.log10(HIGH) + 0.22, "yanchor": "top", "text": "× undefined"},
    ]
    return go.Figure(data=drawn, layout=layout, _validate=False)


def _across() -> dict[str, Any]:
    return {
        "type": "line",
        "xref": "paper",
        "x0": 0,
        "x1": 1,
        "y0": 1,
        "y1": 1,
        "line": {"color": GREY, "width": 1.5, "dash": "dashdot"},
    }


def _now(chart: BoostCurve) -> dict[str, Any]:
    x = chart.shots.index(chart.now)
    return {
        "type": "line",
        "yref": "paper",
        "y0": 0,
        "y1": 1,
        "x0": x,
        "x1": x,
        "line": {"color": ACCENT, "width": 2},
        "layer": "below",
    }


def _traces(
    chart: BoostCurve, row: int, name: str, values: Sequence[Boost]
) -> list[dict[str, Any]]:
    style = look(name)
    x = [i + 0.07 * (row - (len(chart.lines) - 1) / 2) for i in range(len(values))]
    y = [min(max(v.value, LOW), HIGH) if v.defined else None for v in values]
    line = {
        "type": "scatter",
        "x": x,
        "y": y,
        "name": name,
        "mode": "lines+markers",
        "connectgaps": False,
    }
    line |= {
        "line": {"color": style.colour, "dash": style.dash, "width": 2.5},
        "marker": {"symbol": style.marker, "size": 9, "color": style.colour},
    }
    arms = [(_arm(v.high - v.value), _arm(v.value - max(v.low, LOW))) for v in values]
    line["error_y"] = {
        "type": "data",
        "array": [a for a, _ in arms],
        "arrayminus": [b for _, b in arms],
        "color": style.colour,
        "thickness": 1.6,
        "width": 5,
    }
    line |= {"text": [words(v) for v in values], "hovertemplate": f"%{{text}}<extra>{name}</extra>"}
    gone = [x[i] for i, v in enumerate(values) if not v.defined]
    cross = {
        "type": "scatter",
        "x": gone,
        "y": [HIGH * 1.25] * len(gone),
        "mode": "markers",
        "showlegend": False,
        "name": name,
    }
    cross["marker"] = {
        "symbol": "x-thin",
        "size": 10,
        "line": {"color": style.colour, "width": 2.5},
    }
    return [line, cross | {"hovertemplate": f"undefined<extra>{name}</extra>"}]


def _arm(length: float) -> float:
    return max(length, 0.0) if math.isfinite(length) else 0.0
