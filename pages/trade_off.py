"""Trade-off: accuracy against budget, for all methods at once."""

from dataclasses import replace

import streamlit as st

from dpviz.text import trade_off as text
from dpviz.ui.frame import about_numbers, page_parts
from dpviz.ui.trade_off import grid, one_chart, sections
from dpviz.ui.widgets import (
    budget_control,
    panel_controls,
    shared_controls,
    side_bar,
    tuned_control,
)
from dpviz.views.page_config import PageConfig


def sidebar() -> PageConfig:
    """Draw the controls that every page has, with several methods, and return the view."""
    places = []

    def methods() -> shared_controls.Fields:
        places.append(st.container())
        with side_bar.extra():
            places.append(st.container())
        chosen = shared_controls.choose_methods(shared_controls.FIRST_METHODS)
        return chosen | shared_controls.noise_seeds(refined=True) | shared_controls.data_draws()

    tuned_control.set_pending_values()
    view = shared_controls.sidebar_of(PageConfig, methods, only=panel_controls.budgets)
    with places[0]:
        view = shared_controls.without_unusable(view)
    with places[1]:
        tuned_control.show(view, view.methods, view.budget)
    return replace(view, methods=shared_controls.with_reference(view, view.methods))


view = sidebar()
place = page_parts.question(text.TITLE)
refusals = place.empty()
answer = page_parts.OneAnswer(place, (view.dataset, view.encoder, view.public))
tiles, status = st.empty(), st.empty()
page_parts.await_tiles(tiles)
tuned_control.tune_if_requested(view, view.budget, status)
with st.container(horizontal=True, vertical_alignment="bottom", key="chart-head"):
    finding = st.empty()
    metric = shared_controls.metric(beside=budget_control.chart_axis, above=True)
    with st.container(width="content"):
        panel_controls.kind()
if panel_controls.as_grid():
    panels = panel_controls.ask(view)
    grid.draw_details(panels, *grid.show(panels, metric, answer, status))
    about_numbers.fold(view)
else:
    places = one_chart.Places(answer, tiles, finding, refusals, status)
    page_parts.current_page().view = view
    chart = one_chart.show(view, metric, places)
    with st.container(key=page_parts.DETAILS):
        sections.draw_details(chart)
