"""What readers do with every chart: zoom, hide lines, save it as a file."""

from __future__ import annotations

import json

import streamlit as st

from dpviz.plots.kit.drawing import white_template
from dpviz.ui.assets import asset
from dpviz.views import page_as_shown
from dpviz.views.page_as_shown import ShownPage

SCRIPTS = ("plotly_internals.js", "chart_picture.js", "chart_actions.js")


def begin() -> None:
    """Attach the actions to the charts of a page that begins; no chart exists yet."""
    _part("chart-actions", {})


def name_source(page: ShownPage) -> None:
    """Give the browser the source line of the charts of a page that is complete."""
    if page.pictures:
        lines = tuple(page_as_shown.source_lines(page))
        # as text, since Streamlit asks pandas whether a dict is a table
        template = json.dumps(white_template().to_plotly_json())
        _part("chart-source", {"lines": lines, "template": template})


def _part(key: str, data: dict[str, object]) -> None:
    part = st.components.v2.component(
        "dpviz.chart_actions",
        css=asset("chart_actions.css"),
        js="".join(map(asset, SCRIPTS)),
        isolate_styles=False,
    )
    part(key=key, data=data)
