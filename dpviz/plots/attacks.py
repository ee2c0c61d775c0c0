"""Membership attacks: ROC curves under the bounds of the guarantees, areas, and gains."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

import numpy as np
import plotly.graph_objects as go

from dpviz.formatting import (
    METRIC_WORDS,
    SYMBOLS,
    number,
    percent,
    percent_up,
    spread,
)
from dpviz.formatting import bound as bound_text
from dpviz.plots.kit.drawing import (
    MARGINS,
    REFERENCE_FONT,
    SIDE_TITLE_GAP,
    SILENT,
    TITLE_GAP,
    WITHIN_MARGINS,
    budget_axis_title,
    error_arms,
    error_bars,
    horizontal_line,
    hover,
    line_and_marker,
    make_axis,
    make_figure,
    note,
    rings,
    scatter,
    share_axis,
    stroke,
    vertical_line,
)
from dpviz.plots.kit.style import ACCENT, GREY, SMALL_FONT, line_style, rgba
from dpviz.stats import Interval
from dpviz.text.charts import ACCURACY_AXES, ALTS, AXES, LABELS
from dpviz.text.template import render_text

ROC_SCALES = {"linear": "Linear", "log": "Logarithmic"}
#: Where the log scales begin.
MIN_ROC_RATE = 1e-3
#: Of a line in the legend.
LEGEND_LETTERS = 46


@dataclass(frozen=True, eq=False)
class RocCurve:
    """One method's attack: key, name, false and true positive rates (k,), area and its standard
    error; dash: of its line, the method's own if empty.
    """

    method: str
    title: str
    fpr: np.ndarray
    tpr: np.ndarray
    auc: float
    error: float
    dash: str = ""


@dataclass(frozen=True, eq=False)
class Bound:
    """The most that any attack reaches against one guarantee: keys and names of the methods that
    promise it.
    """

    methods: tuple[str, ...]
    titles: tuple[str, ...]
    fpr: np.ndarray
    tpr: np.ndarray
    auc: float


@dataclass(frozen=True, eq=False)
class Roc:
    """Attacks that are done, and bounds, which need no attack; scale: a key of ``ROC_SCALES``."""

    curves: tuple[RocCurve, ...]
    bounds: tuple[Bound, ...]
    scale: str

    @classmethod
    def from_curves(cls, curves: Sequence[RocCurve], bounds: Sequence[Bound], scale: str) -> Roc:
        """The chart's data; bounds that coincide are drawn as one line."""
        merged: list[Bound] = []
        for bound in bounds:
            same = next(
                (i for i, m in enumerate(merged) if np.allclose(m.tpr, bound.tpr, atol=1e-6)), None
            )
            if same is None:
                merged.append(bound)
            else:
                first = merged[same]
                merged[same] = Bound(
                    first.methods + bound.methods,
                    first.titles + bound.titles,
                    first.fpr,
                    first.tpr,
                    first.auc,
                )
        return cls(tuple(curves), tuple(merged), scale)

    def alt(self) -> str:
        titles = [*(c.title for c in self.curves), *(t for b in self.bounds for t in b.titles)]
        return _roc_alt("roc", titles)

    def figure(self) -> go.Figure:
        """Bounds with the forbidden side shaded, attacks, and the diagonal."""
        is_single = len(self.bounds) == 1
        traces = [trace for bound in self.bounds for trace in _roc_bound(bound, is_single)]
        is_log = self.scale == "log"
        rates = np.geomspace(MIN_ROC_RATE, 1, 20) if is_log else np.array([0.0, 1.0])
        traces += [_diagonal(rates), *(_attack_line(curve) for curve in self.curves)]
        return make_figure(
            traces,
            470,
            MARGINS | {"r": 26, "t": 12},
            xaxis=_roc_axis(self.scale, "fpr", TITLE_GAP),
            yaxis=_roc_axis(self.scale, "tpr", SIDE_TITLE_GAP),
            legend={"y": -0.17},
        )


def _roc_alt(key: str, titles: Sequence[str], **fields: str) -> str:
    names = ", ".join(dict.fromkeys(titles)) or "none"
    return f"{render_text(ALTS[key], names=names, **fields)} {ALTS['roc_bounds']}"


