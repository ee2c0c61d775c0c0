"""AdaMix: what private training adds to public shots, and one run step by step."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import plotly.graph_objects as go

from dpviz.plots.kit.drawing import (
    REFERENCE_FONT,
    band,
    category_axis,
    error_arms,
    horizontal_line,
    hover,
    line_and_marker,
    make_axis,
    make_figure,
    note,
    scatter,
    share_axis,
    stroke,
    vertical_line,
)
from dpviz.plots.kit.style import ACCENT, GREY, RIGHT, SMALL_FONT, WRONG, line_style, rgba
from dpviz.shares import freedom, quantile
from dpviz.stats import Interval
from dpviz.text.charts import ALTS, AXES, LABELS, STEP_PANELS
from dpviz.text.template import render_text

#: Where the method errs at most half a point more than the paragon, the ratio says nothing.
MIN_DIFFERENCE = 0.005
#: Ends of the axis.
MIN_BOOST, MAX_BOOST = 0.2, 50.0


@dataclass(frozen=True)
class Boost:
    """A boost and its 95% interval; all nan where it is undefined, low and high nan for a single
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
    current: int

    @classmethod
    def from_errors(
        cls, errors: Mapping[tuple[str, int], Interval], names: Sequence[str], current: int
    ) -> BoostCurve:
        """The chart's data from errors by preset and shots; needs Only-Public and paragon
        at each number.
        """
        shots = tuple(sorted({n for _, n in errors}))

        def at(name: str, n: int) -> Boost:
            return boost(errors["Only-Public", n], errors[name, n], errors["paragon", n])

        return cls(
            shots, tuple((name, tuple(at(name, n) for n in shots)) for name in names), current
        )

    def alt(self) -> str:
        return render_text(ALTS["boost"], names=", ".join(name for name, _ in self.lines))

    def figure(self) -> go.Figure:
        """A line with bars a preset; undefined values stand as open crosses on a row above the
        axis.
        """
        rows = enumerate(self.lines)
        ticks = [0.2, 0.5, 1, 2, 5, 10, 20, 50]
        y = {
            "type": "log",
            "zeroline": True,
            "range": [math.log10(MIN_BOOST), math.log10(MAX_BOOST) + 0.25],
        }
        y |= {"tickvals": ticks, "ticktext": [f"{v:g}" for v in ticks]}
        x = category_axis([str(n) for n in self.shots]) | {"range": [-0.4, len(self.shots) - 0.6]}
        marked = [self.shots.index(self.current)] if self.current in self.shots else []
        notes = {LABELS["boost_equal"]: 0, LABELS["boost_undefined"]: math.log10(MAX_BOOST) + 0.22}
        return make_figure(
            [trace for row, (name, values) in rows for trace in self._traces(row, name, values)],
            380,
            {"t": 30},
            legend={"y": 1.02, "yanchor": "bottom"},
            xaxis=make_axis(AXES["shots"], grid=False, **x),
            yaxis=make_axis(AXES["boost"], **y),
            shapes=[horizontal_line(1, width=1.5, dash="dashdot")]
            + [vertical_line(x) | {"layer": "below"} for x in marked],
            annotations=[
                note(words, 1, y, "right top", xref="paper", font=REFERENCE_FONT)
                for words, y in notes.items()
            ],
        )

    def _traces(self, row: int, name: str, values: Sequence[Boost]) -> list[dict[str, Any]]:
        style = line_style(name)
        x = [i + 0.07 * (row - (len(self.lines) - 1) / 2) for i in range(len(values))]
        up = [_arm_length(v.high - v.value) for v in values]
        down = [_arm_length(v.value - max(v.low, MIN_BOOST)) for v in values]
        line = scatter(
            x,
            [min(max(v.value, MIN_BOOST), MAX_BOOST) if v.defined else None for v in values],
            "lines+markers",
            name=name,
            connectgaps=False,
            error_y=error_arms(up, down, style.colour, 1.6, 5),
            text=[boost_text(v) for v in values],
            **line_and_marker(style, 2.5, 9),
            **hover("%{text}", name),
        )
        gone = [place for place, v in zip(x, values, strict=True) if not v.defined]
        marker = {"symbol": "x-thin", "size": 10, "line": stroke(style.colour, 2.5)}
        cross = scatter(gone, [MAX_BOOST * 1.25] * len(gone), "markers", name=name, marker=marker)
        return [line, cross | {"showlegend": False} | hover("undefined", name)]


def boost(public: Interval, dp: Interval, reference: Interval) -> Boost:
    """(e_public - e_paragon) / (e_DP - e_paragon) of mean errors, with Fieller's interval over
    paired runs and test records.

    Undefined where the denominator is at most ``MIN_DIFFERENCE`` or cannot be told from 0.
    """
    a, b, n = public.mean - reference.mean, dp.mean - reference.mean, dp.runs
    if not b > MIN_DIFFERENCE:
        return UNDEFINED
    if n < 2:
        return Boost(a / b, math.nan, math.nan)
    seeds = np.cov([np.subtract(errors.values, reference.values) for errors in (public, dp)]) / n
    records = np.zeros((2, 2))
    if public.parts is not None and dp.parts is not None and reference.parts is not None:
        moved = np.stack([public.parts - reference.parts, dp.parts - reference.parts])
        records = moved @ moved.T
    free = freedom(float(records[1, 1]), [(float(seeds[1, 1]), n)])
    (saa, sab), (_, sbb) = (seeds + records) * quantile(free) ** 2
    square = b**2 - sbb
    if square <= 0:
        return UNDEFINED
    middle, half = a * b - sab, math.sqrt(max((a * b - sab) ** 2 - square * (a**2 - saa), 0.0))
    return Boost(a / b, (middle - half) / square, (middle + half) / square)


