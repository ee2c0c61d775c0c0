"""Accuracy against the records of each class (Figure 2, left, of the AdaMix paper), or of each
person.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import plotly.graph_objects as go

from dpviz.formatting import METRIC_WORDS, percent, spread
from dpviz.plots.kit import axes, figures
from dpviz.plots.kit.marks import levels, upright
from dpviz.plots.kit.style import GREY, line_style, rgba
from dpviz.plots.kit.traces import band, drawn_as, hover, scatter, stroke
from dpviz.stats import Interval

OF_CLASSES = "records a class"
FEW, FAINT = 6, 0.07
"""Lines whose bands can be told apart, and how much the bands of more lines hide."""


@dataclass(frozen=True)
class Line:
    """One line.

    Attributes:
        title: for people; method: key whose look it takes; quiet: without noise, drawn dotted with
            open markers (a second one of a method dashed, with open markers); values: records, 0
            for all; points: accuracies there.
    """

    title: str
    method: str
    quiet: bool
    values: tuple[int, ...]
    points: tuple[Interval, ...]

    def at(self, value: int) -> Interval | None:
        """Accuracy at one of the values; None where there is none."""
        return dict(zip(self.values, self.points, strict=True)).get(value)


@dataclass(frozen=True)
class RecordsCurve:
    """What the chart shows; ``now``: the records looked at; chance: of a guess, 1/C;
    counted: of whom the records are; dotted: what quiet lines are, where one name in the legend
    tells it of all.
    """

    metric: str
    lines: tuple[Line, ...]
    now: int
    chance: float
    counted: str = OF_CLASSES
    dotted: str = ""

    @property
    def values(self) -> tuple[int, ...]:
        """Records that any line has, in order, all of them last."""
        drawn = {value for line in self.lines for value in line.values}
        return tuple(sorted(drawn, key=lambda value: value or math.inf))

    def place(self, value: int) -> float:
        """Where on the axis; all lie one octave behind the last."""
        return value or 2 * max((*self.values, 1))


def info(
    points: Mapping[tuple[str, str, bool], Mapping[int, Interval]],
    metric: str,
    now: int,
    chance: float,
    counted: str = OF_CLASSES,
    dotted: str = "",
) -> RecordsCurve:
    """The chart's data from accuracies by line (title, method, quiet) and records, in drawing
    order; lines without a point are left out.
    """
    lines = []
    for (title, method, quiet), some in points.items():
        values = tuple(sorted(some, key=lambda value: value or math.inf))
        if values:
            lines.append(Line(title, method, quiet, values, tuple(some[v] for v in values)))
    return RecordsCurve(metric, tuple(lines), now, chance, counted, dotted)


def alt(chart: RecordsCurve) -> str:
    """The chart in words."""
    titles = ", ".join(line.title for line in chart.lines) or "no line yet"
    return (
        f"Accuracy, {METRIC_WORDS[chart.metric]}, from 0 to 100 % against {chart.counted} on a log"
        f" axis, for {titles}."
    )


def table(chart: RecordsCurve) -> list[dict[str, Any]]:
    """A row a point."""
    return [
        {
            "line": line.title,
            chart.counted: value or "all",
            "accuracy": point.mean,
            "low": point.low,
            "high": point.high,
            "runs": point.runs,
        }
        for line in chart.lines
        for value, point in zip(line.values, line.points, strict=True)
    ]


def figure(chart: RecordsCurve) -> go.Figure:
    """Lines with their bands, guessing across, the records looked at as an upright line."""
    here = [chart.place(chart.now)] if chart.now in chart.values else []
    layout = levels([("guessing", chart.chance)], "left top")
    layout["shapes"] += [upright(x) | {"layer": "below"} for x in here]
    return figures.make_figure(
        [trace for line in chart.lines for trace in _traces(chart, line)] + _dotted(chart),
        380,
        {"t": 30},
        legend={"y": 1.02, "yanchor": "bottom"} | figures.CLICKABLE,
        xaxis=_x(chart),
        yaxis=axes.share(),
        **layout,
    )


def _traces(chart: RecordsCurve, line: Line) -> list[dict[str, Any]]:
    style, x = line_style(line.method), [chart.place(value) for value in line.values]
    drawn = drawn_as(style, 1.5 if line.quiet else 2.5, 8)
    dash = "dot" if line.quiet else "dash"
    if line.quiet or any(line.method == first.method for first in _previous_lines(chart, line)):
        drawn["line"]["dash"] = dash
        drawn["marker"]["symbol"] = f"{style.marker.removesuffix('-open')}-open"
    low, high = [p.low for p in line.points], [p.high for p in line.points]
    faint = {"fillcolor": rgba(style.colour, FAINT)} if len(chart.lines) > FEW else {}
    said = [
        f"{chart.counted} {_count_text(value)}: {percent(p)} {spread(p)}"
        for value, p in zip(line.values, line.points, strict=True)
    ]
    return [
        band(x, low, high, style.colour, **faint),
        scatter(
            x,
            [p.mean for p in line.points],
            "lines+markers",
            name=line.title,
            text=said,
            cliponaxis=False,
            showlegend=not (line.quiet and chart.dotted),
            **drawn,
            **hover("%{text}", line.title),
        ),
    ]


def _dotted(chart: RecordsCurve) -> list[dict[str, Any]]:
    """The one name that all quiet lines have in the legend."""
    if not (chart.dotted and any(line.quiet for line in chart.lines)):
        return []
    return [scatter([None], [None], name=chart.dotted, line=stroke(GREY, 1.5, "dot"))]


def _previous_lines(chart: RecordsCurve, line: Line) -> list[Line]:
    """Lines with noise that come before this one."""
    return [first for first in chart.lines[: chart.lines.index(line)] if not first.quiet]


def _x(chart: RecordsCurve) -> dict[str, Any]:
    places = [chart.place(value) for value in chart.values] or [1]
    scale = {
        "type": "log",
        "range": [math.log10(places[0]) - 0.08, math.log10(places[-1]) + 0.08],
        "tickvals": places,
        "ticktext": [_count_text(value) for value in chart.values],
    }
    return axes.axis(chart.counted, axes.CLOSE, **scale)


def _count_text(value: int) -> str:
    return f"{value:,}" if value else "all"
