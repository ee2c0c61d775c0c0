"""Maps of exact and private class means. Private views."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

import numpy as np
import plotly.graph_objects as go

from dpviz.caches import cached
from dpviz.formatting import budget_text
from dpviz.plots.kit.drawing import (
    HIDDEN_AXIS,
    LEGEND_BELOW,
    SILENT,
    base_layout,
    hover,
    make_axis,
    make_figure,
    scatter,
    segments,
    static_figure,
    stroke,
)
from dpviz.plots.kit.readout import budget_frames, with_place
from dpviz.plots.kit.style import ACCENT, FONT, GREY, SMALL_FONT, WRONG, rgba
from dpviz.text.charts import ALTS, LABELS
from dpviz.text.template import render_text
from dpviz.types import Budget, Scores

#: Most classes whose names are written.
MAX_NAMED_MEANS = 40
#: Pixels of a plane as narrow as a phone's, of a name's letter and line, of a mean's ring, and of
#: what of a mark a name may cover.
NARROW_PLANE, LETTER_WIDTH, LINE_HEIGHT, RING_RADIUS, DOT_RADIUS = (
    np.array([300.0, 260.0]),
    9,
    18,
    8,
    4,
)
#: Where lines from exact to private means are looked at, as shares of their length.
LINE_SHARES = np.linspace(0, 1, 33)
#: Of an arrow, in shares of the map's longer side: from the private mean to the tip, its barbs, and
#: a bit of it that a mean's dot covers.
TIP_GAP, BARB, STUB = 0.016, 0.028, 0.004
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
PAD_SHARE = {False: np.array([0.06, 0.13]), True: np.array([0.06, 0.1])}
#: Pixels below the plane for a legend of one row.
LEGEND_FOOT = 34
#: Pixels of the map's height on a narrow page, where each name has a row.
NARROW_HEIGHT = 360
#: Opacity of test images, and of those that are misclassified.
POINT_OPACITY, CROSS_OPACITY = 0.55, 0.5
#: Opacity of test images that the accuracy does not count, and of misclassified ones among them.
FAINT_POINT, FAINT_CROSS = 0.2, 0.12


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
        )

    def alt(self) -> str:
        """The chart in words, without numbers that move."""
        return render_text(ALTS["means"], points=len(self.points), classes=len(self.names))

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
        rows = zip(self.names, self.exact.round(4).tolist(), private.round(4).tolist(), strict=True)
        return [
            {"class": n, "exact 1": e[0], "exact 2": e[1], "private 1": p[0], "private 2": p[1]}
            for n, e, p in rows
        ]

    @cached(16)
    def figure(self, budget: float, precise: bool = True) -> go.Figure:
        """The map at a budget, with a frame for every one.

        Args:
            precise: name the run and its accuracy below the map, draw all test images and name all
                marks.
        """
        fixed = [self._points(precise), self._exact()]
        moving = with_place(self._moving(budget, precise), self.place(budget))
        places = list(range(len(fixed), len(fixed) + len(moving)))
        frames = budget_frames(self.budgets, lambda at: self._frame_traces(at, precise), places)
        return static_figure(fixed + moving, self._layout(precise), frames)

    def _points(self, precise: bool) -> dict[str, Any]:
        shades = [rgba(GREY, FAINT_POINT if precise else 0), rgba(GREY, POINT_OPACITY)]
        color: Any = shades[1] if self.scored is None else [shades[int(s)] for s in self.scored]
        marker = {"size": 4, "color": color}
        name = "test_image" if precise or self.scored is None else "rare_test_image"
        label = _label("class %{customdata}", LABELS[name])
        return _points_trace(self.points, customdata=self.kinds, marker=marker, **label)

    def _exact(self) -> dict[str, Any]:
        marker = {"size": 12, "symbol": "circle-open", "color": GREY, "line": {"width": 2.5}}
        names = [f"<b>{escape(n)}</b>" for n in self.names]
        return _points_trace(
            self.exact, text=names, marker=marker, **_label("%{text}", LABELS["mean_without_noise"])
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
            *self._crosses(self.wrong[i], precise),
            self._arrows(i, ~lost, ACCENT, name=LABELS["noise_way"], showlegend=precise),
            self._arrows(i, lost, WRONG, showlegend=False),
            self._dots(self.private[i], ACCENT, 1, name=LABELS["mean_kept"]),
            self._dots(
                lost_means,
                WRONG,
                1,
                name=LABELS["mean_lost"],
                showlegend=bool(self.failing),
            ),
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
        ]
        return moving + ([self._names(i, precise)] if len(self.names) <= MAX_NAMED_MEANS else [])

    def _crosses(self, wrong: np.ndarray, precise: bool) -> list[dict[str, Any]]:
        """Misclassified points, faint or in Plain hidden where the accuracy does not count them."""
        cross = {"size": 5, "symbol": "x-thin", "line": stroke(WRONG, 1.4), "color": WRONG}
        strong = cross | {"opacity": CROSS_OPACITY}
        if self.scored is None:
            return [self._cross_trace(wrong, name=LABELS["wrong_image"], marker=strong)]
        is_scored = self.scored[wrong]
        faint = cross | {
            "size": 4,
            "opacity": FAINT_CROSS if precise else 0,
            "line": stroke(WRONG, 1),
        }
        return [
            self._cross_trace(wrong[~is_scored], marker=faint, showlegend=False),
            self._cross_trace(wrong[is_scored], name=LABELS["wrong_image"], marker=strong),
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

    def _arrows(self, i: int, shown: np.ndarray, color: str, **entries: Any) -> dict[str, Any]:
        """Arrows from exact to private means, of some classes only."""
        low, high = self._range(precise=True)
        side = (high - low).max()
        private = self.private[i]
        way = private - self.exact
        length = np.linalg.norm(way, axis=1, keepdims=True)
        back = -way / np.where(length > 0, length, 1)
        is_long = length > 2 * (TIP_GAP + BARB) * side
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
        path = np.vstack([bit, np.where(shown[:, None, None], path, np.nan).reshape(-1, 2)])
        return _points_trace(path, "lines", line=stroke(rgba(color, 0.8), 2.2), **entries)

    def _dots(self, places: np.ndarray, color: str, edge: float, **entries: Any) -> dict[str, Any]:
        """Private means of all classes."""
        dot = {"size": 11, "color": color, "line": stroke("white", edge)}
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
        """A name above each exact mean, or below it where its private mean lies above; beside it
        where another name or mean stands there.
        """
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
        scale = (NARROW_PLANE / (high - low)).min()
        exact, private = ((xy - low) * scale for xy in (self.exact, self.private[i]))
        covered = np.concatenate([exact + share * (private - exact) for share in LINE_SHARES])
        taken: list[tuple[np.ndarray, np.ndarray]] = []
        sides: list[str] = []
        for mean, name, is_below in zip(
            exact, self.names, private[:, 1] > exact[:, 1], strict=True
        ):
            size = np.array([LETTER_WIDTH * len(name), LINE_HEIGHT])
            boxes = {
                side: mean + NAME_POSITIONS[side] * (size / 2 + RING_RADIUS)
                for side in NAME_POSITIONS
            }

            def hidden(
                side: str,
                boxes: dict[str, np.ndarray] = boxes,
                size: np.ndarray = size,
                is_below: bool = is_below,
            ) -> tuple[int, int, bool, bool]:
                box = boxes[side]
                names = sum(
                    (abs(box - other) < (size + other_size) / 2).all()
                    for other, other_size in taken
                )
                marks = int((abs(box - covered) < size / 2 + DOT_RADIUS).all(axis=1).sum())
                return names, marks, side in SIDE_POSITIONS, side.startswith("top") == is_below

            sides.append(min(NAME_POSITIONS, key=hidden))
            taken.append((boxes[sides[-1]], size))
        return sides

    def _layout(self, precise: bool) -> dict[str, Any]:
        low, high = self._range(precise)
        plane = {"showticklabels": False, "showgrid": False}
        foot = [0, 0.09 if precise else 0.001]  # its background would cover the map
        return base_layout(416, {"l": 26, "t": 4, "b": LEGEND_FOOT}) | {
            "legend": LEGEND_BELOW | {"font": {"size": SMALL_FONT}},
            "meta": {"narrow_height": NARROW_HEIGHT},
            "xaxis": plane | {"range": [low[0], high[0]]},
            "yaxis": plane
            | {"range": [low[1], high[1]], "domain": [0.11 if precise else 0, 1]}
            | {"scaleanchor": "x"},
            "xaxis2": HIDDEN_AXIS | {"range": [0, 1], "domain": [0, 1], "anchor": "y2"},
            "yaxis2": HIDDEN_AXIS | {"range": [-1, 1], "domain": foot, "anchor": "x2"},
        }

    def _range(self, precise: bool) -> tuple[np.ndarray, np.ndarray]:
        """The same for every budget, so that the points stay where they are.

        In Plain it leaves out test images that are never drawn.
        """
        drawn = slice(None) if precise or self.scored is None else self.scored
        seen = np.concatenate([self.points[drawn], self.exact, *self.private])
        low, high = seen.min(axis=0), seen.max(axis=0)
        pad = PAD_SHARE[precise] * np.where(
            high > low, high - low, 1
        )  # one-dimensional features lie on a line
        return low - pad, high + pad  # names stand above and below the means


def _rotated(vectors: np.ndarray, angle: float) -> np.ndarray:
    """Vectors (…, 2) turned by an angle in radians."""
    cos, sin = np.cos(angle), np.sin(angle)
    return vectors @ np.array([[cos, sin], [-sin, cos]])


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
