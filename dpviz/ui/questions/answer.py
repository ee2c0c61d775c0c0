"""What the page Twelve questions says around the questions."""

from __future__ import annotations

import streamlit as st

from dpviz.ui.frame import detail_level, lesson_strip
from dpviz.views.questions import QUESTIONS

ABOUT = (
    f"**{len(QUESTIONS)} questions, once before the lessons and once after.** Your answers stay in"
    " this browser: nothing of them is sent to this server."
)
KEPT = (
    "What is kept: a random number made in this browser, your answers, how sure you were, and the"
    " whole seconds each took; no name, no date, no time of day. “Your answers as CSV” writes that"
    " to a file, which leaves this device only if you hand it on. Which of the two forms comes"
    " first is drawn at random."
)
WHAT_IT_IS = (
    "These questions were written for these lessons and checked against what is published on how"
    " people understand differential privacy. They have not been tried on a group of people, so a"
    " score is no grade."
)


def small_print() -> None:
    """What is kept, what a score is worth, and where a class is looked at."""
    with st.expander("What is kept, and what a score is worth"):
        st.markdown(f"{KEPT}\n\n{WHAT_IT_IS}")
    st.html(
        lesson_strip.anchor(
            detail_level.address("class-results"), "For teachers: what a class learned"
        )
    )
