"""Glossary: the words of the other pages in plain sentences."""

import streamlit as st

from dpviz.ui.glossary import looks
from dpviz.ui.widgets import text

text.style()
st.title("What do these words mean?")
wanted = st.text_input(
    "Find a word",
    key="word",
    bind="query-params",
    max_chars=60,
    placeholder="clipping, ε, minority …",
)
found = looks.matching(wanted)
st.markdown(looks.answer(found, wanted))
looks.show(found)
