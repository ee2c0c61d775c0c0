"""Accuracy of single runs that differ in their noise alone, and of one run by step."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import plotly.graph_objects as go

from dpviz.formatting import METRIC_WORDS
from dpviz.plots.kit.drawing import (
    HIDDEN_AXIS,
    MARGINS,
    REFERENCE_FONT,
    SIDE_TITLE_GAP,
    TITLE_GAP,
    WITHIN_MARGINS,
    hover,
    line_and_marker,
    make_axis,
    make_figure,
    note,
    scatter,
    segments,
    share_axis,
    vertical_line,
)
from dpviz.plots.kit.style import FONT, GREY, line_style, text_colour
from dpviz.text.charts import ACCURACY_AXES, ALTS, AXES, LABELS
from dpviz.text.template import render_text

#: Draws whose dots are shown.
MAX_DOTS = 20
#: Pixels of a method's row, of the line of public images above, and of the axis below.
ROW_HEIGHT, TOP, BOTTOM = 84, 26, 46
TRAINING_HEIGHT = 300
#: Share of a row from its dots down to the line of their range.
RANGE_OFFSET = 0.26
RANGE = 0.025, 0.975
"""Quantiles at the ends of the range."""


@dataclass(frozen=True)
class MethodDraws:
    """Draws of one method.

    Attributes:
        method: key whose look they take; title: for people; seeds: of all draws, oldest first;
            accuracies: of these, from 0 to 1.
    """

    method: str
    title: str
    seeds: tuple[int, ...]
    accuracies: tuple[float, ...]

    @property
    def mean(self) -> float:
        """Mean of all draws."""
        return float(np.mean(self.accuracies))

    @property
    def range(self) -> tuple[float, float]:
        """Ends of the range of 95% of all draws."""
        low, high = np.quantile(self.accuracies, RANGE).tolist()
        return low, high

    @property
    def last(self) -> tuple[float, ...]:
        """Accuracies of the draws whose dots are shown."""
        return self.accuracies[-MAX_DOTS:]

    def accuracy(self, seed: int) -> float | None:
        """Return the accuracy of a draw; None where the method has no such draw."""
        return dict(zip(self.seeds, self.accuracies, strict=True)).get(seed)


@dataclass(frozen=True)
class NoiseDraws:
    """What the chart shows.

    Attributes:
        metric: a key of ``METRICS``; rows: methods with a draw, from the top; seed: of the draw
            with large dots; public: accuracy of public images alone, None where it is not known.
    """

    metric: str
    rows: tuple[MethodDraws, ...]
    seed: int
    public: float | None = None

    def alt(self) -> str:
        names = ", ".join(row.title for row in self.rows)
        return render_text(ALTS["noise_draws"], metric=METRIC_WORDS[self.metric], names=names)

    def table(self) -> list[dict[str, Any]]:
        """A row for each draw of each method."""
        return [
            {"method": row.method, "seed": seed, self.metric: accuracy}
            for row in self.rows
            for seed, accuracy in zip(row.seeds, row.accuracies, strict=True)
        ]

    def figure(self) -> go.Figure:
        """A row of dots for each method, with range and mean below."""
        count = len(self.rows)
        traces = [trace for i, row in enumerate(self.rows) for trace in self._row(row, -i)]
        notes = [
            note(row.title, 0, -i, "left bottom", xref="paper", yshift=25, font={"size": FONT})
            for i, row in enumerate(self.rows)
        ]
        lines = []
        if self.public is not None:
            words = render_text(LABELS["public_alone"], accuracy=self.public)
            corner = "right bottom" if self.public > 0.5 else "left bottom"
            notes.append(note(words, self.public, 1, corner, yref="paper", font=REFERENCE_FONT))
            lines.append(vertical_line(self.public, 1.6, "dash", GREY))
        return make_figure(
            traces,
            TOP + BOTTOM + ROW_HEIGHT * count,
            {"t": TOP, "b": BOTTOM, "l": 16, "r": 20},
            xaxis=share_axis(ACCURACY_AXES[self.metric], TITLE_GAP),
            yaxis=HIDDEN_AXIS | {"range": [-count + 0.55, 0.55]},
            showlegend=False,
            annotations=notes,
            shapes=lines,
        )

    def _row(self, row: MethodDraws, y: float) -> list[dict[str, Any]]:
        style, name = line_style(row.method), hover("%{customdata}", row.title)
        look = lambda size: {"marker": line_and_marker(style, 2, size)["marker"]} | name
        words = [_draw_words(*draw) for draw in zip(row.seeds, row.accuracies, strict=True)][
            -MAX_DOTS:
        ]
        dots = {"customdata": words, "opacity": 0.45, "cliponaxis": False} | look(8)
        traces = [scatter(list(row.last), [y] * len(words), "markers", **dots)]
        if len(row.seeds) > 1:
            traces += _range(row, y - RANGE_OFFSET, style.colour)
        if (now := row.accuracy(self.seed)) is not None:
            font = {"size": FONT, "color": text_colour(style.colour)}
            number = {"text": [render_text("{now:percent}", now=now)], "textfont": font}
            number |= {"textposition": "top center", "customdata": [_draw_words(self.seed, now)]}
            traces.append(
                scatter([now], [y], "markers+text", cliponaxis=False, **number | look(17))
            )
        return traces


@dataclass(frozen=True)
class TrainingLine:
    """Accuracy of one method's model by step.

    Attributes:
        method: key whose look it takes; title: for people; steps: from 0, before training;
            accuracies: of the model after so many steps, from 0 to 1.
    """

    method: str
    title: str
    steps: tuple[int, ...]
    accuracies: tuple[float, ...]


@dataclass(frozen=True)
class TrainingCurves:
    """Accuracy by step of one draw; ``metric``: a key of ``METRICS``."""

    metric: str
    lines: tuple[TrainingLine, ...]

    def alt(self) -> str:
        names = ", ".join(line.title for line in self.lines)
        return render_text(ALTS["training_curves"], metric=METRIC_WORDS[self.metric], names=names)

    def table(self) -> list[dict[str, Any]]:
        """A row for each step of each method."""
        return [
            {"method": line.method, "step": step, self.metric: accuracy}
            for line in self.lines
            for step, accuracy in zip(line.steps, line.accuracies, strict=True)
        ]

    def figure(self) -> go.Figure:
        """A line for each method, with a marker at its last step."""
        return make_figure(
            [self._line(line) for line in self.lines],
            TRAINING_HEIGHT,
            MARGINS | {"t": 30, "r": 20},
            xaxis=make_axis(AXES["step"], TITLE_GAP, **WITHIN_MARGINS),
            yaxis=share_axis(ACCURACY_AXES[self.metric], SIDE_TITLE_GAP, **WITHIN_MARGINS),
            showlegend=True,
            legend={"y": 1.01, "yanchor": "bottom"},
        )

    def _line(self, line: TrainingLine) -> dict[str, Any]:
        style = line_style(line.method)
        look = line_and_marker(style, 2.2, 10)
        look["marker"]["size"] = [0] * (len(line.steps) - 1) + [10]
        shape = {"name": line.title, "cliponaxis": False} | hover("%{x:,}: %{y:.1%}", line.title)
        return scatter(line.steps, line.accuracies, "lines+markers", **shape | look)


def _draw_words(seed: int, accuracy: float) -> str:
    return render_text(LABELS["noise_draw"], seed=str(seed), accuracy=accuracy)


def _range(row: MethodDraws, y: float, colour: str) -> list[dict[str, Any]]:
    """Range of a row's draws as a line, and their mean as a bar across."""
    low, high = row.range
    fields = {"draws": len(row.seeds), "mean": row.mean, "low": low, "high": high}
    words = render_text(LABELS["noise_range"], **fields)
    bar = {"symbol": "line-ns", "size": 14, "line": {"width": 3, "color": colour}}
    mean = {"marker": bar, "customdata": [words]} | hover("%{customdata}", row.title)
    line = segments([([low, high], [y, y])], colour, 2)
    return [line, scatter([row.mean], [y], "markers", **mean)]
