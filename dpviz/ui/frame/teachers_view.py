"""A teacher's own view of a page: the controls that stay, and a question above it, with answers to
choose from and the page covered until one is chosen.
"""

from __future__ import annotations

import os
import re
import zlib

import streamlit as st

from dpviz.formatting import literal
from dpviz.ui.assets import asset
from dpviz.ui.frame import detail_level, lesson_strip, visitor
from dpviz.ui.frame.page_parts import PHONE_HINT
from dpviz.ui.server.classroom_listener import SETTING
from dpviz.views import page_links
from dpviz.views.page_links import Question

PLACE = "teacher"
"""Key of the container with the question."""
COVERED = ":material/visibility_off: The page below is covered until you have made your prediction."
#: Seconds between signs, without which a live class ends.
SIGN_INTERVAL = 60.0
#: Address of the page of a live class.
CLASS_PAGE = "class"


def show() -> None:
    """What the link asks for, if anything."""
    _only(st.query_params.get("only", ""))
    question = page_links.read_question(st.query_params)
    if not question.text:
        return
    key = f"teacher:{zlib.crc32(repr(question).encode()):08x}"
    with st.container(border=True, key=PLACE):
        st.markdown(f":material/school: **{literal(question.text)}**")
        chosen = _answer(question, key)
        if chosen is None and question.covered:
            st.caption(COVERED)
            st.html(f"<style>{asset('covered.css')}</style>")
        st.html(PHONE_HINT)


def _answer(question: Question, key: str) -> int | None:
    """The chosen answer's place from 1, 0 where there is nothing to choose from; None before."""
    if question.answers:
        places = range(1, len(question.answers) + 1)
        chosen = st.radio(
            "Your answer",
            places,
            format_func=lambda place: literal(question.answers[place - 1]),
            index=None,
            key=key,
            label_visibility="collapsed",
        )
    else:
        ready = question.covered and not st.session_state.get(key)
        if ready:
            st.button("I have made my prediction: show me", on_click=_keep, args=(key,))
        chosen = None if ready else 0
    if chosen is not None and (words := page_links.reply(question, chosen)):
        st.markdown(words)
    return chosen


def _keep(key: str) -> None:
    st.session_state[key] = True


def _only(keys: str) -> None:
    """Hide every control in the side bar but those with these keys."""
    names = [re.sub(r"[^\w-]", "-", key) for key in keys.split(",") if key]
    if not names:
        return
    inside = ", ".join(f".st-key-{key}, .st-key-{key} *" for key in names)
    side = 'section[data-testid="stSidebar"]'
    st.html(
        f"<style>{side} [data-testid=stElementContainer]:not({inside}) {{ display: none; }}{side}"
        f" [data-testid=stExpander]:not(:has({', '.join(f'.st-key-{key}' for key in names)})) {{"
        " display: none; }</style>"
    )


def note_live_class(address: str) -> None:
    """Draw the way back to the live class that this visitor has open, on another page than its own,
    with a sign that the teacher is there.
    """
    if address == CLASS_PAGE or not os.environ.get(SETTING):
        return
    from dpviz.classroom import LIVE_CLASSES  # no page without a listener waits for it

    live_class = LIVE_CLASSES.find_by_owner(visitor.visitor_name())
    if live_class is None:
        return

    @st.fragment(run_every=SIGN_INTERVAL)
    def sign() -> None:
        live_class.touch()
        words = f"Your room {live_class.code} is open: back to it →"
        st.html(lesson_strip.anchor(detail_level.address(CLASS_PAGE), words, "dp-quiet"))

    with st.container(key="room-open"):
        sign()
