"""Parallel coordinates: every setting of one method as a line across an axis for each thing that
varies, then across the axes of its accuracies.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

import plotly.graph_objects as go

from dpviz.formatting import METRIC_WORDS, METRICS, percent, spread
from dpviz.plots.kit import axes, figures, marks
from dpviz.plots.kit.style import ACCENT, FONT, GREY, WRONG, rgba
from dpviz.plots.kit.traces import SILENT, hover, scatter, stroke, strokes
from dpviz.plots.setting_map import Side
from dpviz.stats import Interval, not_best

HEIGHT, TOP, FOOT = 380, 16, 44
"""Pixels of the chart, above its axes, and of their titles."""
MOST = 200
"""Settings that are drawn; more lines cannot be told apart."""
SHADES = (0.3, 0.42, 0.55, 0.7, 0.9)
"""Opacity of a line, by fifths of what is right from the least to the most that is drawn."""
LABELS = (0.0, 0.25, 0.5, 0.75, 1.0)
"""Of an axis of accuracy."""
Place = tuple[int, ...]
"""Of each thing that varies, the number of its value."""


@dataclass(frozen=True)
class Parallel:
    """Settings as lines.

    Attributes:
        sides: what varies, with the values of each; metrics: of the axes of accuracy, the first
            shades the lines; points: accuracies in the order of ``metrics``, by place; now: the
            place of the settings looked at; fact: whether a side is a fact of the data, so that
            nobody can choose a line; left: settings beyond ``MOST``, which are not drawn.
    """

    sides: tuple[Side, ...]
    metrics: tuple[str, ...]
    points: Mapping[Place, tuple[Interval, ...]]
    now: Place | None
    fact: bool
    left: int

    def called(self, place: Place) -> str:
        """A line's settings in words."""
        each = zip(self.sides, place, strict=True)
        return ", ".join(f"{side.title} {side.labels[at]}" for side, at in each)

    @property
    def first(self) -> dict[Place, Interval]:
        """The accuracies of the first metric."""
        return {place: some[0] for place, some in self.points.items()}

    @property
    def best(self) -> Place | None:
        """The line with the highest mean of the first metric."""
        return max(self.first, key=lambda place: self.first[place].mean, default=None)

    @property
    def worse(self) -> int:
        """Lines that are shown not to be the best, given that it was picked among all."""
        return len(not_best(self.first)[1]) if self.points else 0


def info(
    sides: Sequence[Side],
    metrics: Sequence[str],
    points: Mapping[Place, tuple[Interval, ...]],
    now: Place | None = None,
    fact: bool = False,
) -> Parallel:
    """The chart's data: a metric without a value, such as that of a minority where there is none,
    has no axis; of too many settings the first are drawn, with the one looked at.
    """
    known = [
        k for k in range(len(metrics)) if not any(math.isnan(p[k].mean) for p in points.values())
    ]
    order = sorted(points, key=lambda place: (place != now, place))
    kept = {place: tuple(points[place][k] for k in known) for place in sorted(order[:MOST])}
    there = now if now in kept else None
    names = tuple(metrics[k] for k in known)
    return Parallel(tuple(sides), names, kept, there, fact, len(order) - len(kept))


def alt(chart: Parallel) -> str:
    """The chart in words."""
    sides = ", ".join(f"{s.title} from {s.labels[0]} to {s.labels[-1]}" for s in chart.sides)
    ends = " and ".join(METRICS[metric].lower() for metric in chart.metrics)
    return (
        f"Parallel coordinates, a line for each setting, across upright axes of {sides}, and of"
        f" accuracy from 0 to 100 %: {ends}."
    )


def table(chart: Parallel) -> list[dict[str, Any]]:
    """A row a line."""
    return [
        {side.title: side.labels[at] for side, at in zip(chart.sides, place, strict=True)}
        | {
            name: value
            for metric, point in zip(chart.metrics, some, strict=True)
            for name, value in (
                (metric, point.mean),
                (f"{metric} low", point.low),
                (f"{metric} high", point.high),
            )
        }
        | {"runs": some[0].runs}
        for place, some in chart.points.items()
    ]


