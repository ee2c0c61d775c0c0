"""Your own answer: randomised response, from one person's coin to what a crowd still tells."""

import streamlit as st

from dpviz.ui.frame import page_parts
from dpviz.ui.widgets import charts, export
from dpviz.ui.your_answer import answer, controls
from dpviz.views import own_answer

KEY = "your-answer"
request = controls.sidebar()

place = page_parts.question("How can you answer and still keep your answer to yourself?")
estimate = own_answer.estimate(request)
page_parts.answer(place, own_answer.precise(request, estimate), own_answer.plain(request, estimate))
with st.container(key="own-answer"):
    answer.coin(request)
chart = answer.crowd(request)
with page_parts.picture():
    charts.plot(chart, f"{KEY}-crowd")
st.caption(answer.caption(request))
answer.cards_row(request, estimate)
with st.expander("The formulas, and what is made up", key="formulas"):
    st.markdown(own_answer.ANATOMY)
code = answer.snippet(request)
if fold := export.fold("code"):
    with fold:
        export.table(chart.table(), f"{KEY}-crowd", "The chart")
        export.code_block(code, "python")
page_parts.current_page().again = code
