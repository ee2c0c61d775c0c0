"""A few named things side by side: bars and dots with their intervals."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

import plotly.graph_objects as go

from dpviz.formatting import METRIC_WORDS, METRICS, percent, percents, spread
from dpviz.plots.kit.drawing import (
    SILENT,
    WITHIN_MARGINS,
    bar_trace,
    category_axis,
    error_bars,
    hover,
    interval_columns,
    make_axis,
    make_figure,
    reference_lines,
    scatter,
    share_axis,
    stroke,
)
from dpviz.plots.kit.readout import brackets
from dpviz.plots.kit.style import ACCENT, GREY, WRONG, line_style, rgba
from dpviz.stats import Interval, accuracy
from dpviz.text.charts import ACCURACY_AXES, ALTS, AXES, LABELS
from dpviz.text.template import render_text
from dpviz.types import Result


@dataclass(frozen=True)
class PublicBars:
    """Bars: name of each public set, its accuracy, which is looked at now; levels drawn across."""

    names: tuple[str, ...]
    points: tuple[Interval, ...]
    current: str
    metric: str
    levels: tuple[tuple[str, float], ...]

    @classmethod
    def from_results(
        cls,
        results: Mapping[str, Sequence[Result]],
        current: str,
        metric: str,
        levels: Sequence[tuple[str, float]],
    ) -> PublicBars:
        """The chart's data from results by public set, one a seed."""
        points = tuple(accuracy(runs, metric) for runs in results.values())
        return cls(tuple(results), points, current, metric, tuple(levels))

    def alt(self) -> str:
        names = ", ".join(self.names)
        return render_text(ALTS["accuracy_of_sets"], metric=METRIC_WORDS[self.metric], names=names)

    def figure(self) -> go.Figure:
        """One bar a set with its interval; the one in use outlined."""
        outline = stroke(ACCENT, [3 * (name == self.current) for name in self.names])
        bars = bar_trace(
            [escape(n) for n in self.names],
            [p.mean for p in self.points],
            width=0.5,
            marker={"color": line_style("dppl-public").colour, "line": outline},
            error_y=error_bars(self.points, GREY, 2, 8),
            text=[f"<b>{percent(p)}</b>" for p in self.points],
            textposition="inside",
            insidetextanchor="start",
            textfont={"color": "#14171F", "size": 15},
            **hover("%{x}: %{y:.1%}"),
        )
        return make_figure(
            [bars],
            330,
            {"t": 12},
            xaxis=make_axis(grid=False),
            yaxis=share_axis(ACCURACY_AXES[self.metric]),
            **reference_lines(self.levels, "right bottom"),
        )


#: Opacity and hatch of the first, second, … series.
SERIES_SHADES = ((1.0, ""), (0.7, "/"), (0.45, "."), (0.3, "x"))
#: Space between presets, in bars.
PRESET_GAP = 0.7


