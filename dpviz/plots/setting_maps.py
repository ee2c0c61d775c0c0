"""Many settings at once: a map of two, parallel axes of several, and the trials of a search."""

from __future__ import annotations

import math
import warnings
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from itertools import accumulate
from typing import TYPE_CHECKING, Any

import plotly.graph_objects as go

from dpviz.formatting import METRIC_WORDS, METRICS, percent, spread
from dpviz.plots.kit.readout import EndName, names_beside
from dpviz.plots.kit.style import (
    ACCENT,
    FAINT,
    FONT,
    GREY,
    SHADE_ENDS,
    SHADES,
    SMALL_FONT,
    WRONG,
    line_style,
    rgba,
    text_colour,
)
from dpviz.stats import Interval, not_best
from dpviz.text.charts import ACCURACY_AXES, ALTS, AXES, LABELS
from dpviz.text.template import render_text

if TYPE_CHECKING:
    import optuna
from dpviz.plots.kit.drawing import (
    FIXED,
    HIDDEN_AXIS,
    MARGINS,
    SIDE_TITLE_GAP,
    SILENT,
    TITLE_GAP,
    WITHIN_MARGINS,
    base_layout,
    category_axis,
    horizontal_line,
    hover,
    interval_columns,
    make_axis,
    make_figure,
    note,
    padded_range,
    panel_title,
    scatter,
    segments,
    share_axis,
    stroke,
    vertical_line,
)

#: Pixels of a row of cells, above them, and of ticks and title.
CELL_HEIGHT, MAP_TOP, MAP_FOOT = 38, 12, 50
NO_NUMBER = "–"
#: Accuracy between the ends of the shades, at the least: small differences get similar shades.
MIN_SHADE_SPAN = 0.1
#: Share of the rank of a mean in its shade; the rest is its place in the range.
RANK_SHARE = 0.75
#: Dark line of the frame and light line within it: one of both is clear on each page.
FRAME_HALF = 0.44  # of a cell, so that the frame is whole at the edge of a narrow map
FRAME_LINES = (("#1F2430", 4.0), ("#FFFFFF", 1.2))
#: Marks before the number of a cell that is significantly ahead of all others, and of one that is
#: worse than public images alone.
BEST_MARK, BELOW_PUBLIC_MARK = "★", "▼"
#: Letter size of the numbers in cells.
CELL_FONT = 15
NOT_TESTED = LABELS["not_tested"]
Cell = tuple[int, int]


@dataclass(frozen=True)
class Side:
    """An axis: its short title, the value of each row or column in words, and its full title."""

    title: str
    labels: tuple[str, ...]
    axis_title: str = ""


