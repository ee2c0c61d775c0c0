"""Accuracy against the budget: one chart, one for AdaMix, or small multiples; a budget to drag."""

from __future__ import annotations

import math
import textwrap
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from html import escape
from statistics import fmean, median
from typing import Any

import plotly.graph_objects as go

from dpviz.caches import cached
from dpviz.formatting import METRIC_WORDS, SYMBOLS, bands, number, percent
from dpviz.plots.kit.drawing import (
    LEGEND_BELOW,
    MARGINS,
    MAX_CACHED_FIGURES,
    SILENT,
    WITHIN_MARGINS,
    band,
    base_layout,
    budget_axis_title,
    horizontal_line,
    hover,
    interval_columns,
    line_and_marker,
    make_axis,
    note,
    rings,
    scatter,
    share_axis,
    static_figure,
    stroke,
)
from dpviz.plots.kit.panels import (
    TICKS_HEIGHT,
    TITLE_FONT,
    Grid,
    axis_suffix,
    narrow,
    relayout,
    wide,
)
from dpviz.plots.kit.readout import (
    DIGIT_SPACE,
    LETTER_WIDTH,
    SIDE_SWITCH,
    Plot,
    Row,
    Scale,
    brackets,
    budget_figure,
    budget_frames,
    common_budgets,
    guessing_row,
    smallest_budget,
    ticks_of,
    with_place,
)
from dpviz.plots.kit.style import ACCENT, GREY, SMALL_FONT, LineStyle, line_style, shaded
from dpviz.stats import Interval, accuracy
from dpviz.text.charts import (
    ACCURACY_AXES,
    ALTS,
    CAPTIONS,
    ERROR_LINES,
    LABELS,
    LINE_MEANINGS,
)
from dpviz.text.template import render_text
from dpviz.types import Budget, Result

#: Pixels of the plot itself.
ACCURACY_HEIGHT = 320


@dataclass(frozen=True)
class Line:
    """One method: key, title, and a point for each budget (just one, without budget, for a
    reference); ``shade`` tells several lines of one method apart.
    """

    method: str
    title: str
    budgets: tuple[float, ...]
    points: tuple[Interval, ...]
    shade: int = 0


