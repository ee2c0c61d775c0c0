"""One step of one CoinPress run as a drawing: the ball, the clip radius, the records, the noise. A
private view.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import plotly.graph_objects as go

from dpviz.formatting import number
from dpviz.plots.kit import axes, figures
from dpviz.plots.kit.style import ACCENT, GREY, rgba
from dpviz.plots.kit.traces import scatter, stroke

GOLDEN = math.pi * (3 - math.sqrt(5))
TRUTH = math.radians(200)
"""Where the exact mean is drawn; only distances are true."""


@dataclass(frozen=True)
class CoinpressStep:
    """True lengths, measured from the estimate before the step.

    Attributes:
        number: from 1; r, clip: radii; records: distances; truth: of the exact mean; moved: of the
            clipped mean; noise: length of the noise; error: of the new estimate from the exact
            mean.
    """

    number: int
    r: float
    clip: float
    records: tuple[float, ...]
    truth: float
    moved: float
    noise: float
    error: float

    @property
    def reach(self) -> float:
        """Half the width of the drawing: all but the noise fits in, which may leave it."""
        return max(self.r, self.clip, self.truth, *self.records)


def info(moment: Any, number: int) -> CoinpressStep:
    """The drawing's data from a ``diagnostics.coinpress_steps.Moment``."""
    return CoinpressStep(
        number,
        moment.step.r,
        moment.step.clip,
        moment.records,
        moment.truth,
        moment.moved,
        moment.noise,
        moment.error,
    )


def caption(step: CoinpressStep) -> str:
    """What the drawing shows, in numbers."""
    leaves = " (it leaves the drawing)" if step.noise > step.reach else ""
    return (
        f"Step {step.number}: noise of length {number(step.noise)}{leaves} on a mean that lies"
        f" {number(step.truth)} away; the new estimate is {number(step.error)} from the exact mean."
    )


def alt(step: CoinpressStep) -> str:
    """The drawing in words."""
    return (
        f"Step {step.number} of CoinPress: circles of the radius and the clip radius around the"
        " estimate, records and the exact mean at their distances."
    )


def figure(step: CoinpressStep) -> go.Figure:
    """Circles, records at their distances, and the way to the new estimate."""
    truth, sideways = _towards(TRUTH), _towards(TRUTH + math.pi / 2)
    turns = GOLDEN * np.arange(len(step.records))
    mean = step.moved * truth
    # in many dimensions noise is almost at a right angle to everything else
    new = mean + step.noise * sideways
    way = {"mode": "lines+markers", "line": stroke(ACCENT, 2.5)}
    open_ring = {"size": 12, "symbol": "circle-open", "color": GREY, "line": {"width": 2.5}}
    cross = {"size": 12, "symbol": "cross-thin", "line": stroke(ACCENT, 2.5)}
    reach = 1.1 * step.reach
    plane = axes.HIDDEN | {"range": [-reach, reach]}
    return figures.make_figure(
        [
            _circle(step.r, "radius r", "solid"),
            _circle(step.clip, "clip radius R", "dash"),
            _dots(
                np.array(step.records) * _towards(turns),
                "records",
                {"size": 5, "color": rgba(GREY, 0.55)},
            ),
            _dots(step.truth * truth[:, None], "exact mean", open_ring),
            _dots(np.stack([mean, new], axis=1), "noise", {"size": [0, 11], "color": ACCENT}) | way,
            _dots(np.zeros((2, 1), int), "estimate before", cross),
        ],
        400,
        {"l": 4, "r": 4, "t": 4, "b": 4},
        legend={"y": -0.02},
        xaxis=plane,
        yaxis=plane | {"scaleanchor": "x"},
    )


def _towards(angle: Any) -> np.ndarray:
    """Points (2, …) of length one."""
    return np.array([np.cos(angle), np.sin(angle)])


def _dots(places: np.ndarray, name: str, marker: dict[str, Any]) -> dict[str, Any]:
    x, y = places.tolist()
    return scatter(x, y, "markers", name=name, marker=marker, hoverinfo="name")


def _circle(radius: float, name: str, dash: str) -> dict[str, Any]:
    x, y = radius * _towards(np.linspace(0, 2 * math.pi, 97))
    name = f"{name} = {number(radius)}"
    return scatter(x, y, name=name, line=stroke(ACCENT, 2, dash), hoverinfo="name")
