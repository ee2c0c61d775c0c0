"""Your own answer: randomised response, from one person's coin to what a crowd still tells."""

import streamlit as st

from dpviz.plots import crowd_estimate
from dpviz.ui.frame import page_parts
from dpviz.ui.widgets import charts, export
from dpviz.ui.your_answer import answer
from dpviz.views import your_answer_page

KEY = "your-answer"
asked = answer.sidebar()

place = page_parts.question("How can you answer and still keep your answer to yourself?")
found = your_answer_page.estimate(asked)
page_parts.answer(
    place, your_answer_page.precise(asked, found), your_answer_page.plain(asked, found)
)
with st.container(key="own-answer"):
    answer.coin(asked)
chart = answer.crowd(asked)
with page_parts.picture():
    charts.plot(crowd_estimate, chart, f"{KEY}-crowd")
st.caption(answer.caption(asked))
answer.cards_row(asked, found)
with st.expander("The formulas, and what is made up", key="formulas"):
    st.markdown(your_answer_page.ANATOMY)
code = answer.snippet(asked)
if fold := export.fold("code"):
    with fold:
        export.table(crowd_estimate.table(chart), f"{KEY}-crowd", "The chart")
        export.code_block(code, "python")
page_parts.current_page().reproduction = code
