"""Accuracy or error against one setting of a method."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

import plotly.graph_objects as go

from dpviz import stats
from dpviz.caches import cached
from dpviz.formatting import METRIC_WORDS, number, percent
from dpviz.plots.kit.drawing import (
    LEGEND_BELOW,
    MARGINS,
    MAX_CACHED_FIGURES,
    SILENT,
    TITLE_GAP,
    WITHIN_MARGINS,
    band,
    base_layout,
    budget_axis_title,
    error_bars,
    horizontal_line,
    hover,
    interval_columns,
    line_and_marker,
    log_axis,
    make_axis,
    make_figure,
    note,
    reference_lines,
    rings,
    scatter,
    segments,
    share_axis,
    static_figure,
    stroke,
    vertical_line,
)
from dpviz.plots.kit.readout import CONNECTOR_OPACITY, EndName, brackets, names_beside
from dpviz.plots.kit.style import ACCENT, GREY, SMALL_FONT, LineStyle, line_style, rgba, text_colour
from dpviz.stats import Interval
from dpviz.text.charts import ACCURACY_AXES, ALTS, AXES, LABELS
from dpviz.text.template import render_text
from dpviz.types import Scores

PER_CLASS = "records per class"
#: Axis titles of units that are CSV columns under their own name.
UNIT_AXES = {PER_CLASS: AXES["images_per_class"]}
#: Lines whose bands can be told apart, and how much the bands of more lines hide.
MAX_CLEAR_BANDS, FAINT_BAND = 6, 0.07
#: Pixels of the plot, and from its axis to the title, clear of ticks beside that.
RECORDS_HEIGHT, RECORDS_TITLE_GAP = 316, 20
#: Opacity of lines and marks beside those of a pair.
FAINT_LINE = 0.75
#: Octaves from one mark at the right end to the next.
MARK_OCTAVES = 0.22


@dataclass(frozen=True)
class RecordsLine:
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

    def point_at(self, value: int) -> Interval | None:
        """Accuracy at one of the values; None where there is none."""
        return dict(zip(self.values, self.points, strict=True)).get(value)


@dataclass(frozen=True)
class Pair:
    """A line's point that is compared with the quiet line of its method: title of the line, value
    of the point, the difference in words.
    """

    title: str
    value: int
    words: str


@dataclass(frozen=True)
class RecordsCurve:
    """What the chart shows; ``current``: the records looked at; chance: of a guess, 1/C;
    record_unit: of whom the records are; quiet_tick: name of the place at the right end that holds
    the quiet lines, where each is the same for any number of records; pair: drawn with a bracket,
    all other lines fainter. A quiet line of a method without another line is a reference line
    there.
    """

    metric: str
    lines: tuple[RecordsLine, ...]
    current: int
    chance: float
    record_unit: str = PER_CLASS
    quiet_tick: str = ""
    pair: Pair | None = None

    @property
    def values(self) -> tuple[int, ...]:
        """Records that any line has, in order, all of them last."""
        values = {value for line in self.lines for value in line.values}
        return tuple(sorted(values, key=lambda value: value or math.inf))

    def place(self, value: int) -> float:
        """Where on the axis; all lie one octave behind the last."""
        return value or 2 * max((*self.values, 1))

    @classmethod
    def from_points(
        cls,
        points: Mapping[tuple[str, str, bool], Mapping[int, Interval]],
        metric: str,
        current: int,
        chance: float,
        counted: str = PER_CLASS,
        quiet_tick: str = "",
    ) -> RecordsCurve:
        """The chart's data from accuracies by line (title, method, quiet) and records, in drawing
        order; lines without a point are left out.
        """
        lines = []
        for (title, method, quiet), by_records in points.items():
            values = tuple(sorted(by_records, key=lambda value: value or math.inf))
            if values:
                lines.append(
                    RecordsLine(title, method, quiet, values, tuple(by_records[v] for v in values))
                )
        return cls(metric, tuple(lines), current, chance, counted, quiet_tick)

    def alt(self) -> str:
        names = ", ".join(line.title for line in self.lines) or "none"
        return render_text(
            ALTS["accuracy_by_images"],
            metric=METRIC_WORDS[self.metric],
            unit=UNIT_AXES.get(self.record_unit, self.record_unit),
            names=names,
        )

    def table(self) -> list[dict[str, Any]]:
        """A row a point."""
        return [
            {"line": line.title, self.record_unit: value or "all"} | interval_columns(point)
            for line in self.lines
            for value, point in zip(line.values, line.points, strict=True)
        ]

    def figure(self) -> go.Figure:
        """Lines with their bands and names, guessing across, the records looked at as an upright
        line.
        """
        references = [line for line in self.lines if self._is_reference(line)]
        levels = [
            (f"{line.title} {percent(line.points[0])}", line.points[0].mean) for line in references
        ]
        across = [line for line in self.lines if line not in references and self._is_mark(line)]
        drawn = [line for line in self.lines if line not in references and line not in across]
        names = names_beside(
            [self._end_name(line, across) for line in drawn],
            range(1, 2 * len(drawn), 2),
            RECORDS_HEIGHT,
        )
        layout = reference_lines([(LABELS["chance"], self.chance), *levels], "left top")
        marked = [self.place(self.current)] if self.current in self.values else []
        layout["shapes"] = [
            *(names.shapes + layout["shapes"]),
            *(vertical_line(x) | {"layer": "below"} for x in marked),
        ]
        pair = self._pair_traces(across)
        return make_figure(
            [trace for line in drawn for trace in self._traces(line)]
            + [self._right_mark(line, place) for place, line in enumerate(across)]
            + [self._onward(line, across) for line in drawn if across]
            + [*pair, names.trace],
            RECORDS_HEIGHT + 66,
            MARGINS | {"t": 12, "b": 54, "r": names.room},
            xaxis=self._x() | WITHIN_MARGINS,
            yaxis=share_axis(ACCURACY_AXES[self.metric], **self._y_range() | WITHIN_MARGINS),
            **layout | names.layout,
        )

    def _is_mark(self, line: RecordsLine) -> bool:
        """Whether a line is one mark at the right end."""
        return bool(self.quiet_tick) and line.quiet

    def _mark_of(self, line: RecordsLine, marks: Sequence[RecordsLine]) -> RecordsLine | None:
        """The mark beside which a line's name is: of its method, unless that names another line."""
        own = next(first for first in self.lines if first.method == line.method)
        return next((m for m in marks if own is line and m.method == line.method), None)

    def _end_name(self, line: RecordsLine, marks: Sequence[RecordsLine]) -> EndName:
        height = (self._mark_of(line, marks) or line).points[-1].mean
        top = self._y_range().get("range", (0, 1))[1]
        share = height / top if math.isfinite(height) else 0.0
        return EndName(line.title, line_style(line.method).colour, share)

    def _onward(self, line: RecordsLine, marks: Sequence[RecordsLine]) -> dict[str, Any]:
        """The way from a line to its name, past marks of other lines."""
        x: list[float] = []
        if not self._mark_of(line, marks):
            x = [self.place(line.values[-1]), 10 ** self._ends(len(marks))[1]]
        y = [line.points[-1].mean] * len(x)
        pen = stroke(rgba(line_style(line.method).colour, CONNECTOR_OPACITY), 1.2, "dot")
        return scatter(x, y, line=pen, opacity=self._opacity(line), **SILENT)

    def _opacity(self, line: RecordsLine) -> float:
        """Of a line and of the mark of its method."""
        if self.pair is None or self.pair.title == line.title:
            return 1.0
        own = next((first.method for first in self.lines if first.title == self.pair.title), "")
        return 1.0 if line.quiet and line.method == own else FAINT_LINE

    def _pair_traces(self, marks: Sequence[RecordsLine]) -> list[dict[str, Any]]:
        """A line from the point of the pair to its mark, and the difference there."""
        if self.pair is None:
            return []
        line = next((line for line in self.lines if line.title == self.pair.title), None)
        if line is None:
            return []
        point = line.point_at(self.pair.value)
        places = [place for place, mark in enumerate(marks) if mark.method == line.method]
        if point is None or not places:
            return []
        x, high = self._mark_place(places[0]), marks[places[0]].points[0].mean
        start = self.place(self.pair.value)
        ends = [([start, x], [point.mean] * 2), ([x, x], [point.mean, high])]
        words: dict[str, Any] = {
            "text": [f"<b>{self.pair.words}</b>"],
            "textposition": "middle left",
            "textfont": {"color": text_colour(line_style(line.method).colour)},
        }
        return [
            segments(ends, GREY, 1.6, "dot") | SILENT,
            scatter([x], [(point.mean + high) / 2], "text", **words, **SILENT),
        ]

    def _is_reference(self, line: RecordsLine) -> bool:
        """Whether a line is quiet at the right end and its method has no other line."""
        alone = all(other.quiet for other in self.lines if other.method == line.method)
        return bool(self.quiet_tick) and line.quiet and alone

    def _right_mark(self, line: RecordsLine, place: int) -> dict[str, Any]:
        """A quiet line as one open marker with its interval, at the right end."""
        style, point = line_style(line.method), line.points[0]
        symbol = f"{style.marker.removesuffix('-open')}-open"
        return scatter(
            [self._mark_place(place)],
            [point.mean],
            "markers",
            name=line.title,
            opacity=self._opacity(line),
            marker={"symbol": symbol, "size": 9, "color": style.colour, "line": {"width": 2}},
            error_y=error_bars([point], style.colour, 1.6, 4),
            showlegend=False,
            **hover(f"{percent(point)} {brackets(point)}", line.title),
        )

    @property
    def _right_place(self) -> float:
        """Where the marks at the right end begin, one octave behind all records."""
        return 2 * self.place(self.values[-1] if self.values else 1)

    def _mark_place(self, place: int) -> float:
        return self._right_place * 2 ** (MARK_OCTAVES * place)

    def _y_range(self) -> dict[str, Any]:
        """From 0 to just above all intervals, where quiet lines are marks at the right end."""
        if not self.quiet_tick:
            return {}
        highest = max((p.high for line in self.lines for p in line.points), default=1.0)
        return {"range": [0, min(1.0, 0.2 * math.ceil(5 * highest + 0.25))]}

    def _traces(self, line: RecordsLine) -> list[dict[str, Any]]:
        style, x = line_style(line.method), [self.place(value) for value in line.values]
        width = 3.5 if self.pair and self.pair.title == line.title else 1.5 if line.quiet else 2.0
        entries = line_and_marker(style, width, 8)
        dash = "dot" if line.quiet else "dash"
        if line.quiet or any(line.method == first.method for first in self._previous_lines(line)):
            entries["line"]["dash"] = dash
            entries["marker"]["symbol"] = f"{style.marker.removesuffix('-open')}-open"
        low, high = [p.low for p in line.points], [p.high for p in line.points]
        faint = (
            {"fillcolor": rgba(style.colour, FAINT_BAND)}
            if len(self.lines) > MAX_CLEAR_BANDS or self.quiet_tick
            else {}
        )
        texts = [
            f"{_count_text(value)}: {percent(p)} {brackets(p)}"
            for value, p in zip(line.values, line.points, strict=True)
        ]
        opacity = self._opacity(line)
        seen, around = {"opacity": opacity}, {"opacity": opacity if opacity == 1 else 0.0}
        return [
            band(x, low, high, style.colour, **faint | around),
            scatter(
                x,
                [p.mean for p in line.points],
                "lines+markers",
                name=line.title,
                text=texts,
                cliponaxis=False,
                **seen,
                **entries,
                **hover("%{text}", line.title),
            ),
        ]

    def _previous_lines(self, line: RecordsLine) -> list[RecordsLine]:
        """Lines with noise that come before this one."""
        return [first for first in self.lines[: self.lines.index(line)] if not first.quiet]

    def _ends(self, marks: int) -> tuple[float, float]:
        """Ends of the axis, as powers of ten, with so many marks at the right."""
        places = [self.place(value) for value in self.values] or [1]
        last = self._mark_place(marks - 1) if marks else places[-1]
        return math.log10(places[0]) - 0.08, math.log10(last) + 0.08

    def _x(self) -> dict[str, Any]:
        places = [self.place(value) for value in self.values] or [1]
        names = [_count_text(value) for value in self.values]
        marks = sum(self._is_mark(line) and not self._is_reference(line) for line in self.lines)
        if marks:
            middle = math.sqrt(self._right_place * self._mark_place(marks - 1))
            places, names = [*places, middle], [*names, self.quiet_tick]
        ticks = {"tickvals": places, "ticktext": names}
        title = UNIT_AXES.get(self.record_unit, self.record_unit)
        return make_axis(title, RECORDS_TITLE_GAP, type="log", range=self._ends(marks), **ticks)


