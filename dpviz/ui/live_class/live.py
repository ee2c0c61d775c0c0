"""The room of this visitor on the page: opened, shown, asked; found again after the page was loaded
anew, by the visitor's own cookie.
"""

from __future__ import annotations

from typing import Any

import streamlit as st

from dpviz.classroom import LIVE_CLASSES, LiveClass, Snapshot, listener, open_class
from dpviz.classroom.live_class import ASKED, CLOSED, ENDED
from dpviz.formatting import unbroken
from dpviz.types import DpvizError
from dpviz.ui.frame import page_parts, visitor
from dpviz.ui.live_class import asking, reveal, stage

START = (
    "To play this with a class, start the dashboard with `dpviz app --room`: phones of your network"
    " can then join a room here, and see its joining pages and nothing else. Nothing leaves the"
    " network; no names are asked for; all of it is forgotten when the room ends."
)
OPEN = "Phones join with a code; it all stays in this machine's memory until the room ends."


def show(place: Any, epsilon: float) -> Snapshot | None:
    """The room that is open, with its sentence in ``place``; None, and how to have one."""
    room = LIVE_CLASSES.find_by_owner(visitor.visitor_name())
    if room is None:
        _no_class()
        return None
    with page_parts.picture():
        try:
            if room.phase == CLOSED:
                reveal.settle(room, st.empty())
            _class_page(room, place)
        except DpvizError as error:  # it has ended meanwhile
            page_parts.refusals([str(error)])
    shot = room.snapshot()
    if shot.phase == ENDED:
        return None
    if shot.phase != ASKED:
        asking.panel(room, epsilon)
    return shot


def _class_page(room: LiveClass, place: Any) -> None:
    said = stage.status_text(room, room.snapshot())
    page_parts.current_page().answer = said
    place.markdown(unbroken(said))
    stage.show(room)


def _no_class() -> None:
    """How to have a room: the button, or the command that lets phones in."""
    with st.container(border=True, key="class-open"):
        if not listener.is_open():
            st.markdown(START)
            return
        if st.button("Open a room", type="primary", icon=":material/cast:", key="class-begin"):
            try:
                open_class(visitor.visitor_name())
            except DpvizError as error:
                page_parts.refusals([str(error)])
            else:
                st.rerun()
        st.caption(OPEN)
