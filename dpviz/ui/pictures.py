"""Charts as PNG and SVG files, made in the browser; each says at its foot what it shows: data, method, guarantee, version."""

from __future__ import annotations

import json
import textwrap
from pathlib import Path

import plotly.graph_objects as go
import streamlit as st
from plotly.utils import PlotlyJSONEncoder

from dpviz import store
from dpviz.plots.style import at
from dpviz.ui import settings
from dpviz.ui.record import Drawn

SCRIPT = Path(__file__).with_suffix(".js").read_text()
LOOK = """ul { list-style: none; margin: 0; padding: 0; font-size: .875rem; color: inherit; }
li { display: flex; gap: .5rem; align-items: center; padding: .2rem 0; } span { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
button { font: inherit; color: inherit; padding: .15rem .6rem; border-radius: .4rem; cursor: pointer; background: transparent; border: 1px solid rgba(128,136,150,.5); }"""
WIDTH, LETTERS = 900, 140
"""Pixels of a picture, and signs of a line at its foot."""
LINE, AXIS = 14, 62
"""Pixels of a line at the foot, and of ticks and title above it."""


def buttons(drawn: Drawn) -> None:
    """Two buttons a chart; nothing where the page drew none."""
    charts = [{"name": key, "words": one.words, "spec": written(cited(stilled(one.figure, drawn.frame), about(drawn)))} for key, one in drawn.pictures.items() if one.figure]
    if charts:
        st.components.v2.component("dpviz.pictures", html="<ul></ul>", css=LOOK, js=SCRIPT)(key="pictures-files", data={"charts": charts})


def about(drawn: Drawn) -> str:
    """Data, method, guarantee and version, for the foot of each figure."""
    view, parts = drawn.view, []
    if view:
        words = settings.words(view)
        parts = [words["data"][1], f"encoder: {words['encoder'][1]}", f"IR {words['ir'][1]}", words["methods"][1]]
    if drawn.promises and view:
        neighbours = sorted({promise.adjacency for promise in drawn.promises.values()})
        parts.append(f"{at(view.axis, view.budget, view.delta)}, {' / '.join(neighbours)}")
    parts += ["private views are not covered by the guarantee"] if drawn.private else []
    versions = store.versions()
    return " · ".join([*parts, f"dpviz {versions['dpviz']}, code {versions['code']}"])


def stilled(figure: go.Figure, name: str) -> go.Figure:
    """A copy, on white, that stands at the frame of this name: a chart on a page may have been drawn at another and moved since."""
    shown = go.Figure(figure)
    for place, frame in enumerate(shown.frames):
        if frame.name == name:
            for index, trace in zip(frame.traces or range(len(frame.data)), frame.data, strict=True):
                shown.data[index].update(trace.to_plotly_json())
            for slider in shown.layout.sliders:
                slider.active = place
    return shown.update_layout(template="plotly_white", width=None)


def cited(figure: go.Figure, words: str) -> go.Figure:
    """A chart as a picture by itself: nothing to press, and ``words`` below it."""
    lines = textwrap.wrap(words, LETTERS)
    height, margin = figure.layout.height or 450, figure.layout.margin
    foot = max(AXIS, 0 if figure.layout.sliders else margin.b or 0)
    grown = foot + LINE * len(lines) + 8
    figure.layout.sliders = figure.layout.updatemenus = ()
    figure.update_layout(width=WIDTH, height=height - (margin.b or 80) + grown, margin_b=grown)
    place = {"xref": "paper", "yref": "paper", "x": 0, "y": 0, "xanchor": "left", "yanchor": "bottom", "yshift": 4 - grown}
    return figure.add_annotation(text="<br>".join(lines), showarrow=False, align="left", font={"size": 10, "color": "#5b6270"}, **place)


def written(figure: go.Figure) -> str:
    """A figure without its frames as JSON."""
    return json.dumps({"data": figure.data, "layout": figure.layout}, cls=PlotlyJSONEncoder, sort_keys=True)