@dataclass(frozen=True)
class BudgetCurve:
    """What the chart shows.

    Attributes:
        metric: a key of ``METRICS``; budget: the smallest drawn, with the axis and delta of all;
            lines: private methods;
            references: methods that are not private; chance: 1/C; seeds: runs behind a point in
            each data draw; draws: data draws behind a point;
            waiting: titles of methods still to come; quiet: private methods (key) with the accuracy
            of each without noise; outside: lines of results that were not computed here.
    """

    metric: str
    budget: Budget
    lines: tuple[Line, ...]
    references: tuple[Line, ...]
    chance: float
    seeds: int
    waiting: tuple[str, ...] = ()
    quiet: tuple[tuple[str, Interval], ...] = ()
    draws: int = 1
    outside: tuple[Row, ...] = ()

    @property
    def budgets(self) -> tuple[float, ...]:
        """Budgets at which every line has a point."""
        return common_budgets([line.budgets for line in self.lines])

    def points_at(self, budget: float) -> dict[str, Interval]:
        """Each private method's accuracy at a budget, by key; those without a point there are left
        out.
        """
        return {
            line.method: line.points[line.budgets.index(budget)]
            for line in self.lines
            if budget in line.budgets
        }

    def without_noise(self, method: str) -> Interval | None:
        """What the same private method gives without noise; None while or where that is not
        known.
        """
        return dict(self.quiet).get(method)

    @classmethod
    def from_results(
        cls,
        results: Sequence[Result],
        titles: Mapping[str, str],
        metric: str,
        budget: Budget,
        waiting: Sequence[str] = (),
        quiet: Sequence[Result] = (),
    ) -> BudgetCurve:
        """The chart's data from results in any order; runs at an infinite budget are the
        references.

        Args:
            titles: name of each method for people, in drawing order; budget: any with the axis and
                delta of the results; quiet: a run without noise of each private method that has
                one, in each data draw.
        """
        cells: dict[str, dict[float, list[Result]]] = defaultdict(lambda: defaultdict(list))
        for result in results:
            cells[result.spec.method][result.spec.budget.value].append(result)
        every_line = [
            _accuracy_line(method, titles[method], cells[method], metric)
            for method in titles
            if method in cells
        ]
        lines = tuple(line for line in every_line if line.budgets != (float("inf"),))
        references = tuple(line for line in every_line if line.budgets == (float("inf"),))
        seeds = max((p.runs for line in lines for p in line.points), default=0)
        chance = 1 / len(results[0].class_counts) if results else 0.0
        draws = max((len(p.draws) for line in every_line for p in line.points), default=1)
        silent: dict[str, list[Result]] = defaultdict(list)
        for run in quiet:
            silent[run.spec.method].append(run)
        without = tuple((method, accuracy(runs, metric)) for method, runs in silent.items())
        smallest = smallest_budget(budget, (line.budgets for line in lines))
        return cls(
            *(metric, smallest, lines, references, chance, seeds, tuple(waiting), without),
            draws=max(draws, 1),
        )

    @property
    def banded(self) -> str:
        """Key of the method whose band a plain chart draws: the highest mean over all budgets;
        "" without lines.
        """
        means = {line.method: _mean_of(line) for line in self.lines}
        return max(means, key=lambda method: means[method], default="")

    def caption(self, precise: bool = True) -> str:
        """What the bands are, in words, in the precise voice or in the plain one."""
        if precise or not self._has_one_band:
            return bands(self.seeds, precise, draws=self.draws)
        title = next(line.title for line in self.lines if line.method == self.banded)
        case = "draws" if self.draws > 1 else "seeds"
        fields = {"title": title, "seeds": self.seeds, "draws": self.draws}
        return render_text(CAPTIONS[f"band_{case}"], **fields)

    @property
    def _has_one_band(self) -> bool:
        """Whether a plain chart draws the band of one line alone."""
        return self.seeds > 1 and len(self.lines) > 1

    def other_bands_text(self, precise: bool) -> str:
        """How to see the bands of other lines; "" where all are drawn."""
        return "" if precise or not self._has_one_band else CAPTIONS["other_bands"]

    def data_text(self) -> str:
        """Which data the lines share, in words."""
        return CAPTIONS["same_draws" if self.draws > 1 else "same_data"]

    def alt(self) -> str:
        """The chart in words, without numbers that move (a new text remounts the chart)."""
        names = ", ".join(line.title for line in self.lines) or "none"
        return render_text(ALTS["accuracy"], metric=METRIC_WORDS[self.metric], names=names)

    @cached(MAX_CACHED_FIGURES)
    def figure(self, budget: float, precise: bool = True) -> go.Figure:
        """Lines with bands, references, guessing, the marker at ``budget`` and a frame for every
        budget.

        One figure for all who look at the same.

        Args:
            precise: name δ, draw all bands and name all lines beside the plot.
        """
        rows = [
            Row(
                line.title,
                shaded(line_style(line.method), line.shade),
                line.budgets,
                line.points,
                banded=precise or line.method == self.banded,
            )
            for line in (*self.lines, *self.references)
        ]
        rows += self.outside
        if self.chance:
            rows.append(guessing_row(self.chance))
        y = {"title": ACCURACY_AXES[self.metric], "standoff": 6, "range": [0, 1], "dtick": 0.2}
        return budget_figure(self, rows, budget, Plot(ACCURACY_HEIGHT, y, precise=precise))


def _mean_of(line: Line) -> float:
    """Return the mean accuracy over the budgets where it is measured; -1 where it never is."""
    means = [point.mean for point in line.points if point.is_measured]
    return fmean(means) if means else -1.0


def _accuracy_line(
    method: str, title: str, cell: Mapping[float, list[Result]], metric: str
) -> Line:
    budgets = tuple(sorted(cell))
    return Line(method, title, budgets, tuple(accuracy(cell[b], metric) for b in budgets))


#: Pixels of the plot itself.
PRESET_HEIGHT = 285
#: Steps of the bottom of the zoomed scale, and the share of the typical errors above it.
ZOOM_STEP, ZOOM_MARGIN = 0.1, 1.2


@dataclass(frozen=True)
class PresetLine:
    """A preset: its name, and its accuracy at each budget (one point without budget for a line
    across).
    """

    name: str
    budgets: tuple[float, ...]
    points: tuple[Interval, ...]


#: Dashes of references beside which others of the same dash are drawn.
LEVEL_DASHES = {"paragon": "dot", "Public images alone": "dashdot", "Only-Public": "dash"}


