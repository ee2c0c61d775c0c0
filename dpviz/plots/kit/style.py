"""How things look everywhere: one colour, dash and marker a method, one accent, two axes' words,
number formats.
"""

from __future__ import annotations

import copy
from dataclasses import dataclass
from itertools import product
from typing import Any

import plotly.graph_objects as go

BLUE, ORANGE, GREEN, RED, PURPLE, SKY = (
    "#0072B2",
    "#CC7A00",
    "#009E73",
    "#CC3000",
    "#CC79A7",
    "#4099DD",
)
GREY = "#8A8F98"
ACCENT = "#6D5DD3"
GRID = "rgba(128,136,150,0.22)"
FAINT = "rgba(128,136,150,0.16)"
FONT = 13
KEPT = 64
"""Figures with frames that are kept, so that a move of the budget does not make them anew."""

ROOM = {"l": 58, "r": 8, "t": 8, "b": 46}
FIXED = {"fixedrange": True, "automargin": False}
"""Margins with room for ticks and titles, for axes that do not ask for it: left to find it, Plotly
draws a chart twice.
"""


@dataclass(frozen=True)
class Look:
    """Colour (hex), dash (plotly) and marker (plotly) of a method."""

    colour: str
    dash: str
    marker: str


# Okabe and Ito's palette without black and yellow, which vanish on a dark and on a light page;
# orange, vermilion and
# sky are darkened until each stands 3 to 1 against both pages, and still apart for every kind of
# colour-blindness.
LOOKS: dict[str, Look] = {
    "dppl-mean": Look(BLUE, "solid", "circle"),
    "dppl-public": Look(ORANGE, "solid", "square"),
    "dppl-publick": Look(GREEN, "dash", "diamond"),
    "dppl-auto": Look(PURPLE, "solid", "star"),
    "noisy-gd": Look(RED, "solid", "triangle-up"),
    "global-adapt": Look(SKY, "solid", "triangle-down"),
    "dp-ls": Look(PURPLE, "dash", "pentagon"),
    "dp-newton": Look(SKY, "dash", "hexagon"),
    "dp-fc": Look(RED, "dash", "cross"),
    "dppl-mean-projected": Look(BLUE, "dash", "x"),
    "dppl-public-projected": Look(ORANGE, "dashdot", "square-x"),
    "adamix": Look(ORANGE, "dash", "triangle-right"),
    "pate": Look(SKY, "dashdot", "triangle-left"),
    "transfer-pate": Look(GREEN, "solid", "pentagon"),
    "prom-pate": Look(GREEN, "dashdot", "hourglass"),
    "class-mean": Look(GREY, "dash", "circle-open"),
    "logistic": Look(GREY, "dot", "square-open"),
    "only-public": Look(GREY, "dashdot", "triangle-left-open"),
    "paragon": Look(GREY, "longdash", "star-open"),
}
_SPARE = [
    Look(*look)
    for look in product(
        (GREEN, ORANGE, PURPLE, SKY), ("dot", "dashdot"), ("hourglass", "star-square")
    )
]


def look(method: str) -> Look:
    """The look of a method; one that has no row gets a spare one, always the same."""
    return LOOKS.get(method) or _SPARE[sum(method.encode()) % len(_SPARE)]


def rgba(colour: str, alpha: float) -> str:
    """``#rrggbb`` with an opacity."""
    red, green, blue = (int(colour[i : i + 2], 16) for i in (1, 3, 5))
    return f"rgba({red},{green},{blue},{alpha:g})"


def ink(colour: str) -> str:
    """``colour`` for words in HTML: with half of the text's own colour it can be read on a light
    and on a dark page.
    """
    return f"color-mix(in srgb, {colour} 50%, currentColor)"


class Still(go.Figure):
    """A figure that is sent many times and never changed: what is sent is made once."""

    def to_dict(self) -> dict[str, Any]:
        """As of any figure; the same dictionary every time, not to be changed."""
        if not hasattr(self, "_sent"):
            self._sent = super().to_dict()
        return self._sent


def copied(figure: go.Figure) -> go.Figure:
    """A copy to be changed. ``go.Figure(figure)`` takes the type out of the original's traces while
    it reads them, so that another thread which draws the same figure meanwhile gets a wrong chart
    or an error.
    """
    return go.Figure(copy.deepcopy(figure.to_dict()))
