"""Accuracy against budget as small multiples: a panel a setting, axes and marker shared by all."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

import plotly.graph_objects as go

from dpviz.caches import cached
from dpviz.formatting import METRIC_WORDS, SYMBOLS, axis_title, number, percent
from dpviz.plots.accuracy_by_budget import BudgetCurve, Line
from dpviz.plots.kit import axes, figures, panels, readout, traces
from dpviz.plots.kit.animation_frames import frames_of, standing
from dpviz.plots.kit.line_ends import Scale
from dpviz.plots.kit.marks import across, note
from dpviz.plots.kit.style import ACCENT, GREY, line_style, shaded
from dpviz.plots.kit.traces import SILENT, drawn_as, hover, scatter, stroke
from dpviz.stats import Interval

MOST = 16
"""Panels of one picture."""
IN_A_ROW = 4
"""Panels side by side where they have one order alone."""
LINE = 26
"""Letters of a line of the reason why a panel is empty."""
NOW = "◆ "
"""Before the title of the panel that has the settings looked at: a page's own letters are of its
colour.
"""
COMING = "Still to come"
WIDE = 1000
"""Pixels that a legend may count on where the page is wide."""


@dataclass(frozen=True)
class Panel:
    """One small chart.

    Attributes:
        title: of its setting; curve: what is there of it; reason: why nothing can be; now: whether
            it has the settings looked at.
    """

    title: str
    curve: BudgetCurve
    reason: str = ""
    now: bool = False


@dataclass(frozen=True)
class Panels:
    """All panels in reading order, ``columns`` in a row."""

    panels: tuple[Panel, ...]
    columns: int

    @property
    def curves(self) -> list[BudgetCurve]:
        """Of the panels with something in them."""
        return [one.curve for one in self.panels if one.curve.lines]

    @property
    def budgets(self) -> tuple[float, ...]:
        """Budgets at which every line of every panel has a point."""
        return readout.common([line.budgets for one in self.curves for line in one.lines])

    @property
    def metric(self) -> str:
        """Key of the accuracy."""
        return self.panels[0].curve.metric

    @property
    def lines(self) -> list[Line]:
        """One line of each method and shade that is drawn, in drawing order."""
        every = [line for one in self.panels for line in (*one.curve.lines, *one.curve.references)]
        first = {(line.method, line.shade): line for line in reversed(every)}
        private = {line.method for one in self.panels for line in one.curve.lines}
        shown = dict.fromkeys((line.method, line.shade) for line in every)
        return [first[key] for key in sorted(shown, key=lambda key: key[0] not in private)]


def info(found: Sequence[Panel], columns: int) -> Panels:
    """The chart's data; ``columns``: panels in a row."""
    return Panels(tuple(found[:MOST]), max(1, min(columns, len(found))))


def alt(chart: Panels) -> str:
    """The chart in words, without numbers that move."""
    return (
        f"{len(chart.panels)} small charts of accuracy, {METRIC_WORDS[chart.metric]}, from 0 to"
        " 100 % against the privacy budget on a log axis, with the same axes and the same marker:"
        f" {'; '.join(panel.title for panel in chart.panels)}."
    )


def table(chart: Panels) -> list[dict[str, Any]]:
    """A row a point of a line of a panel."""
    return [
        {"panel": panel.title, "method": line.title, "budget": budget, "accuracy": point.mean}
        | {"low": point.low, "high": point.high, "runs": point.runs}
        for panel in chart.panels
        for line in (*panel.curve.lines, *panel.curve.references)
        for budget, point in zip(line.budgets, line.points, strict=True)
    ]


# ------------------------------------------------------------------------------------------ drawing