def _roc_axis(scale: str, rate: str, standoff: float) -> dict[str, Any]:
    if scale == "linear":
        return share_axis(AXES[rate], standoff, **WITHIN_MARGINS)
    ends = {"type": "log", "range": [float(np.log10(MIN_ROC_RATE)), 0]}
    ticks = {"tickvals": [0.001, 0.01, 0.1, 1], "tickformat": ".1~%"}
    return make_axis(AXES[f"{rate}_log"], standoff, **ends | ticks | WITHIN_MARGINS)


def _roc_bound(bound: Bound, is_single: bool) -> list[dict[str, Any]]:
    colour = ACCENT if is_single else line_style(bound.methods[0]).colour
    methods, area = escape(" and ".join(bound.titles)), bound_text(bound.auc)
    name = (
        render_text(LABELS["any_attack"], area=area)
        if is_single
        else render_text(LABELS["any_attack_on"], methods=methods, area=area)
    )
    line = scatter(
        bound.fpr,
        bound.tpr,
        name=name,
        line=stroke(colour, 2.6, "solid" if is_single else "longdash"),
        customdata=[percent_up(rate) for rate in bound.tpr],
        **hover("FPR %{x:.1%}, TPR ≤ %{customdata}%", LABELS["no_attack"]),
    )
    return _with_ceiling(line) if is_single else [line]


def _diagonal(rates: np.ndarray) -> dict[str, Any]:
    pen = {"line": stroke(GREY, 1.6, "dot"), "hoverinfo": "skip"}
    return scatter(rates, rates, name=LABELS["chance"], **pen)


def _with_ceiling(line: dict[str, Any]) -> list[dict[str, Any]]:
    """A bound, and the side above it that it forbids."""
    ceiling = scatter(line["x"], np.ones(len(line["x"])), line={"width": 0}, **SILENT)
    return [line, ceiling | {"fill": "tonexty", "fillcolor": rgba(ACCENT, 0.1)}]


def _legend_lines(words: str) -> str:
    """Words on lines that a phone holds, since Plotly breaks none in a legend."""
    return "<br>".join(map(escape, textwrap.wrap(words, LEGEND_LETTERS)))


def _attack_line(curve: RocCurve) -> dict[str, Any]:
    style = line_style(curve.method)
    return scatter(
        curve.fpr,
        curve.tpr,
        name=_legend_lines(f"{curve.title}: AUC {curve.auc:.3f} ± {2 * curve.error:.3f}"),
        line=stroke(style.colour, 2, curve.dash or style.dash),
        **hover("FPR %{x:.1%}, TPR %{y:.1%}", escape(curve.title)),
    )


#: Where both axes begin.
MIN_RATE = 1e-4


@dataclass(frozen=True)
class RateMark:
    """A rate that is told: share of false alarms, share found, and the ends of its interval."""

    fpr: float
    tpr: float
    low: float
    high: float


@dataclass(frozen=True, eq=False)
class LowFprCurve:
    """What the attack finds on one method: key, name, false and true positive rates (k,), marks."""

    method: str
    title: str
    fpr: np.ndarray
    tpr: np.ndarray
    marks: tuple[RateMark, ...]


@dataclass(frozen=True, eq=False)
class LowFprRoc:
    """Attacks that are done, and bounds, which need no attack; attack: its name."""

    curves: tuple[LowFprCurve, ...]
    bounds: tuple[Bound, ...]
    attack: str

    @classmethod
    def from_curves(
        cls, curves: Sequence[LowFprCurve], bounds: Sequence[Bound], attack: str
    ) -> LowFprRoc:
        """The chart's data; bounds that coincide are drawn as one line."""
        return cls(tuple(curves), Roc.from_curves([], bounds, "log").bounds, attack)

    def alt(self) -> str:
        titles = [*(c.title for c in self.curves), *(t for b in self.bounds for t in b.titles)]
        return _roc_alt("low_fpr", titles, attack=self.attack)

    def figure(self) -> go.Figure:
        """Bounds with the forbidden side shaded, attacks with their intervals, and the diagonal."""
        is_single = len(self.bounds) == 1
        traces = [trace for bound in self.bounds for trace in _low_fpr_bound(bound, is_single)]
        traces.append(_diagonal(np.geomspace(MIN_RATE, 1, 20)))
        traces += [trace for curve in self.curves for trace in _attack(curve)]
        return make_figure(
            traces,
            490,
            MARGINS | {"r": 26, "t": 12},
            xaxis=_low_fpr_axis(AXES["fpr_log"], TITLE_GAP),
            yaxis=_low_fpr_axis(AXES["tpr_log"], SIDE_TITLE_GAP),
            legend={"y": -0.17},
        )


