"""The parts of the page Lessons: the list, and the making of a teacher's link."""

from __future__ import annotations

import re
from urllib.parse import parse_qsl

import streamlit as st

from dpviz.methods import METHODS
from dpviz.ui.frame import lesson_strip
from dpviz.ui.lessons.texts import LESSONS
from dpviz.ui.widgets.text import plain, refusals

CONTROLS = {
    "budget": "Budget",
    "ir": "Imbalance ratio",
    "data": "Data set",
    "enc": "Encoder",
    "pub": "Public set",
    "m": "Methods",
    "n": "Number of seeds",
    "seed": "First seed",
}
"""Controls that most pages have, by the key of their place in the side bar."""


def answer() -> str:
    """How much there is, in one sentence."""
    steps = sum(len(lesson.steps) for lesson in LESSONS.values())
    asks = sum(step.ask is not None for lesson in LESSONS.values() for step in lesson.steps)
    return (
        f"**{len(LESSONS)} short lessons**, {steps} steps in all: each sets the controls for you,"
        f" says what to look at, and {asks} times asks you to predict before it shows. What comes"
        " true is computed then and there."
    )


def cards() -> None:
    """A card a lesson."""
    with st.container(horizontal=True, wrap=True):
        for lesson in LESSONS.values():
            with st.container(border=True, width=330, key=f"lesson-{lesson.key}"):
                st.html(f'<div class="dp-card-title">{plain(lesson.title)}</div>')
                st.markdown(lesson.gist)
                st.caption(f"{len(lesson.steps)} steps")
                st.html(lesson_strip.anchor(lesson_strip.address(lesson, 0), "Start →"))


def builder() -> None:
    """Makes a link that shows only some controls, with a question above the page."""
    st.markdown(HOW)
    here = (st.context.url or "http://localhost:8501/").rpartition("/")[0]
    link = st.text_input(
        "Address of the view", f"{here}/?ir=50&m=dppl-mean,dppl-public", max_chars=2000
    ).strip()
    titles = CONTROLS | named(link)
    only = st.multiselect(
        "Controls that stay", list(titles), ["budget"], format_func=titles.get, select_all=False
    )
    question = st.text_input(
        "Your question",
        "At which budget does the minority drop below half?",
        max_chars=lesson_strip.LONGEST,
    )
    if not re.match("https?://", link):
        refusals(
            ["That is no address of a page: copy the whole line from your browser, from http on."]
        )
        return
    st.code(
        lesson_strip.teacher_link(link, tuple(only), question.strip()),
        language=None,
        wrap_lines=True,
    )
    st.caption(
        "Try it before class: open the link in a private window, where your students see it for the"
        " first time as well."
    )


HOW = (
    "Set up any page as you want your class to see it, copy its address, and paste it here. The"
    " link below opens that view with only the controls you choose, and your question above it. A"
    " setting of a method can stay as well, once the address names it: move it once."
)


def named(link: str) -> dict[str, str]:
    """Settings of methods that an address names, by key."""
    keys = [key.partition(".") for key, _ in parse_qsl(link.partition("?")[2])]
    labels = {
        (method.key, p.name): f"{method.title}: {p.label}"
        for method in METHODS.values()
        for p in method.params
    }
    return {
        f"{method}.{name}": labels[method, name]
        for method, _, name in keys
        if (method, name) in labels
    }
