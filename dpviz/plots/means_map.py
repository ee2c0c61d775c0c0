"""Class means with and without noise among the test points, in a plane fitted on public data. A
private view.
"""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from typing import Any

import numpy as np
import plotly.graph_objects as go

from dpviz.caches import cached
from dpviz.formatting import METRIC_WORDS, budget_text, right
from dpviz.plots.kit import axes, figures
from dpviz.plots.kit.animation_frames import frames_of, standing
from dpviz.plots.kit.style import ACCENT, FONT, GREY, WRONG, rgba
from dpviz.plots.kit.traces import SILENT, hover, scatter, stroke
from dpviz.types import Budget, Scores

NAMED = 40
"""Most classes whose names are written."""
NARROW, LETTER, LINE, RING, DOT = np.array([300.0, 380.0]), 9, 18, 8, 4
"""Pixels of a plane as narrow as a phone's, of a name's letter and line, of a mean's ring, and of
what of a mark a name may cover.
"""
ALONG = np.linspace(0, 1, 9)
"""Where lines from exact to private means are looked at, as shares of their length."""
BESIDE = ("middle right", "middle left", "top right", "top left", "bottom right", "bottom left")
SIDES = dict(
    zip(
        ("top center", "bottom center", *BESIDE),
        np.array([[0, 1], [0, -1], [1, 0], [-1, 0], [1, 1], [-1, 1], [1, -1], [-1, -1]]),
        strict=True,
    )
)
"""Which way from its mean a name may stand."""
WRONGLY, EXACT, PRIVATE = "wrong with private means", "exact mean", "private mean"


@dataclass(frozen=True, eq=False)
class MeansMap:
    """What is drawn.

    Attributes:
        names: C; share: of the public variance in the plane; points: (t, 2); kinds: (t,) class
            names;
        exact: (C, 2); budgets: B; private: (B, C, 2); wrong: B arrays of indices of points; scores:
            B;
        metric, axis, delta: as in the other charts; seed: of the noise.
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
    metric: str
    axis: str
    delta: float
    seed: int

    def place(self, budget: float) -> int:
        """Index of a budget."""
        return self.budgets.index(budget)


@cached(16)
def info(
    drawn: Any, names: tuple[str, ...], metric: str, axis: str, delta: float, seed: int
) -> MeansMap:
    """The chart's data from ``diagnostics.mean_errors.Map``."""
    kinds = np.array([escape(n) for n in names], dtype=object)[drawn.labels]
    return MeansMap(
        tuple(names),
        drawn.share,
        drawn.points,
        kinds,
        drawn.exact,
        drawn.budgets,
        drawn.private,
        drawn.wrong,
        drawn.scores,
        metric,
        axis,
        delta,
        seed,
    )


def alt(chart: MeansMap) -> str:
    """The chart in words, without numbers that move."""
    return (
        f"Map of {len(chart.points)} test points and {len(chart.names)} class means in the two main"
        " directions of the public set; a line leads from each exact mean to its private one, and"
        " test points that the private means get wrong are crossed."
    )


def readout(chart: MeansMap, budget: float) -> str:
    """The line above the map at a budget."""
    accuracy = getattr(chart.scores[chart.place(budget)], chart.metric)
    return (
        f"<b>{budget_text(Budget(budget, chart.axis, chart.delta))}, seed {chart.seed}:"
        f" {right(accuracy)}</b><br>{METRIC_WORDS[chart.metric].removeprefix('right').lstrip(', ')}"
    )


def table(chart: MeansMap, budget: float) -> list[dict[str, Any]]:
    """A row a class: where its exact and its private mean lie."""
    private = chart.private[chart.place(budget)]
    rows = zip(chart.names, chart.exact.round(4).tolist(), private.round(4).tolist(), strict=True)
    return [
        {"class": n, "exact 1": e[0], "exact 2": e[1], "private 1": p[0], "private 2": p[1]}
        for n, e, p in rows
    ]


# ------------------------------------------------------------------------------------------ drawing


@cached(16)
def figure(chart: MeansMap, now: float) -> go.Figure:
    """The map at ``now``, with a frame for every budget."""
    still = [_points(chart), _exact(chart)]
    moving = standing(_moving(chart, now), chart.place(now))
    traces = list(range(len(still), len(still) + len(moving)))
    frames = frames_of(chart.budgets, lambda budget: _frame_traces(chart, budget), traces)
    return figures.still(still + moving, _layout(chart), frames)


def _spots(xy: np.ndarray, mode: str = "markers", **entries: Any) -> dict[str, Any]:
    """A trace at places (…, 2), quiet unless told what to say."""
    x, y = np.moveaxis(np.asarray(xy, np.float32), -1, 0).reshape(2, -1)
    return scatter(x, y, mode, **{"hoverinfo": "skip"} | entries)


def _label(words: str, name: str) -> dict[str, Any]:
    return {"name": name, "hoverinfo": "all"} | hover(words, name)


def _points(chart: MeansMap) -> dict[str, Any]:
    marker = {"size": 4, "color": rgba(GREY, 0.45)}
    said = _label("class %{customdata}", "test point")
    return _spots(chart.points, customdata=chart.kinds, marker=marker, **said)


