"""Lessons: guided walks through the other pages, and a teacher's own."""

import streamlit as st

from dpviz.ui.lessons import answer, controls

st.title("What would you like to see for yourself?")
answer.end()
st.markdown(answer.answer())
answer.path()
st.header("Make a lesson link for your class")
controls.own_link()
