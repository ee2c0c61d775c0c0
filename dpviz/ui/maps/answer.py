"""Controls, chart and tabs of the Maps page."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from dpviz.experiments.jobs import Job
from dpviz.formatting import plain
from dpviz.methods import METHODS
from dpviz.plots.setting_maps import Cell, SettingMap, selected_cell
from dpviz.stats import accuracy
from dpviz.text import maps as text
from dpviz.text.template import render, render_text
from dpviz.types import Result
from dpviz.ui.assets import asset
from dpviz.ui.frame import about_numbers, detail_level, link_notes, page_parts
from dpviz.ui.widgets import charts, export, shared_controls
from dpviz.ui.widgets.choices import choice, segments, tabs
from dpviz.views import maps_page, page_links
from dpviz.views.maps_page import MAPS, MapRequest, controls_at, fitting
from dpviz.views.page_config import PageConfig

KEY = "maps"


def ask() -> MapRequest:
    """Draw the choice of a map and all controls, and return what they request."""
    titles = {key: kind.title for key, kind in MAPS.items()}
    kind = segments(text.KIND, titles, "window", "map", label_visibility="collapsed")

    def method() -> shared_controls.Fields:
        key = choice(st.selectbox, text.METHOD, fitting(kind), MAPS[kind].first, "mapped")
        changed = shared_controls.settings(key)
        params = ((key, changed),) if changed else ()
        return {"methods": (key,), "params": params} | shared_controls.noise_seeds()

    return MapRequest(kind, shared_controls.sidebar_of(PageConfig, method))


#: Session key of the clicked cell, until the page has led there.
CHOSEN_KEY = f"{KEY}:chosen"
#: Controls that the Trade-off page lacks.
OWN_CONTROLS = {"map", "mapped", "maprow", "mapcol", "tab"}


def results(job: Job) -> list[Result]:
    """Return the results so far."""
    return [result for group in job.groups for result in job.results_of(group)]


def chart_of(job: Job, request: MapRequest, metric: str) -> SettingMap:
    """Return the map of the results so far."""
    rows, columns = request.axes
    points = {cell: accuracy(runs, metric) for cell, runs in request.by_cell(results(job)).items()}
    refused = {i: job.errors.get(group, "") for i, group in request.groups.items()}
    cells = [(i, j) for i in range(len(rows.values)) for j in range(len(columns.values))]
    reasons = {cell: request.reason(cell) or refused.get(cell[0], "") for cell in cells}
    reasons_known = {cell: why for cell, why in reasons.items() if why}
    here, fact, level = request.cell, request.kind == "ir", detail_level.precise()
    sides = rows.side(level), columns.side(level)
    return SettingMap.from_points(sides[0], sides[1], metric, points, reasons_known, here, fact)


def draw(
    shown: SettingMap, request: MapRequest, place: st.delta_generator.DeltaGenerator, key: str
) -> None:
    """Draw the map; a click on a cell opens it in Trade-off."""
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
    """Return Trade-off's address with the settings of a cell, once all controls are drawn."""
    methods = [key for key in METHODS if key in (*shared_controls.FIRST_METHODS, request.method)]
    kept = {key: v for key, v in link_notes.controls().items() if key not in OWN_CONTROLS}
    values = kept | controls_at(request, cell) | {"m": methods}
    return page_links.address("trade-off", values, page_parts.current_page().choices | {"m"})


def open_cell(shown: SettingMap, request: MapRequest) -> None:
    """Draw boxes that choose a cell, and the link to it."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        cell = _cell(shown)
    if reason := request.reason(cell):
        st.caption(render(text.NOTHING_TO_OPEN, reason=reason))
        return
    rows, columns = request.axes
    words = render_text(
        text.OPEN,
        rows=rows.title,
        row=shown.rows.labels[cell[0]],
        columns=columns.title,
        column=shown.columns.labels[cell[1]],
    )
    link = plain(address(request, cell))
    st.html(f'<a class="dp-button dp-inline" href="{link}" target="_self">{plain(words)}</a>')


def _cell(shown: SettingMap) -> Cell:
    """Return a row and a column from boxes."""
    start = shown.current or (0, 0)
    picked = []
    for side, key, place in ((shown.rows, "maprow", start[0]), (shown.columns, "mapcol", start[1])):
        titles = {label: label for label in side.labels}
        first = side.labels[place]
        title = side.axis_title or side.title
        picked.append(side.labels.index(choice(st.selectbox, title, titles, first, key)))
    return picked[0], picked[1]


def go_to_clicked(request: MapRequest) -> None:
    """Lead to the cell that was clicked, if one was."""
    clicked = st.session_state.pop(CHOSEN_KEY, None)
    if clicked is not None:
        part = st.components.v2.component("dpviz.go", js=asset("go_to.js"))
        part(key="hand-go", data={"address": address(request, clicked)})


def draw_tabs(shown: SettingMap, request: MapRequest, found: list[Result]) -> None:
    """Draw the tabs and the open one."""
    origin = page_parts.origin(found)
    match tabs(text.TABS, old={"table": "table"}):
        case "open":
            open_cell(shown, request)
        case "choice":
            notes = maps_page.notes(shown, request, request.view.seeds)
            st.markdown("\n".join(f"- {note}" for note in notes))
        case "about":
            st.caption(origin)
            about_numbers.draw(request.view)
        case "table":
            export.table(shown.table(), KEY, text.TABLE_TITLE)
            export.block(request.view, found, request.view.at_now(found), KEY)
    go_to_clicked(request)