@dataclass(frozen=True)
class PresetBars:
    """Bars: presets from top to bottom, series (public sets, or one without name), accuracies by
    (preset, series).
    """

    names: tuple[str, ...]
    series: tuple[str, ...]
    points: Mapping[tuple[str, str], Interval]
    metric: str

    @classmethod
    def from_accuracies(
        cls, accuracies: Mapping[tuple[str, str], Interval], metric: str
    ) -> PresetBars:
        """The chart's data from accuracies by (preset, series), in drawing order."""
        names, series = (tuple(dict.fromkeys(key[i] for key in accuracies)) for i in (0, 1))
        return cls(names, series, accuracies, metric)

    def alt(self) -> str:
        names = ", ".join(self.names)
        words = render_text(ALTS["preset_bars"], metric=METRIC_WORDS[self.metric], names=names)
        if len(self.series) < 2:
            return words
        return f"{words} {render_text(ALTS['preset_sets'], names=', '.join(self.series))}"

    def table(self) -> list[dict[str, Any]]:
        """A row a bar."""
        return [
            {"preset": name, "public set": series} | interval_columns(p)
            for (name, series), p in self.points.items()
        ]

    def figure(self) -> go.Figure:
        """Horizontal bars, the first on top; the number stands behind each."""
        count = len(self.series)
        height = len(self.names) * (count + PRESET_GAP)
        top = 10 + 24 * count * (count > 1)
        middles = [i * (count + PRESET_GAP) + (count - 1) / 2 for i in range(len(self.names))]
        ends = [height - PRESET_GAP / 2 - 0.5, -PRESET_GAP / 2 - 0.5]
        return make_figure(
            [trace for i, series in enumerate(self.series) for trace in self._bars(i, series)],
            round(26 * height) + 64 + top,
            {"r": 26, "t": top},
            showlegend=count > 1,
            barmode="overlay",
            legend={"orientation": "v", "y": 1.0, "yanchor": "bottom", "traceorder": "normal"},
            xaxis=share_axis(ACCURACY_AXES[self.metric]),
            yaxis=make_axis(grid=False, tickvals=middles, ticktext=list(self.names), range=ends),
        )

    def _bars(self, place: int, series: str) -> list[dict[str, Any]]:
        opacity, hatch = SERIES_SHADES[place % len(SERIES_SHADES)]
        rows = [(i, name) for i, name in enumerate(self.names) if (name, series) in self.points]
        y = [i * (len(self.series) + PRESET_GAP) + place for i, _ in rows]
        points = [self.points[name, series] for _, name in rows]
        colours = [line_style(name).colour for _, name in rows]
        bars = bar_trace(
            [p.mean for p in points],
            y,
            orientation="h",
            name=escape(series),
            width=0.86,
            hoverinfo="skip",
            marker={
                "color": [rgba(c, opacity) for c in colours],
                "line": {"color": colours, "width": 1},
                "pattern": {"shape": hatch, "size": 7, "solidity": 0.2},
            },
            error_x=error_bars(points, GREY, 2, 5),
        )
        return [bars, _numbers(points, y)]


def _numbers(points: Sequence[Interval], y: Sequence[float]) -> dict[str, Any]:
    """Right of the interval, or inside where there is no room."""
    inside = [p.high > 0.8 for p in points]
    return scatter(
        [p.low - 0.01 if i else p.high + 0.01 for p, i in zip(points, inside, strict=True)],
        y,
        "text",
        text=[f"<b>{percent(p)}</b> {brackets(p)}" for p in points],
        textposition=["middle left" if i else "middle right" for i in inside],
        cliponaxis=False,
        **SILENT,
    )


FORM_MARKERS = {"balanced": ("circle", -0.13), "minority": ("diamond", 0.13)}


@dataclass(frozen=True)
class Forms:
    """A row a form: title, and intervals by metric; exact: the same without noise, by metric."""

    titles: tuple[str, ...]
    points: tuple[dict[str, Interval], ...]
    exact: dict[str, float]

    @classmethod
    def from_results(cls, results: Mapping[str, Sequence[Result]], exact: Result) -> Forms:
        """The chart's data from results of each form (by title) and of the exact class means."""
        points = tuple({m: accuracy(rows, m) for m in FORM_MARKERS} for rows in results.values())
        return cls(tuple(results), points, {m: getattr(exact.scores, m) for m in FORM_MARKERS})

    def alt(self) -> str:
        return render_text(ALTS["forms"], names=", ".join(self.titles))

    def figure(self) -> go.Figure:
        """Dots with intervals, a row a form; open ones show exact means."""
        rows = len(self.titles)
        return make_figure(
            [trace for m in FORM_MARKERS for trace in (self._exact(m), self._dots(m))],
            110 + 62 * rows,
            {"r": 16},
            xaxis=share_axis(AXES["accuracy"]),
            yaxis=make_axis(
                grid=False, **category_axis(self.titles) | {"range": [rows - 0.5, -0.5]}
            ),
            legend={"y": -0.22},
        )

    def _exact(self, metric: str) -> dict[str, Any]:
        marker, shift = FORM_MARKERS[metric]
        rows = [i + shift for i in range(len(self.titles))]
        return scatter(
            [self.exact[metric]] * len(rows),
            rows,
            "markers",
            name=f"{METRICS[metric]}, {LABELS['without_noise'].lower()}",
            marker={"symbol": f"{marker}-open", "size": 10, "color": GREY},
            **hover("%{x:.1%}", LABELS["without_noise"]),
        )

    def _dots(self, metric: str) -> dict[str, Any]:
        marker, shift = FORM_MARKERS[metric]
        points, colour = [p[metric] for p in self.points], line_style("dppl-mean").colour
        return scatter(
            [p.mean for p in points],
            [i + shift for i in range(len(points))],
            "markers+text",
            name=METRICS[metric],
            marker={"symbol": marker, "size": 11, "color": colour},
            error_x=error_bars(points, colour, 1.6, 5),
            cliponaxis=False,
            text=[percent(p) for p in points],
            textposition="top center" if shift < 0 else "bottom center",
            customdata=[spread(p) for p in points],
            **hover("%{text} (%{customdata})", METRICS[metric]),
        )


