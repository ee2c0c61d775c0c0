"""What a room said: a bar for each option of a choice, or for each stretch of a scale."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from textwrap import wrap
from typing import Any

import plotly.graph_objects as go

from dpviz.plots.kit import axes, figures, marks
from dpviz.plots.kit.style import ACCENT, FAR_OFF, GREY, RIGHT
from dpviz.plots.kit.traces import hover

ROW, LETTERS = 58, 38
"""Pixels of an option, and its letters a line."""
BARS = 20
"""Stretches of a scale, at most."""
OF_NUMBERS = 340


@dataclass(frozen=True)
class Tally:
    """What the chart shows.

    Attributes:
        names: of the bars; counts: answers in each; right: the place of the right one, from 0;
        edges: of the stretches of a scale, one more than bars; empty for options;
        truth: the true number of a scale, where it is known; unit: of it.
    """

    names: tuple[str, ...]
    counts: tuple[int, ...]
    right: int | None = None
    edges: tuple[float, ...] = ()
    truth: float | None = None
    unit: str = ""

    @property
    def answers(self) -> int:
        """In all."""
        return sum(self.counts)


def info(options: Sequence[str], counts: Sequence[int], right: int | None = None) -> Tally:
    """Of a choice."""
    return Tally(tuple(options), tuple(counts), right)


def of_numbers(
    values: Sequence[float],
    least: float,
    most: float,
    step: float,
    unit: str = "",
    truth: float | None = None,
) -> Tally:
    """Of numbers on a scale: stretches of whole steps, as many as there is room for."""
    steps = round((most - least) / step) + 1
    wide = step * math.ceil(steps / BARS)
    bars = math.ceil(steps * step / wide - 1e-9)
    edges = tuple(least - step / 2 + wide * i for i in range(bars + 1))
    places = [min(int((value - edges[0]) / wide), bars - 1) for value in values]
    ends = [(edges[i] + step / 2, min(edges[i + 1] - step / 2, most)) for i in range(bars)]
    names = [f"{a:g}" if a == b else f"{a:g} to {b:g}" for a, b in ends]
    counts = tuple(places.count(i) for i in range(bars))
    return Tally(tuple(names), counts, None, edges, truth, unit)


def alt(chart: Tally) -> str:
    """The chart in words."""
    pairs = zip(chart.names, chart.counts, strict=True)
    shown = [f"{name}: {count}" for name, count in pairs if count or not chart.edges]
    right = "" if chart.right is None else f" Right is: {chart.names[chart.right]}."
    true = "" if chart.truth is None else f" The true number is {chart.truth:g} {chart.unit}."
    return f"Answers of the room, {'; '.join(shown) or 'none yet'}.{right}{true}"


def figure(chart: Tally) -> go.Figure:
    """Lying bars for options, the right one in its colour; upright ones along a scale."""
    return _numbers(chart) if chart.edges else _options(chart)


def _options(chart: Tally) -> go.Figure:
    rows = list(range(len(chart.names)))
    colours = [RIGHT if i == chart.right else GREY for i in rows]
    if chart.right is None:
        colours = [ACCENT] * len(rows)
    names = [
        ("✓ " if i == chart.right else "") + "<br>".join(map(escape, wrap(name, LETTERS)))
        for i, name in enumerate(chart.names)
    ]
    lines = max(name.count("<br>") for name in names) + 1
    y = {"tickvals": rows, "ticktext": names, "range": [len(rows) - 0.4, -0.6], "automargin": True}
    return figures.make_figure(
        [_bars({"x": list(chart.counts), "y": rows, "orientation": "h"}, chart, colours)],
        max(ROW, 20 * lines + 18) * len(rows) + 70,
        {"b": 46, "r": 40},
        xaxis=axes.axis("answers", axes.CLOSE, range=[0, _top(chart)], **_whole(chart)),
        yaxis=axes.axis(grid=False, **y),
        showlegend=False,
        meta=FAR_OFF,
    )


def _numbers(chart: Tally) -> go.Figure:
    middles = [(a + b) / 2 for a, b in zip(chart.edges, chart.edges[1:], strict=False)]
    bar = _bars({"x": middles, "y": list(chart.counts)}, chart, [ACCENT] * len(middles))
    unit = escape(chart.unit)
    more: dict[str, Any] = {}
    if chart.truth is not None:
        words = f"<b>true: {chart.truth:g} {unit}</b>"
        note = marks.note(words, chart.truth, 1, "center bottom", yref="paper", showarrow=False)
        more = {"shapes": [marks.upright(chart.truth, 3, "", RIGHT)], "annotations": [note]}
    ends = [min(chart.edges[0], *_true(chart)), max(chart.edges[-1], *_true(chart))]
    return figures.make_figure(
        [bar],
        OF_NUMBERS,
        {"b": 46, "l": 50, "t": 34, "r": 20},
        xaxis=axes.axis(unit or "number", axes.CLOSE, range=ends),
        yaxis=axes.axis("answers", axes.CLOSE, range=[0, _top(chart)], **_whole(chart)),
        showlegend=False,
        meta=FAR_OFF,
        bargap=0.08,
        **more,
    )


def _true(chart: Tally) -> list[float]:
    return [chart.edges[0] if chart.truth is None else chart.truth]


def _bars(places: dict[str, Any], chart: Tally, colours: Sequence[str]) -> dict[str, Any]:
    told = [str(count) if count else "" for count in chart.counts]
    bar = {"type": "bar", "text": told, "textposition": "outside", "cliponaxis": False}
    bar |= {"marker": {"color": list(colours)}, "customdata": [escape(n) for n in chart.names]}
    return bar | places | hover("%{customdata}: %{text}")


def _top(chart: Tally) -> float:
    return max(4, *chart.counts) * 1.12


def _whole(chart: Tally) -> dict[str, Any]:
    """Ticks at whole numbers of answers."""
    return {"dtick": max(1, math.ceil(max(4, *chart.counts) / 6))}
