"""The answer of the page "Lessons": how many there are, and a card for each."""

from __future__ import annotations

import streamlit as st

from dpviz.ui.frame import lesson_strip
from dpviz.ui.widgets import cards
from dpviz.views import lesson_outcomes
from dpviz.views.lessons import LESSONS


def answer() -> str:
    """How much there is, in one sentence."""
    steps = sum(len(lesson.steps) for lesson in LESSONS.values())
    asks = sum(step.ask is not None for lesson in LESSONS.values() for step in lesson.steps)
    return (
        f"**{len(LESSONS)} short lessons**, {steps} steps in all: each sets the controls for you,"
        f" says what to look at, and {asks} times asks you to predict before it shows. What comes"
        " true is computed then and there."
    )


def cards_row() -> None:
    """A card a lesson."""
    with st.container(horizontal=True, wrap=True):
        for lesson in LESSONS.values():
            with cards.titled(lesson.title, 330, f"lesson-{lesson.key}"):
                st.markdown(lesson.gist)
                st.caption(f"{len(lesson.steps)} steps")
                st.html(lesson_strip.anchor(lesson_outcomes.address(lesson, 0), "Start →"))