def _low_fpr_axis(title: str, standoff: float) -> dict[str, Any]:
    scale = {"type": "log", "range": [float(np.log10(MIN_RATE)), 0]}
    ticks = {"tickvals": [1e-4, 0.001, 0.01, 0.1, 1], "tickformat": ".2~%"}
    return make_axis(title, standoff, **scale | ticks | WITHIN_MARGINS)


def _low_fpr_bound(bound: Bound, is_single: bool) -> list[dict[str, Any]]:
    colour = ACCENT if is_single else line_style(bound.methods[0]).colour
    name = (
        LABELS["no_attack"]
        if is_single
        else render_text(LABELS["no_attack_on"], methods=" and ".join(bound.titles))
    )
    positive = bound.fpr > 0
    fpr, tpr = bound.fpr[positive], bound.tpr[positive]
    line = scatter(
        fpr,
        tpr,
        name=_legend_lines(name),
        line=stroke(colour, 2.6, "solid" if is_single else "longdash"),
        customdata=[percent_up(rate, 2) for rate in tpr],
        **hover("FPR %{x:.2%}, TPR ≤ %{customdata}%", LABELS["no_attack"]),
    )
    return _with_ceiling(line) if is_single else [line]


def _attack(curve: LowFprCurve) -> list[dict[str, Any]]:
    style, positive = line_style(curve.method), (curve.tpr > 0) & (curve.fpr > 0)
    rates = [
        f"TPR {100 * mark.tpr:.2g}% at FPR\u00a0{100 * mark.fpr:.2g}%" for mark in curve.marks[-1:]
    ]
    line = scatter(
        curve.fpr[positive],
        curve.tpr[positive],
        name=_legend_lines(": ".join([curve.title, *rates])),
        legendgroup=curve.method,
        line=stroke(style.colour, 2, style.dash),
        **hover("FPR %{x:.2%}, TPR %{y:.2%}", escape(curve.title)),
    )
    return [line, _marks(curve)]


def _marks(curve: LowFprCurve) -> dict[str, Any]:
    style, marks = line_style(curve.method), [mark for mark in curve.marks if mark.tpr > 0]
    up = [mark.high - mark.tpr for mark in marks]
    down = [mark.tpr - max(mark.low, MIN_RATE / 10) for mark in marks]
    return scatter(
        [mark.fpr for mark in marks],
        [mark.tpr for mark in marks],
        "markers",
        marker={"symbol": style.marker, "size": 8, "color": style.colour},
        error_y=error_arms(up, down, style.colour, 1.4, 4),
        legendgroup=curve.method,
        showlegend=False,
        hoverinfo="skip",
    )


#: Standard errors drawn to each side.
ERRORS = 2


@dataclass(frozen=True)
class AucPoint:
    """One attack: budget (inf for a reference), area, its standard error, and the most the
    guarantee allows.
    """

    method: str
    title: str
    budget: float
    auc: float
    error: float
    limit: float

    @property
    def is_above_limit(self) -> bool:
        """Whether the area lies above the bound by more than its error bar."""
        return self.auc - ERRORS * self.error > self.limit


