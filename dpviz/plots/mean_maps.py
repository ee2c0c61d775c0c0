"""Maps of exact and private class means, and bars of their shifts. Private views."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

import numpy as np
import plotly.graph_objects as go

from dpviz.caches import cached
from dpviz.formatting import budget_text
from dpviz.plots.kit.drawing import (
    FIXED,
    HIDDEN_AXIS,
    LEGEND_BELOW,
    SILENT,
    base_layout,
    hover,
    make_axis,
    make_figure,
    note,
    scatter,
    segments,
    static_figure,
    stroke,
)
from dpviz.plots.kit.readout import budget_frames, with_place
from dpviz.plots.kit.style import (
    ACCENT,
    FONT,
    GREY,
    GRID,
    PRESENTATION_LETTERS,
    SMALL_FONT,
    WRONG,
    rgba,
)
from dpviz.text.charts import ALTS, LABELS
from dpviz.text.template import render_text
from dpviz.types import Budget, Scores

#: Most classes whose names are written.
MAX_NAMED_MEANS = 40
#: Pixels of a plane as narrow as a phone's, of a name's letter and line, of a mean's ring, and of
#: what of a mark a name may cover.
NARROW_PLANE, LETTER_WIDTH, LINE_HEIGHT, RING_RADIUS, DOT_RADIUS = (
    np.array([340.0, 165.0]),
    9,
    18,
    7,
    4,
)
#: Where lines from exact to private means are looked at, as shares of their length.
LINE_SHARES = np.linspace(0, 1, 33)
#: Of an arrow, in shares of the map's longer side: from the private mean to the tip, its barbs, and
#: a bit of it that a mean's dot covers.
TIP_GAP, BARB, STUB = 0.028, 0.03, 0.004
#: Radians between an arrow's line and a barb.
BARB_ANGLE = 0.5
SIDE_POSITIONS = (
    "middle right",
    "middle left",
    "top right",
    "top left",
    "bottom right",
    "bottom left",
)
#: Which way from its mean a name may stand.
NAME_POSITIONS = dict(
    zip(
        ("top center", "bottom center", *SIDE_POSITIONS),
        np.array([[0, 1], [0, -1], [1, 0], [-1, 0], [1, 1], [-1, 1], [1, -1], [-1, -1]]),
        strict=True,
    )
)
#: Shares of the span that stay free on each side of the plane, by whether it is precise: across
#: and upright, where names stand.
PAD_SHARE = {False: np.array([0.1, 0.17]), True: np.array([0.06, 0.1])}
#: Pixels that the read-out and a longer legend add there.
READOUT_HEIGHT = 80
#: Share of the plane's height that a narrow page adds below it.
STACKED_PAD = 0.06
#: Pixels below the plane for a legend of one row.
LEGEND_FOOT = 34
#: Pixels of the chart's height, on a narrow page with a map alone, and with bars above the map.
MAP_HEIGHT, NARROW_HEIGHT, STACKED_HEIGHT = 400, 350, 408
#: Opacity of test images, and of those that are misclassified.
POINT_OPACITY, CROSS_OPACITY = 0.45, 0.4
#: Opacity of test images that the accuracy does not count, and of misclassified ones among them.
FAINT_POINT, FAINT_CROSS = 0.2, 0.12
#: Size of test images, small enough to lie within a cross.
POINT_SIZE = 3
#: Half the length of a mark across an arrow, in shares of the map's longer side, and its width.
MARK, MARK_WIDTH = 0.03, 3
#: Size of crosses and width of their lines, by whether the accuracy counts them.
CROSS_PEN, FAINT_CROSS_PEN = (5, 1.1), (4, 1.0)
#: Shares of the width at which the bars end and the map begins, pixels of that width on a wide
#: page, and the least that has room for both.
BARS_END, MAP_START, CHART_WIDTH, LEAST_WIDTH = 0.48, 0.53, 1026, 660
#: Of a bar's name, pixels of a letter and from the letters to the bar, and most letters; most
#: classes with names and numbers.
NAME_LETTER, NAME_GAP, MAX_LETTERS, MAX_NAMED_BARS = 7.0, 16, 18, 25
#: Share of the height that the bars take, below their title and above their ticks, and on a narrow
#: page, above the map with its own share.
BARS_DOMAIN, STACKED_BARS, STACKED_MAP = (0.08, 0.87), (0.57, 0.905), 0.43
#: Share of the height that the map has on a wide page, below its note.
MAP_TOP = 0.94
#: Sizes of a mean without noise, of a private mean, and of a mark in the legend.
RING_SIZE, DOT_SIZE, MARK_SIZE = 11, 9, 12
#: Pixels of the bars on a narrow page; most pixels of a bar, and the share of its row there.
BARS_HEIGHT, MAX_BAR, BAR_SHARE = 115, 11, 0.8
#: Longest axis of shifts on which the name of 1 has room beside it.
LONG_TICK = 4.0
#: Longest axis of shifts, in distances to the nearest class, and its room for numbers.
MAX_SHIFT, NUMBER_ROOM = 8.0, 1.16
#: Axes of the bars.
BAR_AXES = {"xaxis": "x3", "yaxis": "y3"}
#: Column of shifts in the table.
SHIFT_COLUMN = "shift ÷ nearest class"


@dataclass(frozen=True, eq=False)
class MeansMap:
    """What is drawn.

    Attributes:
        names: C; share: of the public variance in the plane; points: (t, 2); kinds: (t,) class
            names;
        exact: (C, 2); budgets: B; private: (B, C, 2); wrong: B arrays of indices of points; scores:
            B; means: mean accuracy of all runs at each budget, and how many they are, B;
        metric, axis, delta: as in the other charts; seed: of the noise.
        failing: B sets of classes whose noise exceeds the distance to the nearest class. They are
            drawn in the color of wrong answers; without sets, all are drawn alike.
        scored: (t,) which points the accuracy counts; the others are faint. None for all.
        rare: classes whose names are bold.
        shifts: (B, C) angle by which noise turns a mean ÷ angle to the nearest class, drawn as
            bars; none without; order: classes from the top bar down; shift_runs: runs behind them.
    """

    names: tuple[str, ...]
    share: float
    points: np.ndarray
    kinds: np.ndarray
    exact: np.ndarray
    budgets: tuple[float, ...]
    private: np.ndarray
    wrong: tuple[np.ndarray, ...]
    scores: tuple[Scores, ...]
    means: tuple[tuple[float, int], ...]
    metric: str
    axis: str
    delta: float
    seed: int
    failing: tuple[frozenset[int], ...] = ()
    scored: np.ndarray | None = None
    rare: tuple[int, ...] = ()
    shifts: tuple[tuple[float, ...], ...] = ()
    order: tuple[int, ...] = ()
    shift_runs: int = 1

    def place(self, budget: float) -> int:
        """Index of a budget."""
        return self.budgets.index(budget)

    @classmethod
    @cached(16)
    def from_map(
        cls,
        found_map: Any,
        names: tuple[str, ...],
        means: tuple[tuple[float, int], ...],
        metric: str,
        axis: str,
        delta: float,
        seed: int,
        failing: tuple[frozenset[int], ...] = (),
        classes: tuple[int, ...] = (),
        rare: tuple[int, ...] = (),
        shifts: tuple[tuple[float, ...], ...] = (),
        order: tuple[int, ...] = (),
        shift_runs: int = 1,
    ) -> MeansMap:
        """The chart's data from ``diagnostics.mean_errors.Map``.

        Args:
            classes: that the accuracy counts, () for all; rare: those with bold names.
        """
        kinds = np.array([escape(n) for n in names], dtype=object)[found_map.labels]
        return cls(
            tuple(names),
            found_map.share,
            found_map.points,
            kinds,
            found_map.exact,
            found_map.budgets,
            found_map.private,
            found_map.wrong,
            found_map.scores,
            means,
            metric,
            axis,
            delta,
            seed,
            failing,
            np.isin(found_map.labels, classes) if classes else None,
            rare,
            shifts,
            order,
            shift_runs,
        )

    def alt(self) -> str:
        """The chart in words, without numbers that move."""
        alt = ALTS["means_and_shifts" if self.shifts else "means"]
        return render_text(alt, points=len(self.points), classes=len(self.names))

    def readout(self, budget: float) -> str:
        """The line below the map at a budget."""
        accuracy = getattr(self.scores[self.place(budget)], self.metric)
        mean, runs = self.means[self.place(budget)]
        budget_now = budget_text(Budget(budget, self.axis, self.delta))
        return render_text(
            LABELS[f"map_{self.metric}"],
            budget=budget_now,
            seed=self.seed,
            right=accuracy,
            mean=mean,
            runs=runs,
        )

    def table(self, budget: float) -> list[dict[str, Any]]:
        """A row a class: where its exact and its private mean lie."""
        private = self.private[self.place(budget)]
        places = zip(
            self.names, self.exact.round(4).tolist(), private.round(4).tolist(), strict=True
        )
        rows = [
            {"class": n, "exact 1": e[0], "exact 2": e[1], "private 1": p[0], "private 2": p[1]}
            for n, e, p in places
        ]
        if not self.shifts:
            return rows
        shifts = self.shifts[self.place(budget)]
        return [
            row | {SHIFT_COLUMN: round(shift, 4)} for row, shift in zip(rows, shifts, strict=True)
        ]

    @cached(16)
    def figure(self, budget: float, precise: bool = True) -> go.Figure:
        """The map at a budget, with a frame for every one.

        Args:
            precise: name the run and its accuracy below the map, draw test images and name all
                marks.
        """
        fixed = [*((self._points(),) if precise else ()), self._exact()]
        if self.shifts:
            line = scatter([1, 1], [0.4 - len(self.order), 0.6], line=stroke(GREY, MARK_WIDTH))
            fixed += [line | SILENT | BAR_AXES, _mark_key()]
        moving = with_place(self._moving(budget, precise), self.place(budget))
        places = list(range(len(fixed), len(fixed) + len(moving)))
        frames = budget_frames(self.budgets, lambda at: self._frame_traces(at, precise), places)
        return static_figure(fixed + moving, self._layout(precise), frames)

    def _points(self) -> dict[str, Any]:
        shades = [rgba(GREY, FAINT_POINT), rgba(GREY, POINT_OPACITY)]
        color: Any = shades[1] if self.scored is None else [shades[int(s)] for s in self.scored]
        marker = {"size": POINT_SIZE, "color": color}
        label = _label("class %{customdata}", LABELS["test_image"])
        return _points_trace(
            self.points, customdata=self.kinds, marker=marker, legendrank=1005, **label
        )

    def _exact(self) -> dict[str, Any]:
        marker = {"size": RING_SIZE, "symbol": "circle-open", "color": GREY, "line": {"width": 2}}
        names = [f"<b>{escape(n)}</b>" for n in self.names]
        return _points_trace(
            self.exact,
            text=names,
            marker=marker,
            legendrank=1001,
            **_label("%{text}", LABELS["mean_without_noise"]),
        )

    def _moving(self, budget: float, precise: bool) -> list[dict[str, Any]]:
        """What follows the hand: crossed points (faint where the accuracy does not count them),
        arrows from exact to private means, those means (first all, then those past another
        class), the read-out, names of classes.
        """
        i = self.place(budget)
        lost = self._past_class(i)
        # the browser draws frames only where every trace has the same number of points
        lost_means = np.where(lost[:, None], self.private[i], self._outside())
        moving = [
            *(self._crosses(self.wrong[i]) if precise else ()),
            self._arrows(i, ~lost, ACCENT, precise, name=LABELS["noise_way"], showlegend=precise),
            self._arrows(i, lost, WRONG, precise, showlegend=False),
            self._dots(self.private[i], ACCENT, 1, name=LABELS["mean_kept"], legendrank=1002),
            self._dots(
                lost_means,
                WRONG,
                1,
                name=LABELS["mean_lost"],
                legendrank=1004,
                showlegend=bool(self.failing),
            ),
            *((self._marks(i, lost, precise),) if self.shifts else ()),
            scatter(
                [0],
                [0],
                "text",
                text=[self.readout(budget) if precise else " "],
                textposition="middle right",
                textfont={"size": FONT},
                cliponaxis=False,
                xaxis="x2",
                yaxis="y2",
                **SILENT,
            ),
            *(self._bars(i, lost) if self.shifts else ()),
        ]
        return moving + ([self._names(i, precise)] if len(self.names) <= MAX_NAMED_MEANS else [])

    def _bars(self, i: int, lost: np.ndarray) -> list[dict[str, Any]]:
        """Bars of shifts: first of all means kept, then of those past another class, and their
        numbers. They are thick lines, which the browser moves from frame to frame.
        """
        rows = -np.arange(len(self.order), dtype=float)
        shifts = np.array(self.shifts[i])[list(self.order)]
        lengths = np.nan_to_num(np.minimum(shifts, self._longest_shift))
        width = min(MAX_BAR, BAR_SHARE * BARS_HEIGHT / len(rows))
        lost = lost[list(self.order)]

        def bars(shown: np.ndarray, color: str) -> dict[str, Any]:
            # the browser draws no frame of an empty line
            bit = np.array([[0, 0], [1e-3, 0], [np.nan, np.nan]])
            zeros, gaps = np.zeros_like(rows), np.full_like(rows, np.nan)
            x, y = np.where(shown, [zeros, lengths, gaps], np.nan), np.stack([rows, rows, gaps])
            path = np.vstack([bit, np.stack([x.T.ravel(), y.T.ravel()], axis=1)])
            # Plotly would leave out points of short bars
            line = stroke(color, width) | {"simplify": False}
            return _points_trace(path, "lines", line=line, showlegend=False, **BAR_AXES)

        is_named = len(rows) <= MAX_NAMED_BARS
        # in a column: beside its bar, a number below 1 could be right of the line at 1
        ends = np.full_like(rows, NUMBER_ROOM * self._longest_shift)
        numbers = _points_trace(
            np.stack([ends, rows], axis=1),
            "text",
            text=[_shift_text(s) if is_named else " " for s in shifts.tolist()],
            textposition="middle left",
            textfont={"size": SMALL_FONT},
            customdata=[escape(self.names[c]) for c in self.order],
            showlegend=False,
            hoverinfo="all",
            **BAR_AXES,
            **hover("%{customdata}: %{text}", LABELS["shift"]),
        )
        return [bars(~lost, ACCENT), bars(lost, WRONG), numbers]

    @property
    def _longest_shift(self) -> float:
        """The end of the axis of shifts at all budgets, without room for numbers."""
        finite = [shift for row in self.shifts for shift in row if math.isfinite(shift)]
        return min(max([1.0, *finite]), MAX_SHIFT)

    def _crosses(self, wrong: np.ndarray) -> list[dict[str, Any]]:
        """Misclassified points, faint where the accuracy does not count them."""
        strong = _cross(*CROSS_PEN, CROSS_OPACITY)
        legend = {"name": LABELS["wrong_image"], "legendrank": 1006}
        if self.scored is None:
            return [self._cross_trace(wrong, marker=strong, **legend)]
        is_scored = self.scored[wrong]
        faint = _cross(*FAINT_CROSS_PEN, FAINT_CROSS)
        return [
            self._cross_trace(wrong[~is_scored], marker=faint, showlegend=False),
            self._cross_trace(wrong[is_scored], marker=strong, **legend),
        ]

    def _cross_trace(self, wrong: np.ndarray, **entries: Any) -> dict[str, Any]:
        """Some points, and one outside the plane: the browser draws no frame of an empty trace."""
        return _points_trace(np.vstack([self.points[wrong], self._outside()]), **entries)

    def _outside(self) -> np.ndarray:
        """A place outside the plane."""
        low, high = self._range(precise=True)
        return low - 2 * (high - low)

    def _past_class(self, i: int) -> np.ndarray:
        """Which classes' noise exceeds the distance to the nearest class at a budget, (C,)."""
        chosen = self.failing[i] if self.failing else ()
        return np.isin(np.arange(len(self.names)), list(chosen))

    def _ways(self, i: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """From exact to private means at a budget: (C, 2), the same at length 1, and the length."""
        way = self.private[i] - self.exact
        length = np.linalg.norm(way, axis=1, keepdims=True)
        return way, way / np.where(length > 0, length, 1), length

    def _arrows(
        self, i: int, shown: np.ndarray, color: str, precise: bool, **entries: Any
    ) -> dict[str, Any]:
        """Arrows from exact to private means, of some classes only."""
        low, high = self._range(precise)
        side = (high - low).max()
        private = self.private[i]
        _, ahead, length = self._ways(i)
        back = -ahead
        rest = length
        if self.shifts:  # barbs are clear of a mark across the arrow
            over = np.array(self.shifts[i])[:, None]
            rest = length * np.where(over > 1, 1 - 1 / np.maximum(over, 1), 1)
        is_long = (length > 1.5 * (TIP_GAP + BARB) * side) & (rest > 1.3 * (TIP_GAP + BARB) * side)
        tip = private + np.where(is_long, TIP_GAP * side, 0) * back
        gap = np.full_like(tip, np.nan)
        left, right = (
            np.where(is_long, tip + BARB * side * _rotated(back, angle), np.nan)
            for angle in (-BARB_ANGLE, BARB_ANGLE)
        )
        barbed = np.where(is_long, tip, np.nan)
        path = np.stack([self.exact, tip, gap, left, barbed, right, gap], axis=1)
        # the browser draws no frame of an empty line, so one bit of it lies below a mean's dot
        bit = private[0] + np.array([[-STUB], [STUB], [np.nan]]) * side
        path = _paths_of(shown, path, bit)
        return _points_trace(path, "lines", line=stroke(rgba(color, 0.8), 2.2), **entries)

    def _marks(self, i: int, shown: np.ndarray, precise: bool) -> dict[str, Any]:
        """Marks across arrows where these are as long as the distance to the nearest class.

        The map shortens an arrow and the distance before its mark alike.
        """
        low, high = self._range(precise)
        side = (high - low).max()
        way, ahead, _ = self._ways(i)
        across = MARK * side * _rotated(ahead, np.pi / 2)
        at = self.exact + way / np.maximum(np.array(self.shifts[i]), 1)[:, None]
        gap = np.full_like(at, np.nan)
        path = np.stack([at - across, at + across, gap], axis=1)
        # the browser draws no frame of an empty line
        bit = self._outside() + np.array([[0], [STUB], [np.nan]])
        path = _paths_of(shown, path, bit)
        line = stroke(GREY, MARK_WIDTH) | {"simplify": False}
        return _points_trace(path, "lines", line=line, showlegend=False)

    def _dots(self, places: np.ndarray, color: str, edge: float, **entries: Any) -> dict[str, Any]:
        """Private means of all classes."""
        dot = {"size": DOT_SIZE, "color": color, "line": stroke("white", edge)}
        names = [escape(n) for n in self.names]
        label = _label("%{text}", LABELS["private_mean"])
        return _points_trace(places, text=names, marker=dot, **label | entries)

    def _frame_traces(self, budget: float, precise: bool) -> list[dict[str, Any]]:
        """Of what follows the hand, the part that differs from budget to budget: looks stay."""
        names: tuple[str, ...] = ("type", "x", "y", "text", "textposition")
        moved = [
            {name: trace[name] for name in names if name in trace}
            for trace in self._moving(budget, precise)
        ]
        return with_place(moved, self.place(budget))

    def _names(self, i: int, precise: bool) -> dict[str, Any]:
        """A name at each exact mean, on the side away from its private mean where that is free."""
        return _points_trace(
            self.exact,
            "markers+text",
            text=[
                f"<b>{escape(n)}</b>" if c in self.rare else escape(n)
                for c, n in enumerate(self.names)
            ],
            textfont={"size": 15},
            textposition=self._sides(i, precise),
            marker={"size": 12, "opacity": 0},  # keeps the words clear of the ring
            showlegend=False,
        )

    def _sides(self, i: int, precise: bool) -> list[str]:
        """Where each name stands: clear of other names, then of means and the lines between them;
        boxes are reckoned on a plane as narrow as a phone's.
        """
        low, high = self._range(precise)
        scale = NARROW_PLANE / (high - low)
        exact, private = ((xy - low) * scale for xy in (self.exact, self.private[i]))
        covered = np.concatenate([exact + share * (private - exact) for share in LINE_SHARES])
        taken: list[tuple[np.ndarray, np.ndarray]] = []
        sides: list[str] = []
        for mean, name, way in zip(exact, self.names, private - exact, strict=True):
            size = np.array([LETTER_WIDTH * len(name), LINE_HEIGHT])
            boxes = {
                side: mean + NAME_POSITIONS[side] * (size / 2 + RING_RADIUS)
                for side in NAME_POSITIONS
            }

            def hidden(
                side: str,
                boxes: dict[str, np.ndarray] = boxes,
                size: np.ndarray = size,
                way: np.ndarray = way,
            ) -> tuple[bool, int, int, float]:
                box = boxes[side]
                names = sum(
                    (abs(box - other) < (size + other_size) / 2).all()
                    for other, other_size in taken
                )
                marks = int((abs(box - covered) < size / 2 + DOT_RADIUS).all(axis=1).sum())
                step = NAME_POSITIONS[side]
                is_cut = bool((abs(2 * box - NARROW_PLANE) > NARROW_PLANE - size).any())
                return is_cut, names, marks, float(way @ step / (step @ step))

            sides.append(min(NAME_POSITIONS, key=hidden))
            taken.append((boxes[sides[-1]], size))
        return sides

    def _layout(self, precise: bool) -> dict[str, Any]:
        low, high = self._range(precise)
        plane = {"showticklabels": False, "showgrid": False}
        foot = [0, 0.09 if precise else 0.001]  # its background would cover the map
        frame = {"type": "rect", "xref": "x domain", "yref": "y domain", "x0": 0, "x1": 1}
        frame |= {"y0": 0, "y1": 1, "line": stroke(GRID, 1)}
        layout = base_layout(MAP_HEIGHT, {"l": 26, "t": 4, "b": LEGEND_FOOT}) | {
            "legend": LEGEND_BELOW | {"font": {"size": SMALL_FONT}},
            "meta": {"narrow_height": NARROW_HEIGHT},
            "xaxis": plane | {"range": [low[0], high[0]], "domain": [0, 1]},
            "yaxis": plane
            | {"range": [low[1], high[1]], "domain": [0.11 if precise else 0, 1]}
            | {"scaleanchor": "x"},
            "xaxis2": HIDDEN_AXIS | {"range": [0, 1], "domain": [0, 1], "anchor": "y2"},
            "yaxis2": HIDDEN_AXIS | {"range": [-1, 1], "domain": foot, "anchor": "x2"},
        }
        if not self.shifts:
            return layout
        axes = self._bar_axes()
        placed = self._placed(precise, frame, axes)
        wide = placed["wide"]
        return layout | {
            "meta": {"panels": placed | {"room": LEAST_WIDTH}, "letters": PRESENTATION_LETTERS},
            "annotations": wide["annotations"],
            "shapes": wide["shapes"],
            "margin": layout["margin"] | {"l": wide["margin.l"]},
            "xaxis": layout["xaxis"] | {"domain": wide["xaxis.domain"]},
            "yaxis": layout["yaxis"] | {"domain": wide["yaxis.domain"]},
            **axes,
        }

    def _bar_axes(self) -> dict[str, Any]:
        """Axes of the bars, left of the map."""
        names = [_short(self.names[c]) for c in self.order]
        is_named = len(names) <= MAX_NAMED_BARS
        letters = max(map(len, names)) if is_named else 0
        ticks = [
            f"<b>{escape(name)}</b>" if c in self.rare else escape(name)
            for c, name in zip(self.order, names, strict=True)
        ]
        end, rows = self._longest_shift, len(names)
        left = (NAME_LETTER * letters + NAME_GAP) / CHART_WIDTH
        ticks_of_shifts = [0, 1, *range(2, int(end) + 1, 1 if end < 5 else 2)]
        return {
            "xaxis3": make_axis(
                grid=False,
                zeroline=False,
                domain=[left, BARS_END],
                anchor="y3",
                range=[0, NUMBER_ROOM * end],
                tickvals=ticks_of_shifts,
                ticktext=[
                    LABELS["nearest_tick"] if shift == 1 and end <= LONG_TICK else str(shift)
                    for shift in ticks_of_shifts
                ],
                tickfont={"size": SMALL_FONT},
                automargin=False,
                **FIXED,
            ),
            "yaxis3": make_axis(
                grid=False,
                zeroline=False,
                domain=list(BARS_DOMAIN),
                anchor="x3",
                range=[0.4 - rows, 0.6],
                tickvals=[-row for row in range(rows)],
                ticktext=ticks,
                showticklabels=is_named,
                tickfont={"size": FONT},
                automargin=False,
                **FIXED,
            ),
        }

    def _placed(
        self, precise: bool, frame: dict[str, Any], axes: dict[str, Any]
    ) -> dict[str, dict[str, Any]]:
        """What ``Plotly.relayout`` takes for the map with bars at its left, and above it."""
        title = LABELS["shift_title"]
        order = render_text(LABELS["shift_order"], runs=self.shift_runs)
        words = note(
            f"<b>{title}</b><br>{order}",
            0,
            1,
            "left top",
            xref="paper",
            yref="paper",
            align="left",
            font={"size": FONT},
        )
        wide_note, narrow_note = (
            note(
                LABELS["map_note"],
                left,
                top,
                "left bottom",
                xref="paper",
                yref="paper",
                font={"size": SMALL_FONT},
            )
            for left, top in ((MAP_START, MAP_TOP), (0, STACKED_MAP))
        )
        names = axes["xaxis3"]["domain"][0] * CHART_WIDTH
        low, high = self._range(precise)
        same = {  # Plotly widens ranges to fit one place and keeps them in the other
            "xaxis.range": [low[0], high[0]],
            "yaxis.range": [low[1], high[1]],
        }
        wide = {
            "height": MAP_HEIGHT,
            "margin.l": 1,
            "margin.r": 8,
            "xaxis.domain": [MAP_START, 1],
            "yaxis.domain": [0.11 if precise else 0, MAP_TOP],
            "xaxis3.domain": axes["xaxis3"]["domain"],
            "yaxis3.domain": list(BARS_DOMAIN),
            "yaxis.scaleanchor": "x",
            "annotations": [words, wide_note],
            "shapes": [frame],
        }
        narrow = {
            "height": STACKED_HEIGHT + precise * READOUT_HEIGHT,
            "margin.l": 1,
            "margin.r": 4,
            "xaxis.domain": [0, 1],
            "yaxis.domain": [0.11 if precise else 0, STACKED_MAP],
            "xaxis3.domain": [names / NARROW_PLANE[0], 1],
            "yaxis3.domain": list(STACKED_BARS),
            "yaxis.scaleanchor": False,  # as wide as the page; an arrow and its mark stretch alike
            "annotations": [words, narrow_note],
            "shapes": [],
        }
        # names are higher beside a lower map
        low_end = low[1] - STACKED_PAD * (high[1] - low[1])
        narrow = same | narrow | {"yaxis.range": [low_end, high[1]]}
        return {"wide": wide | same, "narrow": narrow}

    def _range(self, precise: bool) -> tuple[np.ndarray, np.ndarray]:
        """The same for every budget, so that the points stay where they are."""
        points = self.points if precise else self.points[:0]
        seen = np.concatenate([points, self.exact, *self.private])
        low, high = seen.min(axis=0), seen.max(axis=0)
        pad = PAD_SHARE[precise] * np.where(
            high > low, high - low, 1
        )  # one-dimensional features lie on a line
        return low - pad, high + pad  # names stand above and below the means


def _paths_of(shown: np.ndarray, paths: np.ndarray, bit: np.ndarray) -> np.ndarray:
    """One line through the paths (C, k, 2) of some classes, which begins with ``bit`` (3, 2)."""
    return np.vstack([bit, np.where(shown[:, None, None], paths, np.nan).reshape(-1, 2)])


def _rotated(vectors: np.ndarray, angle: float) -> np.ndarray:
    """Vectors (…, 2) turned by an angle in radians."""
    cos, sin = np.cos(angle), np.sin(angle)
    return vectors @ np.array([[cos, sin], [-sin, cos]])


def _cross(size: float, width: float, opacity: float) -> dict[str, Any]:
    """The marker of a misclassified point."""
    line = stroke(WRONG, width)
    return {"size": size, "symbol": "x-thin", "line": line, "color": WRONG, "opacity": opacity}


def _shift_text(shift: float) -> str:
    """A shift with one decimal, or with two where it is near 0 or 1."""
    if math.isinf(shift):
        return "∞"
    is_near = shift < 0.1 or 0 < abs(shift - 1) < 0.05
    return f"{shift:.2f}" if is_near else f"{shift:.1f}"


def _mark_key() -> dict[str, Any]:
    """The entry of marks in the legend, which looks like them."""
    marker = {"symbol": "line-ns", "size": MARK_SIZE, "line": stroke(GREY, MARK_WIDTH)}
    entry: dict[str, Any] = {"name": LABELS["nearest_distance"], "showlegend": True}
    return _points_trace(np.full((1, 2), np.nan), marker=marker, legendrank=1003, **entry)


def _short(name: str) -> str:
    """A class name as short as the bars need it."""
    return name if len(name) <= MAX_LETTERS else f"{name[: MAX_LETTERS - 1]}…"


def _points_trace(xy: np.ndarray, mode: str = "markers", **entries: Any) -> dict[str, Any]:
    """A trace at places (…, 2), quiet unless told what to say."""
    x, y = np.moveaxis(np.asarray(xy, np.float32), -1, 0).reshape(2, -1)
    return scatter(x, y, mode, **{"hoverinfo": "skip"} | entries)


def _label(words: str, name: str) -> dict[str, Any]:
    return {"name": name, "hoverinfo": "all"} | hover(words, name)


#: Pixels of a row of names: left to find them, Plotly draws a chart twice.
NEIGHBOUR_FOOT = 40


@dataclass(frozen=True, eq=False)
class NeighbourMap:
    """Names of the classes, C; places of public pictures, (m, 2), and of the exact and the private
    mean of each class, (C, 2).
    """

    names: tuple[str, ...]
    public: np.ndarray
    exact: np.ndarray
    private: np.ndarray

    def alt(self) -> str:
        return render_text(ALTS["neighbors"], points=len(self.public), classes=len(self.names))

    def table(self) -> list[dict[str, Any]]:
        """A row a class."""
        places = zip(self.names, self.exact.tolist(), self.private.tolist(), strict=True)
        return [
            {"class": name, "exact 1": e[0], "exact 2": e[1], "private 1": p[0], "private 2": p[1]}
            for name, e, p in places
        ]

    def figure(self) -> go.Figure:
        """Public pictures as grey dots, means named, lines from exact to private ones."""
        names = [escape(name) for name in self.names]
        lines = [
            ([e[0], p[0]], [e[1], p[1]])
            for e, p in zip(self.exact.tolist(), self.private.tolist(), strict=True)
        ]
        points = np.concatenate([self.public, self.exact, self.private])
        low, high = points.min(axis=0), points.max(axis=0)
        pad = 0.08 * (high - low)
        bare = {"showticklabels": False, "zeroline": False, "grid": False}
        return make_figure(
            [
                _neighbour_points(
                    self.public, LABELS["public_images"], {"size": 5, "color": rgba(GREY, 0.55)}
                ),
                segments(lines, ACCENT, 1.6) | SILENT,
                _neighbour_points(
                    self.private,
                    LABELS["private_mean"],
                    {"size": 11, "color": ACCENT, "line": {"color": "white", "width": 1}},
                    names,
                ),
                _neighbour_points(
                    self.exact,
                    LABELS["exact_mean"],
                    {"symbol": "circle-open", "size": 15, "color": GREY, "line": {"width": 3}},
                    names,
                    "markers+text",
                ),
            ],
            480,
            {"b": NEIGHBOUR_FOOT},
            legend=LEGEND_BELOW,
            hovermode="closest",
            xaxis=make_axis(range=[low[0] - pad[0], high[0] + pad[0]], **bare),
            yaxis=make_axis(range=[low[1] - pad[1], high[1] + pad[1]], **bare),
        )


def _neighbour_points(
    places: np.ndarray,
    name: str,
    marker: dict[str, Any],
    names: Sequence[str] = (),
    mode: str = "markers",
) -> dict[str, Any]:
    words = {"text": list(names), "textposition": "top center", "textfont": {"size": 14}}
    hover_box = hover("%{text}", name) if names else {"hoverinfo": "skip"}
    x, y = places[:, 0].tolist(), places[:, 1].tolist()
    return scatter(x, y, mode, name=name, marker=marker, **(words if names else {}), **hover_box)