def _count_text(value: int) -> str:
    return f"{value:,}" if value else "all"


@dataclass(frozen=True)
class SettingCurve:
    """One line.

    Attributes:
        title: of the axis; method: key whose look it takes; metric; values, points: of the line;
            current: the setting looked at; levels: (name, accuracy) drawn across.
    """

    title: str
    method: str
    metric: str
    values: tuple[int, ...]
    points: tuple[Interval, ...]
    current: int
    levels: tuple[tuple[str, float], ...]

    @property
    def best(self) -> int:
        """The value with the highest mean."""
        return max(zip(self.values, self.points, strict=True), key=lambda pair: pair[1].mean)[0]

    def point_at(self, value: int) -> Interval:
        """Accuracy at one of the values."""
        return self.points[self.values.index(value)]

    @classmethod
    def from_scores(
        cls,
        curve: Mapping[int, Sequence[Scores]],
        title: str,
        method: str,
        metric: str,
        current: int,
        levels: Sequence[tuple[str, float]],
    ) -> SettingCurve:
        """The chart's data from the seeds' scores by value."""
        values = tuple(sorted(curve))
        points = tuple(stats.band(curve[v], metric) for v in values)
        return cls(title, method, metric, values, points, current, tuple(levels))

    def alt(self) -> str:
        metric = METRIC_WORDS[self.metric]
        return render_text(ALTS["accuracy_by_setting"], metric=metric, setting=self.title)

    def figure(self) -> go.Figure:
        """The line with its band, the levels across, a ring at ``now``."""
        style, points = line_style(self.method), self.points
        pairs = zip(self.values, points, strict=True)
        line = scatter(
            list(self.values),
            [p.mean for p in points],
            "lines+markers",
            showlegend=False,
            text=[f"{v:,}: {percent(p)} {brackets(p)}" for v, p in pairs],
            cliponaxis=False,
            **line_and_marker(style, 2.5, 8),
            **hover("%{text}"),
        )
        ringed = [self.current] if self.current in self.values else []
        return make_figure(
            [
                band(self.values, [p.low for p in points], [p.high for p in points], style.colour),
                line,
                rings(ringed, [self.point_at(value).mean for value in ringed], 15),
            ],
            340,
            {"t": 12},
            xaxis=self._x(),
            yaxis=share_axis(ACCURACY_AXES[self.metric]),
            **reference_lines(self.levels, "left bottom"),
        )

    def _x(self) -> dict[str, Any]:
        ends = self.values[0], max(self.values[-1], self.current)
        return log_axis(self.title, TITLE_GAP, ends, 0.08, {v: f"{v:,}" for v in self.values})