@dataclass(frozen=True)
class AucCurve:
    """Points a private method by budget, references with one point each, and the budget axis."""

    axis: str
    delta: float
    lines: tuple[tuple[AucPoint, ...], ...]
    references: tuple[AucPoint, ...]

    @property
    def violations(self) -> tuple[AucPoint, ...]:
        """Points above their bound beyond their error bar: there should be none."""
        return tuple(p for line in self.lines for p in line if p.is_above_limit)

    @classmethod
    def from_points(cls, points: Sequence[AucPoint], axis: str, delta: float) -> AucCurve:
        """The chart's data from points in any order."""
        keys = dict.fromkeys(p.method for p in points if math.isfinite(p.budget))
        lines = tuple(
            tuple(sorted((p for p in points if p.method == key), key=lambda p: p.budget))
            for key in keys
        )
        return cls(axis, delta, lines, tuple(p for p in points if not math.isfinite(p.budget)))

    def alt(self) -> str:
        names = ", ".join(line[0].title for line in self.lines) or "none"
        return render_text(ALTS["area"], names=names)

    def figure(self, budget: float, ends: tuple[float, float]) -> go.Figure:
        """Lines with error bars, their bounds dotted, references across, one half, and the budget
        looked at.

        Args:
            ends: of the budget axis.
        """
        bounds = _bounds(self.lines)
        traces = [_auc_bound(line, titles if len(bounds) > 1 else []) for line, titles in bounds]
        traces += [
            _auc_line(line, 1.05 ** (i - (len(self.lines) - 1) / 2))
            for i, line in enumerate(self.lines)
        ]
        guess = note(LABELS["chance"], 0.99, 0.47, "right top", xref="paper", font={"color": GREY})
        return make_figure(
            traces + [_level(p, ends) for p in self.references],
            420,
            MARGINS | {"r": 12, "t": 24},
            xaxis=self._budgets(ends),
            yaxis=make_axis(
                AXES["area"],
                SIDE_TITLE_GAP,
                **{"range": [0.4, 1], "dtick": 0.1, "tickformat": ".1f"} | WITHIN_MARGINS,
            ),
            legend={"y": -0.22},
            shapes=[horizontal_line(0.5), vertical_line(budget, 1.5)],
            annotations=[guess],
        )

    def _budgets(self, ends: tuple[float, float]) -> dict[str, Any]:
        ticks = sorted({p.budget for line in self.lines for p in line})
        span = [math.log10(ends[0] / 1.3), math.log10(ends[1] * 1.3)]
        scale = {"type": "log", "range": span, "tickvals": ticks, "ticktext": [*map(number, ticks)]}
        return make_axis(
            budget_axis_title(self.axis, self.delta), TITLE_GAP, **scale | WITHIN_MARGINS
        )


def _bounds(lines: Sequence[Sequence[AucPoint]]) -> list[tuple[Sequence[AucPoint], list[str]]]:
    """A line for each different bound, with the titles of all methods whose bound it is."""
    groups: dict[tuple, tuple[Sequence[AucPoint], list[str]]] = {}
    for line in lines:
        key = tuple((p.budget, round(p.limit, 6)) for p in line)
        groups.setdefault(key, (line, []))[1].append(line[0].title)
    return list(groups.values())


def _auc_line(line: Sequence[AucPoint], shift: float) -> dict[str, Any]:
    """Points beside their budget by a factor, so that error bars of several methods can be told
    apart.
    """
    style, title = line_style(line[0].method), escape(line[0].title)
    return scatter(
        [shift * p.budget for p in line],
        [p.auc for p in line],
        "lines+markers",
        name=title,
        line=stroke(style.colour, 2, style.dash),
        marker={"symbol": style.marker, "size": 8},
        error_y=error_arms([ERRORS * p.error for p in line], None, style.colour, 1.4, 4),
        customdata=[(ERRORS * p.error, bound_text(p.limit)) for p in line],
        **hover("AUC %{y:.3f} ± %{customdata[0]:.3f}, bound %{customdata[1]}", title),
    )


def _auc_bound(line: Sequence[AucPoint], titles: Sequence[str]) -> dict[str, Any]:
    """The most that is possible; ``titles`` says against whom, none where all have the same."""
    colour = line_style(line[0].method).colour if len(titles) == 1 else ACCENT
    name = (
        render_text(LABELS["area_bound_on"], methods=escape(" or ".join(titles)))
        if titles
        else LABELS["area_bound"]
    )
    return scatter(
        [p.budget for p in line],
        [p.limit for p in line],
        line=stroke(colour, 1.8, "dot"),
        name=name,
        customdata=[bound_text(p.limit) for p in line],
        **hover("AUC ≤ %{customdata}", name),
    )


def _level(point: AucPoint, ends: tuple[float, float]) -> dict[str, Any]:
    style, title = line_style(point.method), escape(point.title)
    return scatter(
        list(ends),
        [point.auc] * 2,
        name=title,
        line=stroke(style.colour, 1.6, style.dash),
        error_y=error_arms([ERRORS * point.error] * 2, None, style.colour, 1, 3),
        **hover("AUC %{y:.3f}", title),
    )


