"""CoinPress step by step: its radii, and one step as a drawing."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

import numpy as np
import plotly.graph_objects as go

from dpviz.formatting import number
from dpviz.plots.kit.drawing import (
    HIDDEN_AXIS,
    category_axis,
    hover,
    make_axis,
    make_figure,
    padded_range,
    panel_title,
    scatter,
    share_axis,
    stroke,
)
from dpviz.plots.kit.style import ACCENT, GREY, line_style, rgba
from dpviz.text.charts import ALTS, CAPTIONS, LABELS
from dpviz.text.template import render_text

RADII_HEIGHT, RADII_GAP = 150, 36


@dataclass(frozen=True)
class CoinpressRun:
    """One line: its name, whether it is the one looked at, whether it diverges, and its values by
    quantity.
    """

    name: str
    is_current: bool
    diverges: bool
    values: dict[str, tuple[float, ...]]


@dataclass(frozen=True)
class CoinpressRadii:
    """Quantities from top to bottom, each with the first step it has a value for, and whether it is
    a share.
    """

    quantities: tuple[tuple[str, int, bool], ...]
    runs: tuple[CoinpressRun, ...]
    line_kind: str

    @classmethod
    def from_schedules(
        cls,
        runs: Sequence[tuple[Any, Any]],
        names: Sequence[str],
        diverges: Sequence[bool],
        current: int | None,
        line_kind: str,
        walked: bool = False,
    ) -> CoinpressRadii:
        """The chart's data from ``diagnostics.coinpress_steps`` schedules, each with its walk or
        None.

        Args:
            names: of the lines, one ``of`` a budget or class; walked: what happened to the records,
                which is private, instead of what sizes and budget alone decide.
        """
        values = [_walk_values(walk) if walked else _schedule_values(plan) for plan, walk in runs]
        lines = zip(names, diverges, values, strict=True)
        drawn_runs = tuple(
            CoinpressRun(name, i == current, bad, v) for i, (name, bad, v) in enumerate(lines)
        )
        return cls(TRACE_QUANTITIES if walked else SCHEDULE_QUANTITIES, drawn_runs, line_kind)

    def alt(self) -> str:
        names = ", ".join(name for name, _, _ in self.quantities)
        return render_text(ALTS["coinpress"], names=names, kind=self.line_kind)

    def table(self) -> list[dict[str, Any]]:
        """A row a line and step."""
        rows = []
        for run in self.runs:
            for name, first, _ in self.quantities:
                rows += [
                    {self.line_kind: run.name, "quantity": name, "step": first + i, "value": v}
                    for i, v in enumerate(run.values[name])
                ]
        return rows

    def figure(self) -> go.Figure:
        """Small plots above each other over the steps."""
        rows = len(self.quantities)
        inside = rows * RADII_HEIGHT + (rows - 1) * RADII_GAP
        traces, panels, heads = [], {}, []
        for row, (name, first, share) in enumerate(self.quantities):
            mark = "" if row == 0 else str(row + 1)
            top = 1 - row * (RADII_HEIGHT + RADII_GAP) / inside
            values = [v for run in self.runs for v in run.values[name]]
            domain = [max(0.0, top - RADII_HEIGHT / inside), top]
            panels[f"yaxis{mark}"] = _axis(share, values) | {"domain": domain}
            heads.append(panel_title(name[:1].upper() + name[1:], top))
            runs = sorted(self.runs, key=lambda run: run.is_current)
            traces += [_line(run, name, first, f"y{mark}", self.line_kind) for run in runs]
        steps = category_axis(["start", "step 1", "step 2", "step 3"]) | padded_range(4, 0.15)
        return make_figure(
            traces,
            inside + 58,
            {"t": 26, "b": 32},
            showlegend=False,
            xaxis=make_axis(anchor="y" if rows == 1 else f"y{rows}", **steps),
            annotations=heads,
            **panels,
        )


SCHEDULE_QUANTITIES = (("radius r", 0, False), ("clip radius R", 1, False), ("noise sd", 1, False))
TRACE_QUANTITIES = (("clipped share", 1, True), ("norm of the estimate", 1, False))


def _schedule_values(plan: Any) -> dict[str, tuple[float, ...]]:
    clips, noise = tuple(s.clip for s in plan.steps), tuple(s.sd for s in plan.steps)
    return {"radius r": plan.radii, "clip radius R": clips, "noise sd": noise}


def _walk_values(walk: Any) -> dict[str, tuple[float, ...]]:
    clipped, norms = tuple(m.clipped for m in walk), tuple(m.norm for m in walk)
    return {"clipped share": clipped, "norm of the estimate": norms}


def _axis(share: bool, values: Sequence[float]) -> dict[str, Any]:
    if share:
        return share_axis(range=[-0.04, 1.04], dtick=0.5)
    return make_axis(type="log", dtick=_decades(values), exponentformat="power")


def _decades(values: Sequence[float]) -> int:
    """Powers of ten from tick to tick, so that there are about four."""
    positive = [v for v in values if v > 0]
    return max(1, round(math.log10(max(positive) / min(positive)) / 4)) if positive else 1


def _line(run: CoinpressRun, quantity: str, first: int, axis: str, kind: str) -> dict[str, Any]:
    values = list(run.values[quantity])
    colour = ACCENT if run.is_current else rgba(line_style("dppl-mean").colour, 0.75)
    marker = {"size": 8 if run.is_current else 5, "symbol": "x" if run.diverges else "circle"}
    name = f"{kind} {escape(run.name)}{', diverges' if run.diverges else ''}"
    return scatter(
        list(range(first, first + len(values))),
        values,
        "lines+markers" if run.is_current else "lines",
        yaxis=axis,
        line=stroke(colour, 3 if run.is_current else 1.4, "dash" if run.diverges else "solid"),
        marker=marker | {"color": colour},
        **hover("%{y:.4g}", name),
    )


GOLDEN_ANGLE = math.pi * (3 - math.sqrt(5))
#: Where the exact mean is drawn; only distances are true.
MEAN_ANGLE = math.radians(200)


@dataclass(frozen=True)
class CoinpressStep:
    """True lengths, measured from the estimate before the step.

    Attributes:
        number: from 1; r, clip: radii; records: distances; truth: of the exact mean; mean_shift:
            of the
            clipped mean; noise: length of the noise; error: of the new estimate from the exact
            mean.
    """

    number: int
    r: float
    clip: float
    records: tuple[float, ...]
    truth: float
    mean_shift: float
    noise: float
    error: float

    @property
    def reach(self) -> float:
        """Half the width of the drawing: all but the noise fits in, which may leave it."""
        return max(self.r, self.clip, self.truth, *self.records)

    @classmethod
    def from_moment(cls, moment: Any, number: int) -> CoinpressStep:
        """The drawing's data from a ``diagnostics.coinpress_steps.Moment``."""
        return cls(
            number,
            moment.step.r,
            moment.step.clip,
            moment.records,
            moment.truth,
            moment.mean_shift,
            moment.noise,
            moment.error,
        )

    def caption(self) -> str:
        """What the drawing shows, in numbers."""
        key = "coinpress_outside" if self.noise > self.reach else "coinpress"
        return render_text(
            CAPTIONS[key],
            step=str(self.number),
            noise=number(self.noise),
            truth=number(self.truth),
            error=number(self.error),
        )

    def alt(self) -> str:
        return render_text(ALTS["coinpress_step"], step=str(self.number))

    def figure(self) -> go.Figure:
        """Circles, records at their distances, and the way to the new estimate."""
        truth, sideways = _direction(MEAN_ANGLE), _direction(MEAN_ANGLE + math.pi / 2)
        angles = GOLDEN_ANGLE * np.arange(len(self.records))
        mean = self.mean_shift * truth
        # in many dimensions noise is almost at a right angle to everything else
        new = mean + self.noise * sideways
        way = {"mode": "lines+markers", "line": stroke(ACCENT, 2.5)}
        open_ring = {"size": 12, "symbol": "circle-open", "color": GREY, "line": {"width": 2.5}}
        cross = {"size": 12, "symbol": "cross-thin", "line": stroke(ACCENT, 2.5)}
        reach = 1.1 * self.reach
        plane = HIDDEN_AXIS | {"range": [-reach, reach]}
        return make_figure(
            [
                _circle(self.r, "Radius r", "solid"),
                _circle(self.clip, "Clip radius R", "dash"),
                _dots(
                    np.array(self.records) * _direction(angles),
                    LABELS["images"],
                    {"size": 5, "color": rgba(GREY, 0.55)},
                ),
                _dots(self.truth * truth[:, None], LABELS["exact_mean"], open_ring),
                _dots(
                    np.stack([mean, new], axis=1),
                    LABELS["cause_noise"],
                    {"size": [0, 11], "color": ACCENT},
                )
                | way,
                _dots(np.zeros((2, 1), int), LABELS["estimate_before"], cross),
            ],
            400,
            {"l": 4, "r": 4, "t": 4, "b": 4},
            legend={"y": -0.02},
            xaxis=plane,
            yaxis=plane | {"scaleanchor": "x"},
        )


def _direction(angle: Any) -> np.ndarray:
    """Points (2, …) of length one."""
    return np.array([np.cos(angle), np.sin(angle)])


def _dots(places: np.ndarray, name: str, marker: dict[str, Any]) -> dict[str, Any]:
    x, y = places.tolist()
    return scatter(x, y, "markers", name=name, marker=marker, hoverinfo="name")


def _circle(radius: float, name: str, dash: str) -> dict[str, Any]:
    x, y = radius * _direction(np.linspace(0, 2 * math.pi, 97))
    name = f"{name} = {number(radius)}"
    return scatter(x, y, name=name, line=stroke(ACCENT, 2, dash), hoverinfo="name")