@dataclass(frozen=True)
class Pooling:
    """A point for each k: length of noise and of the mean, their ratio, accuracy without and with
    noise, and in the public rehearsal.

    Attributes:
        rehearsed: accuracies in the rehearsal, empty where there is none; best, best_public: the k
            with the highest mean accuracy on private data and in the rehearsal (None where there is
            none).
    """

    ks: tuple[int, ...]
    noise: tuple[float, ...]
    signal: tuple[float, ...]
    ratios: tuple[float, ...]
    quiet: tuple[float, ...]
    noisy: tuple[Interval, ...]
    rehearsed: tuple[Interval, ...]
    best: int
    best_public: int | None

    @classmethod
    def from_rows(cls, rows: Sequence[Any], rehearsed: Sequence[Any], metric: str) -> Pooling:
        """The chart's data from ``diagnostics.mean_errors.pooling`` on private and public
        records.
        """
        ks = tuple(row.k for row in rows)
        noisy, public = (
            tuple(stats.band(row.noisy, metric) for row in side) for side in (rows, rehearsed)
        )
        quiet = tuple(getattr(row.quiet, metric) for row in rows)
        top = lambda points: ks[max(range(len(ks)), key=lambda i: points[i].mean)]
        noise, signal, ratios = (
            tuple(getattr(row, name) for row in rows) for name in ("noise", "signal", "ratio")
        )
        best_public = top(public) if public else None
        return cls(ks, noise, signal, ratios, quiet, noisy, public, top(noisy), best_public)

    def alt(self) -> str:
        low, high = str(self.ks[0]), str(self.ks[-1])
        return render_text(ALTS["pooling"], low=low, high=high)

    def table(self) -> list[dict[str, Any]]:
        """A row a k."""
        rows = []
        for i, k in enumerate(self.ks):
            row = {
                "k_pool": k,
                "noise ÷ signal": round(self.ratios[i], 4),
                "without noise": round(self.quiet[i], 4),
            }
            row |= {"noise": self.noise[i], "mean": self.signal[i]}
            row |= {
                "private": round(self.noisy[i].mean, 4),
                "low": round(self.noisy[i].low, 4),
                "high": round(self.noisy[i].high, 4),
            }
            rows.append(
                row | ({"rehearsal": round(self.rehearsed[i].mean, 4)} if self.rehearsed else {})
            )
        return rows

    def figure(self, current: int) -> go.Figure:
        """Two plots over one axis, a line at the current k."""
        ticks = {"tickvals": list(self.ks), "ticktext": [str(k) for k in self.ks]}
        title = AXES["coordinates"]
        equal = [horizontal_line(1) | {"yref": "y2"}] if max(self.ratios) > 0 else []
        ratio_axis = {"domain": [0, 0.3], "type": "log"} | _decades(self.ratios)
        name, dashed = (
            LABELS["without_noise"],
            LineStyle(GREY, "dash", "circle-open"),
        )
        quiet = self._line(self.quiet, name, dashed, "%{y:.1%}", LABELS["without_noise"])
        solid = LineStyle(line_style("dppl-mean").colour, "solid", "circle")
        ratio = self._line(self.ratios, LABELS["noise_ratio"], solid, "%{y:.3g}")
        return make_figure(
            [
                *self._private(),
                quiet,
                *self._rehearsed(),
                ratio | {"yaxis": "y2", "showlegend": False},
            ],
            480,
            {"r": 12},
            legend={"y": -0.14},
            xaxis=make_axis(title, TITLE_GAP, type="log", anchor="y2", **ticks),
            yaxis=share_axis(AXES["accuracy"], domain=[0.4, 1]),
            yaxis2=make_axis(AXES["noise_ratio"], **ratio_axis),
            shapes=[vertical_line(current), *equal],
        )

    def _line(
        self, y: Sequence[float], name: str, style: LineStyle, text: str, box: str = ""
    ) -> dict[str, Any]:
        """A line over k; ``text`` of a point, and ``box`` beside it where that is not its name."""
        entries = line_and_marker(style, 2.3, 7) | hover(f"k = %{{x}}: {text}", box or name)
        return scatter(
            list(self.ks), list(y), "lines+markers", name=name, cliponaxis=False, **entries
        )

    def _private(self) -> list[dict[str, Any]]:
        style, points = line_style("dppl-mean"), self.noisy
        text = [f"{percent(p)} {brackets(p)}" for p in points]
        line = self._line([p.mean for p in points], LABELS["with_noise"], style, "%{text}")
        low, high = [p.low for p in points], [p.high for p in points]
        return [band(self.ks, low, high, style.colour), line | {"text": text}]

    def _rehearsed(self) -> list[dict[str, Any]]:
        if not self.rehearsed:
            return []
        y, name = [p.mean for p in self.rehearsed], LABELS["rehearsal"]
        return [
            self._line(
                y, name, LineStyle(ACCENT, "dot", "diamond"), "%{y:.1%}", LABELS["rehearsal"]
            )
        ]