@cached(16)
def figure(chart: Panels, now: float) -> go.Figure:
    """Every panel with its lines and its marker at ``now``, and a frame for every budget."""
    places = readout.common([line.budgets for one in chart.curves for line in one.lines])
    points = [b for one in chart.curves for line in one.lines for b in line.budgets] + [now]
    ends = (min(points), max(points)) if len(set(points)) > 1 else (min(0.01, now), max(10.0, now))
    scale = Scale(*ends, 0.0, 1.0)
    fixed = [
        trace | _axes(n) for n, panel in enumerate(chart.panels) for trace in _lines(panel, ends)
    ]
    fixed += [_sample(line) for line in chart.lines]

    def move(budget: float) -> list[dict[str, Any]]:
        moved = [
            trace | _axes(n)
            for n, panel in enumerate(chart.panels)
            if panel.curve.lines
            for trace in _marker(panel.curve, budget, scale)
        ]
        return standing(moved, places.index(budget)) if budget in places and moved else moved

    moved = move(now)
    indices = list(range(len(fixed), len(fixed) + len(moved)))
    frames = frames_of(places, move, indices) if moved else []
    return figures.still(fixed + moved, _layout(chart, scale), frames)


def _axes(number: int) -> dict[str, str]:
    return {"xaxis": f"x{panels.axis(number)}", "yaxis": f"y{panels.axis(number)}"}


def _lines(panel: Panel, ends: tuple[float, float]) -> list[dict[str, Any]]:
    curve = panel.curve
    drawn = [part for line in curve.lines for part in _line(line, curve.budget.axis)]
    return drawn + [_level(line, ends) for line in curve.references]


def _line(line: Line, axis: str) -> list[dict[str, Any]]:
    style = shaded(line_style(line.method), line.shade)
    drawn = scatter(
        list(line.budgets),
        [p.mean for p in line.points],
        "lines+markers",
        text=[f"{percent(p)}  {readout.brackets(p)}" for p in line.points],
        showlegend=False,
        **drawn_as(style, 1.8, 4),
        **hover(f"{SYMBOLS[axis]} = %{{x}}: %{{text}}", escape(line.title)),
    )
    low, high = [p.low for p in line.points], [p.high for p in line.points]
    return [traces.band(line.budgets, low, high, style.colour), drawn]


def _level(line: Line, ends: tuple[float, float]) -> dict[str, Any]:
    point, style = line.points[0], line_style(line.method)
    pen = stroke(style.colour, 1.3, style.dash)
    said = hover(f"{percent(point)} {readout.brackets(point)}", escape(line.title))
    return scatter(list(ends), [point.mean] * 2, line=pen, showlegend=False, **said)


def _sample(line: Line) -> dict[str, Any]:
    """What stands for a method in the legend."""
    style = shaded(line_style(line.method), line.shade)
    drawn = drawn_as(style, 2.5, 7)
    return scatter([None], [None], "lines+markers", name=escape(line.title), **drawn)


def _marker(curve: BudgetCurve, now: float, scale: Scale) -> list[dict[str, Any]]:
    """What follows the hand in a panel: a line, rings, and the number of the highest."""
    points = [line.points[line.budgets.index(now)] for line in curve.lines if now in line.budgets]
    heights = [point.mean for point in points]
    rule = scatter([now, now], [0, 1], line=stroke(ACCENT, 1.6), **SILENT)
    ring = traces.ring([now] * len(heights), heights, 9)
    return [rule, ring, _number(points, now, scale)]


def _number(points: Sequence[Interval], now: float, scale: Scale) -> dict[str, Any]:
    top = max(points, key=lambda point: point.mean, default=None)
    left = scale.along(now) > readout.MIDDLE
    words: dict[str, Any] = {
        "text": [f"\u2002<b>{percent(top)}</b>\u2002" if top else readout.FIGURE]
    }
    words |= {"textposition": [f"middle {'left' if left else 'right'}"]}
    words |= {"textfont": {"size": 12}, "cliponaxis": False}
    return scatter([now], [min(top.mean, 0.93) if top else 0], "text", **words, **SILENT)


# ------------------------------------------------------------------------------------------- layout


