"""Lessons: six guided walks through the other pages, and a teacher's own."""

import streamlit as st

from dpviz.ui import lesson_page, text

text.style()
st.title("What would you like to see for yourself?")
st.markdown(lesson_page.answer())
lesson_page.cards()
st.header("For your own class")
lesson_page.builder()