@dataclass(frozen=True)
class SettingMap:
    """Cells by (row, column).

    Attributes:
        points: accuracies of those that are there; reasons: why others are not; current: the cell
            of the settings looked at; fact: whether a side is a fact of the data, such as its class
            sizes, so that no cell can be chosen; below_public: cells that are significantly
            worse than public images alone.
    """

    rows: Side
    columns: Side
    metric: str
    points: Mapping[Cell, Interval]
    reasons: Mapping[Cell, str]
    current: Cell | None = None
    fact: bool = False
    below_public: frozenset[Cell] = frozenset()

    @property
    def best(self) -> Cell | None:
        """The cell with the highest mean."""
        return max(self.points, key=lambda cell: self.points[cell].mean, default=None)

    @property
    def untested(self) -> bool:
        """Whether there are runs, and no accuracy of any is known."""
        return not self.points and NOT_TESTED in self.reasons.values()

    @property
    def worse(self) -> int:
        """Cells that are shown not to be the best, given that it was picked among all."""
        return len(not_best(self.points)[1]) if self.points else 0

    @property
    def has_winner(self) -> bool:
        """Whether the best cell is significantly better than all others."""
        return self.worse == len(self.points) - 1 > 0

    @property
    def cells(self) -> list[Cell]:
        """All, row by row."""
        ends = len(self.rows.labels), len(self.columns.labels)
        return [(i, j) for i in range(ends[0]) for j in range(ends[1])]

    def cell_text(self, cell: Cell) -> str:
        """A cell's settings in words."""
        sides = (self.rows, cell[0]), (self.columns, cell[1])
        if self.is_score_range:
            low, high = (side.labels[at] for side, at in sides)
            return render_text(LABELS["score_range"], low=low, high=high)
        return ", ".join(f"{side.title} {side.labels[at]}" for side, at in sides)

    @classmethod
    def from_points(
        cls,
        rows: Side,
        columns: Side,
        metric: str,
        points: Mapping[Cell, Interval],
        reasons: Mapping[Cell, str],
        current: Cell | None = None,
        fact: bool = False,
    ) -> SettingMap:
        """The chart's data; an accuracy that is not known is no point."""
        known = {cell: point for cell, point in points.items() if point.is_measured}
        gone = {cell: NOT_TESTED for cell in points if cell not in known}
        return cls(rows, columns, metric, known, gone | dict(reasons), current, fact)

    def alt(self) -> str:
        rows, columns = (
            f"{side.title} ({side.labels[0]} to {side.labels[-1]})"
            for side in (self.rows, self.columns)
        )
        metric = METRIC_WORDS[self.metric]
        return render_text(ALTS["accuracy_cells"], metric=metric, rows=rows, columns=columns)

    def table(self) -> list[dict[str, Any]]:
        """A row a cell that is there."""
        return [
            {
                self.rows.title: self.rows.labels[i],
                self.columns.title: self.columns.labels[j],
            }
            | interval_columns(point)
            for (i, j), point in sorted(self.points.items())
        ]

    def figure(self) -> go.Figure:
        """Cells from 0 to 100% in shades on which the page's own letters can be read, and a mark
        over each, unseen, to point at and to click.
        """
        count = len(self.rows.labels), len(self.columns.labels)
        height = MAP_TOP + CELL_HEIGHT * count[0] + MAP_FOOT
        x, y = (
            make_axis(side.axis_title or side.title, standoff, grid=False, **_ticks(side))
            for side, standoff in ((self.columns, TITLE_GAP), (self.rows, SIDE_TITLE_GAP + 6))
        )
        return make_figure(
            [self._shades(), self._missing(), self._marks()],
            height,
            {"l": 62, "r": 8, "t": MAP_TOP, "b": MAP_FOOT},
            showlegend=False,
            hovermode="closest",
            hoverdistance=-1,  # wherever one points to, it is the cell there
            xaxis=x,
            yaxis=y,
            shapes=[
                *map(_blank, self._empty_corner()),
                *(_frame(self.current) if self.current else []),
            ],
            annotations=self._corner_name(),
        )

    def _shades(self) -> dict[str, Any]:
        rows, columns = range(len(self.rows.labels)), range(len(self.columns.labels))
        # one shade per printed number
        means = {cell: round(100 * point.mean) / 100 for cell, point in self.points.items()}
        z = [[means.get((i, j)) for j in columns] for i in rows]
        words = [[self._number((i, j)) for j in columns] for i in rows]
        cells: dict[str, Any] = {
            "type": "heatmap",
            "x": list(columns),
            "y": list(rows),
            "z": z,
            "text": words,
        }
        low, high = _shade_ends(list(means.values()))
        colours = _shades_by_rank(list(means.values()), low, high)
        cells |= {"zmin": low, "zmax": high, "xgap": 2, "ygap": 2, "colorscale": colours}
        style = {"texttemplate": "%{text}", "textfont": {"size": CELL_FONT}, "hoverinfo": "skip"}
        # no color bar: the number in each cell says more, and the cells need the width
        return cells | style | {"showscale": False}

    def _number(self, cell: Cell) -> str:
        point = self.points.get(cell)
        if point is None:
            return ""
        number = f"{100 * point.mean:.0f}"
        if cell == self.best and self.has_winner and not self.fact:
            return f"<b>{BEST_MARK}{number}</b>"
        return f"{BELOW_PUBLIC_MARK}{number}" if cell in self.below_public else number

    @property
    def is_score_range(self) -> bool:
        """Whether the sides are the ends of a score range."""
        return (self.rows.title, self.columns.title) == ("d_min", "d_max")

    def _empty_corner(self) -> list[Cell]:
        """The cells of a map of score ranges whose lowest score is above the highest."""
        if not self.is_score_range:
            return []
        return [
            (i, j)
            for i, j in self.cells
            if (i, j) not in self.points
            and float(self.rows.labels[i]) >= float(self.columns.labels[j])
        ]

    def _corner_name(self) -> list[dict[str, Any]]:
        """Words in the corner of the map without score ranges, where they have room."""
        corner = set(self._empty_corner())
        top = len(self.rows.labels) - 1
        if not {(top, 0), (top, 1), (top - 1, 0), (top - 1, 1)} <= corner:
            return []
        font = {"size": FONT, "color": text_colour(GREY)}
        return [note(LABELS["no_range"], 0.5, top - 0.5, "center middle", font=font)]

    def _missing(self) -> dict[str, Any]:
        named = {*self.points, *self._empty_corner()}
        gone = [cell for cell in self.cells if cell not in named and cell in self.reasons]
        places = [j for _, j in gone], [i for i, _ in gone]
        return scatter(*places, "text", text=[NO_NUMBER] * len(gone), **SILENT)

    def _marks(self) -> dict[str, Any]:
        unseen = {"marker": {"opacity": 0}}
        return scatter(
            [j for _, j in self.cells],
            [i for i, _ in self.cells],
            "markers",
            marker={"symbol": "square", "size": CELL_HEIGHT - 4, "opacity": 0},
            selected=unseen,
            unselected=unseen,
            customdata=[self._hover_text(cell) for cell in self.cells],
            **hover("%{customdata}"),
        )

    def _hover_text(self, cell: Cell) -> str:
        """What stands beside the pointer."""
        point, name = self.points.get(cell), escape(self.cell_text(cell))
        if point is None:
            return f"{name}: {escape(self.reasons.get(cell, LABELS['no_images']))}"
        between = f" ({spread(point)})" if spread(point) else ""
        return f"{name}: <b>{percent(point)}</b>{between}, N = {point.runs}"


