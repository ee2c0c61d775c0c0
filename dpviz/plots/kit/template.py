"""The template that every chart carries.

Streamlit's theme writes its own fonts, grid colours, margins and legend letters over a template's,
so that they follow the light and the dark page. What has to stay as it is on both stands in each
figure, from ``figures`` and ``axes``; here is what the theme leaves alone.
"""

from __future__ import annotations

import plotly.graph_objects as go
import plotly.io as pio

from dpviz.caches import cached

_AXIS = {"fixedrange": True, "zeroline": False}

TEMPLATE = go.layout.Template(
    layout={
        "xaxis": _AXIS,
        "yaxis": _AXIS,
        "legend": {
            "orientation": "h",
            "x": 0,
            "yanchor": "top",
            "itemclick": False,
            "itemdoubleclick": False,
        },
        "annotationdefaults": {"showarrow": False},
    },
    # Plotly outlines markers of several sizes
    data={"scatter": [{"marker": {"line": {"width": 0}}}]},
)
"""Axes that stay where they are, a legend in a row, notes without an arrow."""

AS_SENT = TEMPLATE.to_plotly_json()
"""The template as a figure is sent with it."""


@cached(1)
def on_white() -> go.layout.Template:
    """The same for a chart on paper, where no page's theme is."""
    own = go.layout.Template(layout=TEMPLATE.layout)
    return pio.templates.merge_templates("plotly_white", own)