def figure(chart: Parallel) -> go.Figure:
    """Lines from the values of their settings to their accuracies, the stronger the more is right;
    the settings looked at stand out.
    """
    names = [escape(side.title) for side in chart.sides]
    names += [f"{METRICS[metric]}, %" for metric in chart.metrics]
    count = len(names)
    ends = [-0.35, count - 1 + 0.35]
    return figures.make_figure(
        [*_lines(chart), *_current(chart), _numbers(chart), *_marks(chart)],
        HEIGHT,
        {"l": 8, "t": TOP, "b": FOOT},
        showlegend=False,
        hovermode="closest",
        xaxis=axes.axis(
            grid=False, **axes.category_axis(names) | {"range": ends, "zeroline": False}
        ),
        yaxis=axes.HIDDEN | {"range": [-0.06, 1.06]},
        shapes=[marks.upright(k, 1.2, colour=GREY) for k in range(count)],
    )


def _heights(chart: Parallel, place: Place) -> list[float]:
    """Where a line meets each axis, from 0 to 1."""
    settings = [_height(side, at) for side, at in zip(chart.sides, place, strict=True)]
    return settings + [point.mean for point in chart.points[place]]


def _height(side: Side, at: int) -> float:
    return at / (len(side.labels) - 1) if len(side.labels) > 1 else 0.5


def _lines(chart: Parallel) -> list[dict[str, Any]]:
    """All lines, one trace a shade."""
    means = {place: point.mean for place, point in chart.first.items()}
    low, high = min(means.values(), default=0.0), max(means.values(), default=1.0)
    shades: dict[int, list[Any]] = {}
    for place, mean in means.items():
        share = (mean - low) / (high - low) if high > low else 1.0
        shade = min(int(share * len(SHADES)), len(SHADES) - 1)
        heights = _heights(chart, place)
        shades.setdefault(shade, []).append((list(range(len(heights))), heights))
    return [
        strokes(lines, rgba(ACCENT, SHADES[shade]), 1.8) | SILENT
        for shade, lines in sorted(shades.items())
    ]


def _current(chart: Parallel) -> list[dict[str, Any]]:
    if chart.now is None:
        return []
    heights = _heights(chart, chart.now)
    return [scatter(list(range(len(heights))), heights, line=stroke(WRONG, 3), **SILENT)]


def _numbers(chart: Parallel) -> dict[str, Any]:
    """The values left of each axis."""
    words = [
        (k, _height(side, at), escape(label))
        for k, side in enumerate(chart.sides)
        for at, label in enumerate(side.labels)
    ]
    begin = len(chart.sides)
    words += [
        (begin + k, share, f"{100 * share:.0f}")
        for k in range(len(chart.metrics))
        for share in LABELS
    ]
    x, y, text = zip(*words, strict=True)
    look = {"textposition": "top left", "textfont": {"size": FONT}, "cliponaxis": False}
    return scatter(list(x), list(y), "text", text=[f"{t} " for t in text], **look | SILENT)


def _marks(chart: Parallel) -> list[dict[str, Any]]:
    """Where lines meet the axes of accuracy, to point at; a star on the highest."""
    begin, best = len(chart.sides), chart.best
    drawn = []
    for k in range(len(chart.metrics)):
        points = {place: some[k] for place, some in chart.points.items()}
        stars = [place == best and not chart.fact and not k for place in points]
        marker = {
            "symbol": ["star" if star else "circle" for star in stars],
            "size": [14 if star else 7 for star in stars],
            "color": ACCENT,
        }
        told = [_hover_text(chart, place, k) for place in points]
        drawn.append(
            scatter(
                [begin + k] * len(points),
                [point.mean for point in points.values()],
                "markers",
                marker=marker,
                cliponaxis=False,
                customdata=told,
                **hover("%{customdata}"),
            )
        )
    return drawn


def _hover_text(chart: Parallel, place: Place, k: int) -> str:
    point = chart.points[place][k]
    between = f", 95 % interval {spread(point)}" if spread(point) else ""
    right = METRIC_WORDS[chart.metrics[k]]
    return f"{escape(chart.called(place))}: <b>{percent(point)}</b> {right}{between}"