#: Ends of the axis of areas: it ends at ``AREA_NEAR`` until an attack gets further.
AREA_LOW, AREA_NEAR, AREA_HIGH = 0.4, 0.7, 1.0
#: Error and area within which another point leaves no room for a number.
CLEARANCE = 0.06, 0.025


@dataclass(frozen=True)
class AttackedPoint:
    """One preset at a budget (inf for a reference): its accuracy, the area under the attack's
    curve, that area's standard error, and the most that the promise allows.
    """

    accuracy: Interval
    auc: float
    error_sd: float
    limit: float

    @property
    def ends(self) -> tuple[float, float]:
        """The area's interval."""
        return self.auc - ERRORS * self.error_sd, self.auc + ERRORS * self.error_sd


@dataclass(frozen=True)
class AttackedAccuracies:
    """Points by preset and budget, in drawing order; ``current``: the budget looked at; ``axis``
    and ``metric``: of the budget and the accuracy.
    """

    points: Mapping[str, Mapping[float, AttackedPoint]]
    current: float
    axis: str
    metric: str

    def at_now(self) -> dict[str, AttackedPoint]:
        """The point of each preset at the budget looked at, and of each reference."""
        points = {
            name: budgets.get(self.current, budgets.get(math.inf))
            for name, budgets in self.points.items()
        }
        return {name: point for name, point in points.items() if point is not None}

    @classmethod
    def from_points(
        cls,
        points: Mapping[tuple[str, float], AttackedPoint],
        current: float,
        axis: str,
        metric: str,
    ) -> AttackedAccuracies:
        """The chart's data from points by (preset, budget)."""
        lines: dict[str, dict[float, AttackedPoint]] = {}
        for name, budget in sorted(points, key=lambda key: key[1]):
            lines.setdefault(name, {})[budget] = points[name, budget]
        order = dict.fromkeys(name for name, _ in points)
        return cls({name: lines[name] for name in order}, current, axis, metric)

    def alt(self) -> str:
        names = ", ".join(self.points) or "none"
        return render_text(ALTS["area_by_accuracy"], metric=METRIC_WORDS[self.metric], names=names)

    def table(self) -> list[dict[str, Any]]:
        """A row a point."""
        return [
            {
                "preset": name,
                "budget": budget,
                "accuracy": p.accuracy.mean,
                "accuracy low": p.accuracy.low,
                "accuracy high": p.accuracy.high,
                "area": p.auc,
                "area low": p.ends[0],
                "area high": p.ends[1],
                "area limit": p.limit,
            }
            for name, budgets in self.points.items()
            for budget, p in budgets.items()
        ]

    def figure(self) -> go.Figure:
        """A point a preset and budget, with both intervals; budgets of a preset are joined, and
        what is looked at is ringed where a preset has several.
        """
        points = [p for budgets in self.points.values() for p in budgets.values()]
        high = AREA_HIGH if any(p.ends[1] > AREA_NEAR for p in points) else AREA_NEAR
        ringed = [
            budgets[self.current]
            for budgets in self.points.values()
            if len(budgets) > 1 and self.current in budgets
        ]
        guess = note(LABELS["chance"], 0.995, 0.497, "right top", font=REFERENCE_FONT)
        return make_figure(
            [self._line(name) for name in self.points]
            + [rings([p.accuracy.mean for p in ringed], [p.auc for p in ringed], 17)],
            440,
            {"r": 14, "t": 14, "l": 58},
            legend={"y": -0.2},
            hovermode="closest",
            xaxis=share_axis(ACCURACY_AXES[self.metric], TITLE_GAP),
            yaxis=make_axis(
                AXES["area"],
                SIDE_TITLE_GAP,
                range=[AREA_LOW, high],
                dtick=0.1,
                tickformat=".1f",
            ),
            shapes=[horizontal_line(0.5)],
            annotations=[guess],
        )

    def _line(self, name: str) -> dict[str, Any]:
        points, style = self.points[name], line_style(name)
        accuracies = [p.accuracy for p in points.values()]
        texts = [self._point_text(name, budget) for budget in points]
        arms = [ERRORS * p.error_sd for p in points.values()]
        is_swept = len(points) > 1
        words = [
            f"  {number(b)}" if is_swept and b != self.current and self._is_clear(p) else ""
            for b, p in points.items()
        ]
        return scatter(
            [e.mean for e in accuracies],
            [p.auc for p in points.values()],
            "lines+markers+text",
            name=escape(name),
            text=words,
            textposition="top right",
            textfont={"size": SMALL_FONT},
            customdata=texts,
            error_x=error_bars(accuracies, style.colour, 1, 0),
            error_y=error_arms(arms, None, style.colour, 1, 3),
            **line_and_marker(style, 1, 9),
            **hover("%{customdata}", escape(name)),
        )

    def _is_clear(self, point: AttackedPoint) -> bool:
        """Whether a number beside a point is clear of all other points."""
        others = [p for budgets in self.points.values() for p in budgets.values() if p is not point]
        return not any(
            abs(p.accuracy.mean - point.accuracy.mean) < CLEARANCE[0]
            and abs(p.auc - point.auc) < CLEARANCE[1]
            for p in others
        )

    def _point_text(self, name: str, budget: float) -> str:
        p = self.points[name][budget]
        place = f"{SYMBOLS[self.axis]} = {number(budget)}: " if math.isfinite(budget) else ""
        limit = f", bound {bound_text(p.limit)}" if 0.5 < p.limit < 1 else ""
        area = f"AUC {p.auc:.3f} ± {ERRORS * p.error_sd:.3f}{limit}"
        return f"{place}accuracy {percent(p.accuracy)} ({spread(p.accuracy)}), {area}"