def _shade_ends(means: Sequence[float]) -> tuple[float, float]:
    """Ends of the shades in whole percent around all means, at least ``MIN_SHADE_SPAN`` apart."""
    low = max(0.0, math.floor(100 * min(means, default=0.0)) / 100)
    high = min(1.0, max(math.ceil(100 * max(means, default=1.0)) / 100, low + MIN_SHADE_SPAN))
    return min(low, high - MIN_SHADE_SPAN), high


def _shades_by_rank(means: Sequence[float], low: float, high: float) -> Sequence[Sequence[Any]]:
    """Return a color scale whose shades change most where most means are.

    Each shade is between the place of a mean in the range and its rank among all means.
    """
    ranked = sorted(means)
    if high - low <= MIN_SHADE_SPAN + 1e-9 or len(set(ranked)) < 3:
        return SHADES
    stops = {0.0: 0.0, 1.0: 1.0}
    for mean in ranked:
        place = (mean - low) / (high - low)
        rank = bisect_right(ranked, mean) / len(ranked)
        stops[place] = (1 - RANK_SHARE) * place + RANK_SHARE * rank
    stops[0.0] = 0.0
    palest, darkest = SHADE_ENDS
    return [
        [place, rgba(ACCENT, palest + (darkest - palest) * shade)]
        for place, shade in sorted(stops.items())
    ]


def _ticks(side: Side) -> dict[str, Any]:
    labels = [escape(label) for label in side.labels]
    ticks = {"tickvals": list(range(len(labels))), "ticktext": labels, "tickangle": 0}
    ticks |= {"tickfont": {"size": FONT}}
    return ticks | padded_range(len(labels)) | FIXED


def _frame(cell: Cell) -> list[dict[str, Any]]:
    rectangle = {"type": "rect", **_ends(cell, FRAME_HALF)}
    return [rectangle | {"line": stroke(*line)} for line in FRAME_LINES]


def _blank(cell: Cell) -> dict[str, Any]:
    """Return the gray ground of a cell that cannot be."""
    line = {"width": 0}
    return {"type": "rect", "fillcolor": FAINT, "line": line, "layer": "below", **_ends(cell, 0.5)}


def _ends(cell: Cell, half: float) -> dict[str, float]:
    i, j = cell
    return {"x0": j - half, "x1": j + half, "y0": i - half, "y1": i + half}


def selected_cell(points: Sequence[Mapping[str, Any]], chart: SettingMap) -> Cell | None:
    """The cell that a click chose, as a browser tells it; None for what is no cell."""
    for point in points:
        if isinstance(at := point.get("point_index"), int) and 0 <= at < len(chart.cells):
            return chart.cells[at]
    return None


