"""Charts on a page: a place for one that fills while work goes on, and the settings all charts
share.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any

import plotly.graph_objects as go
import streamlit as st

from dpviz.plots import Chart
from dpviz.plots.kit.drawing import copy_figure
from dpviz.ui.assets import asset
from dpviz.ui.frame import page_parts, presentation

#: Plotly's buttons that no chart needs. A drag zooms, a double click resets, and the page scrolls.
CONFIG = {
    "displaylogo": False,
    "doubleClick": "reset",
    "modeBarButtonsToRemove": ["select2d", "lasso2d", "autoScale2d"],
}

#: Pixels of a page on which small charts go on below one another.
NARROW_WIDTH = 640
#: Pixels of a main chart's height there, so that all of it is in the first view: of most, and of
#: those below the names of their lines.
NARROW_HEIGHT, NAMED_HEIGHT = 336, 304


def show(figure: go.Figure, alt: str, key: str, caption: str = "", name: str = "") -> str:
    """A chart with its caption, under ``key``, which it gives back; as a picture it leaves with its
    citation, from ``page_as_shown``.

    Args:
        name: of the chart in the report, where ``key`` may change from one drawing to the next.
    """
    page = page_parts.current_page()
    page.pictures[name or key] = page_parts.Picture(alt, figure, private=page.private)
    if caption:
        st.markdown(page_parts.with_links(caption))
    meta, large = figure.layout.meta or {}, presentation.enlarged(figure)
    if "panels" in meta:
        _panels(large, key, meta["panels"], alt)
        return key
    narrow_height = meta.get("narrow_height", NAMED_HEIGHT if "named" in meta else NARROW_HEIGHT)
    is_main = (name or key) == page.main_picture and not presentation.on()
    if is_main and (large.layout.height or 0) > narrow_height:
        _boxed(large, key, alt, narrow_height)
    else:
        st.plotly_chart(large, width="stretch", key=key, config=CONFIG, alt=alt)
    if meta.get("named"):
        _names(key)
    return key


def _names(chart: str) -> None:
    """The names of a chart's lines, which a narrow page has below it."""
    part = st.components.v2.component(
        "dpviz.names",
        html='<ul class="dp-names"></ul>',
        css=asset("line_names.css"),
        js=asset("plotly_internals.js") + asset("line_names.js"),
        isolate_styles=False,
    )
    part(key=f"names-{chart}", data={"chart": chart})


def _panels(figure: go.Figure, chart: str, places: dict[str, Any], alt: str) -> None:
    """Small charts, which go on below one another on a narrow page: there they need the height."""
    _boxed(figure, chart, alt, places["narrow"]["height"])
    js = asset("plotly_internals.js") + asset("panels.js")
    part = st.components.v2.component("dpviz.panels", js=js)
    part(key=f"panels-{chart}", data={"chart": chart, "places": places, "narrow": NARROW_WIDTH})


def _boxed(figure: go.Figure, chart: str, alt: str, high: int, **options: Any) -> None:
    """A chart with its own height on a narrow page."""
    box = f"box-{chart}"
    rule = f".st-key-{box} .stPlotlyChart {{ height: {high}px !important }}"
    st.html(f"<style>@media (max-width: {NARROW_WIDTH}px) {{ {rule} }}</style>")
    with st.container(key=box):
        st.plotly_chart(
            figure, key=chart, config=CONFIG, alt=alt, width="stretch", height="stretch", **options
        )


def clickable(figure: go.Figure, alt: str, key: str, clicked: Callable[[], None]) -> None:
    """Draw a main chart whose points or bars can be chosen with a click."""
    # Streamlit lets a drag pan a chart with selections unless it names a mode
    drawn = copy_figure(figure).update_layout(dragmode="zoom")
    options: dict[str, Any] = {"on_select": clicked, "selection_mode": "points"}
    if (drawn.layout.height or 0) > NARROW_HEIGHT and not presentation.on():
        _boxed(drawn, key, alt, NARROW_HEIGHT, **options)
    else:
        st.plotly_chart(drawn, width="stretch", key=key, config=CONFIG, alt=alt, **options)


def plot(chart: Chart, key: str, *settings: Any, caption: str = "") -> str:
    """A chart of ``dpviz.plots``; ``settings``: what its figure takes, such as a budget."""
    return show(chart.figure(*settings), chart.alt(), key, caption)


class Slot:
    """The place of a chart. Until one is drawn, the one of the last run stays there, dimmed."""

    def __init__(self, place: Any, key: str, about: Hashable = None) -> None:
        """place: a container; key: of the chart; about: the data that the chart shows.

        Two drawings of one run need two keys. A run begins with the key that the last one ended
        with, under which the browser keeps the chart as it is where nothing has changed.
        """
        self.place, self._key, self._about = place, key, about
        self._slot: Any = None
        page = page_parts.current_page()
        page.main = page.main or (key if not page.pictures else "")
        self._last = st.session_state.get(f"{key}:drawn", 1)

    def first(self, draw: Callable[[], object]) -> None:
        """Draw an empty chart, unless an older one of the same data is there to look at."""
        is_drawn = st.session_state.get(f"{self._key}:drawn")
        if not is_drawn or st.session_state.get(f"{self._key}:about") != self._about:
            draw()

    def plot(self, chart: Chart, *settings: Any) -> str:
        """Draw a chart of ``dpviz.plots``, as ``plot`` does, or draw it anew."""
        return self.draw(chart.figure(*settings), chart.alt())

    def draw(self, figure: go.Figure, alt: str) -> str:
        """Draw, or draw anew; gives the key of the chart."""
        if self._slot is None:
            self._slot = self.place.empty()
        else:
            self._last += 1
        with self._slot.container():
            key = self._key if self._last < 2 else f"{self._key}--{self._last}"
            show(figure, alt, key, name=self._key)
        st.session_state[f"{self._key}:drawn"] = self._last
        st.session_state[f"{self._key}:about"] = self._about
        return key