#: Gain below which nothing is drawn.
MIN_GAIN = 1e-4
PERCENT_TICKS = {"tickformat": ".2~%", "dtick": "D2"}


@dataclass(frozen=True)
class GainPoint:
    """A gain that can be told from nothing: shots, gain, and its interval."""

    shots: float
    gain: float
    low: float
    high: float


@dataclass(frozen=True)
class GainLine:
    """One method's points, in the order of shots; line: factor and slope through them, or None."""

    method: str
    title: str
    points: tuple[GainPoint, ...]
    line: tuple[float, float] | None


@dataclass(frozen=True)
class ShotGains:
    """Methods with something to draw; shots: all that were tried; published: the slope."""

    lines: tuple[GainLine, ...]
    shots: tuple[float, ...]
    published: float

    @classmethod
    def from_lines(
        cls, lines: Sequence[GainLine], shots: Sequence[float], published: float
    ) -> ShotGains:
        """The chart's data; a method without a gain that can be told is left out."""
        return cls(tuple(line for line in lines if line.points), tuple(sorted(shots)), published)

    def alt(self) -> str:
        names = ", ".join(line.title for line in self.lines) or "none"
        return f"{render_text(ALTS['gains'], names=names)} {ALTS['gains_slope']}"

    def figure(self) -> go.Figure:
        """Points with their intervals, lines through them, and the published slope."""
        ends = np.array([min(self.shots, default=1.0), max(self.shots, default=10.0)])
        traces = [trace for line in self.lines for trace in _gain_line(line, ends)]
        if self.lines:
            traces.append(self._published(ends))
        gains = [p.gain for line in self.lines for p in line.points] or [0.01, 0.1]
        ticks = {"tickvals": list(self.shots), "ticktext": [f"{s:g}" for s in self.shots]}
        heights = np.array([max(min(gains) / 3, MIN_GAIN), min(max(gains) * 2, 1.0)])
        return make_figure(
            traces,
            400,
            MARGINS | {"r": 16, "t": 14},
            xaxis=_gain_axis(AXES["fit_images"], TITLE_GAP, ends, ticks),
            yaxis=_gain_axis(AXES["gain"], SIDE_TITLE_GAP, heights, PERCENT_TICKS),
            legend={"y": -0.2},
        )

    def _published(self, ends: np.ndarray) -> dict[str, Any]:
        """A line of the published slope through the middle of the first method's points."""
        first = self.lines[0].points
        x, y = (np.exp(np.mean(np.log([getattr(p, n) for p in first]))) for n in ("shots", "gain"))
        pen = {"line": stroke(GREY, 1.6, "dot"), "hoverinfo": "skip"}
        name = render_text(LABELS["published_slope"], slope=f"{self.published:g}".replace("-", "−"))
        return scatter(ends, y * (ends / x) ** self.published, name=name, **pen)


