"""How often answers are right, by how sure people were: do they know what they know?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

import plotly.graph_objects as go

from dpviz.plots.kit import axes, figures
from dpviz.plots.kit.style import ACCENT, GREY
from dpviz.plots.kit.traces import SILENT, hover, scatter, stroke

MARKERS: dict[str, dict[str, Any]] = {
    "before": {"symbol": "circle-open", "color": GREY, "line": {"width": 2}},
    "after": {"symbol": "circle", "color": ACCENT},
}


@dataclass(frozen=True)
class Calibration:
    """Of each time, ``before`` and ``after``: how sure (a share), how many answers, share right."""

    points: Mapping[str, tuple[tuple[float, int, float], ...]]


def info(points: Mapping[str, Sequence[tuple[int, int, float]]]) -> Calibration:
    """The chart's data, from how sure of 100, how many answers, and the share right."""
    return Calibration(
        {name: tuple((at / 100, n, right) for at, n, right in row) for name, row in points.items()}
    )


def alt(chart: Calibration) -> str:
    """The chart in words."""
    return (
        "Share of answers that are right against how sure people were, from a guess to certain,"
        f" {' and '.join(chart.points)} the lessons; on the dotted line both are equal."
    )


def figure(chart: Calibration) -> go.Figure:
    """Dots joined by time, over a dotted line on which sureness is earned."""
    line = scatter([0, 1], [0, 1], line=stroke(GREY, 1, "dot"), **SILENT)
    traces = [
        scatter(
            [at for at, _, _ in row],
            [right for _, _, right in row],
            "lines+markers",
            name=escape(name),
            cliponaxis=False,
            line=stroke(MARKERS[name]["color"], 2),
            marker=MARKERS[name] | {"size": 10},
            customdata=[f"{100 * at:.0f} of 100: {n} answers" for at, n, _ in row],
            **hover("%{customdata}, %{y:.0%} right", name),
        )
        for name, row in chart.points.items()
        if row
    ]
    return figures.make_figure(
        [line, *traces],
        340,
        {"l": 58, "b": 46, "t": 30},
        legend={"y": 1, "yanchor": "bottom"},
        showlegend=True,
        xaxis=axes.share("expected right", axes.CLOSE, range=[0.15, 1.03]),
        yaxis=axes.share("were right"),
    )
