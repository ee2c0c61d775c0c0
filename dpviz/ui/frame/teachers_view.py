"""A teacher's view of a page: chosen controls, and a question above the page.

The question may have answers, and the page may be hidden until one is chosen.
"""

from __future__ import annotations

import os
import zlib

import streamlit as st

from dpviz.formatting import literal
from dpviz.text import teach as text
from dpviz.text.template import render_text
from dpviz.ui.assets import asset
from dpviz.ui.frame import detail_level, lesson_strip, visitor
from dpviz.ui.server.classroom_listener import SETTING, TURNED_OFF
from dpviz.views import page_links
from dpviz.views.page_links import Question

#: Key of the container with the question.
PLACE = "teacher"

#: Seconds between two signs of the teacher, without which a live class ends.
SIGN_INTERVAL = 60.0
#: Address of the page of a live class.
CLASS_PAGE = "class"


def show() -> None:
    """Draw the question of the link, if any, and hide the controls that the link leaves out."""
    lesson_strip.hide_controls(st.query_params.get("only", "").split(","))
    question = page_links.read_question(st.query_params)
    if not question.text:
        return
    key = f"teacher:{zlib.crc32(repr(question).encode()):08x}"
    with st.container(border=True, key=PLACE):
        st.markdown(f":material/school: **{literal(question.text)}**")
        chosen = _answer(question, key)
        if chosen is None and question.covered:
            st.caption(text.HIDDEN)
            st.html(f"<style>{asset('covered.css')}</style>")


def _answer(question: Question, key: str) -> int | None:
    """Return the chosen answer's number from 1; 0 without answers, None before a choice."""
    if question.answers:
        places = range(1, len(question.answers) + 1)
        chosen = st.radio(
            text.YOUR_ANSWER,
            places,
            format_func=lambda place: literal(question.answers[place - 1]),
            index=None,
            key=key,
            label_visibility="collapsed",
        )
    else:
        ready = question.covered and not st.session_state.get(key)
        if ready:
            st.button(text.SHOW, on_click=_keep, args=(key,))
        chosen = None if ready else 0
    if chosen is not None and (words := page_links.reply(question, chosen)):
        st.markdown(words)
    return chosen


def _keep(key: str) -> None:
    st.session_state[key] = True


def note_live_class(address: str) -> None:
    """Link back to this visitor's live class from other pages, and keep the class alive."""
    if address == CLASS_PAGE or os.environ.get(SETTING, TURNED_OFF) in ("", TURNED_OFF):
        return
    from dpviz.classroom import (
        LIVE_CLASSES,
    )  # pages without a live class do not wait for this import

    live_class = LIVE_CLASSES.find_by_owner(visitor.visitor_name())
    if live_class is None:
        return

    @st.fragment(run_every=SIGN_INTERVAL)
    def sign() -> None:
        live_class.touch()
        words = render_text(text.BACK_TO_CLASS, code=live_class.code)
        st.html(lesson_strip.anchor(detail_level.address(CLASS_PAGE), words, "dp-quiet"))

    with st.container(key="room-open"):
        sign()