def boost_text(value: Boost) -> str:
    """``1.7 (1.4–2.1)``, or that it is undefined."""
    if not value.defined:
        return "undefined"
    return f"{value.value:.2g}" + (
        "" if math.isnan(value.low) else f" ({value.low:.2g}–{value.high:.2g})"
    )


def _arm_length(length: float) -> float:
    return max(length, 0.0) if math.isfinite(length) else 0.0


PANEL_HEIGHT, PANEL_GAP = 160, 92
#: Of each panel's axes.
AXIS_SUFFIXES = ("", "2", "3")


@dataclass(frozen=True)
class StepLine:
    """A line of a panel (0, 1, 2): its name and its value at each step; ``band`` values lie below
    and above it.
    """

    panel: int
    name: str
    values: tuple[float, ...]
    band: tuple[tuple[float, ...], tuple[float, ...]] | None = None


@dataclass(frozen=True)
class StepTrace:
    """Number of steps and the lines over them."""

    steps: int
    traces: tuple[StepLine, ...]

    @classmethod
    def from_path(cls, path: Any) -> StepTrace:
        """The chart's data from a ``methods.components.mixed_gradients.Path``."""
        low, middle, high = (tuple(column) for column in np.asarray(path.norms).T.tolist())
        lines = [
            StepLine(
                0, "private norms, median (band: 10th to 90th percentile)", middle, (low, high)
            ),
            StepLine(0, "threshold τ", tuple(path.threshold.tolist())),
            StepLine(1, "records clipped", tuple(path.clipped.tolist())),
            StepLine(1, "private signal kept by the projection", tuple(path.kept_share.tolist())),
            StepLine(1, "public rank energy kept", tuple(path.public_energy.tolist())),
            StepLine(2, "signal", tuple(path.signal.tolist())),
            StepLine(2, "noise", tuple(path.noise.tolist())),
        ]
        return cls(len(path.threshold), tuple(lines))

    def alt(self) -> str:
        return render_text(ALTS["steps"], steps=self.steps)

    def table(self) -> list[dict[str, Any]]:
        """A row a step."""
        return [
            {"step": i + 1} | {trace.name: trace.values[i] for trace in self.traces}
            for i in range(self.steps)
        ]

    def figure(self) -> go.Figure:
        """Three panels above each other over the steps."""
        inside = 3 * PANEL_HEIGHT + 2 * PANEL_GAP
        tops = [1 - panel * (PANEL_HEIGHT + PANEL_GAP) / inside for panel in range(3)]
        styles = zip(self.traces, STEP_COLOURS, STEP_DASHES, strict=True)
        panels = {
            "yaxis" + AXIS_SUFFIXES[panel]: _axis(panel, self)
            | {"domain": [max(0.0, top - PANEL_HEIGHT / inside), top], "anchor": "x"}
            for panel, top in enumerate(tops)
        }
        return make_figure(
            [line for style in styles for line in _step_traces(*style, self.steps)],
            inside + 102,
            {"t": 58, "b": 44},
            hovermode="x",
            showlegend=False,
            annotations=[_step_title(self.traces, panel, top) for panel, top in enumerate(tops)],
            xaxis=make_axis(AXES["step"], anchor="y3", range=[0.5, self.steps + 0.5]),
            **panels,
        )


STEP_COLOURS = (RIGHT, ACCENT, WRONG, RIGHT, GREY, RIGHT, WRONG)
STEP_DASHES = ("solid", "solid", "solid", "dash", "dot", "solid", "dash")


def _axis(panel: int, chart: StepTrace) -> dict[str, Any]:
    small = {"tickfont": {"size": SMALL_FONT}}
    if panel == 1:
        return share_axis(range=[-0.03, 1.03], dtick=0.5, **small)
    if panel == 0:
        return make_axis(range=[-0.04, 1.5], dtick=0.5, **small)
    values = np.concatenate([t.values for t in chart.traces if t.panel == 2])
    values = np.log10(values[values > 0]) if (values > 0).any() else np.zeros(1)
    ends = [float(np.floor(values.min())), float(np.ceil(values.max() + 0.01))]
    return make_axis(type="log", range=ends, dtick=1, exponentformat="power", **small)


def _step_traces(trace: StepLine, colour: str, dash: str, steps: int) -> list[dict[str, Any]]:
    x, axis = list(range(1, steps + 1)), "y" + AXIS_SUFFIXES[trace.panel]
    line = scatter(
        x,
        list(trace.values),
        "lines+markers" if steps < 30 else "lines",
        yaxis=axis,
        name=trace.name,
        line=stroke(colour, 2.2, dash),
        marker={"size": 5},
        **hover("%{y:.3g}", trace.name),
    )
    if trace.band is None:
        return [line]
    return [band(x, *trace.band, colour, yaxis=axis, fillcolor=rgba(colour, 0.18)), line]


def _step_title(traces: Sequence[StepLine], panel: int, top: float) -> dict[str, Any]:
    """A panel's title with the names of its lines in their colours, each line named where it is
    drawn.
    """
    names = [
        f'<br><span style="color:{colour}">━</span> {trace.name}'
        for trace, colour in zip(traces, STEP_COLOURS, strict=True)
        if trace.panel == panel
    ]
    place = {"xref": "paper", "yref": "paper", "align": "left", "yshift": 8}
    return note(f"<b>{STEP_PANELS[panel]}</b>{''.join(names)}", 0, top, "left bottom", **place)
