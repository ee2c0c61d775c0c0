"""What the page "Maps" answers: the runs of its cells, and the way to one of them."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from dpviz.plots import setting_map
from dpviz.plots.setting_map import Cell, SettingMap
from dpviz.run.jobs import Job
from dpviz.stats import accuracy
from dpviz.types import Result
from dpviz.ui.frame import link_notes, page_parts
from dpviz.ui.maps.controls import CHOSEN, KEY
from dpviz.ui.trade_off.controls import METHODS
from dpviz.ui.widgets import charts
from dpviz.views.link import written
from dpviz.views.setting_maps import Asked, link_values

TARGET = "pages/trade_off.py"


def results(job: Job) -> list[Result]:
    """What is there so far."""
    return [result for group in job.groups for result in job.there(group)]


def chart(job: Job, asked: Asked, metric: str) -> SettingMap:
    """What is there of the map."""
    rows, columns = asked.axes
    points = {cell: accuracy(runs, metric) for cell, runs in asked.by_cell(results(job)).items()}
    refused = {i: job.errors.get(group, "") for i, group in asked.groups.items()}
    cells = [(i, j) for i in range(len(rows.values)) for j in range(len(columns.values))]
    reasons = {cell: asked.reason(cell) or refused.get(cell[0], "") for cell in cells}
    some = {cell: why for cell, why in reasons.items() if why}
    return setting_map.info(rows.side, columns.side, metric, points, some, asked.cell)


def draw(shown: SettingMap, place: st.delta_generator.DeltaGenerator, key: str) -> None:
    """The map; a click on a cell is kept for ``follow``."""
    figure, alt = setting_map.figure(shown), setting_map.alt(shown)
    page_parts.now().pictures[KEY] = page_parts.Picture(alt, figure)
    with place.container():
        charts.clickable(figure, alt, key, _clicked(shown, key))


def _clicked(shown: SettingMap, key: str) -> Callable[[], None]:
    def keep() -> None:
        points = st.session_state[key]["selection"]["points"]
        if (cell := setting_map.pick(points, shown)) is not None:
            st.session_state[CHOSEN] = cell

    return keep


def follow(asked: Asked) -> None:
    """Lead to the cell that was clicked, if one was."""
    cell = st.session_state.pop(CHOSEN, None)
    if cell is not None and not asked.reason(cell):
        go(asked, cell)


def go(asked: Asked, cell: Cell) -> None:
    """Open the page Trade-off with the settings of a cell."""
    values = link_values(asked, cell, link_notes.controls())
    methods = [*METHODS, *([asked.method] if asked.method not in METHODS else [])]
    words = written(values | {"m": methods}, page_parts.now().choices | {"m"})
    for key in words:
        st.session_state.pop(key, None)
    st.switch_page(TARGET, query_params=words)