@dataclass(frozen=True)
class PresetCurve:
    """What the chart shows.

    Attributes:
        metric: a key of ``METRICS``; budget: the smallest drawn, with the axis
            and delta of all; lines: private presets; levels: Only-Public and paragon; chance:
            accuracy of guessing; waiting: names still to come; lead: line that the chart is about;
            reference: level that the lead is compared with; clear: budgets at which it differs
            significantly from this level, None where that is not known; worse: those of them at
            which its accuracy is lower; shots: public examples per class, 0 if not named.
    """

    metric: str
    budget: Budget
    lines: tuple[PresetLine, ...]
    levels: tuple[PresetLine, ...]
    chance: float
    waiting: tuple[str, ...] = ()
    lead: str = ""
    clear: frozenset[float] | None = None
    worse: frozenset[float] = frozenset()
    shots: int = 0
    reference: str = "Only-Public"

    @property
    def budgets(self) -> tuple[float, ...]:
        """Budgets at which every line has a point."""
        return common_budgets([line.budgets for line in self.lines])

    @property
    def seeds(self) -> int:
        """Runs behind a point."""
        return max((p.runs for line in self.lines for p in line.points), default=0)

    def accuracies_at(self, budget: float) -> dict[str, Interval]:
        """Accuracies by name at a budget, the two levels last; a line without a point there is left
        out.
        """
        pairs = {
            line.name: dict(zip(line.budgets, line.points, strict=True)) for line in self.lines
        }
        found = {name: points[budget] for name, points in pairs.items() if budget in points}
        return found | {line.name: line.points[0] for line in self.levels}

    @classmethod
    def from_results(
        cls,
        results: Mapping[str, Sequence[Result]],
        metric: str,
        budget: Budget,
        waiting: Sequence[str] = (),
    ) -> PresetCurve:
        """The chart's data from results by preset, in drawing order; those at an infinite budget
        are levels.
        """
        lines = [_preset_line(name, runs, metric) for name, runs in results.items() if runs]
        first = next((runs[0] for runs in results.values() if runs), None)
        chance = 1 / len(first.class_counts) if first else 0.0
        private = tuple(line for line in lines if line.budgets != (math.inf,))
        levels = tuple(line for line in lines if line.budgets == (math.inf,))
        smallest = smallest_budget(budget, (line.budgets for line in private))
        return cls(metric, smallest, private, levels, chance, tuple(waiting))

    def alt(self) -> str:
        """The chart in words, without numbers that move (a new text remounts the chart)."""
        lines = (*self.lines, *self.levels)
        names = ", ".join(ERROR_LINES.get(line.name, line.name) for line in lines) or "none"
        return render_text(ALTS["presets"], metric=METRIC_WORDS[self.metric], names=names)

    @property
    def zoom_bottom(self) -> float:
        """Bottom of the zoomed scale: at least half the points of every line are above; with a
        lead, all of its points and the levels.
        """
        lead = [line for line in self.lines if line.name == self.lead]
        shown = (*(lead or self.lines), *self.levels)
        typical = [(min if lead else median)(p.mean for p in line.points) for line in shown]
        known = [1 - accuracy for accuracy in typical if not math.isnan(accuracy)]
        steps = math.ceil(round(ZOOM_MARGIN * max(known, default=1.0) / ZOOM_STEP, 6))
        return max(0.0, round(1 - ZOOM_STEP * max(steps, 1), 1))

    @cached(MAX_CACHED_FIGURES)
    def figure(self, budget: float, scale: str = "linear", precise: bool = True) -> go.Figure:
        """Lines with bands, levels, guessing, the marker at ``budget`` and a frame for every
        budget.

        One figure for all who look at the same.

        Args:
            scale: of the accuracy axis: ``zoomed`` or ``linear``; precise: name δ, give all
                lines markers, not only the lead, draw public examples that are not the reference,
                and fill the area between the lead and its reference.
        """
        bottom = self.zoom_bottom if scale == "zoomed" else 0.0
        rows = [
            Row(
                self._title(line.name),
                self._style(line),
                line.budgets,
                line.points,
                self._role(line),
                self.clear if line.name == self.lead else None,
                worse=self.worse if line.name == self.lead else frozenset(),
                marked=precise or self._role(line) != "faint",
                hover=LINE_MEANINGS.get(line.name, ""),
            )
            for line in (*self.lines, *self.levels)
            if precise or line.name != "Only-Public" or self.reference == line.name
        ]
        if self.chance >= bottom:
            rows.append(guessing_row(self.chance))
        y = {"title": ACCURACY_AXES[self.metric], "standoff": 6, "range": [bottom, 1]}
        y["dtick"] = 0.2 if bottom < 0.5 else 0.1
        level = self._title(self.reference) if precise else ""
        shots = self.shots if self.reference == "Only-Public" else None
        plot = Plot(PRESET_HEIGHT, y, "", bottom, 1.0, precise, level, shots)
        return budget_figure(self, rows, budget, plot)

    def _title(self, name: str) -> str:
        """Name of a line in the chart."""
        if name == "Only-Public" and self.shots:
            return render_text(LABELS["public_shots"], shots=self.shots)
        return ERROR_LINES.get(name, name)

    def _style(self, line: PresetLine) -> LineStyle:
        """Look of a line in the chart; references are grey."""
        style = line_style(line.name)
        if line not in self.levels or not self.lead:
            return style
        return replace(style, colour=GREY, dash=LEVEL_DASHES.get(line.name, style.dash))

    def _role(self, line: PresetLine) -> str:
        """Role of a line in the chart."""
        if not self.lead:
            return ""
        return "lead" if line.name in (self.lead, self.reference) else "faint"