#: Pixels of the chart, above its axes, and of their titles.
PARALLEL_HEIGHT, PARALLEL_TOP, PARALLEL_FOOT = 380, 16, 44
#: Settings that are drawn; more lines cannot be told apart.
MAX_SETTINGS = 200
#: Opacity of a line, by fifths of what is right from the least to the most that is drawn.
LINE_SHADES = (0.3, 0.42, 0.55, 0.7, 0.9)
#: Of an axis of accuracy.
ACCURACY_TICKS = (0.0, 0.25, 0.5, 0.75, 1.0)
#: Of each thing that varies, the number of its value.
Setting = tuple[int, ...]


@dataclass(frozen=True)
class ParallelSettings:
    """Settings as lines.

    Attributes:
        sides: what varies, with the values of each; metrics: of the axes of accuracy, the first
            shades the lines; points: accuracies in the order of ``metrics``, by place; current: the
            place of the settings looked at; fact: whether a side is a fact of the data, so that
            nobody can choose a line; omitted: settings beyond ``MAX_SETTINGS``, which are not
            drawn.
    """

    sides: tuple[Side, ...]
    metrics: tuple[str, ...]
    points: Mapping[Setting, tuple[Interval, ...]]
    current: Setting | None
    fact: bool
    omitted: int

    def setting_text(self, place: Setting) -> str:
        """A line's settings in words."""
        values = zip(self.sides, place, strict=True)
        return ", ".join(f"{side.title} {side.labels[at]}" for side, at in values)

    @property
    def first(self) -> dict[Setting, Interval]:
        """The accuracies of the first metric."""
        return {place: points[0] for place, points in self.points.items()}

    @property
    def best(self) -> Setting | None:
        """The line with the highest mean of the first metric."""
        return max(self.first, key=lambda place: self.first[place].mean, default=None)

    @property
    def worse(self) -> int:
        """Lines that are shown not to be the best, given that it was picked among all."""
        return len(not_best(self.first)[1]) if self.points else 0

    @classmethod
    def from_points(
        cls,
        sides: Sequence[Side],
        metrics: Sequence[str],
        points: Mapping[Setting, tuple[Interval, ...]],
        current: Setting | None = None,
        fact: bool = False,
    ) -> ParallelSettings:
        """The chart's data: a metric without a value, such as that of a minority where there is
        none, has no axis; of too many settings the first are drawn, with the one looked at.
        """
        known = [
            k
            for k in range(len(metrics))
            if not any(math.isnan(p[k].mean) for p in points.values())
        ]
        order = sorted(points, key=lambda place: (place != current, place))
        drawn_points = {
            place: tuple(points[place][k] for k in known) for place in sorted(order[:MAX_SETTINGS])
        }
        drawn_now = current if current in drawn_points else None
        names = tuple(metrics[k] for k in known)
        return cls(
            tuple(sides), names, drawn_points, drawn_now, fact, len(order) - len(drawn_points)
        )

    def alt(self) -> str:
        names = ", ".join(f"{s.title} ({s.labels[0]} to {s.labels[-1]})" for s in self.sides)
        metrics = ", ".join(METRICS[metric].lower() for metric in self.metrics)
        return render_text(ALTS["parallel"], names=names, metrics=metrics)

    def table(self) -> list[dict[str, Any]]:
        """A row a line."""
        return [
            {side.title: side.labels[at] for side, at in zip(self.sides, place, strict=True)}
            | {
                name: value
                for metric, point in zip(self.metrics, accuracies, strict=True)
                for name, value in (
                    (metric, point.mean),
                    (f"{metric} low", point.low),
                    (f"{metric} high", point.high),
                )
            }
            | {"runs": accuracies[0].runs}
            for place, accuracies in self.points.items()
        ]

    def figure(self) -> go.Figure:
        """Lines from the values of their settings to their accuracies, the stronger the more is
        right; the settings looked at stand out.
        """
        names = [escape(side.title) for side in self.sides]
        names += [f"{METRICS[metric]} (%)" for metric in self.metrics]
        count = len(names)
        ends = [-0.35, count - 1 + 0.35]
        return make_figure(
            [*self._lines(), *self._current(), self._numbers(), *self._marks()],
            PARALLEL_HEIGHT,
            {"l": 8, "t": PARALLEL_TOP, "b": PARALLEL_FOOT},
            showlegend=False,
            hovermode="closest",
            xaxis=make_axis(
                grid=False, **category_axis(names) | {"range": ends, "zeroline": False}
            ),
            yaxis=HIDDEN_AXIS | {"range": [-0.06, 1.06]},
            shapes=[vertical_line(k, 1.2, colour=GREY) for k in range(count)],
        )

    def _heights(self, place: Setting) -> list[float]:
        """Where a line meets each axis, from 0 to 1."""
        settings = [_height(side, at) for side, at in zip(self.sides, place, strict=True)]
        return settings + [point.mean for point in self.points[place]]

    def _lines(self) -> list[dict[str, Any]]:
        """All lines, one trace a shade."""
        means = {place: point.mean for place, point in self.first.items()}
        low, high = min(means.values(), default=0.0), max(means.values(), default=1.0)
        shades: dict[int, list[Any]] = {}
        for place, mean in means.items():
            share = (mean - low) / (high - low) if high > low else 1.0
            shade = min(int(share * len(LINE_SHADES)), len(LINE_SHADES) - 1)
            heights = self._heights(place)
            shades.setdefault(shade, []).append((list(range(len(heights))), heights))
        return [
            segments(lines, rgba(ACCENT, LINE_SHADES[shade]), 1.8) | SILENT
            for shade, lines in sorted(shades.items())
        ]

    def _current(self) -> list[dict[str, Any]]:
        if self.current is None:
            return []
        heights = self._heights(self.current)
        return [scatter(list(range(len(heights))), heights, line=stroke(WRONG, 3), **SILENT)]

    def _numbers(self) -> dict[str, Any]:
        """The values left of each axis."""
        words = [
            (k, _height(side, at), escape(label))
            for k, side in enumerate(self.sides)
            for at, label in enumerate(side.labels)
        ]
        begin = len(self.sides)
        words += [
            (begin + k, share, f"{100 * share:.0f}")
            for k in range(len(self.metrics))
            for share in ACCURACY_TICKS
        ]
        x, y, text = zip(*words, strict=True)
        style = {"textposition": "top left", "textfont": {"size": FONT}, "cliponaxis": False}
        return scatter(list(x), list(y), "text", text=[f"{t} " for t in text], **style | SILENT)

    def _marks(self) -> list[dict[str, Any]]:
        """Where lines meet the axes of accuracy, to point at; a star on the highest."""
        begin, best = len(self.sides), self.best
        traces = []
        for k in range(len(self.metrics)):
            points = {place: accuracies[k] for place, accuracies in self.points.items()}
            stars = [place == best and not self.fact and not k for place in points]
            marker = {
                "symbol": ["star" if star else "circle" for star in stars],
                "size": [14 if star else 7 for star in stars],
                "color": ACCENT,
            }
            texts = [self._hover_text(place, k) for place in points]
            traces.append(
                scatter(
                    [begin + k] * len(points),
                    [point.mean for point in points.values()],
                    "markers",
                    marker=marker,
                    cliponaxis=False,
                    customdata=texts,
                    **hover("%{customdata}"),
                )
            )
        return traces

    def _hover_text(self, place: Setting, k: int) -> str:
        point = self.points[place][k]
        between = f" ({spread(point)})" if spread(point) else ""
        right = METRIC_WORDS[self.metrics[k]]
        return f"{escape(self.setting_text(place))}: <b>{percent(point)}</b> {right}{between}"


