"""Class means with and without noise among the test points, in a plane fitted on public data. A
private view.
"""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from typing import Any

import numpy as np
import plotly.graph_objects as go

from dpviz.caches import remembered
from dpviz.plots.kit.frames import frames_of, slider, sweep
from dpviz.plots.kit.style import ACCENT, FONT, GREY, RED, Still, rgba
from dpviz.types import Budget, Scores
from dpviz.words import METRIC_WORDS, at, numbers

NAMED = 40
"""Most classes whose names are written."""
WRONG, EXACT, PRIVATE = "wrong with private means", "exact mean", "private mean"


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


@remembered(16)
def info(
    drawn: Any, names: tuple[str, ...], metric: str, axis: str, delta: float, seed: int
) -> MeansMap:
    """The chart's data from ``diagnostics.means.Map``."""
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
    right = getattr(chart.scores[chart.place(budget)], chart.metric)
    share = "untested" if np.isnan(right) else f"{100 * right:.0f} % right"
    return (
        f"<b>{at(Budget(budget, chart.axis, chart.delta))}, seed {chart.seed}:"
        f" {share}</b><br>{METRIC_WORDS[chart.metric].removeprefix('right').lstrip(', ')}"
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


@remembered(16)
def figure(chart: MeansMap, now: float) -> go.Figure:
    """The map at ``now``, with a frame for every budget."""
    still = [_points(chart), _exact(chart)]
    moving = _moving(chart, now)
    traces = list(range(len(still), len(still) + len(moving)))
    frames = frames_of(chart.budgets, lambda budget: _moved(chart, budget), traces)
    return Still(data=still + moving, layout=_layout(chart, now), frames=frames, _validate=False)


def _scatter(xy: np.ndarray, **settings: Any) -> dict[str, Any]:
    xy = np.asarray(xy, np.float32).reshape(-1, 2)
    return {
        "type": "scatter",
        "x": xy[:, 0],
        "y": xy[:, 1],
        "mode": "markers",
        "hoverinfo": "skip",
    } | settings


def _points(chart: MeansMap) -> dict[str, Any]:
    dots = _scatter(chart.points, name="test point", customdata=chart.kinds, hoverinfo="all")
    dots["hovertemplate"] = "class %{customdata}<extra>test point</extra>"
    return dots | {"marker": {"size": 4, "color": rgba(GREY, 0.45)}}


def _exact(chart: MeansMap) -> dict[str, Any]:
    means = _scatter(
        chart.exact, name=EXACT, text=[f"<b>{escape(n)}</b>" for n in chart.names], hoverinfo="all"
    )
    means["hovertemplate"] = f"%{{text}}<extra>{EXACT}</extra>"
    return means | {
        "marker": {"size": 12, "symbol": "circle-open", "color": GREY, "line": {"width": 2.5}}
    }


def _moving(chart: MeansMap, budget: float) -> list[dict[str, Any]]:
    """What follows the hand: crossed points, lines from exact to private means, those means, the
    read-out, names of classes.
    """
    i = chart.place(budget)
    crossed = _scatter(chart.points[chart.wrong[i]], name=WRONG)
    crossed["marker"] = {
        "size": 6,
        "symbol": "x-thin",
        "line": {"width": 1.3, "color": rgba(RED, 0.75)},
        "color": rgba(RED, 0.75),
    }
    gap = np.full_like(chart.exact, np.nan)
    lines = np.stack([chart.exact, chart.private[i], gap], axis=1)
    links = _scatter(lines, mode="lines", showlegend=False, line={"color": ACCENT, "width": 1.6})
    means = _scatter(
        chart.private[i], name=PRIVATE, text=[escape(n) for n in chart.names], hoverinfo="all"
    )
    means["hovertemplate"] = f"%{{text}}<extra>{PRIVATE}</extra>"
    means["marker"] = {"size": 11, "color": ACCENT, "line": {"width": 1, "color": "white"}}
    words = {
        "type": "scatter",
        "x": [0],
        "y": [0],
        "mode": "text",
        "text": [readout(chart, budget)],
        "textposition": "middle right",
    }
    words |= {
        "xaxis": "x2",
        "yaxis": "y2",
        "showlegend": False,
        "hoverinfo": "skip",
        "textfont": {"size": FONT},
    }
    return [crossed, links, means, words] + (
        [_names(chart, i)] if len(chart.names) <= NAMED else []
    )


def _moved(chart: MeansMap, budget: float) -> list[dict[str, Any]]:
    """Of what follows the hand, the part that differs from budget to budget: looks stay."""
    return [
        {name: trace[name] for name in ("type", "x", "y", "text", "textposition") if name in trace}
        for trace in _moving(chart, budget)
    ]


def _names(chart: MeansMap, i: int) -> dict[str, Any]:
    """A name above each exact mean, or below it where its private mean lies above."""
    above = chart.private[i][:, 1] > chart.exact[:, 1]
    names = _scatter(
        chart.exact,
        mode="markers+text",
        text=[f"<b>{escape(n)}</b>" for n in chart.names],
        textfont={"size": 15},
        showlegend=False,
    )
    names["marker"] = {"size": 12, "opacity": 0}  # keeps the words clear of the ring
    return names | {"textposition": np.where(above, "bottom center", "top center").tolist()}


def _layout(chart: MeansMap, now: float) -> dict[str, Any]:
    low, high = _range(chart)
    common = {"showticklabels": False, "showgrid": False, "zeroline": False, "fixedrange": True}
    hidden = {"visible": False, "fixedrange": True, "range": [0, 1]}
    title = "main directions of the public set →"
    layout = {
        "height": 560,
        "margin": {"l": 26, "r": 8, "t": 4, "b": 84 if len(chart.budgets) > 1 else 30},
        "font": {"size": FONT},
        "hovermode": "closest",
        "legend": {
            "orientation": "h",
            "x": 0,
            "y": 0.9,
            "yanchor": "top",
            "font": {"size": 11},
            "bgcolor": "rgba(0,0,0,0)",
            "itemclick": False,
            "itemdoubleclick": False,
        },
        "xaxis": {"range": [low[0], high[0]], "title": {"text": title, "standoff": 2}} | common,
        "yaxis": {"range": [low[1], high[1]], "domain": [0, 0.83]} | common,
        "xaxis2": {"domain": [0, 1], "anchor": "y2"} | hidden,
        "yaxis2": {"domain": [0.91, 1], "anchor": "x2"} | hidden | {"range": [-1, 1]},
    }
    names = numbers(chart.budgets)
    return layout | (slider(names, chart.place(now)) | sweep(names) if len(names) > 1 else {})


def _range(chart: MeansMap) -> tuple[np.ndarray, np.ndarray]:
    """The same for every budget, so that the points stay where they are."""
    seen = np.concatenate([chart.points, chart.exact, chart.private.reshape(-1, 2)])
    low, high = seen.min(axis=0), seen.max(axis=0)
    pad = 0.06 * (high - low)
    return low - 2 * pad, high + 2 * pad  # names stand above and below the means
