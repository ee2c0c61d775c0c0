"""Data: which images there are, the status of each set, and uploads."""

import streamlit as st

from dpviz.text import data as text
from dpviz.ui.data import answer, controls, image_map, samples, sections
from dpviz.ui.frame import page_parts
from dpviz.ui.widgets import cards, choices
from dpviz.views import data_page

request = controls.sidebar()

place = page_parts.question(text.TITLE)
heading, tiles, status = st.empty(), st.empty(), st.empty()
row = answer.source(request.dataset)
if row is None:
    page_parts.end()

contents = answer.contents(request.dataset, status) if row.is_on_disk() else None
embedded = answer.embedding(request, row, status) if contents or not row.is_on_disk() else False
answer.answer(place, row, request.encoder, answer.case(row, contents, embedded))
if contents:
    aside = answer.public_images(contents, request)
    page_parts.tiles(data_page.tiles(contents.train, contents.test, aside), tiles)
    with page_parts.picture():
        answer.chart(row.title, contents, heading)

match choices.tabs(text.TABS, old={"table": "table"}):
    case "sets":
        sections.all_sets(request.dataset)
    case "own":
        sections.own_data(request.dataset, contents)
    case "samples" if contents:
        cards.private_view()
        st.html(samples.per_class(contents))
        sections.refusals(contents.refused)
    case "map" if contents:
        image_map.draw(request, embedded)
    case "expect" if contents:
        answer.expectations(contents, request, row)
    case "sources":
        if contents:
            answer.measured_rate(row, request.encoder)
        answer.cards_row(row, request)
    case "encoders":
        sections.encoders()
    case "table":
        sections.table(request, contents)
        page_parts.draw_glossary_line()