def _decades(ratios: Sequence[float]) -> dict[str, Any]:
    """At least a decade on either side of the ratios' middle, so that a flat line looks flat."""
    powers = [math.log10(r) for r in ratios if r > 0]
    if not powers:
        return {}
    return {"range": [math.floor(min(powers) - 0.3), math.ceil(max(powers) + 0.3)], "dtick": 1}


#: Margins with room for powers of ten at the side, and below for two rows of names.
ERROR_MARGINS = {"l": 70, "r": 14, "t": 14, "b": 96}
#: Where the log scale of errors begins.
MIN_ERROR = 1e-4


@dataclass(frozen=True)
class SettingLine:
    """One line: its name, style, places, and the test error there."""

    name: str
    style: LineStyle
    x: tuple[float, ...]
    points: tuple[Interval, ...]

    def point_at(self, x: float) -> Interval | None:
        """The error at a place."""
        return dict(zip(self.x, self.points, strict=True)).get(x)


@dataclass(frozen=True)
class ErrorLines:
    """Lines over one axis.

    Attributes:
        title: of the axis; lines: in drawing order; log_x, log_y: scales; chance: error of
            guessing, None to leave it out; mark: (place, words) of a mark, or None; words: what
            stands at a place instead of its number; measure: what the error is; length: whether it
            is one, of any size, and not a share.
    """

    title: str
    lines: tuple[SettingLine, ...]
    log_x: bool = True
    log_y: bool = False
    chance: float | None = None
    mark: tuple[float, str] | None = None
    words: tuple[tuple[float, str], ...] = ()
    measure: str = "test error"
    length: bool = False

    @classmethod
    def from_points(
        cls,
        title: str,
        points: Mapping[str, Mapping[float, Interval]],
        styles: Mapping[str, LineStyle],
        **settings: Any,
    ) -> ErrorLines:
        """The chart's data from errors by line and place; lines that are not there are left out.

        Args:
            styles: of the lines, in drawing order; settings: further attributes of ``ErrorLines``.
        """
        lines = []
        for name in styles:
            if name in points:
                places = tuple(sorted(points[name]))
                lines.append(
                    SettingLine(name, styles[name], places, tuple(points[name][x] for x in places))
                )
        return cls(title, tuple(lines), **settings)

    def alt(self) -> str:
        names = ", ".join(line.name for line in self.lines)
        return render_text(
            ALTS["error_lines"],
            measure=self.measure[:1].upper() + self.measure[1:],
            setting=self.title,
            scale="on a log axis" if self.log_y or self.length else "from 0 to 100%",
            names=names,
        )

    def table(self) -> list[dict[str, Any]]:
        """A row a point."""
        return [
            {"line": line.name, self.title: x} | interval_columns(p, self.measure)
            for line in self.lines
            for x, p in zip(line.x, line.points, strict=True)
        ]

    @cached(MAX_CACHED_FIGURES)
    def figure(self) -> go.Figure:
        """Lines with bands. One figure for all who look at the same."""
        guessed = [] if self.chance is None else [(LABELS["chance"], self.chance)]
        marks = reference_lines(guessed, f"{self._free_side()} top")
        if self.mark is not None:
            place, words = self.mark
            x = math.log10(place) if self.log_x else place
            font = {"size": SMALL_FONT, "color": ACCENT}
            marks["shapes"].append(vertical_line(place, 1.5, "dot"))
            marks["annotations"].append(note(words, x, 1, "left top", yref="paper", font=font))
        layout = base_layout(400, ERROR_MARGINS) | {
            "legend": LEGEND_BELOW,
            "xaxis": self._x(),
            "yaxis": self._y(),
        }
        return static_figure(
            [trace for line in self.lines for trace in _line(line, self)], layout | marks
        )

    def _free_side(self) -> str:
        """The side on which lines end farther from guessing, whose name has room there."""
        if self.chance is None or not self.lines:
            return "left"
        first, last = (
            min(abs(line.points[end].mean - self.chance) for line in self.lines) for end in (0, -1)
        )
        return "right" if last > first else "left"

    def _shortest(self) -> float:
        """Where the log scale of lengths begins: below the shortest of them."""
        lengths = [p.mean for line in self.lines for p in line.points if p.mean > 0]
        return min(lengths, default=1.0) / 2

    def _x(self) -> dict[str, Any]:
        places, words = sorted({x for line in self.lines for x in line.x}), dict(self.words)
        texts = [words.get(x, f"{x:,g}" if x >= 1000 else f"{x:g}") for x in places]
        axis = make_axis(self.title, TITLE_GAP, tickvals=places, ticktext=texts)
        if not places:
            return axis
        low, high = (math.log10(x) if self.log_x else x for x in (places[0], places[-1]))
        padding = 0.04 * (high - low) or 0.1
        kind = "log" if self.log_x else "linear"
        return axis | {"type": kind, "range": [low - padding, high + padding]}

    def _y(self) -> dict[str, Any]:
        if self.length:
            high = [p.high for line in self.lines for p in line.points]
            ends = [
                math.log10(self._shortest()),
                math.log10(max([*high, 2 * self._shortest()])) + 0.1,
            ]
            return make_axis(
                self.measure,
                type="log",
                range=ends,
                dtick=1,
                exponentformat="power",
                **WITHIN_MARGINS,
            )
        if not self.log_y:
            return share_axis(self.measure, **WITHIN_MARGINS)
        ticks = {
            "tickvals": [1e-4, 1e-3, 1e-2, 1e-1, 1],
            "ticktext": ["0.01%", "0.1%", "1%", "10%", "100%"],
        }
        ends = [math.log10(MIN_ERROR) - 0.1, 0.05]
        return make_axis(self.measure, type="log", range=ends, **ticks | WITHIN_MARGINS)


