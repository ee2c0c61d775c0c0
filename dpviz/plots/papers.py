"""Claims of papers by outcome, and their figures computed again."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

import plotly.graph_objects as go

from dpviz.caches import cached
from dpviz.plots.kit.drawing import (
    LEGEND_BELOW,
    TITLE_GAP,
    WITHIN_MARGINS,
    bar_trace,
    base_layout,
    category_axis,
    error_arms,
    hover,
    make_axis,
    make_figure,
    note,
    padded_range,
    scatter,
    share_axis,
    static_figure,
    stroke,
)
from dpviz.plots.kit.panels import Grid, axis_suffix
from dpviz.plots.kit.style import (
    ACCENT,
    BLUE,
    GREEN,
    GREY,
    ORANGE,
    PRESENTATION_LETTERS,
    PURPLE,
    RED,
    SKY,
    SMALL_FONT,
    WRONG,
    rgba,
)
from dpviz.text.charts import ALTS, AXES, LABELS, OUTCOMES
from dpviz.text.template import render_text
from dpviz.types.line_style import BROWN, FOREST, MAGENTA, MAUVE, OLIVE, PERIWINKLE

#: Colour, edge and colour of the number of each outcome, in the order of the parts of a bar: what
#: holds from the left, then what fails, then what is open. None: the page's own ink.
OUTCOME_STYLES = {
    "holds": (ACCENT, "", "#ffffff"),
    "holds trivially": (rgba(ACCENT, 0.55), "", None),
    "does not hold": (rgba(WRONG, 0.4), WRONG, None),
    "does not hold as printed: a misprint": (rgba(WRONG, 0.1), WRONG, None),
    "undecided": (rgba(GREY, 0.45), "", None),
    "not tested here": (rgba(GREY, 0.08), rgba(GREY, 0.6), None),
    "premise not met here": (rgba(GREY, 0.08), rgba(GREY, 0.6), None),
}
#: Outcomes without an answer, drawn as one part: its name, and all of them.
NOT_TESTED, UNTESTED = "not tested here", ("not tested here", "premise not met here")
#: Share of the longest bar that a digit needs on a wide and a narrow page.
WIDE_DIGIT, NARROW_DIGIT = 0.011, 0.02
#: Length of the axis in longest bars.
ROOM = 1.01
#: Pixels of a paper's bar with its gap, of ticks and title of the axis, and of a legend row.
PAPER_HEIGHT, AXIS_HEIGHT, LEGEND_ROW = 47, 60, 22
#: Share of a row between the bars of a narrow page, for their names.
NARROW_GAP = 0.46


@dataclass(frozen=True)
class ClaimCounts:
    """A bar a paper: its runs by outcome, the first paper on top.

    Attributes:
        papers: short names; counts: (papers,) numbers of runs, by outcome; is_theory: whether
            they are statements without data.
    """

    papers: tuple[str, ...]
    counts: tuple[tuple[str, tuple[int, ...]], ...]
    is_theory: bool = False

    @classmethod
    def from_counts(
        cls, counts: Mapping[str, Mapping[str, int]], is_theory: bool = False
    ) -> ClaimCounts:
        """The chart's data from how many of each outcome there are, by paper."""
        return cls(
            tuple(counts),
            tuple(
                (name, numbers)
                for name in OUTCOME_STYLES
                if any(numbers := tuple(row.get(name, 0) for row in counts.values()))
            ),
            is_theory,
        )

    @property
    def parts(self) -> list[tuple[str, tuple[int, ...]]]:
        """Numbers of runs by outcome, as they are drawn: runs without an answer are one part."""
        answered = [(name, row) for name, row in self.counts if name not in UNTESTED]
        rest = tuple(n - m for n, m in zip(self.totals, self.tested, strict=True))
        return [*answered, (NOT_TESTED, rest)] if any(rest) else answered

    @property
    def tested(self) -> tuple[int, ...]:
        """Number of runs with an answer of each paper."""
        return self._sums([row for name, row in self.counts if name not in UNTESTED])

    @property
    def totals(self) -> tuple[int, ...]:
        """Number of runs of each paper, tested or not."""
        return self._sums([row for _, row in self.counts])

    def _sums(self, rows: Sequence[Sequence[int]]) -> tuple[int, ...]:
        return tuple(sum(row[i] for row in rows) for i in range(len(self.papers)))

    def _names(self, between: str) -> list[str]:
        """Name of each paper and the size of its bar, as HTML."""
        template = LABELS["statements_tested" if self.is_theory else "experiments_tested"]
        words = []
        for paper, tested, every in zip(self.papers, self.tested, self.totals, strict=True):
            size = render_text(template, tested=tested, every=every)
            words.append(f"{escape(paper)}{between}{size}")
        return words

    def alt(self) -> str:
        rows = [
            f"{paper}: " + ", ".join(f"{row[i]} {OUTCOMES[name]}" for name, row in self.counts)
            for i, paper in enumerate(self.papers)
        ]
        return render_text(ALTS["claims"], rows="; ".join(rows))

    def table(self) -> list[dict[str, Any]]:
        return [
            {"paper": paper} | {name: row[i] for name, row in self.counts}
            for i, paper in enumerate(self.papers)
        ]

    @cached(16)
    def figure(self) -> go.Figure:
        """A stacked bar a paper, with each number in its part."""
        wide, narrow = self._placed(is_narrow=False), self._placed(is_narrow=True)
        margins = {side: wide[f"margin.{side}"] for side in "ltrb"}
        layout = base_layout(wide["height"], margins) | {
            "meta": {"panels": {"wide": wide, "narrow": narrow}, "letters": PRESENTATION_LETTERS},
            "annotations": wide["annotations"],
            "barmode": "stack",
            "bargap": 0.3,
            "legend": LEGEND_BELOW
            | {"x": 0, "font": {"size": SMALL_FONT}, "traceorder": "normal"}
            | {"itemclick": False, "itemdoubleclick": False},
            "xaxis": make_axis(
                AXES["statements" if self.is_theory else "claims"],
                2 * TITLE_GAP,
                **{"range": [0, ROOM * self._longest]} | WITHIN_MARGINS,
            ),
            "yaxis": make_axis(grid=False, **category_axis(self._names("<br>")) | WITHIN_MARGINS)
            | {"autorange": "reversed", "ticks": "", "domain": [0, 1]},
        }
        return static_figure([self._outcome_bar(*part) for part in self.parts], layout)

    @property
    def _longest(self) -> int:
        return max(1, *self.totals)

    def _placed(self, is_narrow: bool) -> dict[str, Any]:
        """What ``Plotly.relayout`` takes for names at the left of bars, or above them."""
        foot = AXIS_HEIGHT + LEGEND_ROW * (math.ceil(len(self.parts) / 2) if is_narrow else 1)
        names = [
            note(name, 0, row - 0.5 * (1 - NARROW_GAP), "left bottom", xref="paper", xshift=-1)
            | {"font": {"size": SMALL_FONT}}
            for row, name in enumerate(self._names(": "))
        ]
        return {
            "height": PAPER_HEIGHT * len(self.papers) + foot,
            "margin.l": 8 if is_narrow else 185,
            "margin.r": 12 if is_narrow else 22,
            "margin.t": 0,
            "margin.b": foot,
            "yaxis.domain": [0, 1],
            "yaxis.showticklabels": not is_narrow,
            "bargap": NARROW_GAP if is_narrow else 0.3,
            "annotations": [*names, *self._numbers(NARROW_DIGIT)]
            if is_narrow
            else self._numbers(WIDE_DIGIT),
        }

    def _labels(self, row: Sequence[int], digit: float) -> list[str]:
        """The number of each part that has room for it."""
        return [str(n) if n and n >= digit * self._longest * len(str(n)) else "" for n in row]

    def _numbers(self, digit: float) -> list[dict[str, Any]]:
        """The number in the middle of each faint part, as words of the page: a bar's own words take
        their ink from a bright page, and are lost on a dark one.
        """
        starts = [0] * len(self.papers)
        numbers = []
        for name, row in self.parts:
            if OUTCOME_STYLES[name][2] is None:
                numbers += [
                    note(label, starts[i] + row[i] / 2, i, "center middle")
                    for i, label in enumerate(self._labels(row, digit))
                    if label
                ]
            starts = [done + n for done, n in zip(starts, row, strict=True)]
        return numbers

    def _outcome_bar(self, name: str, row: tuple[int, ...]) -> dict[str, Any]:
        """The parts of an outcome, with their numbers where there is room."""
        colour, edge_colour, ink = OUTCOME_STYLES[name]
        edge: dict[str, Any] = {"width": 1, "color": edge_colour} if edge_colour else {"width": 0}
        counts = zip(self.papers, row, self.totals, strict=True)
        bar = bar_trace(
            [n or None for n in row],  # an empty part would have an edge
            list(range(len(row))),
            orientation="h",
            name=OUTCOMES[name],
            marker={"color": colour, "line": edge},
            customdata=[f"{paper}: {n} of {every}, {OUTCOMES[name]}" for paper, n, every in counts],
            **hover("%{customdata}"),
        )
        if ink:
            bar |= {"text": self._labels(row, NARROW_DIGIT), "textposition": "inside"}
            bar |= {"textangle": 0, "insidetextanchor": "middle", "insidetextfont": {"color": ink}}
        return bar


