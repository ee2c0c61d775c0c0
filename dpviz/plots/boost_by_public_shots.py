"""Performance Boost against the number of public shots (Figure 2 of the AdaMix paper)."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import plotly.graph_objects as go

from dpviz.plots.kit import axes, figures
from dpviz.plots.kit.marks import REFERENCE, across, note, upright
from dpviz.plots.kit.style import line_style
from dpviz.plots.kit.traces import drawn_as, hover, scatter, stroke
from dpviz.shares import freedom, quantile
from dpviz.stats import Interval

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


def boost(public: Interval, dp: Interval, paragon: Interval) -> Boost:
    """(e_public - e_paragon) / (e_DP - e_paragon) of mean errors, with Fieller's interval over
    paired runs and test records.

    Undefined where the denominator is at most ``SMALL`` or cannot be told from 0.
    """
    a, b, n = public.mean - paragon.mean, dp.mean - paragon.mean, dp.runs
    if not b > SMALL:
        return UNDEFINED
    if n < 2:
        return Boost(a / b, math.nan, math.nan)
    seeds = np.cov([np.subtract(one.values, paragon.values) for one in (public, dp)]) / n
    records = np.zeros((2, 2))
    if public.parts is not None and dp.parts is not None and paragon.parts is not None:
        moved = np.stack([public.parts - paragon.parts, dp.parts - paragon.parts])
        records = moved @ moved.T
    free = freedom(float(records[1, 1]), [(float(seeds[1, 1]), n)])
    (saa, sab), (_, sbb) = (seeds + records) * quantile(free) ** 2
    square = b**2 - sbb
    if square <= 0:
        return UNDEFINED
    middle, half = a * b - sab, math.sqrt(max((a * b - sab) ** 2 - square * (a**2 - saa), 0.0))
    return Boost(a / b, (middle - half) / square, (middle + half) / square)


def info(errors: Mapping[tuple[str, int], Interval], names: Sequence[str], now: int) -> BoostCurve:
    """The chart's data from errors by preset and shots; needs Only-Public and paragon
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
    rows = enumerate(chart.lines)
    ticks = [0.2, 0.5, 1, 2, 5, 10, 20, 50]
    y = {"type": "log", "zeroline": True, "range": [math.log10(LOW), math.log10(HIGH) + 0.25]}
    y |= {"tickvals": ticks, "ticktext": [f"{v:g}" for v in ticks]}
    x = axes.category_axis([str(n) for n in chart.shots]) | {
        "range": [-0.4, len(chart.shots) - 0.6]
    }
    here = [chart.shots.index(chart.now)] if chart.now in chart.shots else []
    said = {"1: as good as Only-Public": 0, "× undefined": math.log10(HIGH) + 0.22}
    return figures.make_figure(
        [trace for row, (name, values) in rows for trace in _traces(chart, row, name, values)],
        380,
        {"t": 30},
        legend={"y": 1.02, "yanchor": "bottom"} | figures.CLICKABLE,
        xaxis=axes.axis("public shots a class", grid=False, **x),
        yaxis=axes.axis("Performance Boost", **y),
        shapes=[across(1, width=1.5, dash="dashdot")]
        + [upright(x) | {"layer": "below"} for x in here],
        annotations=[
            note(words, 1, y, "right top", xref="paper", font=REFERENCE)
            for words, y in said.items()
        ],
    )


def _traces(
    chart: BoostCurve, row: int, name: str, values: Sequence[Boost]
) -> list[dict[str, Any]]:
    style = line_style(name)
    x = [i + 0.07 * (row - (len(chart.lines) - 1) / 2) for i in range(len(values))]
    line = scatter(
        x,
        [min(max(v.value, LOW), HIGH) if v.defined else None for v in values],
        "lines+markers",
        name=name,
        connectgaps=False,
        error_y={
            "type": "data",
            "array": [_arm(v.high - v.value) for v in values],
            "arrayminus": [_arm(v.value - max(v.low, LOW)) for v in values],
            "color": style.colour,
            "thickness": 1.6,
            "width": 5,
        },
        text=[words(v) for v in values],
        **drawn_as(style, 2.5, 9),
        **hover("%{text}", name),
    )
    gone = [place for place, v in zip(x, values, strict=True) if not v.defined]
    marker = {"symbol": "x-thin", "size": 10, "line": stroke(style.colour, 2.5)}
    cross = scatter(gone, [HIGH * 1.25] * len(gone), "markers", name=name, marker=marker)
    return [line, cross | {"showlegend": False} | hover("undefined", name)]


def _arm(length: float) -> float:
    return max(length, 0.0) if math.isfinite(length) else 0.0
