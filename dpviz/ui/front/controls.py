"""Which pictures the front page shows; everything else of it is moved in the browser."""

from __future__ import annotations

import streamlit as st

from dpviz.views.front_page import DATASETS

NAME = "pictures"
"""In the link."""


def pictures() -> str:
    """A key of ``DATASETS``, from the link."""
    asked = st.query_params.get(NAME, "")
    return asked if asked in DATASETS else next(iter(DATASETS))


def choose(key: str) -> None:
    """Take the pictures that a component in the browser, called ``key``, asks for."""
    asked = st.session_state[key][NAME]
    if asked in DATASETS:
        st.query_params.pop(NAME, None)
        if asked != next(iter(DATASETS)):
            st.query_params[NAME] = asked
