"""One run of AdaMix step by step: threshold and gradient norms, what the projection keeps, noise
against signal.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import plotly.graph_objects as go

from dpviz.plots.kit.style import ACCENT, BLUE, FONT, GREEN, GREY, GRID, ORANGE, RED, rgba

ROW, GAP = 160, 92
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
    """The chart's data from a ``methods.mixed.Path``."""
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


COLOURS = (BLUE, ACCENT, RED, GREEN, GREY, BLUE, ORANGE)
DASHES = ("solid", "solid", "solid", "dash", "dot", "solid", "dash")


def figure(chart: StepTrace) -> go.Figure:
    """Three panels above each other over the steps."""
    inside = 3 * ROW + 2 * GAP
    drawn: list[dict[str, Any]] = []
    for trace, colour, dash in zip(chart.traces, COLOURS, DASHES, strict=True):
        drawn += _lines(trace, colour, dash, chart.steps)
    layout: dict[str, Any] = {
        "height": inside + 102,
        "margin": {"l": 8, "r": 8, "t": 58, "b": 44},
        "font": {"size": FONT},
        "hovermode": "x",
    }
    layout |= {"showlegend": False, "annotations": _heads(chart.traces, inside)}
    for panel in range(3):
        top = 1 - panel * (ROW + GAP) / inside
        layout["yaxis" + ("", "2", "3")[panel]] = _axis(panel, chart) | {
            "domain": [max(0.0, top - ROW / inside), top],
            "anchor": "x",
        }
    layout["xaxis"] = {
        "title": {"text": "step"},
        "anchor": "y3",
        "fixedrange": True,
        "gridcolor": GRID,
        "zeroline": False,
        "range": [0.5, chart.steps + 0.5],
    }
    return go.Figure(data=drawn, layout=layout, _validate=False)


def _axis(panel: int, chart: StepTrace) -> dict[str, Any]:
    common = {
        "gridcolor": GRID,
        "fixedrange": True,
        "zeroline": False,
        "automargin": True,
        "tickfont": {"size": 11},
    }
    if panel == 1:
        return common | {"range": [-0.03, 1.03], "tickformat": ".0%", "dtick": 0.5}
    if panel == 0:
        return common | {"range": [-0.04, 1.5], "dtick": 0.5}
    values = np.concatenate([t.values for t in chart.traces if t.panel == 2])
    values = np.log10(values[values > 0]) if (values > 0).any() else np.zeros(1)
    return common | {
        "type": "log",
        "range": [float(np.floor(values.min())), float(np.ceil(values.max() + 0.01))],
        "dtick": 1,
        "exponentformat": "power",
    }


def _lines(trace: Trace, colour: str, dash: str, steps: int) -> list[dict[str, Any]]:
    x, axis = list(range(1, steps + 1)), "y" + ("", "2", "3")[trace.panel]
    line = {"type": "scatter", "x": x, "y": list(trace.values), "yaxis": axis, "name": trace.name}
    line |= {
        "mode": "lines+markers" if steps < 30 else "lines",
        "line": {"color": colour, "dash": dash, "width": 2.2},
        "marker": {"size": 5},
    }
    line["hovertemplate"] = f"%{{y:.3g}}<extra>{trace.name}</extra>"
    if trace.band is None:
        return [line]
    low, high = trace.band
    band = {
        "type": "scatter",
        "x": x + x[::-1],
        "y": [*high, *low[::-1]],
        "yaxis": axis,
        "fill": "toself",
        "mode": "lines",
    }
    return [
        band | {"fillcolor": rgba(colour, 0.18), "line": {"width": 0}, "hoverinfo": "skip"},
        line,
    ]


def _heads(traces: Sequence[Trace], inside: int) -> list[dict[str, Any]]:
    """Panel titles with the names of their lines in their colours, each line named where it is
    drawn.
    """
    place = {
        "xref": "paper",
        "yref": "paper",
        "x": 0,
        "xanchor": "left",
        "yanchor": "bottom",
        "align": "left",
        "showarrow": False,
        "yshift": 8,
    }
    heads = []
    for panel, title in enumerate(PANELS):
        names = [
            f'<span style="color:{c}">━</span> {t.name}'
            for t, c in zip(traces, COLOURS, strict=True)
            if t.panel == panel
        ]
        heads.append(
            place
            | {
                "y": 1 - panel * (ROW + GAP) / inside,
                "text": f"<b>{title}</b><br>" + "<br>".join(names),
            }
        )
    return heads
