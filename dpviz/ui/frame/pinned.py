"""A result pinned as A, and what is different now, B, written out with its interval."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from dpviz.formatting import INTERVAL_NOTE
from dpviz.lazy_imports import pandas as pd
from dpviz.types import Result
from dpviz.views import settings_in_words
from dpviz.views.page_config import PageConfig
from dpviz.views.settings_in_words import Pin


def show(key: str, view: PageConfig, results: Sequence[Result], metric: str) -> None:
    """The button that pins, or the comparison with what is pinned.

    Args:
        key: of the page; results: at the budget looked at, and references.
    """
    place, b = f"{key}:pin", settings_in_words.pin(view, results)
    a = st.session_state.get(place)
    if a is None:
        st.button(
            "Pin as A",
            key="pin",
            icon=":material/keep:",
            on_click=_keep,
            args=(place, b),
            help=HELP,
        )
        return
    with st.container(border=True, key="pinned"):
        st.markdown(settings_in_words.pin_sentence(a, b, metric))
        rows = settings_in_words.pin_table(a, b, metric)
        if rows:
            st.dataframe(pd.DataFrame(rows), hide_index=True)
            st.caption(CAPTION)
        with st.container(horizontal=True):
            st.button(
                "Unpin A", key="unpin", icon=":material/keep_off:", on_click=_forget, args=(place,)
            )
            st.button(
                "Pin B as A",
                key="pin",
                icon=":material/keep:",
                on_click=_keep,
                args=(place, b),
                disabled=not rows,
            )


HELP = "Keeps the current results as A. Change a setting to see the difference."
CAPTION = (
    f"{INTERVAL_NOTE} The seeds of A and B are assumed to be independent. A stays pinned until you"
    " close the page."
)


def _keep(place: str, value: Pin) -> None:
    st.session_state[place] = value


def _forget(place: str) -> None:
    st.session_state.pop(place, None)
