"""A teacher's own view of a page: the controls that stay, and a question above it, with answers to
choose from and the page covered until one is chosen.
"""

from __future__ import annotations

import re
import zlib

import streamlit as st

from dpviz.formatting import literal
from dpviz.ui.assets import asset
from dpviz.ui.frame.page_parts import PHONE_HINT
from dpviz.views import page_links
from dpviz.views.page_links import Question

PLACE = "teacher"
"""Key of the container with the question."""
COVERED = ":material/visibility_off: The page below is covered until you have made your prediction."


def show() -> None:
    """What the link asks for, if anything."""
    _only(st.query_params.get("only", ""))
    question = page_links.read_question(st.query_params)
    if not question.text:
        return
    key = f"teacher:{zlib.crc32(repr(question).encode()):08x}"
    with st.container(border=True, key=PLACE):
        st.markdown(f":material/school: **{literal(question.text)}**")
        said = _answer(question, key)
        if said is None and question.covered:
            st.caption(COVERED)
            st.html(f"<style>{asset('covered.css')}</style>")
        st.html(PHONE_HINT)


def _answer(question: Question, key: str) -> int | None:
    """The chosen answer's place from 1, 0 where there is nothing to choose from; None before."""
    if question.answers:
        places = range(1, len(question.answers) + 1)
        said = st.radio(
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
        said = None if ready else 0
    if said is not None and (words := page_links.reply(question, said)):
        st.markdown(words)
    return said


def _keep(key: str) -> None:
    st.session_state[key] = True


def _only(keys: str) -> None:
    """Hide every control in the side bar but those with these keys."""
    kept = [re.sub(r"[^\w-]", "-", key) for key in keys.split(",") if key]
    if not kept:
        return
    inside = ", ".join(f".st-key-{key}, .st-key-{key} *" for key in kept)
    side = 'section[data-testid="stSidebar"]'
    st.html(
        f"<style>{side} [data-testid=stElementContainer]:not({inside}) {{ display: none; }}{side}"
        f" [data-testid=stExpander]:not(:has({', '.join(f'.st-key-{key}' for key in kept)})) {{"
        " display: none; }</style>"
    )
