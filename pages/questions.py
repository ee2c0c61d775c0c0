"""Twelve questions: before and after the lessons, kept in the browser alone."""

import streamlit as st

from dpviz.ui.questions import answer, widget

st.title("What do you know, and what do the lessons add?")
st.markdown(answer.ABOUT)
widget.ask()
answer.small_print()
