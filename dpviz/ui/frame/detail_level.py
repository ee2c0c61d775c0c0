"""Level of detail of every page, plain at first, with the switch beside the title.

It is the same on all pages of a session, and in the link as ``voice=precise``.
"""

from __future__ import annotations

from typing import TypeVar
from urllib.parse import urlencode

import streamlit as st

from dpviz import formatting
from dpviz.text import navigation as text

KEY, TOGGLE = "voice", "voice-toggle"
PLAIN, PRECISE = LEVELS = "plain", "precise"
T = TypeVar("T")


def precise() -> bool:
    """True where the precise voice is asked for."""
    return _chosen() == PRECISE


def at_level(precise_words: T, plain: T | None) -> T:
    """Of two ways to say the same the one in the voice that is asked for; without a plain way the
    precise one in both.
    """
    return precise_words if plain is None or precise() else plain


def bands(seeds: int, bars: bool = False) -> str:
    """What the bands of a chart are, or its error bars, in the voice that is asked for."""
    return formatting.bands(seeds, precise(), bars)


def link_part() -> dict[str, str]:
    """What a link to another page takes along, to be read there in the same voice."""
    return {KEY: PRECISE} if precise() else {}


def address(page: str) -> str:
    """Link of a page that is loaded anew and speaks in the same voice."""
    return f"./{page}{'?' * precise()}{urlencode(link_part())}"


def remember() -> None:
    """Keep the voice for the session, and in the address."""
    _set(_chosen())


def toggle() -> None:
    """Draw the switch between the levels."""
    st.session_state[KEY] = st.session_state[TOGGLE] = _chosen()
    st.segmented_control(
        text.LEVEL,
        LEVELS,
        format_func=text.LEVELS.__getitem__,
        key=TOGGLE,
        required=True,
        on_change=lambda: _set(st.session_state[TOGGLE]),
        label_visibility="collapsed",
        width="content",
    )


def _chosen() -> str:
    chosen = st.session_state.get(KEY) or st.query_params.get(KEY)
    return PRECISE if chosen == PRECISE else PLAIN


def _set(level: str) -> None:
    st.session_state[KEY] = level
    if level == PLAIN:
        st.query_params.pop(KEY, None)
    elif st.query_params.get(KEY) != level:
        st.query_params[KEY] = level