def _gain_axis(
    title: str, standoff: float, ends: np.ndarray, ticks: dict[str, Any]
) -> dict[str, Any]:
    low, high = np.log10(ends[0] / 1.2), np.log10(ends[1] * 1.2)
    return make_axis(
        title, standoff, type="log", range=[float(low), float(high)], **ticks | WITHIN_MARGINS
    )


def _gain_line(line: GainLine, ends: np.ndarray) -> list[dict[str, Any]]:
    style = line_style(line.method)
    up = [p.high - p.gain for p in line.points]
    down = [p.gain - max(p.low, MIN_GAIN / 10) for p in line.points]
    slope_text = f": slope {line.line[1]:.2f}" if line.line else ""
    points = scatter(
        [p.shots for p in line.points],
        [p.gain for p in line.points],
        "markers",
        name=escape(f"{line.title}{slope_text}"),
        legendgroup=line.method,
        marker={"symbol": style.marker, "size": 9, "color": style.colour},
        error_y=error_arms(up, down, style.colour, 1.4, 4),
        **hover("%{x:g} images per class: %{y:.2%}", escape(line.title)),
    )
    if not line.line:
        return [points]
    factor, slope = line.line
    pen = {"line": stroke(style.colour, 1.8, style.dash), "hoverinfo": "skip"}
    through = scatter(ends, factor * ends**slope, legendgroup=line.method, showlegend=False, **pen)
    return [points, through]


COSINE_BINS = 40
SAME_SENDER, OTHER_SENDER = "from the same person", "from two people"


@dataclass(frozen=True, eq=False)
class SenderSimilarity:
    """What the chart shows.

    Attributes:
        edges: (COSINE_BINS + 1,) of the bins, from 0, or from -1 where a cosine is negative, to 1;
        same,
            different: (COSINE_BINS,) shares of the pairs of each kind.
    """

    edges: np.ndarray
    same: np.ndarray
    different: np.ndarray

    @classmethod
    def from_cosines(cls, same: np.ndarray, different: np.ndarray) -> SenderSimilarity:
        """The chart's data from the cosines of pairs."""
        low = -1.0 if min(same.min(initial=0), different.min(initial=0)) < 0 else 0.0
        edges = np.linspace(low, 1, COSINE_BINS + 1)
        count = lambda values: np.histogram(np.clip(values, low, 1), edges)[0] / max(1, values.size)
        return cls(edges, count(same), count(different))

    def alt(self) -> str:
        return render_text(ALTS["likeness"], low=f"{self.edges[0]:g}")

    def table(self) -> list[dict[str, Any]]:
        """A row a bin."""
        return [
            {"cosine from": low, "to": high, SAME_SENDER: same, OTHER_SENDER: different}
            for low, high, same, different in zip(
                self.edges[:-1], self.edges[1:], self.same, self.different, strict=True
            )
        ]

    def figure(self) -> go.Figure:
        """The two histograms over each other, as steps."""
        top = 1.15 * max(self.same.max(), self.different.max(), 1e-9)
        return make_figure(
            [
                _histogram_steps(self.edges, self.different, LABELS["two_persons"], GREY, "dot"),
                _histogram_steps(self.edges, self.same, LABELS["same_person"], ACCENT, "solid"),
            ],
            300,
            {"t": 30},
            legend={"y": 1.02, "yanchor": "bottom"},
            xaxis=make_axis(AXES["cosine"], TITLE_GAP, range=[self.edges[0], 1], grid=False),
            yaxis=make_axis(AXES["pairs"], range=[0, top], tickformat=".0%"),
        )


def _histogram_steps(
    edges: np.ndarray, shares: np.ndarray, name: str, colour: str, dash: str
) -> dict[str, Any]:
    middles = (edges[:-1] + edges[1:]) / 2
    return scatter(
        middles,
        shares,
        name=name,
        line=stroke(colour, 2, dash) | {"shape": "hvh"},
        fill="tozeroy",
        fillcolor=rgba(colour, 0.18),
        **hover("cosine %{x:.2f}: %{y:.1%} of pairs", name),
    )
