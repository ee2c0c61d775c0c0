"""Sweeps: many runs from one form or TOML file, their progress and results."""

import streamlit as st

from dpviz.text import sweeps as text
from dpviz.ui.frame import page_parts
from dpviz.ui.live import session_cost
from dpviz.ui.sweeps import answer, controls, sections
from dpviz.ui.widgets import shared_controls

KEY = "sweeps"

sweeps = sections.visible_sweeps()
place = page_parts.question(text.TITLE if sweeps else text.EMPTY_TITLE)
if not sweeps:
    sections.first_sweep()
    page_parts.answer(place, *answer.without_sweep("sweep" in st.query_params))
    page_parts.end()

status = controls.pick(sweeps)
tiles = st.empty()
sections.progress(status)
opened = answer.opened(status)
if not opened.results:
    answer.draw_empty(status, place)
    sections.draw_empty(sweeps, status)
    page_parts.end()

session_cost.count(result.spec for result in opened.results)
with st.container(horizontal=True, vertical_alignment="bottom", key="chart-head"):
    finding = st.empty()
    metric = shared_controls.metric()
chart = answer.show(KEY, status, opened, metric, answer.Places(place, tiles, finding))
page_parts.current_page().view = chart.lines.view
page_parts.current_page().reproduction = f"# {KEY}.toml for: {sections.command(KEY)}\n{status.text}"
sections.draw(chart, sweeps, KEY)