def _preset_line(name: str, results: Sequence[Result], metric: str) -> PresetLine:
    runs: dict[float, dict[int, Result]] = defaultdict(dict)
    for result in results:
        runs[result.spec.budget.value][result.spec.seed] = result
    budgets = tuple(sorted(runs))
    points = tuple(accuracy(list(runs[b].values()), metric) for b in budgets)
    return PresetLine(name, budgets, points)


#: Panels of one picture.
MAX_PANELS = 16
#: Panels side by side where they have one order alone.
PANELS_PER_ROW = 4
#: Letters of a line of the reason why a panel is empty.
REASON_LETTERS = 26
#: Before the title of the panel that has the settings looked at: a page's own letters are of its
#: colour.
CURRENT_MARK = "◆ "
#: Pixels that a legend may count on where the page is wide.
LEGEND_WIDTH = 1000


@dataclass(frozen=True)
class Panel:
    """One small chart.

    Attributes:
        title: of its setting; curve: what is there of it; reason: why nothing can be; is_current:
            whether it has the settings looked at.
    """

    title: str
    curve: BudgetCurve
    reason: str = ""
    is_current: bool = False


@dataclass(frozen=True)
class Panels:
    """All panels in reading order, ``columns`` in a row."""

    panels: tuple[Panel, ...]
    columns: int

    @property
    def curves(self) -> list[BudgetCurve]:
        """Of the panels with something in them."""
        return [panel.curve for panel in self.panels if panel.curve.lines]

    @property
    def budgets(self) -> tuple[float, ...]:
        """Budgets at which every line of every panel has a point."""
        return common_budgets([line.budgets for curve in self.curves for line in curve.lines])

    @property
    def metric(self) -> str:
        """Key of the accuracy."""
        return self.panels[0].curve.metric

    @property
    def lines(self) -> list[Line]:
        """One line of each method and shade that is drawn, in drawing order."""
        lines = [
            line for panel in self.panels for line in (*panel.curve.lines, *panel.curve.references)
        ]
        first = {(line.method, line.shade): line for line in reversed(lines)}
        private = {line.method for panel in self.panels for line in panel.curve.lines}
        keys = dict.fromkeys((line.method, line.shade) for line in lines)
        return [first[key] for key in sorted(keys, key=lambda key: key[0] not in private)]

    @classmethod
    def from_panels(cls, panels: Sequence[Panel], columns: int) -> Panels:
        """The chart's data; ``columns``: panels in a row."""
        return cls(tuple(panels[:MAX_PANELS]), max(1, min(columns, len(panels))))

    def alt(self) -> str:
        """The chart in words, without numbers that move."""
        names = "; ".join(panel.title for panel in self.panels)
        return render_text(
            ALTS["accuracy_panels"],
            panels=len(self.panels),
            metric=METRIC_WORDS[self.metric],
            names=names,
        )

    def table(self) -> list[dict[str, Any]]:
        """A row a point of a line of a panel."""
        return [
            {"panel": panel.title, "method": line.title, "budget": budget} | interval_columns(point)
            for panel in self.panels
            for line in (*panel.curve.lines, *panel.curve.references)
            for budget, point in zip(line.budgets, line.points, strict=True)
        ]

    @cached(16)
    def figure(self, current: float) -> go.Figure:
        """Every panel with its lines and its marker, and a frame for every budget."""
        places = common_budgets([line.budgets for curve in self.curves for line in curve.lines])
        points = [b for curve in self.curves for line in curve.lines for b in line.budgets] + [
            current
        ]
        ends = (
            (min(points), max(points))
            if len(set(points)) > 1
            else (min(0.01, current), max(10.0, current))
        )
        scale = Scale(*ends, 0.0, 1.0)
        fixed = [
            trace | _panel_axes(n)
            for n, panel in enumerate(self.panels)
            for trace in _panel_lines(panel, ends)
        ]
        fixed += [_sample(line) for line in self.lines]

        def move(budget: float) -> list[dict[str, Any]]:
            moved = [
                trace | _panel_axes(n)
                for n, panel in enumerate(self.panels)
                if panel.curve.lines
                for trace in _marker(panel.curve, budget, scale)
            ]
            return with_place(moved, places.index(budget)) if budget in places and moved else moved

        moved = move(current)
        indices = list(range(len(fixed), len(fixed) + len(moved)))
        frames = budget_frames(places, move, indices) if moved else []
        return static_figure(fixed + moved, self._layout(scale), frames)

    def _layout(self, scale: Scale) -> dict[str, Any]:
        count, lines = len(self.panels), self.lines
        broad = wide(count, self.columns, _rows(lines, LEGEND_WIDTH))
        slim = narrow(count, len(lines))
        layout = base_layout(broad.pixels, MARGINS | {"t": 0, "r": 14, "b": broad.foot})
        for n, panel in enumerate(self.panels):
            layout |= _pair(n, broad, panel.curve, scale)
        first = self.panels[0].curve
        notes = [
            self._notes(grid, budget_axis_title(first.budget.axis, first.budget.delta))
            for grid in (broad, slim)
        ]
        layouts = {"wide": relayout(broad, notes[0]), "narrow": relayout(slim, notes[1])}
        return layout | {
            "annotations": notes[0],
            "shapes": [_guessing(n, panel) for n, panel in enumerate(self.panels)],
            "meta": {"panels": layouts},
            "legend": LEGEND_BELOW | {"font": {"size": SMALL_FONT}},
        }

    def _notes(self, grid: Grid, title: str) -> list[dict[str, Any]]:
        """Each panel's title, why some are empty, and the title of the axis that all share."""
        notes = []
        for n, panel in enumerate(self.panels):
            (left, right), (bottom, top) = grid.place(n)
            place = {"xref": "paper", "yref": "paper", "font": {"size": TITLE_FONT}}
            mark = CURRENT_MARK if panel.is_current else ""
            panel_text = f"<b>{mark}{escape(panel.title)}</b>{_progress(panel.curve)}"
            notes.append(note(panel_text, left, top, "left bottom", **place))
            if reason := _empty(panel):
                middle = {
                    "xref": "paper",
                    "yref": "paper",
                    "font": {"size": SMALL_FONT, "color": GREY},
                }
                middle |= {"align": "center"}
                notes.append(
                    note(reason, (left + right) / 2, (bottom + top) / 2, "center middle", **middle)
                )
        place_below = {"xref": "paper", "yref": "paper", "yshift": -TICKS_HEIGHT - 2}
        return [*notes, note(title, 0.5, 0, "center top", **place_below)]


