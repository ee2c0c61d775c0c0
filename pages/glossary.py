"""Glossary: the words of the other pages in plain sentences."""

import streamlit as st

from dpviz.ui.glossary import answer

st.title("What do these words mean?")
word = st.text_input(
    "Find a word",
    key="word",
    bind="query-params",
    max_chars=60,
    placeholder="clipping, ε, minority …",
)
terms = answer.matching(word)
st.markdown(answer.answer(terms, word))
answer.show(terms)
