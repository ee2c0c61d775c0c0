"""Controls of the page "Maps": which map, of which method, and a cell of it."""

from __future__ import annotations

import streamlit as st

from dpviz.plots.setting_maps import Cell, SettingMap
from dpviz.ui.widgets import shared_controls
from dpviz.ui.widgets.choices import choice, segments
from dpviz.views.page_config import PageConfig
from dpviz.views.setting_maps import MAPS, MapRequest, fitting

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
    for side, key, at in ((chart.rows, "maprow", start[0]), (chart.columns, "mapcol", start[1])):
        titles = {label: label for label in side.labels}
        first = side.labels[at]
        picked.append(side.labels.index(choice(st.selectbox, side.title, titles, first, key)))
    return picked[0], picked[1]
