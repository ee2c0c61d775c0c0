"""Calculator: the guarantee of stated parameters, without data."""

import streamlit as st

from dpviz.privacy import calculator
from dpviz.text import calculator as text
from dpviz.ui.calculator import controls, sections
from dpviz.ui.frame import detail_level, page_parts
from dpviz.views import calculator_page

request = controls.sidebar()
place = page_parts.question(text.TITLE)
account = calculator.calculate(request.mechanism, request.delta, request.prior, request.images)
page_parts.answer(place, *(calculator_page.answer(account, precise) for precise in (True, False)))
if request.note:
    st.caption(request.note)
page_parts.tiles(calculator_page.tiles(account, detail_level.precise()))
chart = sections.draw_chart(account)
page_parts.current_page().reproduction = calculator_page.code(account)
sections.draw(sections.open_part(chart), account, chart)
