"""Audits: the errors of tests against the guarantee, and the privacy loss that releases show."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import Any

import numpy as np
import plotly.graph_objects as go

from dpviz.formatting import number, percent_down, percent_up, rounded
from dpviz.plots.kit.drawing import (
    LEGEND_BELOW,
    MARGINS,
    REFERENCE_FONT,
    SIDE_TITLE_GAP,
    SILENT,
    TITLE_GAP,
    WITHIN_MARGINS,
    horizontal_line,
    hover,
    make_axis,
    make_figure,
    note,
    reference_lines,
    scatter,
    share_axis,
    stroke,
)
from dpviz.plots.kit.style import ACCENT, GREY, RIGHT, WRONG, rgba
from dpviz.text.charts import ALTS, AXES, BOUND_FORMS, LABELS, REPEATED_BOUND
from dpviz.text.template import render_text

NORMAL = NormalDist()
#: On normal quantiles the curve of a Gaussian promise is a straight line, and the ends are wide.
RATE_SCALES = {"linear": "Linear", "normal": "Normal quantiles"}
#: Where the scales of normal quantiles begin, and as far from 1 where they end.
MIN_RATE = 1e-4
RATE_TICKS = (1e-3, 0.01, 0.1, 0.3, 0.5, 0.7, 0.9, 0.99, 0.999)
_ENDS = np.geomspace(MIN_RATE, 0.5, 80)
#: False alarms at which the promise's curve is asked for.
RATE_GRID = np.unique(np.concatenate([[0.0, 1.0], _ENDS, 1 - _ENDS, np.linspace(0, 1, 121)]))


@dataclass(frozen=True, eq=False)
class TradeOff:
    """What is drawn.

    Attributes:
        alarms, misses: (k,) shares of each test; alarms_within, misses_within: (k, 2) their
            intervals.
        allowed: (len(RATE_GRID),) the fewest misses that the promise allows at RATE_GRID's false
        alarms.
        allowed_there: (k,) the same at the most false alarms of each test.
        breaks: the number of the test that breaks the promise most clearly, or None; scale: a key
            of RATE_SCALES.
    """

    alarms: np.ndarray
    misses: np.ndarray
    alarms_within: np.ndarray
    misses_within: np.ndarray
    allowed: np.ndarray
    allowed_there: np.ndarray
    breaks: int | None
    scale: str = "linear"

    @property
    def violations(self) -> list[int]:
        """Tests that break the promise: even their most misses are too few."""
        tests = np.flatnonzero(self.misses_within[:, 1] < self.allowed_there).tolist()
        return tests if self.breaks is not None else []

    def alt(self) -> str:
        return ALTS["trade_off"]

    def table(self) -> list[dict[str, Any]]:
        """A row for each test."""
        return [
            {
                "test": number + 1,
                "false alarms": float(self.alarms[number]),
                "false alarms at most": float(self.alarms_within[number, 1]),
                "misses": float(self.misses[number]),
                "misses at most": float(self.misses_within[number, 1]),
                "misses allowed at these false alarms": float(self.allowed_there[number]),
                "violates the guarantee": number in self.violations,
            }
            for number in range(len(self.alarms))
        ]

    def figure(self) -> go.Figure:
        """The curve with what it forbids, the tests, and the one that breaks it."""
        at = _placement(self.scale)
        floor = scatter(at(RATE_GRID), at(np.zeros(len(RATE_GRID))), line={"width": 0}, **SILENT)
        guarantee = scatter(
            at(RATE_GRID),
            at(self.allowed),
            line=stroke(ACCENT, 2.6),
            name=LABELS["trade_off"],
            customdata=[
                f"FPR {alarms:.2%}, FNR ≥ {percent_down(m)}%"
                for alarms, m in zip(RATE_GRID, self.allowed, strict=True)
            ],
            **hover("%{customdata}"),
        ) | {"fill": "tonexty", "fillcolor": rgba(ACCENT, 0.12)}
        broken = [n for n in self.violations if n != self.breaks]
        fine = [n for n in range(len(self.alarms)) if n not in self.violations and n != self.breaks]
        traces = [floor, guarantee, _coin_line(at), self._boxes(fine, GREY, at)]
        traces.append(self._tests(fine, GREY, LABELS["test_passes"], at))
        if broken:
            traces.append(self._boxes(broken, WRONG, at, 0.08))
            traces.append(self._tests(broken, rgba(WRONG, 0.55), LABELS["test_violates"], at))
        if self.breaks is not None:
            traces.append(self._boxes([self.breaks], WRONG, at))
            traces.append(self._tests([self.breaks], WRONG, LABELS["test_worst"], at))
        return make_figure(
            traces,
            380,
            MARGINS | {"t": 12, "r": 14, "b": 106},
            xaxis=_axis(self.scale, AXES["fpr"], TITLE_GAP),
            yaxis=_axis(self.scale, AXES["misses"], SIDE_TITLE_GAP),
            legend={"y": -0.2},
        )

    def _boxes(
        self, which: list[int], colour: str, at: Placement, fill: float = 0.22
    ) -> dict[str, Any]:
        """A rectangle of each test; a gap ends each."""
        x: list[float | None] = []
        y: list[float | None] = []
        for n in which:
            (left, right), (down, up) = (
                at(within[n]).tolist() for within in (self.alarms_within, self.misses_within)
            )
            x += [left, right, right, left, left, None]
            y += [down, down, up, up, down, None]
        style = {"fill": "toself", "fillcolor": rgba(colour, fill), "line": stroke(colour, 1)}
        return scatter(x, y, **SILENT | style)

    def _tests(self, which: list[int], colour: str, name: str, at: Placement) -> dict[str, Any]:
        texts = [
            f"FPR {self.alarms[n]:.2%}, FNR {self.misses[n]:.2%}"
            f"<br>upper end {percent_up(self.misses_within[n, 1])}%,"
            f" limit {percent_down(self.allowed_there[n])}%"
            for n in which
        ]
        return scatter(
            at(self.alarms[which]),
            at(self.misses[which]),
            "markers",
            name=name,
            marker={"size": 6, "color": colour},
            text=texts,
            **hover("%{text}"),
        )


Placement = Callable[[Any], np.ndarray]


def _placement(scale: str) -> Placement:
    """Where shares lie on an axis."""
    if scale == "linear":
        return lambda shares: np.asarray(shares, float)
    return lambda shares: _quantiles(np.clip(np.asarray(shares, float), MIN_RATE, 1 - MIN_RATE))


def _quantiles(shares: np.ndarray) -> np.ndarray:
    quantiles = [NORMAL.inv_cdf(share) for share in shares.ravel().tolist()]
    return np.reshape(quantiles, shares.shape)


def _axis(scale: str, title: str, standoff: float) -> dict[str, Any]:
    if scale == "linear":
        return share_axis(title, standoff, **WITHIN_MARGINS | {"range": [-0.01, 1.01]})
    ends = _placement(scale)([MIN_RATE, 1 - MIN_RATE]).tolist()
    ticks = {
        "tickvals": _placement(scale)(RATE_TICKS).tolist(),
        "ticktext": [f"{100 * t:g}%" for t in RATE_TICKS],
    }
    return make_axis(title, standoff, range=ends, zeroline=False, **ticks | WITHIN_MARGINS)


def _coin_line(at: Placement) -> dict[str, Any]:
    line = stroke(GREY, 1.6, "dot")
    return scatter(
        at(RATE_GRID), at(1 - RATE_GRID), name=LABELS["chance"], line=line, hoverinfo="skip"
    )


#: The chart ends at this multiple of the claim, or above the highest bound or estimate.
TOP_MULTIPLE = 2.0
#: Releases at which the axis ends at the least, once a fault is caught.
SHORT_AUDIT = 4_000


@dataclass(frozen=True)
class AuditStep:
    """After so many releases of each neighbour: epsilon at lower, as it looks, and at most (inf
    where nothing holds it); whether the promise is seen to be broken.
    """

    runs: int
    lower: float
    estimate: float
    upper: float
    broken: bool


@dataclass(frozen=True)
class AuditProgress:
    """What is drawn.

    Attributes:
        steps: looks so far; claim: epsilon; max_runs: releases of each neighbour at the last look.
    """

    steps: tuple[AuditStep, ...]
    claim: float
    max_runs: int

    @property
    def broken(self) -> bool:
        """The promise is seen to be broken."""
        return bool(self.steps) and self.steps[-1].broken

    def alt(self) -> str:
        return ALTS["progress"]

    def table(self) -> list[dict[str, Any]]:
        """A row for each look."""
        return [
            {
                "releases of each neighbor": step.runs,
                "epsilon at least": step.lower,
                "epsilon estimate": step.estimate,
                "epsilon at most by this test": step.upper,
                "claimed": self.claim,
                "claim violated": step.broken,
            }
            for step in self.steps
        ]

    def figure(self) -> go.Figure:
        """The lower bound and the point estimate, below the claim or above it."""
        top = max(
            [
                TOP_MULTIPLE * self.claim,
                *(1.25 * s.lower for s in self.steps if s.lower < math.inf),
                *(1.05 * s.estimate for s in self.steps if s.estimate < math.inf),
            ]
        )
        runs = [step.runs for step in self.steps]
        bounds = [min(step.lower, top) for step in self.steps]
        colour = WRONG if self.broken else ACCENT
        traces = [
            scatter(
                runs,
                [step.estimate if step.estimate < math.inf else None for step in self.steps],
                line=stroke(colour, 1.4, "dot"),
                name=LABELS["point_estimate"],
                customdata=[number(step.estimate) for step in self.steps],
                **hover("estimate: ε = %{customdata}"),
            ),
            scatter(
                runs,
                bounds,
                "lines+markers",
                line=stroke(colour, 2.4),
                marker={"size": 8, "color": colour},
                name=LABELS["lower_bound"],
                cliponaxis=False,
                customdata=[
                    f"{number(step.lower)}, at most {number(step.upper)}" for step in self.steps
                ],
                **hover("%{x:,} releases: ε ≥ %{customdata}"),
            ),
        ]
        first = min([250, *runs])
        last = max([SHORT_AUDIT, *runs]) if self.broken else self.max_runs
        claim_line = reference_lines(
            [(render_text(LABELS["claim"], epsilon=self.claim), self.claim)], "right bottom"
        )
        return make_figure(
            traces,
            375,
            MARGINS | {"t": 34, "r": 14},
            showlegend=True,
            legend={"y": 1.02, "yanchor": "bottom"},
            xaxis=make_axis(
                AXES["releases"],
                TITLE_GAP,
                type="log",
                range=[math.log10(first / 1.2), math.log10(last * 1.2)],
                tickvals=[300, 1_000, 3_000, 10_000, 30_000],
                ticktext=["300", "1,000", "3,000", "10,000", "30,000"],
                **WITHIN_MARGINS,
            ),
            yaxis=make_axis(
                AXES["epsilon_bound"], SIDE_TITLE_GAP, range=[0, top], **WITHIN_MARGINS
            ),
            **claim_line,
        )


#: Forms of the bound, keys of ``BOUND_FORMS``.
GAUSSIAN_NOISE, ANY_NOISE = "gaussian", "any"
#: Seconds below which none are told apart.
MIN_SECONDS = 0.01


@dataclass(frozen=True)
class CanaryPoint:
    """One release with so many canaries: epsilon at least, whatever the noise and if it is Gaussian
    (None where the claim is no such), and its seconds.
    """

    canaries: int
    approx: float
    gdp: float | None
    seconds: float


@dataclass(frozen=True)
class RepeatedAudit:
    """The audit by ``runs`` releases from each neighbour: epsilon at least, and its seconds."""

    runs: int
    epsilon: float
    seconds: float


@dataclass(frozen=True)
class BoundByCanaries:
    """What is drawn.

    Attributes:
        points: so far, by canaries; counts: of all that are to come.
        repeated: None before it is through, or without; claimed: epsilon at ``delta``.
    """

    points: tuple[CanaryPoint, ...]
    counts: tuple[int, ...]
    repeated: RepeatedAudit | None
    claimed: float
    delta: float

    @property
    def top(self) -> float:
        """Where the upright axis ends."""
        values = [value for p in self.points for value in (p.approx, p.gdp or 0.0)]
        return 1.15 * max([self.claimed, self.repeated.epsilon if self.repeated else 0.0, *values])

    @classmethod
    def from_audit(cls, audit: Any, counts: Sequence[int] = ()) -> BoundByCanaries:
        """The chart's data from a ``OneRunAudit``; counts: of the releases that it will have."""
        points = tuple(CanaryPoint(p.canaries, p.approx, p.gdp, p.seconds) for p in audit.points)
        repeated = audit.many and RepeatedAudit(
            audit.many.runs, audit.many.epsilon, audit.many.seconds
        )
        all_counts = tuple(sorted({*counts, *(p.canaries for p in points)}))
        return cls(points, all_counts, repeated, audit.claimed, audit.delta)

    def alt(self) -> str:
        names = " and ".join(BOUND_FORMS[form] for form, _ in self._lines()) or "none"
        return f"{render_text(ALTS['bound'], names=names)} {ALTS['bound_levels']}"

    def figure(self) -> go.Figure:
        """A line for each form of the bound, under what many runs show and what is promised, or
        above it.
        """
        edges = min(self.counts, default=10) / 1.5, max(self.counts, default=1000) * 1.5
        ends = [math.log10(edge) for edge in edges]
        y_title = (
            render_text(AXES["epsilon_bound_at"], delta=self.delta)
            if self.delta
            else AXES["epsilon_bound"]
        )
        seconds = {p.canaries: duration_text(p.seconds) for p in self.points}
        return make_figure(
            [self._line(i, *form) for i, form in enumerate(reversed(self._lines()))],
            430,
            MARGINS | {"t": 12, "r": 14, "b": 122},
            showlegend=True,
            legend=LEGEND_BELOW,
            xaxis=make_axis(
                AXES["canaries"],
                TITLE_GAP,
                type="log",
                range=ends,
                tickvals=list(self.counts),
                ticktext=[f"{count:,}<br>{seconds.get(count, '…')}" for count in self.counts],
                tickangle=0,
                **WITHIN_MARGINS,
            ),
            yaxis=make_axis(
                y_title,
                SIDE_TITLE_GAP,
                range=[-0.02 * self.top, self.top],
                **WITHIN_MARGINS,
            ),
            **self._levels(),
        )

    def _lines(self) -> list[tuple[str, list[float]]]:
        """The forms of the bound that there are, each with its value at every point."""
        forms = {ANY_NOISE: [p.approx for p in self.points]}
        gaussian = [p.gdp for p in self.points if p.gdp is not None]
        if gaussian:
            forms[GAUSSIAN_NOISE] = gaussian
        return [(name, values) for name, values in forms.items() if values]

    def _line(self, place: int, name: str, values: list[float]) -> dict[str, Any]:
        """The first form has the stronger pen."""
        colour = WRONG if values[-1] > self.claimed else ACCENT
        symbol, dash = ("diamond-open", "dash") if place else ("circle", "solid")
        texts = [
            (_bound_text(v), duration_text(p.seconds))
            for v, p in zip(values, self.points, strict=True)
        ]
        return scatter(
            [p.canaries for p in self.points],
            values,
            "lines+markers",
            name=BOUND_FORMS[name],
            line=stroke(colour, 1.8 if place else 2.4, dash),
            marker={"size": 8 if place else 9, "color": colour, "symbol": symbol},
            cliponaxis=False,
            customdata=texts,
            **hover("%{x:,} canaries: ε ≥ %{customdata[0]}, %{customdata[1]}", BOUND_FORMS[name]),
        )

    def _levels(self) -> dict[str, Any]:
        """The promise and what many runs show, each named where the other and the points are
        not.
        """
        repeated = self.repeated
        holds = repeated is None or repeated.epsilon <= self.claimed
        claim_text = render_text(LABELS["claim"], epsilon=self.claimed)
        named = [(claim_text, self.claimed, GREY, "dot", "left" if holds else "right", "bottom")]
        if repeated is not None:
            bound, duration = _bound_text(repeated.epsilon), duration_text(repeated.seconds)
            words = render_text(REPEATED_BOUND, runs=repeated.runs, bound=bound, duration=duration)
            colour, edge = (RIGHT, "top") if holds else (WRONG, "bottom")
            named.append((words, repeated.epsilon, colour, "dash", "left", edge))
        return {
            "shapes": [horizontal_line(at, colour, 1.6, dash) for _, at, colour, dash, *_ in named],
            "annotations": [
                note(
                    words,
                    float(side == "right"),
                    at,
                    f"{side} {edge}",
                    xref="paper",
                    font=REFERENCE_FONT,
                )
                | {"showarrow": False}
                for words, at, _, _, side, edge in named
            ],
        }


def duration_text(seconds: float) -> str:
    """Seconds in few signs."""
    if seconds < MIN_SECONDS:
        return f"< {MIN_SECONDS:g} s"
    return f"{seconds:.2f} s" if seconds < 1 else f"{rounded(seconds, 2)} s"


def _bound_text(epsilon: float) -> str:
    """A lower bound, rounded down, so that what is written holds as well."""
    return number(math.floor(100 * epsilon) / 100)
