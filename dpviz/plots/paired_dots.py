"""Accuracy with a guarantee per image and with a guarantee per person, by number of images."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape, unescape
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
from dpviz.plots.kit.readout import ascending, brackets
from dpviz.plots.kit.style import FONT, GREY, line_style, rgba, text_colour
from dpviz.stats import Interval
from dpviz.text.charts import ACCURACY_AXES, ALTS, LABELS
from dpviz.text.template import render_text

#: Pixels of a row, and rows that stay free above the first and below the last.
ROW_HEIGHT, ROOM_ABOVE, ROOM_BELOW = 42, 1.8, 0.6
#: Rows from the first to the ends of vertical lines and to the names above them, and from a dot to
#: its number, which is clear of the dot on a phone too.
LINES_ABOVE, NAMES_ABOVE, NUMBER_ABOVE = 0.82, 0.84, 0.26
#: Letter size of numbers and rows.
LABEL_FONT = 14
#: Pixels of a phone's plot, of a letter of a bold name and of another, and between names.
NARROW_PLOT, BOLD_WIDTH, LETTER_WIDTH, NAME_GAP = 296, 6.5, 5.8, 9
#: Lines from dots to the line per image.
FAINT_GREY = rgba(GREY, 0.55)
#: Pixels right of the plot.
FREE_ROOM = 16
#: Share of the axis that half a number takes on a phone.
HALF_NUMBER = 0.12


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
            height + 52,
            MARGINS | {"t": 4, "b": 48, "r": FREE_ROOM},
            showlegend=False,
            xaxis=share_axis(
                ACCURACY_AXES[self.metric], 12, **{"range": [0, top]} | FIXED | WITHIN_MARGINS
            ),
            yaxis=make_axis(self.words[0], 12, grid=False, **y | FIXED | WITHIN_MARGINS),
            shapes=self._lines(),
            annotations=[
                *self._heads(),
                *self._waiting(),
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
        lines = [vertical_line(x, 1.4, "dot", GREY) for _, x in self._finite_levels]
        if self.image is not None and self._measured_rows:
            colour = line_style(self.method).colour
            lines.append(vertical_line(self.image.mean, 3, "", colour))
        end = {"y1": 1 - (ROOM_ABOVE - LINES_ABOVE) / rows, "layer": "below"}
        return [line | end for line in lines]

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
            segments(
                [([row.person.mean, image.mean], [n, n])],
                FAINT_GREY,
                1.5,
                "" if row.sign else "dot",
            )
            | SILENT
            for n, row in known
        ]
        dots = self._dots(known, image)
        return [*joined, *dots, self._numbers(known, image)]

    def _dots(
        self, known: Sequence[tuple[int, PairedRow]], image: Interval
    ) -> list[dict[str, Any]]:
        """Places to point at per image, and dots per person on their intervals."""
        colour, places = line_style(self.method).colour, [n for n, _ in known]
        up = [row.person.high - row.person.mean for _, row in known]
        down = [row.person.mean - row.person.low for _, row in known]
        is_spread = any(length > 0 for length in (*up, *down))
        arms = {"error_x": error_arms(up, down, colour, 2, 6)} if is_spread else {}
        texts = [
            f"{row.name}: {percent(row.person)} {brackets(row.person)}<br>{_gap(row, image)}"
            for _, row in known
        ]
        marker = {"size": 12, "color": colour}
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
        """Accuracy per person with its difference above each dot, within the plot, bold in the row
        of the answer.
        """
        words = [_number(row, image) for _, row in known]
        words = [
            f"<b>{number}</b>" if row.value == self.marked else number
            for number, (_, row) in zip(words, known, strict=True)
        ]
        return scatter(
            [row.person.mean for _, row in known],
            [n - NUMBER_ABOVE for n, _ in known],
            "text",
            text=words,
            textposition=[self._number_side(row.person.mean) for _, row in known],
            textfont={"size": LABEL_FONT},
            cliponaxis=False,
            **SILENT,
        )

    def _number_side(self, x: float) -> str:
        """Where a number is, seen from its dot: above it, but at the ends of the axis."""
        along = x / self._top()
        if HALF_NUMBER <= along <= 1 - HALF_NUMBER:
            return "top center"
        return "top right" if along < HALF_NUMBER else "top left"

    def _heads(self) -> list[dict[str, Any]]:
        """Names above the first dot and all vertical lines, in one row in which none covers another
        on a phone.
        """
        font = {"size": FONT, "color": text_colour(line_style(self.method).colour)}
        named = [(_level_name(name, x), x, REFERENCE_FONT) for name, x in self._finite_levels]
        first = self.rows[0].person if self.rows else None
        if self.image is not None and first is not None and first.is_measured:
            person, image = (escape(word) for word in self.words[1:])
            broken = person.replace(" ", "<br>", 1)
            named.append((f"<b>{broken}</b>", first.mean, font))
            named.append((f"<b>{image}<br>{percent(self.image)}</b>", self.image.mean, font))
        shifts = self._name_shifts([(words, x) for words, x, _ in named])
        return [
            note(words, x, -NAMES_ABOVE, "center bottom", xshift=shift, font=font | {"size": FONT})
            for (words, x, font), shift in zip(named, shifts, strict=True)
        ]

    def _name_shifts(self, named: Sequence[tuple[str, float]]) -> list[int]:
        """Pixels from each place to its name, as few as keep names apart on a phone's plot."""
        ranked = sorted(range(len(named)), key=lambda i: named[i][1])
        letters = [BOLD_WIDTH if named[i][0].startswith("<b>") else LETTER_WIDTH for i in ranked]
        longest = [_longest_line(named[i][0]) for i in ranked]
        widths = [width * n + NAME_GAP for width, n in zip(letters, longest, strict=True)]
        wanted = [NARROW_PLOT * named[i][1] / self._top() for i in ranked]
        # the middle of each name if all touch, from the left end of the first
        ends = itertools.accumulate(widths, initial=0.0)
        touching = [end + width / 2 for end, width in zip(ends, widths, strict=False)]
        starts = ascending([x - middle for x, middle in zip(wanted, touching, strict=True)])
        highest = NARROW_PLOT + FREE_ROOM - sum(widths)
        shifts = [0] * len(named)
        for i, start, middle, x in zip(ranked, starts, touching, wanted, strict=True):
            shifts[i] = round(min(start, highest) + middle - x)
        return shifts

    def _waiting(self) -> list[dict[str, Any]]:
        """Words in the middle of rows that have no value yet."""
        if not self.rows or self.image is not None:
            return []
        font = {"size": LABEL_FONT, "color": GREY}
        return [
            note(LABELS["no_result"], 0.5, (len(self.rows) - 1) / 2, "center middle", font=font)
        ]


def _level_name(name: str, x: float) -> str:
    """Name and accuracy of a line in two lines, the last of several words next to the number."""
    first, _, last = escape(name).rpartition(" ")
    return f"{first}<br>{last} {x:.0%}" if first else f"{last}<br>{x:.0%}"


def _longest_line(words: str) -> int:
    """Letters of the longest line of a name in HTML."""
    lines = words.replace("<b>", "").replace("</b>", "").split("<br>")
    return max(len(unescape(line)) for line in lines)


def _number(row: PairedRow, image: Interval) -> str:
    points, *_ = _gap(row, image).split()
    return render_text(LABELS["with_points"], accuracy=percent(row.person), points=points)


def _gap(row: PairedRow, image: Interval) -> str:
    return render_text(LABELS["gap"], gap=shown_difference(row.person, image))
