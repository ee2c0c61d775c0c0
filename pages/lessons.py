"""Lessons: six guided walks through the other pages, and a teacher's own."""

import streamlit as st

from dpviz.ui.lessons import looks
from dpviz.ui.widgets import text

text.style()
st.title("What would you like to see for yourself?")
st.markdown(looks.answer())
looks.cards()
st.header("For your own class")
looks.builder()
