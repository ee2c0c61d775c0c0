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
    ring_marker,
    scatter,
    segments,
    share_axis,
    vertical_line,
)
from dpviz.plots.kit.readout import brackets
from dpviz.plots.kit.style import GREY, line_style, rgba
from dpviz.stats import Interval
from dpviz.text.charts import ACCURACY_AXES, ALTS, LABELS
from dpviz.text.template import render_text

#: Pixels of a row, and rows that stay free above the first and below the last.
ROW_HEIGHT, ROOM_ABOVE, ROOM_BELOW = 44, 1.2, 0.85
#: Letter size of numbers, rows and guarantees.
LABEL_FONT = 14
#: Row of the names of both guarantees.
HEAD_PLACE = -0.9
#: Clear of a dot, and pixels right of the plot where a difference is near its end.
NUMBER_SPACE, NUMBER_ROOM = "\u2007" * 2, 98
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
        """A row per number of images, with an open dot per image and a filled one per person."""
        places = list(range(len(self.rows)))
        y = {"tickvals": places, "ticktext": [row.name for row in self.rows], "zeroline": False}
        y |= {"tickfont": {"size": LABEL_FONT}}
        y |= {"range": [len(self.rows) - 1 + ROOM_BELOW, -ROOM_ABOVE]}
        top = self._top()
        height = round(ROW_HEIGHT * (max(len(self.rows), 1) - 1 + ROOM_ABOVE + ROOM_BELOW))
        return make_figure(
            self._traces(),
            height + 58,
            MARGINS | {"t": 4, "b": 54, "r": NUMBER_ROOM if self._needs_room(top) else 12},
            showlegend=False,
            xaxis=share_axis(
                ACCURACY_AXES[self.metric], 12, **{"range": [0, top]} | FIXED | WITHIN_MARGINS
            ),
            yaxis=make_axis(self.words[0], 12, grid=False, **y | FIXED | WITHIN_MARGINS),
            shapes=[
                vertical_line(x, 1.4, "dot", GREY) | {"layer": "below"}
                for _, x in self._finite_levels
            ]
            + self._image_band(),
            annotations=[
                *self._heads(),
                *self._waiting(),
                *(self._level_name(*level, top) for level in self._finite_levels),
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

    def _needs_room(self, top: float) -> bool:
        """Whether a difference reaches past the end of the axis."""
        image = [self.image.mean] if self.image is not None else []
        return any(x > 0.75 * top for x in (*image, *(row.person.mean for row in self.rows)))

    def _image_band(self) -> list[dict[str, Any]]:
        """The interval with a guarantee per image, the same in all rows."""
        if self.image is None or not self.image.low < self.image.high:
            return []
        colour = rgba(line_style(self.method).colour, 0.1)
        ends = {"type": "rect", "yref": "paper", "y0": 0, "y1": 1, "layer": "below"}
        ends |= {"x0": self.image.low, "x1": self.image.high}
        return [ends | {"fillcolor": colour, "line": {"width": 0}}]

    def _traces(self) -> list[dict[str, Any]]:
        image = self.image
        known = [(n, row) for n, row in enumerate(self.rows) if row.person.is_measured]
        if image is None or not known or not image.is_measured:
            return []
        joined = [
            segments([([row.person.mean, image.mean], [n, n])], *self._pen(row)) | SILENT
            for n, row in known
        ]
        differences = self._differences(known, image)
        return [*joined, *self._dots(known, image), self._numbers(known), differences]

    def _pen(self, row: PairedRow) -> tuple[str, float, str]:
        """Of the line between both dots: dotted where the difference is not significant."""
        colour, is_marked = line_style(self.method).colour, row.value == self.marked
        return (
            rgba(colour, 0.9 if is_marked else 0.5),
            5 if is_marked else 3,
            "" if row.sign else "dot",
        )

    def _dots(
        self, known: Sequence[tuple[int, PairedRow]], image: Interval
    ) -> list[dict[str, Any]]:
        """Open dots per image, and filled ones per person with their intervals."""
        colour, places = line_style(self.method).colour, [n for n, _ in known]
        shades = [1.0 if row.value == self.marked else FAINT_OPACITY for _, row in known]
        up = [row.person.high - row.person.mean for _, row in known]
        down = [row.person.mean - row.person.low for _, row in known]
        is_spread = any(length > 0 for length in (*up, *down))
        arms = {"error_x": error_arms(up, down, rgba(colour, 0.75), 1.4, 5)} if is_spread else {}
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
                marker=ring_marker(13, colour) | {"opacity": shades},
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

    def _numbers(self, known: Sequence[tuple[int, PairedRow]]) -> dict[str, Any]:
        """Accuracy per person above each dot, bold in the row of the answer."""
        words = [
            f"<b>{percent(row.person)}</b>" if row.value == self.marked else percent(row.person)
            for _, row in known
        ]
        return scatter(
            [row.person.mean for _, row in known],
            [n - 0.16 for n, _ in known],
            "text",
            text=words,
            textposition="top center",
            textfont={"size": LABEL_FONT},
            cliponaxis=False,
            **SILENT,
        )

    def _differences(
        self, known: Sequence[tuple[int, PairedRow]], image: Interval
    ) -> dict[str, Any]:
        """The difference right of both dots, bold in the row of the answer."""
        words = [
            f"<b>{_gap(row, image)}</b>" if row.value == self.marked else _gap(row, image)
            for _, row in known
        ]
        return scatter(
            [max(row.person.mean, image.mean) for _, row in known],
            [n for n, _ in known],
            "text",
            text=[NUMBER_SPACE + each for each in words],
            textposition="middle right",
            textfont={"size": LABEL_FONT},
            cliponaxis=False,
            **SILENT,
        )

    def _heads(self) -> list[dict[str, Any]]:
        """Names of both guarantees above the dots of the first row, on the outer sides."""
        first = self.rows[0].person if self.rows else None
        if self.image is None or first is None or not first.is_measured:
            return []
        sides = ("right", "left") if first.mean <= self.image.mean else ("left", "right")
        per_person, per_image = self.words[1:]
        heads = (per_person, first.mean), (f"{per_image} {percent(self.image)}", self.image.mean)
        return [
            note(
                *(f"<b>{escape(name)}</b>", x, HEAD_PLACE, f"{side} middle"),
                font={"size": LABEL_FONT},
            )
            for (name, x), side in zip(heads, sides, strict=True)
        ]

    def _waiting(self) -> list[dict[str, Any]]:
        """Words in the middle of rows that have no value yet."""
        if not self.rows or self.image is not None:
            return []
        font = {"size": LABEL_FONT, "color": GREY}
        return [
            note(LABELS["no_result"], 0.5, (len(self.rows) - 1) / 2, "center middle", font=font)
        ]

    def _level_name(self, name: str, x: float, top: float) -> dict[str, Any]:
        side = "left" if x < 0.6 * top else "right"
        words = f"\u2009{escape(name)} {x:.0%}\u2009"
        return note(words, x, 0, f"{side} bottom", yref="paper", font=REFERENCE_FONT)


def _gap(row: PairedRow, image: Interval) -> str:
    return render_text(LABELS["gap"], gap=shown_difference(row.person, image))
