"""Your own answer: randomized response, from one person's coin to the estimate for a crowd."""

import streamlit as st

from dpviz.text import your_answer as text
from dpviz.ui.frame import page_parts
from dpviz.ui.widgets import cards, charts, choices, export
from dpviz.ui.your_answer import answer
from dpviz.views import your_answer_page

KEY = "your-answer"
request = answer.sidebar()

place = page_parts.question(text.TITLE)
estimate = your_answer_page.estimate(request)
page_parts.answer(
    place, *(your_answer_page.answer(request, estimate, precise) for precise in (True, False))
)
with st.container(key="own-answer"):
    answer.coin(request)
page_parts.tiles(your_answer_page.tiles(request, estimate))
chart = answer.crowd(request)
with page_parts.picture():
    page_parts.chart_title(your_answer_page.finding(request, estimate))
    charts.plot(chart, f"{KEY}-crowd")
    st.caption(your_answer_page.caption(request))

code = answer.snippet(request)
match choices.tabs(text.TABS, old={"formulas": "formulas", "table": "table"}):
    case "guarantee":
        st.html(cards.definition(your_answer_page.guarantee_rows(request, estimate)))
    case "repeat":
        with st.container(key="again"):
            rows = your_answer_page.repeat_rows(request)
            export.table(rows, f"{KEY}-repeat", text.TABS["repeat"])
        st.caption(text.REPEAT_NOTE)
    case "formulas":
        st.markdown(text.FORMULAS)
    case "table":
        export.table(chart.table(), f"{KEY}-crowd", text.TABLE)
        export.code_block(code, "python")
        page_parts.draw_glossary_line()
page_parts.current_page().reproduction = code
