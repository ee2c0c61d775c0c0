"""What stands on a page that is drawn without a browser, and what of it is a private view."""

import pytest
from streamlit.testing.v1 import AppTest

from dpviz.ui.explorable import page_items

pytestmark = pytest.mark.shared_cache

PAGE = """
import plotly.graph_objects as go
import streamlit as st
from dpviz.ui.widgets import cards

st.title("A page")
with st.container(key="picture"):
    cards.private_view()
    st.plotly_chart(go.Figure(), key="votes")
st.caption("Of everybody.")
with st.container(key="card"):
    st.html("<p>A promise</p>")
    with st.container():
        st.markdown("kept")
st.header("A closer look")
cards.private_view()
st.radio("Which", ["a", "b"], key="look")
st.markdown("One by one.")
st.columns(2)[1].plotly_chart(go.Figure(), key="each")
st.header("What it costs")
st.markdown("Nothing.")
with st.expander("More"):
    st.markdown("Unseen.")
"""


def test_badge_marks_items_private_until_next_header():
    page = page_items.items(AppTest.from_string(PAGE).run().main)
    told = lambda key: [(i.kind, i.words, i.private) for i in page_items.items_inside(page, key)]
    assert told("picture") == told("votes") == [("chart", "votes", True)]
    assert told("card") == [("html", "<p>A promise</p>", False), ("text", "kept", False)]
    assert told("look") == [("text", "One by one.", True), ("chart", "each", True)]
    assert told("nothing of the page") == []
    seen = [(i.words, i.private) for i in page if i.shows]
    assert seen[-1] == ("Nothing.", False), "what is folded is not shown"
    assert ("Of everybody.", False) in seen