def _height(side: Side, at: int) -> float:
    return at / (len(side.labels) - 1) if len(side.labels) > 1 else 0.5


#: Colours from the first trial to the last, to be told apart on a light and on a dark page.
TRIAL_COLOURS = [[0, rgba(GREY, 0.35)], [1, ACCENT]]
TRIAL_TITLE_GAP = 16
#: Pixels of the plot with both panels, and shares of it: of the scores, and of the best guess.
TRIALS_HEIGHT, SCORES_PART, GUESS_PART = 384, 0.54, (0.7, 1.0)
#: Share of the trials that may be below the scores' axis, its margins, and its least length.
MAX_BELOW, SCORE_MARGINS, MIN_SCORES = 0.2, (0.02, 0.05), 0.2
#: Most trials of which those below the axis have their number.
MAX_NUMBERED = 30
#: Letter size of the panels' titles and of the numbers at the ends of the line.
TRIALS_FONT = 14
#: Best guess between the ends of its line and the words below them.
WORDS_BELOW = (0.01, 0.12)
#: Free space for the arrow, in shares of the trials.
ARROW_SPACE = 0.12
#: Success of an attacker who sees nothing, with the look of its line and name.
CHANCE_GUESS = 0.5
CHANCE_LINE = horizontal_line(CHANCE_GUESS, width=1.4, dash="dash") | {"yref": "y3"}
CHANCE_NOTE = {"xref": "paper", "yref": "y3", "font": {"size": SMALL_FONT}, "borderpad": 0}
#: Scored trials below which nothing can be said of what mattered.
MIN_TRIALS = 4


