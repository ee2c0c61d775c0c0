"""One step of one CoinPress run as a drawing: the ball, the clip radius, the records, the noise. A
private view.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import plotly.graph_objects as go

from dpviz.plots.kit.style import ACCENT, FONT, GREY, ORANGE, rgba
from dpviz.words import number

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
    """The drawing's data from a ``diagnostics.coinpress.Moment``."""
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
    distances = np.array(step.records)
    turn = GOLDEN * np.arange(len(distances))
    records = _dots(
        distances * np.cos(turn),
        distances * np.sin(turn),
        "records",
        {"size": 5, "color": rgba(GREY, 0.55)},
    )
    mean = np.array([step.moved * math.cos(TRUTH), step.moved * math.sin(TRUTH)])
    # in many dimensions noise is almost at a right angle to everything else
    new = mean + step.noise * np.array([-math.sin(TRUTH), math.cos(TRUTH)])
    way = _dots(
        [mean[0], new[0]], [mean[1], new[1]], "noise", {"size": [0, 11], "color": ORANGE}
    ) | {"mode": "lines+markers"}
    way["line"] = {"color": ORANGE, "width": 2.5}
    truth = _dots(
        [step.truth * math.cos(TRUTH)],
        [step.truth * math.sin(TRUTH)],
        "exact mean",
        {"size": 12, "symbol": "circle-open", "color": GREY, "line": {"width": 2.5}},
    )
    old = _dots(
        [0],
        [0],
        "estimate before",
        {"size": 12, "symbol": "cross-thin", "line": {"width": 2.5, "color": ACCENT}},
    )
    circles = [_circle(step.r, "radius r", "solid"), _circle(step.clip, "clip radius R", "dash")]
    reach = 1.1 * step.reach
    axis = {"range": [-reach, reach], "visible": False, "fixedrange": True}
    layout = {
        "height": 400,
        "margin": {"l": 4, "r": 4, "t": 4, "b": 4},
        "font": {"size": FONT},
        "hovermode": "closest",
    }
    layout["legend"] = {
        "orientation": "h",
        "y": -0.02,
        "x": 0,
        "yanchor": "top",
        "itemclick": False,
        "itemdoubleclick": False,
    }
    layout |= {"xaxis": axis, "yaxis": axis | {"scaleanchor": "x"}}
    return go.Figure(data=[*circles, records, truth, way, old], layout=layout, _validate=False)


def _dots(x: Any, y: Any, name: str, marker: dict[str, Any]) -> dict[str, Any]:
    return {
        "type": "scatter",
        "x": list(x),
        "y": list(y),
        "mode": "markers",
        "name": name,
        "marker": marker,
        "hoverinfo": "name",
    }


def _circle(radius: float, name: str, dash: str) -> dict[str, Any]:
    turn = np.linspace(0, 2 * math.pi, 97)
    drawn = {
        "type": "scatter",
        "x": radius * np.cos(turn),
        "y": radius * np.sin(turn),
        "mode": "lines",
        "hoverinfo": "name",
    }
    return drawn | {
        "name": f"{name} = {number(radius)}",
        "line": {"color": ACCENT, "width": 2, "dash": dash},
    }
