"""Charts as files: each stands where the page does, with nothing to press, and says at its foot
what it shows: data, method, guarantee, version.
"""

from __future__ import annotations

import json
import textwrap
from typing import Any

import plotly.graph_objects as go
from plotly.utils import PlotlyJSONEncoder

from dpviz.formatting import budget_text, subset
from dpviz.plots.kit.drawing import copy_figure, white_template
from dpviz.run import store
from dpviz.views import settings_in_words
from dpviz.views.page_as_shown import ShownPage

WIDTH, LETTERS = 900, 150
"""Pixels of a picture, and signs of a line at its foot."""


def charts(page: ShownPage) -> list[dict[str, Any]]:
    """All charts of a page: name, what each shows, the figure, and the lines at its foot."""
    lines = textwrap.wrap(about(page), LETTERS)
    return [
        {
            "name": key,
            "words": picture.words,
            "spec": figure_json(bare(stilled(picture.figure, page.frame))),
            "lines": lines,
        }
        for key, picture in page.pictures.items()
        if picture.figure
    ]


def about(page: ShownPage) -> str:
    """Data, method, guarantee and version, for the foot of each figure."""
    private = ["private views are not covered by the guarantee"] if page.private else []
    versions = store.versions()
    return " · ".join(
        [*settings(page), *private, f"dpviz {versions['dpviz']}, code {versions['code']}"]
    )


def settings(page: ShownPage) -> list[str]:
    """Data, method and guarantee."""
    view, parts = page.view, []
    if view:
        words = settings_in_words.words(view)
        parts = [
            words["dataset"][1],
            f"encoder: {words['encoder'][1]}",
            subset(view),
            words["methods"][1],
        ]
    if page.promises and view:
        neighbours = sorted({promise.adjacency for promise in page.promises.values()})
        parts.append(f"{budget_text(view.budget)}, {' / '.join(neighbours)}")
    return parts


def stilled(figure: go.Figure, name: str) -> go.Figure:
    """A copy, on white, that stands at the frame of this name: a chart on a page may have been
    drawn at another and moved since.
    """
    shown = copy_figure(figure)
    for frame in shown.frames:
        if frame.name == name:
            for index, trace in zip(
                frame.traces or range(len(frame.data)), frame.data, strict=True
            ):
                shown.data[index].update(trace.to_plotly_json())
    shown.frames = ()
    return shown.update_layout(template=white_template(), width=None)


def bare(figure: go.Figure) -> go.Figure:
    """A chart as a picture by itself, with room for names in wider letters."""
    if (figure.layout.meta or {}).get("named"):
        figure.layout.margin.r = round(1.2 * (figure.layout.margin.r or 0))
    return figure.update_layout(width=WIDTH, height=figure.layout.height or 450)


def figure_json(figure: go.Figure) -> str:
    """A figure as JSON."""
    return json.dumps(
        {"data": figure.data, "layout": figure.layout}, cls=PlotlyJSONEncoder, sort_keys=True
    )
