"""Data: which pictures there are, where each set stands, and what is embedded."""

import streamlit as st

from dpviz.ui.data import answer, controls, sections
from dpviz.ui.frame import detail_level, page_parts
from dpviz.views import data_page

request = controls.sidebar()

place = page_parts.question("Which pictures are there, and which are ready?")
status = st.empty()
row = answer.source(request.dataset)
if row is None:
    page_parts.end()

held = answer.contents(request.dataset, status) if row.is_on_disk() else None
embedded = answer.embedding(request, row, status) if held or not row.is_on_disk() else False
facts = row, held, embedded, request.encoder, answer.public_images(held, request)
page_parts.answer(place, answer.answer(*facts), answer.in_plain_words(*facts))
if embedded:
    answer.measured_rate(row, request.encoder)
if held:
    with page_parts.picture():
        answer.chart(held)
    if not detail_level.precise():
        st.caption(data_page.HOW_TO_READ)
    st.html(sections.samples(held))
    answer.expectations(held, request, row)
    sections.class_list(request.dataset, held)
    sections.refusals(held.refused)
st.header("Where they come from")
answer.cards_row(row, request)
sections.upload()
sections.tables(request, held)
