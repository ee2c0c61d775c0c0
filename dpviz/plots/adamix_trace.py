"""One run of AdaMix step by step: threshold and gradient norms, what the projection keeps, noise
against signal.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import plotly.graph_objects as go

from dpviz.plots.kit import axes, figures
from dpviz.plots.kit.marks import note
from dpviz.plots.kit.style import ACCENT, GREY, RIGHT, WRONG, rgba
from dpviz.plots.kit.traces import band, hover, scatter, stroke

ROW, GAP = 160, 92
MARKS = ("", "2", "3")
"""Of each panel's axes."""
PANELS = (
    "Gradient norms and the threshold they are clipped at",
    "Shares",
    "Signal against noise, after projection",
)


@dataclass(frozen=True)
class Trace:
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
    traces: tuple[Trace, ...]


def info(path: Any) -> StepTrace:
    """The chart's data from a ``methods.parts.mixed_gradients.Path``."""
    low, middle, high = (tuple(column) for column in np.asarray(path.norms).T.tolist())
    lines = [
        Trace(0, "private norms, median (band: 10th to 90th percentile)", middle, (low, high)),
        Trace(0, "threshold τ", tuple(path.threshold.tolist())),
        Trace(1, "records clipped", tuple(path.clipped.tolist())),
        Trace(1, "private signal kept by the projection", tuple(path.kept.tolist())),
        Trace(1, "public rank energy kept", tuple(path.public_energy.tolist())),
        Trace(2, "signal", tuple(path.signal.tolist())),
        Trace(2, "noise", tuple(path.noise.tolist())),
    ]
    return StepTrace(len(path.threshold), tuple(lines))


def alt(chart: StepTrace) -> str:
    """The chart in words."""
    return (
        f"{chart.steps} steps of one run, three panels: private gradient norms with the clip"
        " threshold; shares clipped and kept; length of signal and noise."
    )


def table(chart: StepTrace) -> list[dict[str, Any]]:
    """A row a step."""
    return [
        {"step": i + 1} | {trace.name: trace.values[i] for trace in chart.traces}
        for i in range(chart.steps)
    ]


COLOURS = (RIGHT, ACCENT, WRONG, RIGHT, GREY, RIGHT, WRONG)
DASHES = ("solid", "solid", "solid", "dash", "dot", "solid", "dash")


def figure(chart: StepTrace) -> go.Figure:
    """Three panels above each other over the steps."""
    inside = 3 * ROW + 2 * GAP
    tops = [1 - panel * (ROW + GAP) / inside for panel in range(3)]
    looks = zip(chart.traces, COLOURS, DASHES, strict=True)
    panels = {
        "yaxis" + MARKS[panel]: _axis(panel, chart)
        | {"domain": [max(0.0, top - ROW / inside), top], "anchor": "x"}
        for panel, top in enumerate(tops)
    }
    return figures.make_figure(
        [line for look in looks for line in _lines(*look, chart.steps)],
        inside + 102,
        {"t": 58, "b": 44},
        hovermode="x",
        showlegend=False,
        annotations=[_head(chart.traces, panel, top) for panel, top in enumerate(tops)],
        xaxis=axes.axis("step", anchor="y3", range=[0.5, chart.steps + 0.5]),
        **panels,
    )


def _axis(panel: int, chart: StepTrace) -> dict[str, Any]:
    small = {"tickfont": {"size": 11}}
    if panel == 1:
        return axes.share(range=[-0.03, 1.03], dtick=0.5, **small)
    if panel == 0:
        return axes.axis(range=[-0.04, 1.5], dtick=0.5, **small)
    values = np.concatenate([t.values for t in chart.traces if t.panel == 2])
    values = np.log10(values[values > 0]) if (values > 0).any() else np.zeros(1)
    ends = [float(np.floor(values.min())), float(np.ceil(values.max() + 0.01))]
    return axes.axis(type="log", range=ends, dtick=1, exponentformat="power", **small)


def _lines(trace: Trace, colour: str, dash: str, steps: int) -> list[dict[str, Any]]:
    x, axis = list(range(1, steps + 1)), "y" + MARKS[trace.panel]
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


def _head(traces: Sequence[Trace], panel: int, top: float) -> dict[str, Any]:
    """A panel's title with the names of its lines in their colours, each line named where it is
    drawn.
    """
    names = [
        f'<br><span style="color:{colour}">━</span> {trace.name}'
        for trace, colour in zip(traces, COLOURS, strict=True)
        if trace.panel == panel
    ]
    place = {"xref": "paper", "yref": "paper", "align": "left", "yshift": 8}
    return note(f"<b>{PANELS[panel]}</b>{''.join(names)}", 0, top, "left bottom", **place)
