"""What the server has to say beside the results, such as that its disk is full: each sentence once
to every tab that is open.
"""

from __future__ import annotations

import threading
from collections import deque

import streamlit as st

from dpviz.formatting import literal
from dpviz.machine import notes, public_mode

LAST_NUMBER = "notes:seen"
MAX_NOTES = 20
"""Sentences kept for tabs that have not run since."""

_published: deque[tuple[int, str]] = deque(maxlen=MAX_NOTES)
_lock = threading.Lock()


def _take(sentence: str) -> None:
    notes.log.warning(sentence)
    if public_mode.is_on():  # for the operator alone: a note may name a folder
        return
    with _lock:
        _published.append((_last_number() + 1, sentence))


notes.listeners.append(_take)


def _last_number() -> int:
    return _published[-1][0] if _published else 0


def begin() -> None:
    """A tab hears of what happens after it was opened."""
    st.session_state.setdefault(LAST_NUMBER, _last_number())


def show() -> None:
    """What was said since this tab was last told."""
    last_shown = st.session_state[LAST_NUMBER]
    for number, sentence in list(_published):
        if number > last_shown:
            st.toast(literal(sentence), icon=":material/warning:", duration="infinite")
            st.session_state[LAST_NUMBER] = number
