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

contents = answer.contents(request.dataset, status) if row.is_on_disk() else None
embedded = answer.embedding(request, row, status) if contents or not row.is_on_disk() else False
facts = row, contents, embedded, request.encoder, answer.public_images(contents, request)
page_parts.answer(place, answer.answer(*facts), answer.in_plain_words(*facts))
if embedded:
    answer.measured_rate(row, request.encoder)
if contents:
    with page_parts.picture():
        answer.chart(contents)
    if not detail_level.precise():
        st.caption(data_page.HOW_TO_READ)
    st.html(sections.samples(contents))
    answer.expectations(contents, request, row)
    sections.class_list(request.dataset, contents)
    sections.refusals(contents.refused)
st.header("Where they come from")
answer.cards_row(row, request)
sections.upload()
sections.tables(request, contents)
