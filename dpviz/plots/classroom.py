"""What a class and a crowd answer."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from itertools import pairwise
from textwrap import wrap
from typing import Any

import numpy as np
import plotly.graph_objects as go

from dpviz.caches import cached
from dpviz.plots.kit.drawing import (
    HIDDEN_AXIS,
    MAX_CACHED_FIGURES,
    SIDE_TITLE_GAP,
    SILENT,
    TITLE_GAP,
    band,
    bar_trace,
    horizontal_line,
    hover,
    make_axis,
    make_figure,
    note,
    ring_marker,
    scatter,
    segments,
    share_axis,
    stroke,
    tenths_around,
    vertical_line,
)
from dpviz.plots.kit.readout import Plot, Row, budget_figure
from dpviz.plots.kit.style import (
    ACCENT,
    CLASSROOM_META,
    FONT,
    GREY,
    RIGHT,
    LineStyle,
    line_style,
    rgba,
)
from dpviz.stats import Interval
from dpviz.text.charts import ALTS, AXES, LABELS
from dpviz.text.template import render_text

#: Pixels of an option, and its letters a line.
OPTION_HEIGHT, OPTION_LETTERS = 58, 38
#: Stretches of a scale, at most.
MAX_BARS = 20
NUMBERS_HEIGHT = 340
#: Pixels of a crowd's estimates on a narrow page, where a question is above them.
CROWD_NARROW_HEIGHT = 236
#: Size of letters in charts that a class reads from the screen.
CLASS_FONT = 16


def _for_class(figure: go.Figure) -> go.Figure:
    """Return a chart with letters for a classroom; a presentation enlarges them further."""
    figure.update_layout(font_size=CLASS_FONT, legend_font_size=CLASS_FONT)
    for axes in (figure.update_xaxes, figure.update_yaxes):
        axes(tickfont_size=CLASS_FONT, title_font_size=CLASS_FONT, automargin=True)
    return figure.update_annotations(font_size=CLASS_FONT)


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

    @classmethod
    def from_counts(
        cls, options: Sequence[str], counts: Sequence[int], right: int | None = None
    ) -> Tally:
        """Of a choice."""
        return cls(tuple(options), tuple(counts), right)

    def alt(self) -> str:
        pairs = zip(self.names, self.counts, strict=True)
        texts = [f"{name}: {count}" for name, count in pairs if count or not self.edges]
        parts = [render_text(ALTS["answers"], answers="; ".join(texts) or "none")]
        if self.right is not None:
            parts.append(render_text(ALTS["answers_right"], name=self.names[self.right]))
        if self.truth is not None:
            number = f"{self.truth:g}"
            parts.append(render_text(ALTS["answers_true"], number=number, unit=self.unit))
        return " ".join(parts)

    def figure(self) -> go.Figure:
        """Lying bars for options, the right one in its colour; upright ones along a scale."""
        return _for_class(self._numbers() if self.edges else self._options())

    def _options(self) -> go.Figure:
        rows = list(range(len(self.names)))
        colours = [RIGHT if i == self.right else GREY for i in rows]
        if self.right is None:
            colours = [ACCENT] * len(rows)
        names = [
            ("✓ " if i == self.right else "") + "<br>".join(map(escape, wrap(name, OPTION_LETTERS)))
            for i, name in enumerate(self.names)
        ]
        lines = max(name.count("<br>") for name in names) + 1
        y = {
            "tickvals": rows,
            "ticktext": names,
            "range": [len(rows) - 0.4, -0.6],
            "automargin": True,
        }
        return make_figure(
            [self._bars(list(self.counts), rows, colours) | {"orientation": "h"}],
            max(OPTION_HEIGHT, 20 * lines + 18) * len(rows) + 70,
            {"b": 46, "r": 40},
            xaxis=make_axis(  # each bar has its number
                grid=False, range=[0, self._top()], showticklabels=False
            ),
            yaxis=make_axis(grid=False, **y),
            showlegend=False,
            meta=CLASSROOM_META,
        )

    def _numbers(self) -> go.Figure:
        middles = [(a + b) / 2 for a, b in zip(self.edges, self.edges[1:], strict=False)]
        bar = self._bars(middles, list(self.counts), [ACCENT] * len(middles))
        unit = escape(self.unit)
        truth_entries: dict[str, Any] = {}
        if self.truth is not None:
            space = "" if unit in ("", "%") else " "
            words = render_text(LABELS["true_value"], value=f"{self.truth:g}", unit=space + unit)
            words = f"<b>{words}</b>"
            truth_entries = {
                "shapes": [vertical_line(self.truth, 3, "", RIGHT)],
                "annotations": [
                    note(words, self.truth, 1, "center bottom", yref="paper", showarrow=False)
                ],
            }
        true = self.edges[0] if self.truth is None else self.truth
        ends = [min(self.edges[0], true), max(self.edges[-1], true)]
        return make_figure(
            [bar],
            NUMBERS_HEIGHT,
            {"b": 46, "l": 50, "t": 34, "r": 20},
            xaxis=make_axis(unit or AXES["number"], TITLE_GAP, range=ends),
            yaxis=make_axis(AXES["answers"], TITLE_GAP, range=[0, self._top()], **self._whole()),
            showlegend=False,
            meta=CLASSROOM_META,
            bargap=0.08,
            **truth_entries,
        )

    def _bars(self, x: Sequence[float], y: Sequence[float], colours: list[str]) -> dict[str, Any]:
        return bar_trace(
            x,
            y,
            text=[str(count) if count else "" for count in self.counts],
            textposition="outside",
            cliponaxis=False,
            marker={"color": colours},
            customdata=[escape(n) for n in self.names],
            **hover("%{customdata}: %{text}"),
        )

    def _top(self) -> float:
        return max(4, *self.counts) * 1.12

    def _whole(self) -> dict[str, Any]:
        """Ticks at whole numbers of answers."""
        return {"dtick": max(1, math.ceil(max(4, *self.counts) / 6))}


def number_tally(
    values: Sequence[float],
    low: float,
    high: float,
    step: float,
    unit: str = "",
    truth: float | None = None,
) -> Tally:
    """Of numbers on a scale: stretches of whole steps, as many as there is room for."""
    steps = round((high - low) / step) + 1
    wide = step * math.ceil(steps / MAX_BARS)
    bars = math.ceil(steps * step / wide - 1e-9)
    edges = tuple(low - step / 2 + wide * i for i in range(bars + 1))
    places = [min(int((value - edges[0]) / wide), bars - 1) for value in values]
    ends = [(edges[i] + step / 2, min(edges[i + 1] - step / 2, high)) for i in range(bars)]
    names = [f"{a:g}" if a == b else f"{a:g} to {b:g}" for a, b in ends]
    counts = tuple(places.count(i) for i in range(bars))
    return Tally(tuple(names), counts, None, edges, truth, unit)


CURVES_HEIGHT = 420
#: Opacity of a line where few are drawn; it falls as there are more.
MAX_OPACITY = 0.45


@dataclass(frozen=True)
class DrawnCurves:
    """What the chart shows.

    Attributes:
        names, places: of what is drawn over, and where each stands, from 0 to 1; x_title, beside:
            titles of the axes; curves: percentages each, a tuple a phone; middle: their median at
            each place; truth: (mean, low, high) in percent at each place, or nothing.
    """

    names: tuple[str, ...]
    places: tuple[float, ...]
    x_title: str
    y_title: str
    curves: tuple[tuple[int, ...], ...]
    middle: tuple[float, ...]
    truth: tuple[tuple[float, float, float], ...]

    @classmethod
    def from_curves(
        cls,
        names: Sequence[str],
        places: Sequence[float],
        titles: tuple[str, str],
        curves: Sequence[Sequence[int]],
        truth: Sequence[tuple[float, float, float]] = (),
    ) -> DrawnCurves:
        middle = tuple(np.median(np.array(curves, float), axis=0).tolist()) if curves else ()
        rows = tuple(tuple(curve) for curve in curves)
        return cls(tuple(names), tuple(places), *titles, rows, middle, tuple(truth))

    def alt(self) -> str:
        middle = [f"{n}: {m:g}%" for n, m in zip(self.names, self.middle, strict=False)]
        true = [f"{n}: {t[0]:g}%" for n, t in zip(self.names, self.truth, strict=False)]
        parts = [
            render_text(ALTS["curves"], curves=len(self.curves), y=self.y_title, x=self.x_title)
        ]
        if middle:
            parts.append(render_text(ALTS["curves_middle"], values=", ".join(middle)))
        if true:
            parts.append(render_text(ALTS["curves_true"], values=", ".join(true)))
        return " ".join(parts)

    def figure(self) -> go.Figure:
        """All of them in one trace, their median where there are several, the true curve on top."""
        x, traces = list(self.places), []
        if self.curves:
            thin = rgba(GREY, max(0.18, MAX_OPACITY - len(self.curves) / 400))
            lines = [(x, curve) for curve in self.curves]
            traces.append(
                segments(lines, thin, 1.6) | {"name": LABELS["curves"], "showlegend": True}
            )
        if len(self.curves) > 2:
            pen = stroke(ACCENT, 2.5, "dash")
            entries: dict[str, Any] = {
                "name": LABELS["curves_middle"],
                "line": pen,
                "text": list(self.names),
            }
            traces.append(scatter(x, list(self.middle), **entries | hover("%{text}: %{y:.0f}%")))
        if self.truth:
            mean, low, high = (list(part) for part in zip(*self.truth, strict=True))
            traces.append(band(x, low, high, RIGHT))
            style: dict[str, Any] = {
                "line": stroke(RIGHT, 4),
                "marker": {"size": 9, "color": RIGHT},
            }
            entries = {"name": LABELS["true_curve"], "text": list(self.names)} | style
            traces.append(
                scatter(x, mean, "lines+markers", **entries | hover("%{text}: %{y:.1f}%"))
            )
        ticks = {"tickvals": x, "ticktext": list(map(escape, self.names)), "range": [-0.03, 1.03]}
        figure = make_figure(
            traces,
            CURVES_HEIGHT,
            {"l": 58, "b": 50, "t": 34, "r": 20},
            legend={"y": 1.01, "yanchor": "bottom"},
            showlegend=True,
            meta=CLASSROOM_META,
            xaxis=make_axis(escape(self.x_title), TITLE_GAP, **ticks),
            yaxis=make_axis(escape(self.y_title), TITLE_GAP, range=[-2, 102], dtick=20),
        )
        return _for_class(figure)


#: Pixels of the race's plot, and of the smallest and the largest circle.
RACE_HEIGHT, RACE_CIRCLES = 440, (36, 56)
#: Rise of accuracy to the next ε from which a name has room beside its circle, not above it.
STEEP = 0.1


@dataclass(frozen=True)
class RaceCurve:
    """What the chart shows.

    Attributes:
        epsilons: that hospitals choose among; points: (mean accuracy, its low and high end,
            attacker's best guess) in percent at each; counts: hospitals at each; public: accuracy
            in percent with public images alone, if it is known.
    """

    epsilons: tuple[float, ...]
    points: tuple[tuple[float, float, float, float], ...]
    counts: tuple[int, ...]
    public: float | None = None

    def alt(self) -> str:
        words = [render_text(ALTS["race"], points="; ".join(self._texts()))]
        return " ".join([*words, *filter(None, [self._public_text()])])

    def figure(self) -> go.Figure:
        """Accuracy over best guess: a circle per ε, its area by hospitals; public images alone as
        a line across.
        """
        accuracy, low, high, guess = (
            [percent / 100 for percent in values] for values in zip(*self.points, strict=True)
        )
        circles = scatter(
            guess,
            accuracy,
            "markers+text",
            text=[str(count) if count else "" for count in self.counts],
            customdata=self._texts(),
            cliponaxis=False,
            textfont={"color": "#fff"},
            marker={"size": self._sizes(), "color": ACCENT, "opacity": 1},
            **hover("%{customdata}"),
        )
        shapes, notes = [], self._names(guess, accuracy)
        if self.public is not None:
            shapes.append(horizontal_line(self.public / 100, width=2.5))
            words = self._public_text()
            notes.append(note(words, 1, self.public / 100, "right top", xref="paper", yshift=-2))
        left, right = tenths_around(guess)
        figure = make_figure(
            [
                band(guess, low, high, ACCENT),
                scatter(guess, accuracy, line=stroke(ACCENT, 3), hoverinfo="skip"),
                circles,
            ],
            RACE_HEIGHT,
            {"l": 58, "b": 50, "t": 44, "r": 28},
            showlegend=False,
            meta=CLASSROOM_META,
            shapes=shapes,
            annotations=notes,
            xaxis=share_axis(
                AXES["race_guess"], TITLE_GAP, range=[left - 0.02, right + 0.02], dtick=0.1
            ),
            yaxis=share_axis(AXES["race_accuracy"], SIDE_TITLE_GAP, range=[0, 1.08]),
        )
        return _for_class(figure)

    def _names(self, guess: Sequence[float], accuracy: Sequence[float]) -> list[dict[str, Any]]:
        """Each ε: beside its circle where the curve is steep, else above it; the first one above
        ends there, since the next circle is near.
        """
        steep = [b - a > STEEP for a, b in pairwise(accuracy)] + [False]
        names = []
        for i, (epsilon, size) in enumerate(zip(self.epsilons, self._sizes(), strict=True)):
            words = f"<b>{render_text(LABELS['race_epsilon'], epsilon=epsilon)}</b>"
            gap = size / 2 + 4
            shift = {"xshift": gap} if steep[i] else {"yshift": gap}
            corner = "left middle" if steep[i] else "center bottom"
            if i and steep[i - 1] and not steep[i]:
                corner = "right bottom"
            names.append(note(words, guess[i], accuracy[i], corner, **shift))
        return names

    def _sizes(self) -> list[float]:
        """Diameters; of an ε without hospitals a small one."""
        least, most = RACE_CIRCLES
        top = max(1, *self.counts)
        return [max(least, most * math.sqrt(n / top)) if n else least / 3 for n in self.counts]

    def _texts(self) -> list[str]:
        rows = zip(self.epsilons, self.points, self.counts, strict=True)
        return [
            render_text(
                LABELS["race_point"],
                epsilon=epsilon,
                accuracy=mean / 100,
                guess=guess / 100,
                count=count,
            )
            for epsilon, (mean, _, _, guess), count in rows
        ]

    def _public_text(self) -> str:
        if self.public is None:
            return ""
        return render_text(LABELS["public_alone"], accuracy=self.public / 100)


ESTIMATE_HEIGHT = 190


@dataclass(frozen=True)
class YesEstimate:
    """How many of ``people`` say yes: ``count`` is the estimate, from ``low`` to ``high`` its 95%
    interval.
    """

    people: int
    count: float
    low: int
    high: int

    def alt(self) -> str:
        counts = {"count": f"{self.count:.0f}", "people": str(self.people)}
        return render_text(ALTS["estimate"], **counts, low=str(self.low), high=str(self.high))

    def figure(self) -> go.Figure:
        """A bar over all people, the interval on it and the estimate in it."""
        parts = (0, self.people, rgba(GREY, 0.25)), (self.low, self.high, rgba(ACCENT, 0.55))
        bars = [
            band([low, high], [-0.5] * 2, [0.5] * 2, ACCENT, fillcolor=colour)
            for low, high, colour in parts
        ]
        text = f"{self.count:.0f} ({self.low}–{self.high})"
        rule = scatter([self.count] * 2, [-0.7, 0.7], line=stroke(ACCENT, 7), **hover(text))
        share = self.count / self.people
        side = "left" if share < 0.3 else "right" if share > 0.7 else "center"
        words = note(f"<b>{text}</b>", self.count, 1, f"{side} bottom", yref="paper")
        figure = make_figure(
            [*bars, rule],
            ESTIMATE_HEIGHT,
            {"l": 24, "r": 24, "t": 44, "b": 50},
            showlegend=False,
            meta=CLASSROOM_META,
            annotations=[words | {"showarrow": False}],
            xaxis=make_axis(
                render_text(AXES["people_yes"], people=str(self.people)),
                TITLE_GAP,
                range=[-0.01 * self.people, 1.01 * self.people],
                dtick=max(1, math.ceil(self.people / 10)),
            ),
            yaxis=make_axis(range=[-1, 1], **HIDDEN_AXIS),
        )
        return _for_class(figure)


#: Pixels of the plot itself.
PRECISION_HEIGHT = 330
#: Of an interval from nobody to all: nothing is known.
MAX_HALF_WIDTH = 0.5
#: Name, marker and colour; of the spare colours, which no method has.
COLLECTION_WAYS = {
    "coin": ("coins", "circle", line_style("coin").colour),
    "server": ("server", "square", line_style("by trust").colour),
}
SIZE_DASHES = ("dot", "dash", "solid", "longdashdot")


@dataclass(frozen=True)
class YesPrecision:
    """What the chart shows.

    Attributes:
        budgets: epsilon of each answer; lines: (way, a key of COLLECTION_WAYS, people, half-widths
        as shares
            of the people); own_size: people in the room that is open, 0 for none.
    """

    budgets: tuple[float, ...]
    lines: tuple[tuple[str, int, tuple[float, ...]], ...]
    own_size: int = 0
    budget: None = None
    waiting: tuple[str, ...] = ()

    @classmethod
    def from_halves(
        cls,
        budgets: Sequence[float],
        halves: Mapping[tuple[str, int], Sequence[float]],
        own_size: int = 0,
    ) -> YesPrecision:
        """The chart's data from half-widths in people, by way and size of the room."""
        lines = tuple(
            (way, n, tuple(half / n for half in widths)) for (way, n), widths in halves.items()
        )
        return cls(tuple(budgets), lines, own_size)

    def alt(self) -> str:
        sizes = ", ".join(str(n) for n in dict.fromkeys(n for _, n, _ in self.lines))
        return render_text(ALTS["precision"], names=sizes)

    def table(self) -> list[dict[str, Any]]:
        """A row for each budget and line."""
        return [
            {"epsilon": b, "way": way, "people": n, "half-width 95%, share of the class": half}
            for way, n, halves in self.lines
            for b, half in zip(self.budgets, halves, strict=True)
        ]

    @cached(MAX_CACHED_FIGURES)
    def figure(self, budget: float) -> go.Figure:
        """A line each, with its number at ``budget``, and a frame for every budget."""
        rows = [self._row(*line) for line in self.lines]
        y = {"title": AXES["half_width"], "range": [0, MAX_HALF_WIDTH], "dtick": 0.1}
        return budget_figure(self, rows, budget, Plot(PRECISION_HEIGHT, y, top=MAX_HALF_WIDTH))

    def _row(self, way: str, people: int, halves: tuple[float, ...]) -> Row:
        named, marker, colour = COLLECTION_WAYS[way]
        sizes = list(dict.fromkeys(n for _, n, _ in self.lines if n != self.own_size))
        is_own = people == self.own_size
        dash = SIZE_DASHES[-1] if is_own else SIZE_DASHES[sizes.index(people) % 3]
        points = tuple(Interval(half, half, half, 1) for half in halves)
        style = LineStyle(colour, dash, marker)
        return Row(
            render_text(
                LABELS["your_people" if is_own else "people"], people=str(people), way=named
            ),
            style,
            self.budgets,
            points,
        )


#: Pixels a question.
QUESTION_HEIGHT = 30


@dataclass(frozen=True)
class QuestionGains:
    """Questions from the top: names, shares right before and after, and whether the difference is
    more than chance; people: how many.
    """

    names: tuple[str, ...]
    share_before: tuple[float, ...]
    share_after: tuple[float, ...]
    significant: tuple[bool, ...]
    people: int

    @classmethod
    def from_shares(
        cls,
        names: Sequence[str],
        before: Sequence[float],
        after: Sequence[float],
        significant: Sequence[bool],
        people: int,
    ) -> QuestionGains:
        """The chart's data, what gained most first."""
        order = sorted(range(len(names)), key=lambda i: (before[i] - after[i], i))
        return cls(
            names=tuple(names[i] for i in order),
            share_before=tuple(before[i] for i in order),
            share_after=tuple(after[i] for i in order),
            significant=tuple(significant[i] for i in order),
            people=people,
        )

    def alt(self) -> str:
        return render_text(ALTS["question_gains"], people=self.people, questions=len(self.names))

    def figure(self) -> go.Figure:
        """A ring before, a dot after, joined: a full line where the gain is more than chance."""
        rows = list(range(len(self.names)))
        joined = [
            segments(
                [
                    ((self.share_before[i], self.share_after[i]), (i, i))
                    for i in rows
                    if self.significant[i] == clear
                ],
                ACCENT if clear else GREY,
                4 if clear else 1.5,
                "" if clear else "dot",
            )
            | {"showlegend": False}
            for clear in (True, False)
        ]
        texts = [
            f"{escape(name)}: {100 * a:.0f}% before, {100 * b:.0f}% after"
            + ("" if clear else ", not significant")
            for name, a, b, clear in zip(
                self.names, self.share_before, self.share_after, self.significant, strict=True
            )
        ]
        markers: dict[str, tuple[tuple[float, ...], dict[str, Any]]] = {
            "before": (
                self.share_before,
                {"symbol": "circle-open", "color": GREY, "line": {"width": 2}},
            ),
            "after": (self.share_after, {"symbol": "circle", "color": ACCENT}),
        }
        dots = [
            scatter(
                list(values),
                rows,
                "markers",
                name=LABELS[f"question_{name}"],
                customdata=texts,
                cliponaxis=False,
                marker=marker | {"size": 11},
                **hover("%{customdata}", name),
            )
            for name, (values, marker) in markers.items()
        ]
        names = [escape(name) for name in self.names]
        y = {
            "tickvals": rows,
            "ticktext": names,
            "range": [len(rows) - 0.4, -0.6],
            "automargin": True,
        }
        return make_figure(
            [*joined, *dots],
            QUESTION_HEIGHT * len(rows) + 90,
            {"b": 46, "t": 30, "r": 28},
            legend={"y": 1, "yanchor": "bottom"},
            xaxis=share_axis(AXES["right_people"], TITLE_GAP),
            yaxis=make_axis(grid=False, **y),
            showlegend=True,
        )


TIME_MARKERS: dict[str, dict[str, Any]] = {
    "before": {"symbol": "circle-open", "color": GREY, "line": {"width": 2}},
    "after": {"symbol": "circle", "color": ACCENT},
}


@dataclass(frozen=True)
class Calibration:
    """Of each time, ``before`` and ``after``: how sure (a share), how many answers, share right."""

    points: Mapping[str, tuple[tuple[float, int, float], ...]]

    @classmethod
    def from_points(cls, points: Mapping[str, Sequence[tuple[int, int, float]]]) -> Calibration:
        """The chart's data, from how sure of 100, how many answers, and the share right."""
        return cls(
            {
                name: tuple((at / 100, n, right) for at, n, right in row)
                for name, row in points.items()
            }
        )

    def alt(self) -> str:
        return render_text(ALTS["calibration"], names=" and ".join(self.points))

    def figure(self) -> go.Figure:
        """Dots joined by time, over a dotted line on which sureness is earned."""
        line = scatter([0, 1], [0, 1], line=stroke(GREY, 1.6, "dot"), **SILENT)
        traces = [
            scatter(
                [at for at, _, _ in row],
                [right for _, _, right in row],
                "lines+markers",
                name=LABELS[f"question_{name}"],
                cliponaxis=False,
                line=stroke(TIME_MARKERS[name]["color"], 2),
                marker=TIME_MARKERS[name] | {"size": 10},
                customdata=[f"expected {100 * at:.0f}%: {n} answers" for at, n, _ in row],
                **hover("%{customdata}, %{y:.0%} correct", name),
            )
            for name, row in self.points.items()
            if row
        ]
        return make_figure(
            [line, *traces],
            340,
            {"l": 58, "b": 46, "t": 30},
            legend={"y": 1, "yanchor": "bottom"},
            showlegend=True,
            xaxis=share_axis(AXES["expected"], TITLE_GAP, range=[0.15, 1.03]),
            yaxis=share_axis(AXES["right_answers"]),
        )


ESTIMATE_NAME, RECORDED_NAME = LABELS["this_crowd"], LABELS["recorded"]


#: Highest share at which the band has its name, and honesty (%) at which the dashed line has one.
BAND_NAME, LINE_NAME = 0.9, 40
#: Share below which the name of a ring is above it.
LOW_RING = 0.15


@dataclass(frozen=True)
class CrowdEstimate:
    """What the chart shows.

    Attributes:
        honesties: percent; estimates, recorded: shares of yes at each; halves: half-widths of 95%
            intervals about the truth; truth: the share; current: the honesty looked at;
            other_estimates: from other crowds at each honesty.
    """

    honesties: tuple[int, ...]
    estimates: tuple[float, ...]
    recorded: tuple[float, ...]
    halves: tuple[float, ...]
    truth: float
    current: int
    other_estimates: tuple[tuple[float, ...], ...] = ()

    @classmethod
    def from_points(
        cls,
        points: Sequence[tuple[int, float, float, float]],
        truth: float,
        current: int,
        others: Sequence[tuple[float, ...]] = (),
    ) -> CrowdEstimate:
        """The chart's data from (honesty, estimate, recorded share, half-width) in order."""
        honesties, estimates, recorded, halves = zip(*points, strict=True)
        return cls(honesties, estimates, recorded, halves, truth, current, tuple(others))

    def alt(self) -> str:
        ends = {"low": str(self.honesties[0]), "high": str(self.honesties[-1])}
        crowds = len(self.other_estimates[0]) if self.other_estimates else 0
        spread = render_text(ALTS["crowd_band"], crowds=crowds)
        return f"{render_text(ALTS['crowd'], **ends, truth=self.truth)} {spread}"

    def table(self) -> list[dict[str, Any]]:
        """A row for each honesty."""
        rows = zip(self.honesties, self.estimates, self.halves, self.recorded, strict=True)
        cells = [
            {"honesty %": h, "estimate": share, "half-width 95%": half, "recorded yes": recorded}
            for h, share, half, recorded in rows
        ]
        if not self.other_estimates:
            return cells
        means = zip(cells, self.means, strict=True)
        return [row | {"mean of other crowds": mean} for row, mean in means]

    @property
    def means(self) -> tuple[float, ...]:
        """Mean estimate of the other crowds at each honesty."""
        return tuple(sum(shares) / len(shares) for shares in self.other_estimates)

    def figure(self) -> go.Figure:
        """The crowd's estimate at its honesty, and other crowds in their band about the truth."""
        low = [max(0.0, self.truth - half) for half in self.halves]
        high = [min(1.0, self.truth + half) for half in self.halves]
        clipped = lambda share: min(1.0, max(0.0, share))
        dots = [
            (h, clipped(share))
            for h, shares in zip(self.honesties, self.other_estimates, strict=False)
            for share in shares
        ]
        crowds = len(self.other_estimates[0]) if dots else 0
        others = scatter(
            [h for h, _ in dots],
            [share for _, share in dots],
            "markers",
            name=render_text(LABELS["other_crowds"], crowds=crowds),
            marker={"size": 4, "color": ACCENT, "opacity": 0.45},
            **hover("%{x}%: %{y:.1%}"),
        )
        true_share = render_text(LABELS["true_share"], truth=self.truth)
        at = self.honesties.index(self.current)
        estimate = self.estimates[at]
        return make_figure(
            [
                band(
                    *(self.honesties, low, high, ACCENT),
                    name=LABELS["most_crowds"],
                ),
                *([others] if dots else []),
                scatter(
                    self.honesties,
                    self.recorded,
                    name=RECORDED_NAME,
                    line=stroke(GREY, 1.8, "dash"),
                    **hover("recorded %{y:.1%}"),
                ),
                scatter(
                    [self.current],
                    [clipped(estimate)],
                    "markers",
                    name=ESTIMATE_NAME,
                    marker=ring_marker(15),
                    cliponaxis=False,
                    **hover(f"%{{x}}%: estimate {estimate:.1%}"),
                ),
            ],
            330,
            {"t": 8},
            showlegend=False,
            meta={"narrow_height": CROWD_NARROW_HEIGHT},
            xaxis=make_axis(
                AXES["honesty"],
                TITLE_GAP,
                range=[self.honesties[0] - 2, self.honesties[-1] + 2],
            ),
            yaxis=share_axis(AXES["yes"]),
            shapes=[horizontal_line(self.truth)],
            annotations=[
                note(true_share, 1, self.truth, "right top", xref="paper", yshift=-6),
                *self._names(),
            ],
        )

    def _names(self) -> list[dict[str, Any]]:
        """Return a note at the band, at the dashed line and at the ring of this crowd."""
        font = {"size": FONT}
        tops = [min(1.0, self.truth + half) for half in self.halves]
        at_band = next((i for i, top in enumerate(tops) if top <= BAND_NAME), len(tops) - 1)
        at_line = min(range(len(self.honesties)), key=lambda i: abs(self.honesties[i] - LINE_NAME))
        ring = min(1.0, max(0.0, self.estimates[self.honesties.index(self.current)]))
        # below the ring, and below the name of the true share
        place = ("bottom", 12) if ring < LOW_RING else ("top", -26 if self.current > 55 else -10)
        side = "left" if self.current < 15 else "right" if self.current > 85 else "center"
        band_name, line_name, ring_name = LABELS["most_crowds"], RECORDED_NAME, ESTIMATE_NAME
        return [
            note(band_name, self.honesties[at_band], tops[at_band], "left bottom", font=font),
            note(
                line_name, self.honesties[at_line], self.recorded[at_line], "left bottom", font=font
            ),
            note(f"<b>{ring_name}</b>", self.current, ring, f"{side} {place[0]}", yshift=place[1])
            | {"font": font},
        ]
