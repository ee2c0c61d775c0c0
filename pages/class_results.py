"""Your class: what its answers before and after the lessons say, from files that are not kept."""

import streamlit as st

from dpviz.ui.questions import class_page

st.title("What did your class learn?")
class_page.show()
