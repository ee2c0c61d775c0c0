"""Accuracy with a guarantee per image and with a guarantee per person, by number of images."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

import plotly.graph_objects as go

from dpviz.formatting import METRIC_WORDS, percent, shown_difference
from dpviz.plots.kit.drawing import (
    FIXED,
    MARGINS,
    REFERENCE_FONT,
    SILENT,
    WITHIN_MARGINS,
    error_arms,
    hover,
    make_axis,
    make_figure,
    note,
    scatter,
    segments,
    share_axis,
    vertical_line,
)
from dpviz.plots.kit.readout import brackets
from dpviz.plots.kit.style import GREY, line_style, rgba, text_colour
from dpviz.stats import Interval
from dpviz.text.charts import ACCURACY_AXES, ALTS, LABELS
from dpviz.text.template import render_text

#: Pixels of a row, and rows that stay free above the first and below the last.
ROW_HEIGHT, ROOM_ABOVE, ROOM_BELOW = 44, 1.7, 0.6
#: Rows that lines for comparison, and the line per image, reach above the first.
LINES_ABOVE, IMAGE_ABOVE = 0.6, 1.1
#: Letter size of numbers, rows and guarantees; that of differences is smaller.
LABEL_FONT = 14
#: Rows of the names of both guarantees, and of the lines for comparison.
HEAD_PLACE, LEVEL_PLACE = -1.35, -0.85
#: Pixels right of the plot.
FREE_ROOM = 16
#: Shares of the axis within which a line crosses the number of a dot, the name of the dots, and
#: the name of a line.
NUMBER_NEAR, HEAD_NEAR, NAME_NEAR = 0.12, 0.18, 0.2
#: Opacity of rows that the answer is not about.
FAINT_OPACITY = 0.75


@dataclass(frozen=True)
class PairedRow:
    """Accuracy with a guarantee per person; ``value``: most images per person, 0 for all; sign: of
    the difference to the guarantee per image, 0 if not significant.
    """

    value: int
    person: Interval
    sign: int

    @property
    def name(self) -> str:
        """The number of images in words."""
        return f"{self.value:,}" if self.value else "all"


@dataclass(frozen=True)
class PairedDots:
    """What the chart shows.

    Attributes:
        metric: a key of ``METRICS``; method: key of the method; title: of its line; image: accuracy
            with a guarantee per image; rows: from few images per person to all; marked: value of
            the row that the answer is about; words: names of the axis of rows and of both
            guarantees; levels: names and accuracies for comparison.
    """

    metric: str
    method: str
    title: str
    image: Interval | None
    rows: tuple[PairedRow, ...]
    marked: int
    words: tuple[str, str, str]
    levels: tuple[tuple[str, float], ...] = ()

    def alt(self) -> str:
        """The chart in words."""
        return render_text(
            ALTS["paired_dots"], metric=METRIC_WORDS[self.metric], name=self.title or "none"
        )

    def figure(self) -> go.Figure:
        """A row per number of images: a dot per person, joined to one line of the guarantee per
        image, and beside its number the difference.
        """
        places = list(range(len(self.rows)))
        y = {"tickvals": places, "ticktext": [row.name for row in self.rows], "zeroline": False}
        y |= {"tickfont": {"size": LABEL_FONT}}
        y |= {"range": [len(self.rows) - 1 + ROOM_BELOW, -ROOM_ABOVE]}
        top = self._top()
        height = round(ROW_HEIGHT * (max(len(self.rows), 1) - 1 + ROOM_ABOVE + ROOM_BELOW))
        return make_figure(
            self._traces(),
            height + 58,
            MARGINS | {"t": 4, "b": 54, "r": FREE_ROOM},
            showlegend=False,
            xaxis=share_axis(
                ACCURACY_AXES[self.metric], 12, **{"range": [0, top]} | FIXED | WITHIN_MARGINS
            ),
            yaxis=make_axis(self.words[0], 12, grid=False, **y | FIXED | WITHIN_MARGINS),
            shapes=self._lines(),
            annotations=[
                *self._heads(),
                *self._waiting(),
                *(self._level_name(*level) for level in self._finite_levels),
            ],
        )

    @property
    def _finite_levels(self) -> list[tuple[str, float]]:
        return [level for level in self.levels if math.isfinite(level[1])]

    def _top(self) -> float:
        """The end of the axis: a fifth above all that is drawn, at most 100%."""
        image = [self.image.high] if self.image is not None else []
        ends = [
            *image,
            *(row.person.high for row in self.rows),
            *(x for _, x in self._finite_levels),
        ]
        highest = max((end for end in ends if math.isfinite(end)), default=1.0)
        return min(1.0, 0.1 * math.ceil(10 * highest + 0.5))

    def _lines(self) -> list[dict[str, Any]]:
        """Lines from the bottom to their names: accuracies for comparison, and per image."""
        rows = max(len(self.rows), 1) - 1 + ROOM_ABOVE + ROOM_BELOW
        end = lambda above: {"y1": 1 - (ROOM_ABOVE - above) / rows, "layer": "below"}
        lines = [
            vertical_line(x, 1.4, "dot", GREY) | end(LINES_ABOVE) for _, x in self._finite_levels
        ]
        if self.image is not None and self._measured_rows:
            colour = line_style(self.method).colour
            lines.append(vertical_line(self.image.mean, 3, "", colour) | end(IMAGE_ABOVE))
        return lines

    @property
    def _measured_rows(self) -> list[tuple[int, PairedRow]]:
        """Rows with a value, by place; none without one per image."""
        if self.image is None or not self.image.is_measured:
            return []
        return [(n, row) for n, row in enumerate(self.rows) if row.person.is_measured]

    def _traces(self) -> list[dict[str, Any]]:
        image, known = self.image, self._measured_rows
        if image is None or not known:
            return []
        joined = [
            segments([([row.person.mean, image.mean], [n, n])], *self._pen(row)) | SILENT
            for n, row in known
        ]
        dots = self._dots(known, image)
        return [*joined, *dots, self._numbers(known, image)]

    def _pen(self, row: PairedRow) -> tuple[str, float, str]:
        """Of the line between dot and line: dotted where the difference is not significant."""
        colour, is_marked = line_style(self.method).colour, row.value == self.marked
        return (
            rgba(colour, 0.6 if is_marked else 0.4),
            5 if is_marked else 3,
            "" if row.sign else "dot",
        )

    def _dots(
        self, known: Sequence[tuple[int, PairedRow]], image: Interval
    ) -> list[dict[str, Any]]:
        """Places to point at per image, and dots per person with their intervals."""
        colour, places = line_style(self.method).colour, [n for n, _ in known]
        shades = [1.0 if row.value == self.marked else FAINT_OPACITY for _, row in known]
        up = [row.person.high - row.person.mean for _, row in known]
        down = [row.person.mean - row.person.low for _, row in known]
        is_spread = any(length > 0 for length in (*up, *down))
        arms = {"error_x": error_arms(up, down, text_colour(colour), 1.6, 6)} if is_spread else {}
        texts = [
            f"{row.name}: {percent(row.person)} {brackets(row.person)}<br>{_gap(row, image)}"
            for _, row in known
        ]
        marker = {"size": 13, "color": colour, "opacity": shades}
        per_person, per_image = self.words[1:]
        return [
            scatter(
                [image.mean] * len(places),
                places,
                "markers",
                name=per_image,
                marker={"size": 7, "color": colour},
                **hover(f"{percent(image)} {brackets(image)}", per_image),
            ),
            scatter(
                [row.person.mean for _, row in known],
                places,
                "markers",
                name=per_person,
                marker=marker,
                text=texts,
                **arms,
                **hover("%{text}", per_person),
            ),
        ]

    def _numbers(self, known: Sequence[tuple[int, PairedRow]], image: Interval) -> dict[str, Any]:
        """Accuracy per person with its difference above each dot, clear of lines, bold in the row
        of the answer.
        """
        words = [_number(row, image) for _, row in known]
        words = [
            f"<b>{number}</b>" if row.value == self.marked else number
            for number, (_, row) in zip(words, known, strict=True)
        ]
        return scatter(
            [row.person.mean for _, row in known],
            [n - 0.16 for n, _ in known],
            "text",
            text=words,
            textposition=[self._number_side(row.person.mean) for _, row in known],
            textfont={"size": LABEL_FONT},
            cliponaxis=False,
            **SILENT,
        )

    def _number_side(self, x: float) -> str:
        """Where a number is, seen from its dot: away from the nearest line, if one is near."""
        lines = [level for _, level in self._finite_levels]
        lines += [self.image.mean] if self.image is not None else []
        nearest = min(lines, key=lambda line: abs(line - x), default=math.inf)
        if abs(nearest - x) > NUMBER_NEAR * self._top():
            return "top center"
        return "top right" if nearest <= x else "top left"

    def _heads(self) -> list[dict[str, Any]]:
        """Names of both guarantees: above the first dot, and at the top of the line."""
        first = self.rows[0].person if self.rows else None
        if self.image is None or first is None or not first.is_measured:
            return []
        is_left, reach = first.mean <= self.image.mean, HEAD_NEAR * self._top()
        outer = "right" if is_left else "left"
        side = "center" if abs(self.image.mean - first.mean) > reach else outer
        near = min((abs(x - first.mean) for _, x in self._finite_levels), default=math.inf)
        per_person, per_image = self.words[1:]
        heads = [
            (per_person, first.mean, LEVEL_PLACE if near > reach else HEAD_PLACE, side),
            (
                f"{per_image} {percent(self.image)}",
                self.image.mean,
                HEAD_PLACE,
                "left" if is_left else "right",
            ),
        ]
        font = {"size": LABEL_FONT, "color": text_colour(line_style(self.method).colour)}
        return [
            note(*(f"<b>{escape(name)}</b>", x, place, f"{side} middle"), font=font)
            for name, x, place, side in heads
        ]

    def _waiting(self) -> list[dict[str, Any]]:
        """Words in the middle of rows that have no value yet."""
        if not self.rows or self.image is not None:
            return []
        font = {"size": LABEL_FONT, "color": GREY}
        return [
            note(LABELS["no_result"], 0.5, (len(self.rows) - 1) / 2, "center middle", font=font)
        ]

    def _level_name(self, name: str, x: float) -> dict[str, Any]:
        """Name and accuracy at the top of a line, clear of the line per image."""
        apart = math.inf if self.image is None else x - self.image.mean
        near = abs(apart) < NAME_NEAR * self._top()
        side = ("left" if apart > 0 else "right") if near else "center"
        words = f"{escape(name)} {x:.0%}"
        return note(words, x, LEVEL_PLACE, f"{side} middle", font=REFERENCE_FONT)


def _number(row: PairedRow, image: Interval) -> str:
    points, *_ = _gap(row, image).split()
    return render_text(LABELS["with_points"], accuracy=percent(row.person), points=points)


def _gap(row: PairedRow, image: Interval) -> str:
    return render_text(LABELS["gap"], gap=shown_difference(row.person, image))
