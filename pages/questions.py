"""Twelve questions: before and after the lessons, kept in the browser alone."""

import streamlit as st

from dpviz.ui.questions import answer

st.title("What do you know, and what do the lessons add?")
st.markdown(answer.ABOUT)
answer.ask()
answer.small_print()
