"""How things look everywhere: colours, one accent, faint lines, the size of letters, margins."""

from __future__ import annotations

import copy
from typing import Any

import plotly.graph_objects as go

from dpviz.types.look import (  # noqa: F401 - charts find all colours here
    BLUE,
    GREEN,
    GREY,
    ORANGE,
    PURPLE,
    RED,
    SKY,
    Look,
    look,
)

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
