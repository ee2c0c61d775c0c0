"""What the page "Maps" answers: the runs of its cells, and the way to one of them."""

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
from dpviz.ui.maps.controls import KEY
from dpviz.ui.trade_off.controls import METHODS as FIRST
from dpviz.ui.widgets import charts
from dpviz.views import link
from dpviz.views.setting_maps import MapRequest, controls_at

CHOSEN = f"{KEY}:chosen"
"""The cell that was clicked, until the page has led there."""
OWN = {"map", "mapped", "maprow", "mapcol"}
"""Controls that the page Trade-off lacks."""


def results(job: Job) -> list[Result]:
    """What is there so far."""
    return [result for group in job.groups for result in job.results_of(group)]


def chart(job: Job, asked: MapRequest, metric: str) -> SettingMap:
    """What is there of the map."""
    rows, columns = asked.axes
    points = {cell: accuracy(runs, metric) for cell, runs in asked.by_cell(results(job)).items()}
    refused = {i: job.errors.get(group, "") for i, group in asked.groups.items()}
    cells = [(i, j) for i in range(len(rows.values)) for j in range(len(columns.values))]
    reasons = {cell: asked.reason(cell) or refused.get(cell[0], "") for cell in cells}
    some = {cell: why for cell, why in reasons.items() if why}
    here, fact = asked.cell, asked.kind == "ir"
    return SettingMap.from_points(rows.side, columns.side, metric, points, some, here, fact)


def draw(
    shown: SettingMap, asked: MapRequest, place: st.delta_generator.DeltaGenerator, key: str
) -> None:
    """The map; a click on a cell leads to it."""
    figure, alt = shown.figure(), shown.alt()
    page_parts.current_page().pictures[KEY] = page_parts.Picture(alt, figure)
    with place.container():
        charts.clickable(figure, alt, key, _clicked(shown, asked, key))


def _clicked(shown: SettingMap, asked: MapRequest, key: str) -> Callable[[], None]:
    def keep() -> None:
        points = st.session_state[key]["selection"]["points"]
        cell = selected_cell(points, shown)
        if cell is not None and not asked.reason(cell):
            st.session_state[CHOSEN] = cell

    return keep


def address(asked: MapRequest, cell: Cell) -> str:
    """The page Trade-off with the settings of a cell, once all controls of this run are drawn."""
    methods = [key for key in METHODS if key in (*FIRST, asked.method)]
    kept = {key: v for key, v in link_notes.controls().items() if key not in OWN}
    values = kept | controls_at(asked, cell) | {"m": methods}
    return link.address("trade-off", values, page_parts.current_page().choices | {"m"})


def ways(asked: MapRequest, cell: Cell) -> None:
    """A link to a cell, and the way to the one that was clicked."""
    if why := asked.reason(cell):
        st.caption(f"Nothing to open: {why}.")
    else:
        name = " and ".join(
            f"{axis.title} {axis.side.labels[at]}"
            for axis, at in zip(asked.axes, cell, strict=True)
        )
        st.html(
            f'<a class="dp-button dp-inline" href="{plain(address(asked, cell))}" target="_self">'
            f"Open {plain(name)} in Trade-off</a>"
        )
    clicked = st.session_state.pop(CHOSEN, None)
    if clicked is not None:
        part = st.components.v2.component("dpviz.go", js=asset("go_to.js"))
        part(key="hand-go", data={"address": address(asked, clicked)})
