"""Answers come one after another, each at once: the server does not pause in the middle of one, nor
hurry what can wait.
"""

from __future__ import annotations

import gc
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

import streamlit as st

PAUSE, FIRST_PAUSE, POLL_INTERVAL = 0.15, 0.6, 0.02
"""Seconds that an answer gets for itself, that the first of a visit does, for which the browser has
yet to lay out the page, and between looks whether it is still wanted.
"""

KEY_REPEAT = 0.04
"""Seconds between two moves while an arrow key is held."""

TURN_TIMEOUT = 0.3
"""Seconds that a page waits for its turn; then it goes on beside whoever takes so long."""

VISITED = "swift:seen"

no_browser = False
"""True in a process whose pages no browser draws: they go into a file."""

_modules = 0
_turn = threading.Semaphore()
_thread = threading.local()


@contextmanager
def turn() -> Iterator[None]:
    """Run a page while no other page runs.

    Pages share one interpreter. Side by side thirty of them are all late, and each switch between
    two costs time; one after another the first is done at once and the last no later.
    """
    _take()
    try:
        yield
    finally:
        _give()


@contextmanager
def give_way() -> Iterator[None]:
    """Let other pages run while this one waits for something."""
    had = _give()
    try:
        yield
    finally:
        if had:
            _take()


def _take() -> None:
    _thread.has = _turn.acquire(timeout=TURN_TIMEOUT)


def _give() -> bool:
    """True where there was something to give."""
    had, _thread.has = getattr(_thread, "has", False), False
    if had:
        _turn.release()
    return had


def freeze_imports() -> None:
    """Take what was imported out of the garbage collector's sight: it stays until the end anyway.

    A full collection walks over every object with all threads stopped, a fifth of a second once the
    numeric libraries are there; afterwards next to nothing. Done anew only when something more was
    imported.
    """
    global _modules
    if len(sys.modules) != _modules:
        gc.collect()
        gc.freeze()
        _modules = len(sys.modules)


def flush_page(brief: bool = False) -> None:
    """Let the browser draw the answer and the main chart before the rest of the page is sent.

    Args:
        brief: no longer than a key that is held takes to move again: where the browser has both at
            hand, or draws the main chart no later for what follows it.

    It draws all that came within a moment in one go, so that without this pause the answer would
    wait for every chart below it. A newer move cuts the pause short.
    """
    if no_browser:
        return
    pause = (KEY_REPEAT if brief else PAUSE) if VISITED in st.session_state else FIRST_PAUSE
    st.session_state[VISITED] = True
    with give_way():
        for _ in range(round(pause / POLL_INTERVAL)):
            time.sleep(POLL_INTERVAL)
            st.session_state.get(
                VISITED
            )  # any look at the state lets Streamlit begin a run that was asked for meanwhile
