"""Audit: a privacy bug, its effect on accuracy, and the audit that detects it."""

import streamlit as st

from dpviz.text import break_it as text
from dpviz.ui.break_it import answer, controls, sections
from dpviz.ui.frame import page_parts

view = controls.sidebar()
place = page_parts.OneAnswer(page_parts.question(text.TITLE))
noticed = controls.toolbar(view)
with st.container(key="card-noticed"):
    places = answer.Places(place, st.empty())
outcome = answer.outcome(view, places)
audit = None
if view.wrong and not noticed:
    answer.ask(view, outcome, places)
else:
    audit = answer.audit(view, outcome, places)
sections.draw(view, outcome, audit)
