"""Trade-off: accuracy against budget, for all methods at once."""

from dataclasses import replace

import streamlit as st

from dpviz.ui.frame import about_numbers, page_parts
from dpviz.ui.trade_off import grid, one_chart, sections
from dpviz.ui.widgets import panel_controls, shared_controls, tuned_control
from dpviz.views.page_config import PageConfig


def sidebar() -> PageConfig:
    """Draw the controls that every page has, with several methods, and return the view."""
    places = []

    def methods() -> shared_controls.Fields:
        places.append(st.container())
        chosen = shared_controls.choose_methods(shared_controls.FIRST_METHODS)
        return chosen | shared_controls.noise_seeds(refined=True) | shared_controls.data_draws()

    tuned_control.set_pending_values()
    view = shared_controls.sidebar_of(PageConfig, methods, only=panel_controls.budgets)
    with places[0]:
        tuned_control.show(view, view.methods, view.budget)
    return replace(view, methods=shared_controls.with_reference(view, view.methods))


view = sidebar()
question = page_parts.question("What does privacy cost, and who pays?")
refusals = question.empty()
answer = page_parts.OneAnswer(question, (view.dataset, view.encoder, view.public))
status = st.empty()
tuned_control.tune_if_requested(view, view.budget, status)
metric = shared_controls.metric(view, beside=panel_controls.kind)
if panel_controls.as_grid():
    panels = panel_controls.ask(view)
    grid.draw_details(panels, *grid.show(panels, metric, answer, status))
else:
    sections.draw_details(one_chart.show(view, metric, answer, refusals, status))
about_numbers.fold(view)
