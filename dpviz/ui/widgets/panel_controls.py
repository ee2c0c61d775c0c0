"""Controls of a grid of panels: over what it goes, and which values of that."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import streamlit as st

from dpviz.formatting import numbers
from dpviz.text import grid as text
from dpviz.text.template import render
from dpviz.ui.widgets import budget_control
from dpviz.ui.widgets.choices import choice, requested_value, segments
from dpviz.views import panels
from dpviz.views.page_config import EVEN_STOPS, STOPS, PageConfig
from dpviz.views.panels import NOTHING, GridRequest, Side

KIND, COLUMNS, ROWS, BUDGETS = "as", "across", "down", "g.budgets"
"""Keys, which stand in the link."""


def kind() -> None:
    """The choice between one chart and a grid."""
    segments("Chart", text.KINDS, "one", KIND, label_visibility="collapsed")


def as_grid() -> bool:
    """Whether a grid is chosen."""
    return requested_value(KIND, "one") == "grid"


def budgets(axis: str) -> tuple[float, ...]:
    """Those at which a grid's lines have points; none where no grid is drawn."""
    return (
        (STOPS if requested_value(BUDGETS, "even") == "all" else EVEN_STOPS)[axis]
        if as_grid()
        else ()
    )


def orders(titles: Mapping[str, str]) -> tuple[str, str]:
    """Over what the grid goes from left to right, and from top to bottom, which may be nothing."""
    across = choice(st.selectbox, text.ACROSS, titles, next(iter(titles)), COLUMNS)
    other_titles = {name: title for name, title in titles.items() if name != across}
    other_titles |= {"none": text.NOTHING_ELSE}
    down = choice(st.selectbox, text.DOWN, other_titles, next(iter(other_titles)), ROWS)
    return across, "" if down == "none" else down


def ask(view: PageConfig) -> GridRequest:
    """The grid around a view, from boxes side by side."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        across, down = orders(panels.possible(view))
        with st.popover("Values", icon=":material/tune:"):
            sides = [_side(name, view) for name in (across, down)]
            even = _budgets(view)
    if (box := st.session_state[budget_control.BOX]) != view.budget.value:
        box_text, nearest = numbers([box, view.budget.value])
        st.caption(render(text.NEAREST, box=box_text, now=nearest))
    return GridRequest(replace(view, even=even), *sides)


def _budgets(view: PageConfig) -> bool:
    """Whether each panel has few budgets, at even distances."""
    even_count, all_count = (len(stops[view.budget.axis]) for stops in (EVEN_STOPS, STOPS))
    titles = {"even": f"{even_count}, evenly spaced", "all": f"all {all_count}"}
    return segments("Budgets", titles, "even", BUDGETS, help=text.BUDGETS_HELP) == "even"


def _side(name: str, view: PageConfig) -> Side:
    if not name:
        return NOTHING
    values, begins = panels.values(name, view), panels.first(name, view)
    titles = {key: panels.value_text(name, value) for key, value in values.items()}
    label = panels.ORDERS[name].capitalize()
    chosen = choice(st.multiselect, label, titles, begins, f"g.{name}", help=text.VALUES_HELP)
    return Side(name, tuple(values[key] for key in values if key in (chosen or begins)))