def _panel_axes(number: int) -> dict[str, str]:
    return {"xaxis": f"x{axis_suffix(number)}", "yaxis": f"y{axis_suffix(number)}"}


def _panel_lines(panel: Panel, ends: tuple[float, float]) -> list[dict[str, Any]]:
    curve = panel.curve
    traces = [part for line in curve.lines for part in _panel_line(line, curve.budget.axis)]
    return traces + [_level(line, ends) for line in curve.references]


def _panel_line(line: Line, axis: str) -> list[dict[str, Any]]:
    style = shaded(line_style(line.method), line.shade)
    line_trace = scatter(
        list(line.budgets),
        [p.mean for p in line.points],
        "lines+markers",
        text=[f"{percent(p)}  {brackets(p)}" for p in line.points],
        showlegend=False,
        **line_and_marker(style, 1.8, 4),
        **hover(f"{SYMBOLS[axis]} = %{{x}}: %{{text}}", escape(line.title)),
    )
    low, high = [p.low for p in line.points], [p.high for p in line.points]
    return [band(line.budgets, low, high, style.colour), line_trace]


def _level(line: Line, ends: tuple[float, float]) -> dict[str, Any]:
    point, style = line.points[0], line_style(line.method)
    pen = stroke(style.colour, 1.6, style.dash)
    hover_box = hover(f"{percent(point)} {brackets(point)}", escape(line.title))
    return scatter(list(ends), [point.mean] * 2, line=pen, showlegend=False, **hover_box)


