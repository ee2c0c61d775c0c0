"""Data: which pictures there are, where each set stands, and what is embedded."""

import streamlit as st

from dpviz.ui.data import answer, controls, picture_uploads, sections
from dpviz.ui.frame import detail_level, page_parts
from dpviz.views import data_in_plain_words

request = controls.sidebar()

place = page_parts.question("Which pictures are there, and which are ready?")
status = st.empty()
row = answer.source(request.dataset)
if row is None:
    page_parts.end()

held = answer.contents(request.dataset, status) if row.is_on_disk() else None
embedded = answer.embedding(request, row, status) if held or not row.is_on_disk() else False
told = row, held, embedded, request.encoder, answer.public_images(held, request)
page_parts.answer(place, answer.answer(*told), answer.in_plain_words(*told))
if embedded:
    answer.measured_rate(row, request.encoder)
if held:
    with page_parts.picture():
        answer.chart(held)
    if not detail_level.precise():
        st.caption(data_in_plain_words.HOW_TO_READ)
    st.html(sections.samples(held))
    answer.expectations(held, request, row)
    picture_uploads.class_list(request.dataset, held)
    picture_uploads.refusals(held.refused)
st.header("Where they come from")
answer.cards_row(row, request)
picture_uploads.upload()
sections.tables(request, held)
