"""Trade-off: accuracy against budget, for all methods at once."""

import streamlit as st

from dpviz.ui.frame import about_numbers, page_parts
from dpviz.ui.live import refining
from dpviz.ui.trade_off import controls, grid, one_chart
from dpviz.ui.widgets import panel_controls, shared_controls, tuned_control

view = controls.sidebar()

sentence = page_parts.question("What does privacy cost, and who pays?")
refused, said = (
    sentence.empty(),
    page_parts.OneAnswer(sentence, (view.dataset, view.encoder, view.public)),
)
status = st.empty()
tuned_control.tune_if_requested(view, view.budget, status)
metric = shared_controls.metric(view, beside=panel_controls.kind)
if panel_controls.as_grid():
    panels = panel_controls.ask(view)
    grid.draw_details(panels, *grid.show(panels, metric, said, page_parts.picture(), status))
else:
    asked, view = view, refining.refined_view(view)
    drawn = one_chart.show(asked, view, metric, said, refused, page_parts.picture(), status)
    one_chart.draw_details(asked, view, metric, *drawn)
about_numbers.fold(view)