def _layout(chart: Panels, scale: Scale) -> dict[str, Any]:
    count, lines = len(chart.panels), chart.lines
    broad = panels.wide(count, chart.columns, _rows(lines, WIDE))
    slim = panels.narrow(count, len(lines))
    layout = figures.shared(broad.pixels, figures.MARGINS | {"t": 0, "r": 14, "b": broad.foot})
    for n, panel in enumerate(chart.panels):
        layout |= _pair(n, broad, panel.curve, scale)
    first = chart.panels[0].curve
    notes = [
        _notes(chart, grid, axis_title(first.budget.axis, first.budget.delta))
        for grid in (broad, slim)
    ]
    both = {"wide": panels.relayout(broad, notes[0]), "narrow": panels.relayout(slim, notes[1])}
    return layout | {
        "annotations": notes[0],
        "shapes": [_guessing(n, panel) for n, panel in enumerate(chart.panels)],
        "meta": {"panels": both},
        "legend": figures.BELOW | {"font": {"size": 12}},
    }


def _rows(lines: Sequence[Line], width: float) -> int:
    """Rows of the legend: Plotly gives every name as much as the longest takes."""
    longest = max((len(line.title) for line in lines), default=0)
    return math.ceil(len(lines) * (50 + readout.LETTER * longest) / width)


def _pair(number_: int, grid: panels.Grid, curve: BudgetCurve, scale: Scale) -> dict[str, Any]:
    """Both axes of a panel."""
    (x, y), (left, below) = grid.place(number_), grid.outer(number_)
    name = panels.axis(number_)
    ticks = readout.ticks_of(scale.low, scale.high)
    across_ = {"type": "log", "range": [math.log10(scale.start), math.log10(scale.edge)]}
    across_ |= {"tickvals": ticks, "ticktext": [number(b) for b in ticks], "domain": x}
    up = {"domain": y, "anchor": f"x{name}", "dtick": 0.5, "showticklabels": left}
    small = {"tickfont": {"size": panels.LETTERS}} | axes.WITHIN_MARGINS
    return {
        f"xaxis{name}": axes.axis(
            anchor=f"y{name}", showticklabels=below, tickangle=0, **across_ | small
        ),
        f"yaxis{name}": axes.share(**up | small),
    }


def _guessing(number_: int, panel: Panel) -> dict[str, Any]:
    line = across(panel.curve.chance, GREY, 1.0)
    name = panels.axis(number_)
    return line | {"xref": f"x{name} domain", "yref": f"y{name}", "visible": not panel.reason}


def _notes(chart: Panels, grid: panels.Grid, title: str) -> list[dict[str, Any]]:
    """Each panel's title, why some are empty, and the title of the axis that all share."""
    found = []
    for n, panel in enumerate(chart.panels):
        (left, right), (bottom, top) = grid.place(n)
        place = {"xref": "paper", "yref": "paper", "font": {"size": panels.LETTERS}}
        title_ = f"<b>{NOW * panel.now}{escape(panel.title)}</b>{_progress(panel.curve)}"
        found.append(note(title_, left, top, "left bottom", **place))
        if said := _empty(panel):
            middle = {"xref": "paper", "yref": "paper", "font": {"size": 11, "color": GREY}}
            middle |= {"align": "center"}
            found.append(
                note(said, (left + right) / 2, (bottom + top) / 2, "center middle", **middle)
            )
    below = {"xref": "paper", "yref": "paper", "yshift": -panels.TICKS - 2}
    return [*found, note(title, 0.5, 0, "center top", **below)]


def _progress(curve: BudgetCurve) -> str:
    """How many methods of a panel are there, while some are still to come."""
    there = len(curve.lines) + len(curve.references)
    return f" · {there} of {there + len(curve.waiting)}" if there and curve.waiting else ""


def _empty(panel: Panel) -> str:
    """Why a panel has no lines, in short lines; the remedy has no room."""
    if panel.curve.lines or panel.curve.references:
        return ""
    short = panel.reason.split(";")[0].split(". ")[0] or COMING
    return "<br>".join(map(escape, textwrap.wrap(short, LINE)[:5]))
