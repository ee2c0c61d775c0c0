"""Glossary: the terms of the other pages, explained."""

import streamlit as st

from dpviz.text import glossary as text
from dpviz.ui.frame import page_parts
from dpviz.ui.glossary import answer

place = page_parts.question(text.TITLE)
with st.container(horizontal=True, vertical_alignment="bottom", gap="large", key="find-term"):
    word = st.text_input(
        text.SEARCH,
        key="word",
        bind="query-params",
        max_chars=60,
        placeholder=text.EXAMPLES,
        width=480,
    )
    terms = answer.matching(word)
    answer.subjects(terms)
page_parts.answer(place, answer.answer(terms, word))
answer.show(terms, word)
