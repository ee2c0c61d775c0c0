"""A teacher's room on every other page: the way back, and a sign that the teacher is there."""

from __future__ import annotations

import os

import streamlit as st

from dpviz.ui.frame import detail_level, lesson_strip, visitor
from dpviz.ui.server.classroom_listener import SETTING

BEAT = 60.0
"""Seconds between signs, without which a room ends."""
PAGE = "class"


def note(address: str) -> None:
    """Where this visitor has a room open and looks at another page than its own."""
    if address == PAGE or not os.environ.get(SETTING):
        return
    from dpviz.classroom import LIVE_CLASSES  # no page without a listener waits for it

    room = LIVE_CLASSES.find_by_owner(visitor.visitor_name())
    if room is None:
        return

    @st.fragment(run_every=BEAT)
    def sign() -> None:
        room.touch()
        told = f"Your room {room.code} is open: back to it →"
        st.html(lesson_strip.anchor(detail_level.address(PAGE), told, "dp-quiet"))

    with st.container(key="room-open"):
        sign()
