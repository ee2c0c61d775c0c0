"""Charts as PNG and SVG files, made in the browser; each says at its foot what it shows: data,
method, guarantee, version.
"""

from __future__ import annotations

import json
import textwrap

import plotly.graph_objects as go
import streamlit as st
from plotly.utils import PlotlyJSONEncoder

from dpviz.plots.kit.style import copied
from dpviz.run import store
from dpviz.ui.assets import ASSETS
from dpviz.ui.frame.page_record import Drawn
from dpviz.views import settings_in_words
from dpviz.words import at

SCRIPT = (ASSETS / "chart_files.js").read_text()
LOOK = """ul { list-style: none; margin: 0; padding: 0; font-size: .875rem; color: inherit; }
li { display: flex; gap: .5rem; align-items: center; padding: .2rem 0; } span { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
button { font: inherit; color: inherit; padding: .15rem .6rem; border-radius: .4rem; cursor: pointer; background: transparent; border: 1px solid rgba(128,136,150,.5); }"""
WIDTH, LETTERS = 900, 150
"""Pixels of a picture, and signs of a line at its foot."""
AXIS = 62
"""Pixels of ticks and title below a plot whose slider is left out."""


def buttons(drawn: Drawn) -> None:
    """Two buttons a chart; nothing where the page drew none."""
    lines = textwrap.wrap(about(drawn), LETTERS)
    charts = [
        {
            "name": key,
            "words": one.words,
            "spec": written(bare(stilled(one.figure, drawn.frame))),
            "lines": lines,
        }
        for key, one in drawn.pictures.items()
        if one.figure
    ]
    if charts:
        st.components.v2.component("dpviz.pictures", html="<ul></ul>", css=LOOK, js=SCRIPT)(
            key="pictures-files", data={"charts": charts}
        )


def about(drawn: Drawn) -> str:
    """Data, method, guarantee and version, for the foot of each figure."""
    view, parts = drawn.view, []
    if view:
        words = settings_in_words.words(view)
        parts = [
            words["dataset"][1],
            f"encoder: {words['encoder'][1]}",
            f"IR {words['ir'][1]}",
            words["methods"][1],
        ]
    if drawn.promises and view:
        neighbours = sorted({promise.adjacency for promise in drawn.promises.values()})
        parts.append(f"{at(view.budget)}, {' / '.join(neighbours)}")
    parts += ["private views are not covered by the guarantee"] if drawn.private else []
    versions = store.versions()
    return " · ".join([*parts, f"dpviz {versions['dpviz']}, code {versions['code']}"])


def stilled(figure: go.Figure, name: str) -> go.Figure:
    """A copy, on white, that stands at the frame of this name: a chart on a page may have been
    drawn at another and moved since.
    """
    shown = copied(figure)
    for place, frame in enumerate(shown.frames):
        if frame.name == name:
            for index, trace in zip(
                frame.traces or range(len(frame.data)), frame.data, strict=True
            ):
                shown.data[index].update(trace.to_plotly_json())
            for slider in shown.layout.sliders:
                slider.active = place
    return shown.update_layout(template="plotly_white", width=None)


def bare(figure: go.Figure) -> go.Figure:
    """A chart as a picture by itself: nothing to press, and no room for it."""
    layout = figure.layout
    if layout.sliders:
        layout.height, layout.margin.b = layout.height - layout.margin.b + AXIS, AXIS
    layout.sliders = layout.updatemenus = ()
    return figure.update_layout(width=WIDTH, height=layout.height or 450)


def written(figure: go.Figure) -> str:
    """A figure without its frames as JSON."""
    return json.dumps(
        {"data": figure.data, "layout": figure.layout}, cls=PlotlyJSONEncoder, sort_keys=True
    )