CORRECT, FAULTY = LABELS["clean"], LABELS["faulty"]
#: Rows that the first level of marks of single seeds lies below their mean, and between levels.
SEEDS_BELOW, SEED_LEVEL = 0.32, 0.08
#: Share of the axis within which two marks of seeds would touch on a phone.
SEED_WIDTH = 0.045
#: Least width of a fitted axis: in a narrower one, every difference would look large.
MIN_AXIS_WIDTH = 0.05
#: Steps between ticks of a fitted axis, by the width up to which each is used.
AXIS_STEPS = ((0.08, 0.01), (0.2, 0.02), (0.5, 0.1), (1.0, 0.2))


@dataclass(frozen=True)
class FaultAccuracy:
    """Accuracies as promised and with a mistake, and what the mistake is called."""

    correct: Interval
    faulty: Interval
    mistake: str

    def alt(self) -> str:
        return render_text(ALTS["fault"], mistake=self.mistake)

    def figure(self) -> go.Figure:
        """A row each."""
        traces = []
        low, high, step = self._ends()
        padding = 0.03 * (high - low)
        words = percents((self.faulty, self.correct))
        for row, (point, colour) in enumerate(((self.faulty, WRONG), (self.correct, GREY))):
            dots = {"size": 7, "color": colour, "opacity": 0.6}
            levels = _levels(point.values, SEED_WIDTH * (high - low + 2 * padding))
            # level 0 in the middle, the others below and above it by turns
            shifts = [(level + 1) // 2 * (1 if level % 2 else -1) for level in levels]
            rows = [row - SEEDS_BELOW - SEED_LEVEL * shift for shift in shifts]
            mean = scatter(
                [point.mean],
                [row],
                "markers+text",
                marker={"size": 13, "color": colour},
                error_x=error_bars([point], colour, 2, 6),
                text=[f"<b>{words[row]}</b>"],
                textposition="top center",
                textfont={"size": 15},
                **hover("%{x:.1%}"),
            )
            traces += [scatter(point.values, rows, "markers", marker=dots, hoverinfo="skip"), mean]
        return make_figure(
            traces,
            250,
            {"l": 104, "r": 16, "t": 4, "b": 54},
            showlegend=False,
            xaxis=share_axis(
                ACCURACY_AXES["balanced"],
                10,
                **WITHIN_MARGINS | {"range": [low - padding, high + padding], "dtick": step},
            ),
            yaxis=make_axis(
                **category_axis([FAULTY, CORRECT]) | {"tickfont": {"size": 14}},
                range=[-0.7, 1.4],
                **WITHIN_MARGINS,
            ),
        )

    def _ends(self) -> tuple[float, float, float]:
        """Ends of the axis around all values, and the step between ticks."""
        points = (self.faulty, self.correct)
        values = [value for p in points for value in (*p.values, p.low, p.high)]
        finite = [value for value in values if math.isfinite(value)] or [0.0, 1.0]
        least, most = min(finite), max(finite)
        step = next(step for limit, step in AXIS_STEPS if most - least <= limit + 1e-9)
        padding = max(MIN_AXIS_WIDTH - (most - least), 0.0) / 2
        high = min(step * math.ceil((most + padding) / step), 1.0)
        low = min(step * math.floor((least - padding) / step), high - MIN_AXIS_WIDTH)
        return max(low, 0.0), max(high, MIN_AXIS_WIDTH), step


def _levels(values: Sequence[float], width: float) -> list[int]:
    """Return a level for each mark so that no two of one level are nearer than ``width``."""
    levels: list[int] = [0] * len(values)
    ends: list[float] = []
    for at in sorted(range(len(values)), key=lambda at: values[at]):
        free = (level for level, end in enumerate(ends) if values[at] - end >= width)
        level = next(free, len(ends))
        ends[level : level + 1] = [values[at]]
        levels[at] = level
    return levels
