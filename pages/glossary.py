"""Glossary: the words of the other pages in plain sentences."""

import streamlit as st

from dpviz.ui import glossary, text

text.style()
st.title("What do these words mean?")
wanted = st.text_input(
    "Find a word",
    key="word",
    bind="query-params",
    max_chars=60,
    placeholder="clipping, ε, minority …",
)
found = glossary.matching(wanted)
st.markdown(glossary.answer(found, wanted))
glossary.show(found)