@dataclass(frozen=True, eq=False)
class Trials:
    """A study of a method's settings, and the metric that is its score.

    Attributes:
        again: name and accuracy of the winner with fresh noise; public: of public images alone;
            guesses: an attacker's best guess after so many trials, in order; default: name and
            accuracy of the default settings with fresh noise.
    """

    study: optuna.Study
    metric: str
    method: str
    again: tuple[str, Interval] | None = None
    public: tuple[str, Interval] | None = None
    guesses: tuple[tuple[int, float], ...] = ()
    default: tuple[str, Interval] | None = None

    def alt(self) -> str:
        """The main chart in words."""
        return render_text(ALTS["trials"], metric=METRIC_WORDS[self.metric])

    @property
    def scores(self) -> list[float]:
        """Score of each complete trial, in order."""
        from optuna.trial import TrialState

        scored = self.study.get_trials(deepcopy=False, states=(TrialState.COMPLETE,))
        return [trial.value or 0.0 for trial in scored]

    @property
    def score_range(self) -> tuple[float, float]:
        """Ends of the scores' axis; a few low trials may be below."""
        named = filter(None, (self.again, self.public, self.default))
        references = [point.mean for _, point in named]
        ranked = sorted(self.scores)
        known = [*ranked[int(MAX_BELOW * len(ranked)) :], *references] or [0.5]
        top = max(known) + SCORE_MARGINS[1]
        low = math.floor(10 * (min(known) - SCORE_MARGINS[0])) / 10
        return max(0.0, min(low, top - MIN_SCORES)), top

    @property
    def has_scores_below(self) -> bool:
        """Whether some trials are below the scores' axis."""
        return min(self.scores, default=1.0) < self.score_range[0]

    def figure(self) -> go.Figure:
        """The best guess above; below it the score by trial from 1, the best so far, the winner,
        its fall with fresh noise, and public images alone.
        """
        scores, ends = self.scores, self.score_range
        numbers, last = list(range(1, len(scores) + 1)), self._end
        steps = _trial_ticks(len(scores))
        best = max(scores, default=0.0)
        lines = self._lines(scores, best)
        named = [(i, *name) for i, (name, _) in enumerate(lines, 1) if name]
        names = [EndName(words, colour, _share(y, ends)) for _, words, y, colour in named]
        traces = [self._dots(numbers, scores, ends[0]), *(line for _, line in lines)]
        if scores:
            star = {"color": ACCENT, "symbol": "star", "size": 17}
            winner = scatter([scores.index(best) + 1], [best], "markers", marker=star)
            winner |= {"name": LABELS["winner"], "cliponaxis": False}
            traces.append(winner | hover("trial %{x}: %{y:.1%}", LABELS["winner"]))
        part = SCORES_PART if self.guesses else 1.0
        places = [i for i, *_ in named]
        beside = names_beside(names, places, part * TRIALS_HEIGHT, part)
        y: dict[str, Any] = {"domain": [0, part], "range": list(ends)}
        if ends[1] - ends[0] <= SHORT_SCORES:
            y["dtick"] = 0.1
        layout: dict[str, Any] = {"annotations": []}
        score_title = "" if self.guesses else ACCURACY_AXES[self.metric]
        if self.guesses:
            traces += self._guess_lines()
            layout["yaxis3"] = share_axis(
                range=[0.48, 1.05],
                dtick=0.25,
                domain=list(GUESS_PART),
                anchor="x",
                automargin=False,
            )
            layout["annotations"] = [
                panel_title(LABELS["best_guess"], 1) | {"font": {"size": TRIALS_FONT}},
                note(LABELS["chance_guess"], 1, CHANCE_GUESS, "right bottom", **CHANCE_NOTE),
                panel_title(render_text(LABELS["scores"], axis=ACCURACY_AXES[self.metric]), part)
                | {"font": {"size": TRIALS_FONT}, "yshift": 4},
            ]
        return make_figure(
            [*traces, beside.trace],
            TRIALS_HEIGHT + 24 + MARGINS["b"],
            MARGINS | {"t": 24, "r": beside.room},
            xaxis=make_axis(
                AXES["trial"],
                TRIAL_TITLE_GAP,
                range=[0.5, last],
                tickformat="d",
                **steps,
                **WITHIN_MARGINS,
            ),
            yaxis=share_axis(score_title, SIDE_TITLE_GAP, **WITHIN_MARGINS | y),
            shapes=beside.shapes + [CHANCE_LINE] * bool(self.guesses),
            **layout | beside.layout,
        )

    @property
    def _end(self) -> float:
        """The end of the axis of trials, after free space for the arrow."""
        return len(self.scores) + (0.5 + ARROW_SPACE * len(self.scores) if self.again else 0.5)

    @property
    def _arrow(self) -> float:
        """Where the arrow is on the axis of trials."""
        return (len(self.scores) + self._end) / 2

    def _lines(
        self, scores: Sequence[float], best: float
    ) -> list[tuple[tuple[str, float, str] | None, dict[str, Any]]]:
        """Lines of scores: name, height at the end and color, with the trace.

        The arrow has no name of its own where it ends at the percent of the default settings.
        """
        ends = [0.5, self._end]
        running = scatter(
            [*range(1, len(scores) + 1), ends[1]],
            [*accumulate(scores, max), best],
            name=LABELS["best_so_far"],
            line=stroke(rgba(ACCENT, 0.5), 1.5) | {"shape": "hv"},
            **hover("%{y:.1%}", LABELS["best_so_far"]),
        )
        lines: list[tuple[tuple[str, float, str] | None, dict[str, Any]]] = [
            (_line_name(LABELS["best_trial"], best, ACCENT), running)
        ]
        means = [point.mean for _, point in filter(None, (self.again, self.default))]
        is_shared = len(means) == 2 and len({f"{mean:.0%}" for mean in means}) == 1
        if self.again:
            name, point = self.again
            own_name = None if is_shared else _line_name(name, point.mean, ACCENT)
            lines.append((own_name, _fall(name, self._arrow, best, point.mean)))
        for level, dash in (self.default, "dash"), (self.public, "dot"):
            if level is None:
                continue
            name, point = level
            words = LABELS["default_and_again"] if is_shared and dash == "dash" else name
            across = scatter(ends, [point.mean] * 2, name=name, line=stroke(GREY, 1.4, dash))
            across |= hover(f"{point.mean:.1%}", name)
            lines.append((_line_name(words, point.mean, GREY), across))
        return lines if scores else []

    def _dots(
        self, numbers: Sequence[int], scores: Sequence[float], floor: float
    ) -> dict[str, Any]:
        """A dot per trial; a triangle at the foot for one below the axis, with its number where
        there are few trials.
        """
        colour = line_style(self.method).colour
        below = [score < floor for score in scores]
        numbered = len(scores) <= MAX_NUMBERED
        symbols = ["triangle-down" if is_below else "circle" for is_below in below]
        return scatter(
            list(numbers),
            [max(score, floor) for score in scores],
            "markers+text",
            name=LABELS["one_trial"],
            marker={
                "color": rgba(colour, 0.6),
                "size": 9,
                "line": stroke(colour, 1),
                "symbol": symbols,
            },
            text=[
                f"{score:.0%}" if is_below and numbered else ""
                for score, is_below in zip(scores, below, strict=True)
            ],
            textposition="top center",
            textfont={"size": FONT},
            customdata=list(scores),
            cliponaxis=False,
            **hover("trial %{x}: %{customdata:.1%}"),
        )

    def _guess_lines(self) -> list[dict[str, Any]]:
        """The best guess by number of trials, and words below its first and its last value."""
        numbers, shares = zip(*self.guesses, strict=True)
        line = scatter(
            list(numbers),
            list(shares),
            "lines+markers",
            name=LABELS["best_guess"],
            line=stroke(WRONG, 2.5),
            marker={"size": [10, *[4] * (len(numbers) - 2), 10][: len(numbers)], "color": WRONG},
            cliponaxis=False,
            **hover("%{x} trials: %{y:.1%}", LABELS["best_guess"]),
        )
        ends = self.guesses[0], self.guesses[-1]
        words = scatter(
            [number for number, _ in ends],
            [share - below for (_, share), below in zip(ends, WORDS_BELOW, strict=True)],
            "text",
            # a space keeps the first words off the point above them
            text=[
                space + render_text(LABELS["guess_after"], guess=guess, trials=number)
                for space, (number, guess) in zip(("\u2002", ""), ends, strict=True)
            ],
            textposition=["bottom right", "bottom left"],
            textfont={"color": text_colour(WRONG), "size": TRIALS_FONT},
            cliponaxis=False,
            **SILENT,
        )
        return [trace | {"yaxis": "y3"} for trace in (line, words)]

    def importances(self) -> go.Figure | None:
        """How much of the scores' spread each setting explains; None where too few were tried."""
        from optuna.importance import PedAnovaImportanceEvaluator
        from optuna.trial import TrialState
        from optuna.visualization import plot_param_importances

        study, style = self.study, line_style(self.method)
        scored = study.get_trials(deepcopy=False, states=(TrialState.COMPLETE,))
        if (
            len(scored) < MIN_TRIALS
            or len({t.value for t in scored}) < 2
            or len(scored[0].params) < 2
        ):
            return None
        figure = _without_warnings(
            plot_param_importances, study, evaluator=PedAnovaImportanceEvaluator()
        )
        figure.update_traces(marker={"color": style.colour})
        return _project_style(figure, 110 + 34 * len(scored[0].params)).update_xaxes(
            make_axis(AXES["importance"], zeroline=True)
        )

    def slices(self) -> go.Figure:
        """Score against each setting; the later a trial, the stronger its colour."""
        from optuna.visualization import plot_slice

        figure = _without_warnings(plot_slice, self.study)
        figure.update_traces(
            marker={
                "size": 9,
                "line": stroke(GREY, 0.5),
                "showscale": False,
                "colorscale": TRIAL_COLOURS,
            },
            showlegend=False,
        )
        scores = share_axis(zeroline=True)
        return (
            _project_style(figure, 340).update_yaxes(scores).update_xaxes(make_axis(zeroline=True))
        )


