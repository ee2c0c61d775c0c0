"""Test error of a few named lines against any setting, with intervals; a second axis of meaning is
told by dash.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from html import escape
from typing import Any

import plotly.graph_objects as go

from dpviz.plots.kit.style import ACCENT, FONT, GREY, GRID, Look, rgba
from dpviz.stats import Interval
from dpviz.words import percent, spread

FLOOR = 1e-4
"""Where the log scale of errors begins."""


@dataclass(frozen=True)
class Line:
    """One line: its name, look, places, and the test error there."""

    name: str
    look: Look
    x: tuple[float, ...]
    points: tuple[Interval, ...]

    def at(self, x: float) -> Interval | None:
        """The error at a place."""
        return dict(zip(self.x, self.points, strict=True)).get(x)


@dataclass(frozen=True)
class ErrorLines:
    """Lines over one axis.

    Attributes:
        title: of the axis; lines: in drawing order; log_x, log_y: scales; chance: error of
            guessing, None to leave it out; now: (place, words) of a mark, or None; words: what
            stands at a place instead of its number.
    """

    title: str
    lines: tuple[Line, ...]
    log_x: bool = True
    log_y: bool = False
    chance: float | None = None
    now: tuple[float, str] | None = None
    words: tuple[tuple[float, str], ...] = ()


def line(name: str, look: Look, points: Mapping[float, Interval]) -> Line:
    """A line from its points by place."""
    places = tuple(sorted(points))
    return Line(name, look, places, tuple(points[x] for x in places))


def alt(chart: ErrorLines) -> str:
    """The chart in words."""
    scale = "on a log axis" if chart.log_y else "from 0 to 100 %"
    return (
        f"Test error {scale} against {chart.title} for"
        f" {', '.join(one.name for one in chart.lines)}."
    )


def table(chart: ErrorLines) -> list[dict[str, Any]]:
    """A row a point."""
    return [
        {
            "line": one.name,
            chart.title: x,
            "test error": p.mean,
            "low": p.low,
            "high": p.high,
            "runs": p.runs,
        }
        for one in chart.lines
        for x, p in zip(one.x, one.points, strict=True)
    ]


def figure(chart: ErrorLines) -> go.Figure:
    """Lines with bands."""
    drawn = [trace for one in chart.lines for trace in _line(one, chart)]
    layout: dict[str, Any] = {
        "height": 400,
        "margin": {"l": 8, "r": 14, "t": 14, "b": 8},
        "font": {"size": FONT},
    }
    layout["legend"] = {
        "orientation": "h",
        "y": -0.22,
        "x": 0,
        "yanchor": "top",
        "itemclick": False,
        "itemdoubleclick": False,
    }
    layout |= {
        "hovermode": "closest",
        "xaxis": _x(chart),
        "yaxis": _y(chart),
        "shapes": [],
        "annotations": [],
    }
    if chart.chance is not None:
        layout["shapes"].append(_level(chart.chance))
        layout["annotations"].append(_word(0, chart.chance, "guessing", "paper", "top"))
    if chart.now is not None:
        x = math.log10(chart.now[0]) if chart.log_x else chart.now[0]
        layout["shapes"].append(
            {
                "type": "line",
                "x0": chart.now[0],
                "x1": chart.now[0],
                "yref": "paper",
                "y0": 0,
                "y1": 1,
                "line": {"color": ACCENT, "width": 1.5, "dash": "dot"},
            }
        )
        layout["annotations"].append(
            _word(x, 1, chart.now[1], "x", "top", ACCENT) | {"yref": "paper"}
        )
    return go.Figure(data=drawn, layout=layout, _validate=False)


def _line(one: Line, chart: ErrorLines) -> list[dict[str, Any]]:
    low_end = FLOOR if chart.log_y else 0.0
    x, cut = list(one.x), [max(p.mean, low_end) for p in one.points]
    low, high = (
        [max(p.low, low_end) for p in one.points],
        [max(p.high, low_end) for p in one.points],
    )
    words = dict(chart.words)
    said = [
        f"{words.get(v, f'{v:g}')}: {percent(p)} {spread(p)}"
        for v, p in zip(x, one.points, strict=True)
    ]
    drawn: dict[str, Any] = {
        "type": "scatter",
        "mode": "lines+markers",
        "x": x,
        "y": cut,
        "name": escape(one.name),
        "text": said,
        "cliponaxis": False,
    }
    drawn["line"] = {"color": one.look.colour, "dash": one.look.dash, "width": 2.5}
    drawn |= {
        "marker": {"symbol": one.look.marker, "size": 8, "color": one.look.colour},
        "hovertemplate": f"%{{text}}<extra>{escape(one.name)}</extra>",
    }
    if all(p.runs < 2 for p in one.points):
        return [drawn]
    band = {
        "type": "scatter",
        "mode": "lines",
        "x": x + x[::-1],
        "y": high + low[::-1],
        "fill": "toself",
        "line": {"width": 0},
        "showlegend": False,
    }
    return [band | {"fillcolor": rgba(one.look.colour, 0.16), "hoverinfo": "skip"}, drawn]


def _x(chart: ErrorLines) -> dict[str, Any]:
    places = sorted({x for one in chart.lines for x in one.x})
    axis: dict[str, Any] = {
        "title": {"text": chart.title, "standoff": 4},
        "gridcolor": GRID,
        "fixedrange": True,
        "zeroline": False,
    }
    words = dict(chart.words)
    axis |= {
        "tickvals": places,
        "ticktext": [words.get(x, f"{x:,g}" if x >= 1000 else f"{x:g}") for x in places],
    }
    if not places:
        return axis
    ends = (
        [math.log10(places[0]), math.log10(places[-1])] if chart.log_x else [places[0], places[-1]]
    )
    room = 0.04 * (ends[1] - ends[0]) or 0.1
    return axis | {
        "type": "log" if chart.log_x else "linear",
        "range": [ends[0] - room, ends[1] + room],
    }


def _y(chart: ErrorLines) -> dict[str, Any]:
    axis = {
        "title": {"text": "test error"},
        "gridcolor": GRID,
        "fixedrange": True,
        "zeroline": False,
    }
    if chart.log_y:
        ticks = [1e-4, 1e-3, 1e-2, 1e-1, 1]
        return axis | {
            "type": "log",
            "range": [math.log10(FLOOR) - 0.1, 0.05],
            "tickvals": ticks,
            "ticktext": ["0.01 %", "0.1 %", "1 %", "10 %", "100 %"],
        }
    return axis | {"range": [0, 1], "tickformat": ".0%", "dtick": 0.2}


def _level(y: float) -> dict[str, Any]:
    return {
        "type": "line",
        "xref": "paper",
        "x0": 0,
        "x1": 1,
        "y0": y,
        "y1": y,
        "line": {"color": GREY, "width": 1.2, "dash": "dot"},
    }


def _word(
    x: float, y: float, text: str, xref: str, anchor: str, colour: str = GREY
) -> dict[str, Any]:
    place = {"xref": xref, "x": x, "y": y, "xanchor": "left", "yanchor": anchor, "showarrow": False}
    return place | {"text": text, "font": {"size": 11, "color": colour}}