LINE_COLORS = (
    BLUE,
    ORANGE,
    GREEN,
    RED,
    PURPLE,
    SKY,
    BROWN,
    MAUVE,
    FOREST,
    MAGENTA,
    OLIVE,
    PERIWINKLE,
)
LINE_SYMBOLS = ("circle", "square", "diamond", "triangle-up", "triangle-down", "pentagon")
PANELS_PER_ROW = 4
#: Between markers of two lines at one name, as a share of the way to the next name.
MARKER_SHIFT = 0.07
PRINTED_NAME = "{line}, printed"


@dataclass(frozen=True)
class FigurePoint:
    """A value at a place of the axis, with its interval; ``low == high`` where none is known."""

    panel: str
    line: str
    x: float | str
    value: float
    low: float
    high: float


@dataclass(frozen=True)
class ReproducedFigure:
    """What the chart shows.

    Attributes:
        x, y: titles of the axes; log_x: whether the horizontal axis is logarithmic; share: whether
            the vertical axis is a share from 0 to 1.
        computed, printed: points in drawing order.
    """

    x: str
    y: str
    log_x: bool
    share: bool
    computed: tuple[FigurePoint, ...]
    printed: tuple[FigurePoint, ...]

    @property
    def panels(self) -> list[str]:
        """Titles of the panels in reading order."""
        return list(dict.fromkeys(p.panel for p in (*self.computed, *self.printed)))

    @property
    def lines(self) -> list[str]:
        """Names of the lines in drawing order."""
        return list(dict.fromkeys(p.line for p in (*self.computed, *self.printed)))

    def category_names(self, panel: str) -> list[str]:
        """Places of a panel's axis where they are names; empty where they are numbers."""
        points = (*self.computed, *self.printed)
        places = dict.fromkeys(p.x for p in points if p.panel == panel)
        return [str(x) for x in places] if any(isinstance(x, str) for x in places) else []

    @classmethod
    def from_points(
        cls,
        x: str,
        y: str,
        computed: Sequence[FigurePoint],
        printed: Sequence[FigurePoint] = (),
        log_x: bool = False,
        share: bool = True,
    ) -> ReproducedFigure:
        return cls(x, y, log_x, share, tuple(computed), tuple(printed))

    def alt(self) -> str:
        """The chart in words, without its numbers."""
        words = render_text(ALTS["reproduced"], y=self.y, x=self.x, names=", ".join(self.lines))
        return f"{words} {ALTS['reproduced_printed']}" if self.printed else words

    @cached(16)
    def figure(self) -> go.Figure:
        """All panels with lines, intervals and printed numbers."""
        count = len(self.panels)
        columns = min(count, PANELS_PER_ROW) or 1
        legend = math.ceil(2 * len(self.lines) / 4)
        grid = Grid(count, columns, 300, ticks=True, legend=legend)
        traces = [trace for number in range(count) for trace in self._panel(number)]
        layout = base_layout(grid.pixels + 40, {"l": 64, "r": 14, "t": 8, "b": grid.foot + 40})
        for number in range(count):
            layout |= self._axes(grid, number)
        notes = [self._title(grid, number) for number in range(count)]
        low = -76 if any(map(self.category_names, self.panels)) else -26
        notes.append(
            note(escape(self.x), 0.5, 0, "center top", xref="paper", yref="paper", yshift=low)
        )
        return make_figure(
            traces,
            layout["height"],
            layout["margin"],
            **{k: v for k, v in layout.items() if k.startswith(("xaxis", "yaxis"))},
            annotations=notes,
            legend=LEGEND_BELOW | {"orientation": "h", "font": {"size": SMALL_FONT}},
        )

    def _panel(self, number: int) -> list[dict[str, Any]]:
        panel, traces = self.panels[number], []
        seen = {p.line for n in range(number) for p in self.computed if p.panel == self.panels[n]}
        noted = {p.line for n in range(number) for p in self.printed if p.panel == self.panels[n]}
        on = {"xaxis": f"x{axis_suffix(number)}", "yaxis": f"y{axis_suffix(number)}"}
        names = self.category_names(panel)
        for place, line in enumerate(self.lines):
            color, symbol = (
                LINE_COLORS[place % len(LINE_COLORS)],
                LINE_SYMBOLS[place % len(LINE_SYMBOLS)],
            )
            aside = MARKER_SHIFT * (place - (len(self.lines) - 1) / 2)
            computed = [p for p in self.computed if (p.panel, p.line) == (panel, line)]
            printed = [p for p in self.printed if (p.panel, p.line) == (panel, line)]
            if computed:
                traces.append(
                    _figure_line(computed, names, line, color, symbol, line not in seen, aside) | on
                )
            if printed:
                title = PRINTED_NAME.format(line=line)
                line_trace = _figure_line(
                    printed, names, title, color, f"{symbol}-open", line not in noted, aside
                )
                line_trace |= {"line": stroke(color, 1.5, "dot")}
                traces.append(line_trace | on)
        return traces

    def _axes(self, grid: Grid, number: int) -> dict[str, Any]:
        (x, y), name = grid.place(number), axis_suffix(number)
        names = self.category_names(self.panels[number])
        across: dict[str, Any] = {"domain": x, "anchor": f"y{name}"}
        if names:
            across |= category_axis([escape(label) for label in names]) | padded_range(len(names))
        elif self.log_x:
            across |= {"type": "log", "dtick": 1}
        is_left = number % grid.columns == 0
        up: dict[str, Any] = {"domain": y, "anchor": f"x{name}"}
        title = self.y if is_left else ""
        upright = (
            share_axis(title, **up) if self.share else make_axis(title, rangemode="tozero", **up)
        )
        return {f"xaxis{name}": make_axis(**across), f"yaxis{name}": upright}

    def _title(self, grid: Grid, number: int) -> dict[str, Any]:
        (left, _), (_, top) = grid.place(number)
        text = f"<b>{escape(self.panels[number])}</b>"
        return note(text, left, top, "left bottom", xref="paper", yref="paper")


def _figure_line(
    points: Sequence[FigurePoint],
    names: Sequence[str],
    title: str,
    color: str,
    symbol: str,
    in_legend: bool,
    aside: float,
) -> dict[str, Any]:
    """A line, or markers ``aside`` of their names."""
    x = [names.index(str(p.x)) + aside if names else p.x for p in points]
    mode = "markers" if names else "lines+markers"
    up, down = [p.high - p.value for p in points], [p.value - p.low for p in points]
    known = any(p.low < p.high for p in points)
    return scatter(
        x,
        [p.value for p in points],
        mode,
        name=escape(title),
        legendgroup=title,
        showlegend=in_legend,
        **({"error_y": error_arms(up, down, color, 1.2, 3)} if known else {}),
        line=stroke(color, 2),
        marker={"symbol": symbol, "size": 8, "color": color},
        cliponaxis=False,
        text=[str(p.x) for p in points],
        **hover("%{text}: %{y}", escape(title)),
    )