def _sample(line: Line) -> dict[str, Any]:
    """What stands for a method in the legend."""
    style = shaded(line_style(line.method), line.shade)
    style_entries = line_and_marker(style, 2.5, 7)
    return scatter([None], [None], "lines+markers", name=escape(line.title), **style_entries)


def _marker(curve: BudgetCurve, budget: float, scale: Scale) -> list[dict[str, Any]]:
    """What follows the hand in a panel: a line, rings, and the number of the highest."""
    points = [
        line.points[line.budgets.index(budget)] for line in curve.lines if budget in line.budgets
    ]
    heights = [point.mean for point in points]
    rule = scatter([budget, budget], [0, 1], line=stroke(ACCENT, 1.6), **SILENT)
    ring = rings([budget] * len(heights), heights, 9)
    return [rule, ring, _number(points, budget, scale)]


def _number(points: Sequence[Interval], budget: float, scale: Scale) -> dict[str, Any]:
    top = max(points, key=lambda point: point.mean, default=None)
    is_left = scale.position(budget) > SIDE_SWITCH
    words: dict[str, Any] = {"text": [f"\u2002<b>{percent(top)}</b>\u2002" if top else DIGIT_SPACE]}
    words |= {"textposition": [f"middle {'left' if is_left else 'right'}"]}
    words |= {"textfont": {"size": SMALL_FONT}, "cliponaxis": False}
    return scatter([budget], [min(top.mean, 0.93) if top else 0], "text", **words, **SILENT)


def _rows(lines: Sequence[Line], width: float) -> int:
    """Rows of the legend: Plotly gives every name as much as the longest takes."""
    longest = max((len(line.title) for line in lines), default=0)
    return math.ceil(len(lines) * (50 + LETTER_WIDTH * longest) / width)


def _pair(place: int, grid: Grid, curve: BudgetCurve, scale: Scale) -> dict[str, Any]:
    """Both axes of a panel."""
    (x, y), (is_left, is_last) = grid.place(place), grid.outer(place)
    name = axis_suffix(place)
    ticks = ticks_of(scale.low, scale.high)
    x_entries = {"type": "log", "range": [math.log10(scale.start), math.log10(scale.edge)]}
    x_entries |= {"tickvals": ticks, "ticktext": [number(b) for b in ticks], "domain": x}
    up = {"domain": y, "anchor": f"x{name}", "dtick": 0.5, "showticklabels": is_left}
    small = {"tickfont": {"size": TITLE_FONT}} | WITHIN_MARGINS
    return {
        f"xaxis{name}": make_axis(
            anchor=f"y{name}", showticklabels=is_last, tickangle=0, **x_entries | small
        ),
        f"yaxis{name}": share_axis(**up | small),
    }


def _guessing(place: int, panel: Panel) -> dict[str, Any]:
    line = horizontal_line(panel.curve.chance)
    name = axis_suffix(place)
    return line | {"xref": f"x{name} domain", "yref": f"y{name}", "visible": not panel.reason}


def _progress(curve: BudgetCurve) -> str:
    """How many methods of a panel are there, while some are still to come."""
    done = len(curve.lines) + len(curve.references)
    return f" · {done} of {done + len(curve.waiting)}" if done and curve.waiting else ""


def _empty(panel: Panel) -> str:
    """Why a panel has no lines, in short lines; the remedy has no room."""
    if panel.curve.lines or panel.curve.references:
        return ""
    short = panel.reason.split(";")[0].split(". ")[0] or LABELS["waiting"]
    return "<br>".join(map(escape, textwrap.wrap(short, REASON_LETTERS)[:5]))
