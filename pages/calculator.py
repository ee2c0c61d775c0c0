"""Calculator: the guarantee of stated parameters, without data."""

import streamlit as st

from dpviz.privacy import calculator
from dpviz.text import calculator as text
from dpviz.ui.calculator import controls, sections
from dpviz.ui.frame import detail_level, page_parts
from dpviz.ui.widgets import charts, choices
from dpviz.views import calculator_page

request = controls.sidebar()
place = page_parts.question(text.TITLE)
account = calculator.calculate(request.mechanism, request.delta, request.prior, request.images)
page_parts.answer(place, *(calculator_page.answer(account, precise) for precise in (True, False)))
if request.note:
    st.caption(request.note)
page_parts.tiles(calculator_page.tiles(account, detail_level.precise()))
guesses = calculator.best_guesses(account, calculator_page.PRIORS)
chart = sections.guess_chart(account, guesses)
with page_parts.picture():
    page_parts.chart_title(calculator_page.finding(guesses))
    charts.plot(chart, f"{sections.KEY}-guess")
    st.caption(text.CAPTION.fill(detail_level.precise()))
page_parts.current_page().reproduction = calculator_page.code(account)
sections.draw(choices.tabs(text.TABS), account, chart)