def _exact(chart: MeansMap) -> dict[str, Any]:
    marker = {"size": 12, "symbol": "circle-open", "color": GREY, "line": {"width": 2.5}}
    names = [f"<b>{escape(n)}</b>" for n in chart.names]
    return _spots(chart.exact, text=names, marker=marker, **_label("%{text}", EXACT))


def _moving(chart: MeansMap, budget: float) -> list[dict[str, Any]]:
    """What follows the hand: crossed points, lines from exact to private means, those means, the
    read-out, names of classes.
    """
    i = chart.place(budget)
    red = rgba(WRONG, 0.75)
    cross = {"size": 6, "symbol": "x-thin", "line": stroke(red, 1.3), "color": red}
    ways = np.stack([chart.exact, chart.private[i], np.full_like(chart.exact, np.nan)], axis=1)
    dot = {"size": 11, "color": ACCENT, "line": stroke("white", 1)}
    names = [escape(n) for n in chart.names]
    moving = [
        _spots(chart.points[chart.wrong[i]], name=WRONGLY, marker=cross),
        _spots(ways, "lines", showlegend=False, line=stroke(ACCENT, 1.6)),
        _spots(chart.private[i], text=names, marker=dot, **_label("%{text}", PRIVATE)),
        _words(readout(chart, budget)),
    ]
    return moving + ([_names(chart, i)] if len(names) <= NAMED else [])


def _words(text: str) -> dict[str, Any]:
    look = {"textposition": "middle right", "textfont": {"size": FONT}}
    return scatter([0], [0], "text", text=[text], xaxis="x2", yaxis="y2", **look | SILENT)


def _frame_traces(chart: MeansMap, budget: float) -> list[dict[str, Any]]:
    """Of what follows the hand, the part that differs from budget to budget: looks stay."""
    names: tuple[str, ...] = ("type", "x", "y", "text", "textposition")
    moved = [
        {name: trace[name] for name in names if name in trace} for trace in _moving(chart, budget)
    ]
    return standing(moved, chart.place(budget))


def _names(chart: MeansMap, i: int) -> dict[str, Any]:
    """A name above each exact mean, or below it where its private mean lies above; beside it where
    another name or mean stands there.
    """
    return _spots(
        chart.exact,
        "markers+text",
        text=[f"<b>{escape(n)}</b>" for n in chart.names],
        textfont={"size": 15},
        textposition=_sides(chart, i),
        marker={"size": 12, "opacity": 0},  # keeps the words clear of the ring
        showlegend=False,
    )


def _sides(chart: MeansMap, i: int) -> list[str]:
    """Where each name stands: clear of other names, then of means and the lines between them; boxes
    are reckoned on a plane as narrow as a phone's.
    """
    low, high = _range(chart)
    exact, private = ((xy - low) / (high - low) * NARROW for xy in (chart.exact, chart.private[i]))
    drawn = np.concatenate([exact + along * (private - exact) for along in ALONG])
    taken: list[tuple[np.ndarray, np.ndarray]] = []
    sides: list[str] = []
    for mean, name, below in zip(exact, chart.names, private[:, 1] > exact[:, 1], strict=True):
        size = np.array([LETTER * len(name), LINE])
        boxes = {side: mean + SIDES[side] * (size / 2 + RING) for side in SIDES}

        def hidden(
            side: str,
            boxes: dict[str, np.ndarray] = boxes,
            size: np.ndarray = size,
            below: bool = below,
        ) -> tuple[int, int, bool, bool]:
            box = boxes[side]
            names = sum((abs(box - other) < (size + room) / 2).all() for other, room in taken)
            marks = int((abs(box - drawn) < size / 2 + DOT).all(axis=1).sum())
            return names, marks, side in BESIDE, side.startswith("top") == below

        sides.append(min(SIDES, key=hidden))
        taken.append((boxes[sides[-1]], size))
    return sides


def _layout(chart: MeansMap) -> dict[str, Any]:
    low, high = _range(chart)
    plane = {"showticklabels": False, "showgrid": False}
    title = {"text": "main directions of the public set →", "standoff": 2}
    return figures.shared(505, {"l": 26, "t": 4, "b": 30}) | {
        "legend": {"y": 0.9, "font": {"size": 11}, "bgcolor": "rgba(0,0,0,0)"},
        "xaxis": plane | {"range": [low[0], high[0]], "title": title},
        "yaxis": plane | {"range": [low[1], high[1]], "domain": [0, 0.83]},
        "xaxis2": axes.HIDDEN | {"range": [0, 1], "domain": [0, 1], "anchor": "y2"},
        "yaxis2": axes.HIDDEN | {"range": [-1, 1], "domain": [0.91, 1], "anchor": "x2"},
    }


def _range(chart: MeansMap) -> tuple[np.ndarray, np.ndarray]:
    """The same for every budget, so that the points stay where they are."""
    seen = np.concatenate([chart.points, chart.exact, *chart.private])
    low, high = seen.min(axis=0), seen.max(axis=0)
    pad = 0.06 * np.where(high > low, high - low, 1)  # one-dimensional features lie on a line
    return low - 2 * pad, high + 2 * pad  # names stand above and below the means