#: Trials up to which each has a tick, steps between ticks above, and most of these steps.
EACH_TICK, TICK_STEPS, MAX_STEPS = 10, (5, 10, 20, 50, 100), 5
#: Length of the scores' axis up to which it has a tick per tenth.
SHORT_SCORES = 0.5


def _trial_ticks(count: int) -> dict[str, Any]:
    """Return ticks of the trials, with one at the first trial; no half trials."""
    if count <= EACH_TICK:
        return {"dtick": 1}
    step = next((step for step in TICK_STEPS if count <= MAX_STEPS * step), TICK_STEPS[-1])
    return {"tickvals": [1, *range(step, count + 1, step)]}


def _line_name(name: str, mean: float, colour: str) -> tuple[str, float, str]:
    """Return the name of a line with its accuracy, its height and its color."""
    return f"<b>{mean:.0%}</b> {name}", mean, colour


def _fall(name: str, x: float, best: float, again: float) -> dict[str, Any]:
    """Return an arrow from the best score to the one with fresh noise, at the end of the trials."""
    symbol = "triangle-down" if again < best else "triangle-up"
    return scatter(
        [x, x],
        [best, again],
        "lines+markers",
        name=name,
        line=stroke(ACCENT, 2.5, "solid"),
        marker={"symbol": symbol, "size": [1, 12], "color": ACCENT, "opacity": 1},
        cliponaxis=False,
        **hover("%{y:.1%}", name),
    )


def _share(score: float, ends: tuple[float, float]) -> float:
    """Return how high a score is in the panel."""
    return (score - ends[0]) / (ends[1] - ends[0])


def _without_warnings(draw: Any, *args: Any, **kwargs: Any) -> go.Figure:
    """Optuna warns of what is shown on the page anyway: that its evaluators are new, that trials
    were refused.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return draw(*args, **kwargs)


def _project_style(figure: go.Figure, height: int) -> go.Figure:
    """In the house's look, without Optuna's template, title and grounds."""
    clear = dict.fromkeys(("paper_bgcolor", "plot_bgcolor"), "rgba(0,0,0,0)")
    figure.update_layout(template=None, title=None, width=None, **clear)
    legend = {"y": 1.08, "yanchor": "bottom"}
    figure.update_layout(base_layout(height, {"r": 14}) | {"legend": legend})
    return figure.update_yaxes(title=None)