def _line(line: SettingLine, chart: ErrorLines) -> list[dict[str, Any]]:
    floor = chart._shortest() if chart.length else MIN_ERROR if chart.log_y else 0.0
    mean, low, high = (
        [max(getattr(p, part), floor) for p in line.points] for part in ("mean", "low", "high")
    )
    words = dict(chart.words)
    point_text = _length_text if chart.length else lambda p: f"{percent(p)} {brackets(p)}"
    texts = [
        f"{words.get(v, f'{v:g}')}: {point_text(p)}"
        for v, p in zip(line.x, line.points, strict=True)
    ]
    trace = scatter(
        list(line.x),
        mean,
        "lines+markers",
        name=escape(line.name),
        text=texts,
        cliponaxis=False,
        **line_and_marker(line.style, 2.5, 8),
        **hover("%{text}", escape(line.name)),
    )
    has_spread = any(p.low < p.high for p in line.points)
    return [band(line.x, low, high, line.style.colour), trace] if has_spread else [trace]


def _length_text(p: Interval) -> str:
    """A length with its interval."""
    return f"{p.mean:.3g} ({p.low:.3g} to {p.high:.3g})" if p.low < p.high else f"{p.mean:.3g}"


@dataclass(frozen=True)
class BestValues:
    """What is drawn.

    Attributes:
        setting: its name; method: key whose look it takes; axis, delta: of the budgets; values: all
            that were tried; budgets, best, not_worse: the value with the highest mean, and those
            not shown to be worse.
    """

    setting: str
    method: str
    axis: str
    delta: float
    values: tuple[int, ...]
    budgets: tuple[float, ...]
    best: tuple[int, ...]
    not_worse: tuple[tuple[int, ...], ...]

    @classmethod
    def from_values(
        cls,
        by_budget: Mapping[float, tuple[int, Sequence[int]]],
        values: Sequence[int],
        setting: str,
        method: str,
        axis: str,
        delta: float,
    ) -> BestValues:
        """The chart's data from the best value, and those that may be, by budget."""
        budgets = tuple(sorted(by_budget))
        best = tuple(by_budget[b][0] for b in budgets)
        may_be = tuple(tuple(sorted(by_budget[b][1])) for b in budgets)
        return cls(setting, method, axis, delta, tuple(values), budgets, best, may_be)

    def alt(self) -> str:
        return render_text(ALTS["best_values"], setting=self.setting, values=len(self.values))

    def table(self) -> list[dict[str, Any]]:
        """A row a budget."""
        rows = zip(self.budgets, self.best, self.not_worse, strict=True)
        name = f"best {self.setting}"
        return [
            {"budget": b, name: k, "not significantly worse": ", ".join(map(str, ks))}
            for b, k, ks in rows
        ]

    def figure(self) -> go.Figure:
        """Bars over all that may be best, a dot at each, a line through the best."""
        style = line_style(self.method)
        rows = list(zip(self.budgets, self.not_worse, strict=True))
        dots = [(b, k) for b, ks in rows for k in ks]
        best = scatter(
            list(self.budgets),
            list(self.best),
            "lines+markers",
            name=render_text(LABELS["best_setting"], setting=self.setting),
            text=[
                f"{number(b)}: {k} (not worse: {', '.join(map(str, ks))})"
                for (b, ks), k in zip(rows, self.best, strict=True)
            ],
            **line_and_marker(style, 2.5, 11),
            **hover("%{text}"),
        )
        return make_figure(
            [
                scatter(
                    [b for b, _ in rows for _ in range(3)],
                    [k for _, ks in rows for k in (min(ks), max(ks), None)],
                    name=LABELS["not_worse"],
                    line=stroke(rgba(style.colour, 0.3), 12),
                    hoverinfo="skip",
                ),
                scatter(
                    [b for b, _ in dots],
                    [k for _, k in dots],
                    "markers",
                    marker={"size": 6, "color": GREY},
                    **SILENT,
                ),
                best,
            ],
            340,
            {"t": 12},
            legend={"y": -0.24},
            xaxis=log_axis(
                budget_axis_title(self.axis, self.delta),
                TITLE_GAP,
                (self.budgets[0], self.budgets[-1]),
                0.1,
                {b: number(b) for b in self.budgets},
            ),
            yaxis=log_axis(
                self.setting,
                None,
                (self.values[0], self.values[-1]),
                0.15,
                {v: f"{v:,}" for v in self.values},
            ),
        )
