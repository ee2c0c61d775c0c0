"""A chart in which a curve is drawn by hand, and the true one laid over it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import streamlit as st

from dpviz.formatting import numbers
from dpviz.stats import Interval
from dpviz.ui.assets import asset
from dpviz.views.lessons import Drawing, drawings

HTML = """<div class="dp-draw"><p></p><svg role="group"></svg>
<div><button type="button">Show me the true curve</button><output></output></div></div>"""


def show(
    key: str, ask: Drawing, points: Sequence[int] | None, truth: Sequence[Interval] | None
) -> None:
    """The chart; what is drawn goes into the link as ``drawn`` once it is whole and sent.

    Args:
        key: of the element; points: percentages, None before, empty where it was skipped;
        truth: shown over them.
    """
    data = script_data(ask, points, truth)
    part = st.components.v2.component(
        "dpviz.draw",
        html=HTML,
        css=asset("drawing_legend.css") + asset("draw_curve.css"),
        js=asset("draw_curve.js") + asset("stroke.js"),
    )
    part(key=key, data=data, on_drawn_change=lambda: _take(key, ask))


def script_data(
    ask: Drawing, points: Sequence[int] | None, truth: Sequence[Interval] | None
) -> dict[str, Any]:
    """What the chart's script takes; arguments as of ``show``."""
    x_title, y_title = drawings.titles(ask)
    # tuples, since Streamlit asks pandas whether a list is a table
    data: dict[str, Any] = {
        "names": tuple(numbers(ask.values)),
        "places": tuple(drawings.places(ask)),
    }
    data |= {"below": x_title, "beside": y_title, "scale": drawings.scale(ask)}
    data |= {"drawn": tuple(points or ()), "over": points is not None}
    shares = [(100 * t.mean, 100 * t.low, 100 * t.high) for t in truth or ()]
    data["truth"] = tuple(tuple(round(share, 1) for share in three) for three in shares)
    return data


def _take(key: str, ask: Drawing) -> None:
    """Keep what was drawn in the link, from a callback."""
    points = st.session_state[key]["drawn"]
    if isinstance(points, str) and drawings.read(points, ask):
        st.query_params["drawn"] = points
