"""Trade-off: accuracy against budget, for all methods at once."""

import streamlit as st

from dpviz.ui.frame import about_numbers, page_parts
from dpviz.ui.trade_off import controls, grid, one_chart
from dpviz.ui.widgets import panel_controls, shared_controls

view = controls.sidebar()

sentence = page_parts.question("What does privacy cost, and who pays?")
refused, said = sentence.container(), page_parts.OneAnswer(sentence)
status = st.empty()
metric = shared_controls.metric(view, beside=panel_controls.kind)
if panel_controls.as_grid():
    asked = panel_controls.ask(view)
    grid.below(asked, *grid.show(asked, metric, said, page_parts.picture(), status))
else:
    drawn = one_chart.show(view, metric, said, refused, page_parts.picture(), status)
    one_chart.below(view, metric, *drawn)
about_numbers.fold(view)
