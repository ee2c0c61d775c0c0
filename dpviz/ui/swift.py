"""What a move costs is told at once: the server does not pause in the middle of an answer, nor hurry what can wait."""

from __future__ import annotations

import gc
import sys
import time

import streamlit as st

PAUSE, TICK = 0.15, 0.02
"""Seconds that the answer gets for itself, and between looks whether it is still wanted."""

SEEN = "swift:seen"

_modules = 0


def settle() -> None:
    """Take what was imported out of the garbage collector's sight: it stays until the end anyway.

    A full collection walks over every object with all threads stopped, a fifth of a second once the numeric
    libraries are there; afterwards next to nothing. Done anew only when something more was imported.
    """
    global _modules
    if len(sys.modules) != _modules:
        gc.collect()
        gc.freeze()
        _modules = len(sys.modules)


def breathe() -> None:
    """Let the browser draw the answer and the main chart before the rest of the page is sent.

    It draws all that came within a moment in one go, so that without this pause the answer would wait for every
    chart below it. A newer move cuts the pause short; on a first visit there is none.
    """
    if SEEN not in st.session_state:
        st.session_state[SEEN] = True
        return
    for _ in range(round(PAUSE / TICK)):
        time.sleep(TICK)
        st.session_state.get(SEEN)  # any look at the state lets Streamlit begin a run that was asked for meanwhile
