"""Controls and answer of the page "Maps"."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from dpviz.formatting import plain
from dpviz.methods import METHODS
from dpviz.plots.setting_maps import Cell, SettingMap, selected_cell
from dpviz.run.jobs import Job
from dpviz.stats import accuracy
from dpviz.types import Result
from dpviz.ui.assets import asset
from dpviz.ui.frame import link_notes, page_parts
from dpviz.ui.widgets import charts, shared_controls
from dpviz.ui.widgets.choices import choice, segments
from dpviz.views import page_links
from dpviz.views.maps_page import MAPS, MapRequest, controls_at, fitting
from dpviz.views.page_config import PageConfig

KEY = "maps"


def ask() -> MapRequest:
    """The choice of a map, and all controls beside it."""
    titles = {key: kind.title for key, kind in MAPS.items()}
    kind = segments("Map", titles, "window", "map", label_visibility="collapsed")

    def method() -> shared_controls.Fields:
        key = choice(st.selectbox, "Method", fitting(kind), MAPS[kind].first, "mapped")
        changed = shared_controls.settings(key)
        params = ((key, changed),) if changed else ()
        return {"methods": (key,), "params": params} | shared_controls.noise_seeds()

    return MapRequest(kind, shared_controls.sidebar_of(PageConfig, method))


def cell(chart: SettingMap) -> Cell:
    """A row and a column from boxes, for those who do not click."""
    start = chart.current or (0, 0)
    picked = []
    for side, key, place in ((chart.rows, "maprow", start[0]), (chart.columns, "mapcol", start[1])):
        titles = {label: label for label in side.labels}
        first = side.labels[place]
        picked.append(side.labels.index(choice(st.selectbox, side.title, titles, first, key)))
    return picked[0], picked[1]


CHOSEN_KEY = f"{KEY}:chosen"
"""The cell that was clicked, until the page has led there."""
OWN_CONTROLS = {"map", "mapped", "maprow", "mapcol"}
"""Controls that the page Trade-off lacks."""


def results(job: Job) -> list[Result]:
    """What is there so far."""
    return [result for group in job.groups for result in job.results_of(group)]


def chart(job: Job, request: MapRequest, metric: str) -> SettingMap:
    """What is there of the map."""
    rows, columns = request.axes
    points = {cell: accuracy(runs, metric) for cell, runs in request.by_cell(results(job)).items()}
    refused = {i: job.errors.get(group, "") for i, group in request.groups.items()}
    cells = [(i, j) for i in range(len(rows.values)) for j in range(len(columns.values))]
    reasons = {cell: request.reason(cell) or refused.get(cell[0], "") for cell in cells}
    reasons_known = {cell: why for cell, why in reasons.items() if why}
    here, fact = request.cell, request.kind == "ir"
    return SettingMap.from_points(
        rows.side, columns.side, metric, points, reasons_known, here, fact
    )


def draw(
    shown: SettingMap, request: MapRequest, place: st.delta_generator.DeltaGenerator, key: str
) -> None:
    """The map; a click on a cell leads to it."""
    figure, alt = shown.figure(), shown.alt()
    page_parts.current_page().pictures[KEY] = page_parts.Picture(alt, figure)
    with place.container():
        charts.clickable(figure, alt, key, _clicked(shown, request, key))


def _clicked(shown: SettingMap, request: MapRequest, key: str) -> Callable[[], None]:
    def keep() -> None:
        points = st.session_state[key]["selection"]["points"]
        cell = selected_cell(points, shown)
        if cell is not None and not request.reason(cell):
            st.session_state[CHOSEN_KEY] = cell

    return keep


def address(request: MapRequest, cell: Cell) -> str:
    """The page Trade-off with the settings of a cell, once all controls of this run are drawn."""
    methods = [key for key in METHODS if key in (*shared_controls.FIRST_METHODS, request.method)]
    kept = {key: v for key, v in link_notes.controls().items() if key not in OWN_CONTROLS}
    values = kept | controls_at(request, cell) | {"m": methods}
    return page_links.address("trade-off", values, page_parts.current_page().choices | {"m"})


def cell_links(request: MapRequest, cell: Cell) -> None:
    """A link to a cell, and the way to the one that was clicked."""
    if reason := request.reason(cell):
        st.caption(f"Nothing to open: {reason}.")
    else:
        name = " and ".join(
            f"{axis.title} {axis.side.labels[place]}"
            for axis, place in zip(request.axes, cell, strict=True)
        )
        st.html(
            f'<a class="dp-button dp-inline" href="{plain(address(request, cell))}" target="_self">'
            f"Open {plain(name)} in Trade-off</a>"
        )
    clicked = st.session_state.pop(CHOSEN_KEY, None)
    if clicked is not None:
        part = st.components.v2.component("dpviz.go", js=asset("go_to.js"))
        part(key="hand-go", data={"address": address(request, clicked)})
