"""The tab Live class: how a teacher opens and runs it. The visitor's cookie finds it again."""

from __future__ import annotations

from typing import Any

import streamlit as st

from dpviz.classroom import LIVE_CLASSES, LiveClass, listener, open_class
from dpviz.classroom.live_class import ASKED, CLOSED, ENDED
from dpviz.formatting import unbroken
from dpviz.text import live_class as text
from dpviz.text.template import render
from dpviz.types import DpvizError
from dpviz.ui.frame import page_parts, public_demo, visitor
from dpviz.ui.live_class import asking, estimates, opening, reveal, stage


def is_open() -> bool:
    """Return whether the visitor has a live class."""
    return LIVE_CLASSES.find_by_owner(visitor.visitor_name()) is not None


def draw(place: Any) -> None:
    """Draw the visitor's live class with its sentence in ``place``, or how to open one."""
    live_class = LIVE_CLASSES.find_by_owner(visitor.visitor_name())
    if live_class is None:
        _start()
        if LIVE_CLASSES.any_open:
            _resume()
        return
    epsilon = estimates.side_bar()
    with page_parts.picture():
        try:
            if live_class.phase == CLOSED:
                reveal.settle(live_class, st.empty())
            _class(live_class, place)
        except DpvizError as error:  # the class has ended in the meantime
            page_parts.refusals([str(error)])
    if live_class.phase == ASKED:
        reveal.prepare(live_class)
    if live_class.snapshot().phase not in (ASKED, ENDED):
        asking.panel(live_class, epsilon)


def _class(live_class: LiveClass, place: Any) -> None:
    status = stage.status_text(live_class, live_class.snapshot())
    page_parts.current_page().answer = status
    place.markdown(unbroken(status))
    stage.show(live_class)


def _start() -> None:
    """Draw the button that opens a class, with the reason where this server cannot open one."""
    if public_demo.closed("class"):
        return
    reason = "" if listener.is_open() else opening.reason()
    with st.container(border=True, height="stretch", key="class-open"):
        st.markdown(text.GUIDE)
        with st.container(horizontal=True):
            pressed = st.button(
                text.OPEN,
                type="primary",
                icon=":material/cast:",
                key="class-begin",
                disabled=bool(reason),
            )
            if not reason:
                notes = [text.NOT_ENCRYPTED, text.NETWORK_TEST, text.OPEN_NOTE]
                if not listener.is_open():
                    notes.insert(0, render(text.OPEN_NETWORK, port=str(opening.port())))
                with st.popover(text.NETWORK_TITLE, icon=":material/wifi:"):
                    st.markdown(" ".join(notes))
        if reason:
            st.markdown(reason)
            return
    if pressed:
        try:
            opening.open_listener()
            open_class(visitor.visitor_name())
        except DpvizError as error:
            page_parts.refusals([str(error)])
        else:
            st.rerun()


def _resume() -> None:
    """Draw the form that takes over a class whose teacher lost the browser."""
    with st.expander(text.RESUME_TITLE, key="class-resume"):
        code = st.text_input(
            text.TEACHER_CODE, max_chars=30, key="class-teacher-code", help=text.RESUME_HELP
        )
        with st.container(horizontal=True):
            resumes = st.button(text.RESUME, type="primary", key="class-take")
            ends = st.button(text.END, key="class-take-end")
    if not (resumes or ends):
        return
    try:
        live_class = LIVE_CLASSES.resume(code, visitor.visitor_name())
    except DpvizError as error:
        page_parts.refusals([str(error)])
        return
    if ends:
        live_class.end()
    st.rerun()
