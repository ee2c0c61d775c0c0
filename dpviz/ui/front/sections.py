"""What stands around the pictures of the front page: its own head, and three doors."""

from __future__ import annotations

import streamlit as st

from dpviz.ui.assets import asset
from dpviz.ui.frame import copy_link

LEARN, EXPLORE = "pages/lessons.py", "pages/trade_off.py"
PRESENT = {"present": "1"}
TITLE = "Can a machine learn from your picture without giving it away?"


def head() -> None:
    """A line of links in place of the menu, which is of the other pages."""
    st.html(f"<style>{asset('front_page.css')}</style>")
    with st.container(horizontal=True, key="front-head", vertical_alignment="center"):
        st.html("<strong>dpviz</strong>", width="stretch")
        st.page_link(LEARN, label="Learn")
        st.page_link(EXPLORE, label="Explore")
        st.page_link(EXPLORE, label="Show", query_params=PRESENT)
        copy_link.button("front-link")


def doors() -> None:
    """The three ways on."""
    with st.container(horizontal=True, key="front-doors"):
        _page_link("Learn how →", LEARN, "Short lessons that let you predict first.")
        _page_link(
            "Explore every setting →", EXPLORE, "All methods, data and budgets; your own, too."
        )
        _page_link(
            "Show it to others →",
            EXPLORE,
            "One answer and one chart, large. At the foot of other pages: a one-page report.",
            PRESENT,
        )


def _page_link(label: str, page: str, words: str, query: dict[str, str] | None = None) -> None:
    with st.container(gap=None):
        st.page_link(page, label=f"**{label}**", query_params=query)
        st.caption(words)
