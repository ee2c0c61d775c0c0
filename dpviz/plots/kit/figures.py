"""How a figure is made, with the template, letters and margins that all share; sent and copied."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from typing import Any

import plotly.graph_objects as go

from dpviz.plots.kit import plotly_pandas_workaround
from dpviz.plots.kit.style import FONT
from dpviz.plots.kit.template import AS_SENT

plotly_pandas_workaround.mend()

KEPT = 64
"""Figures with frames that are kept, so that a move of the budget does not make them anew."""
BELOW = {"y": 0, "yref": "container", "yanchor": "bottom"}
"""Of a legend at the foot of a chart, clear of its axis however long the names there are."""
CLICKABLE = {"itemclick": "toggle", "itemdoubleclick": "toggleothers"}
"""Of a legend whose entries hide and show lines."""
MARGINS = {"l": 58, "r": 8, "t": 8, "b": 46}
"""Margins with room for ticks and titles, for axes that do not ask for it: left to find it, Plotly
draws a chart twice.
"""


class Still(go.Figure):
    """A figure that is sent many times and never changed: what is sent is made once."""

    def to_dict(self) -> dict[str, Any]:
        """As of any figure; the same dictionary every time, not to be changed."""
        if not hasattr(self, "_sent"):
            self._sent = super().to_dict()
        return self._sent


def make_figure(
    traces: Sequence[dict[str, Any]],
    height: int,
    margin: dict[str, int] | None = None,
    **layout: Any,
) -> go.Figure:
    """A figure of traces; ``layout`` are further entries of its layout, ``margin`` those that are
    not 8 pixels.
    """
    return go.Figure(data=traces, layout=shared(height, margin) | layout, _validate=False)


def still(
    traces: Sequence[dict[str, Any]],
    layout: dict[str, Any],
    frames: Sequence[dict[str, Any]] | None = None,
) -> Still:
    """A figure that is sent many times and never changed; ``layout`` begins with ``shared``."""
    # plotly's own checks take most of a slider move; the tests make them instead
    return Still(data=traces, layout=layout, frames=frames, _validate=False)


def shared(height: int, margin: dict[str, int] | None = None) -> dict[str, Any]:
    """Entries of every layout."""
    margins = {"l": 8, "r": 8, "t": 8, "b": 8} | (margin or {})
    return {"template": AS_SENT, "height": height, "margin": margins, "font": {"size": FONT}}


def copied(figure: go.Figure) -> go.Figure:
    """A copy to be changed. ``go.Figure(figure)`` takes the type out of the original's traces while
    it reads them, so that another thread which draws the same figure meanwhile gets a wrong chart
    or an error.
    """
    return go.Figure(copy.deepcopy(figure.to_dict()))
