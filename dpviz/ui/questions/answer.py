"""The page "Twelve questions": the browser asks them and stores the answers."""

from __future__ import annotations

from typing import Any

import streamlit as st

from dpviz.ui.assets import asset
from dpviz.ui.frame import detail_level, lesson_strip
from dpviz.views.lessons import LESSONS, address
from dpviz.views.questions import FORMS, QUESTIONS, SURE, class_files, in_browser

ABOUT = (
    f"**{len(QUESTIONS)} questions, once before the lessons and once after.** Your answers stay in"
    " this browser: nothing of them is sent to this server."
)
STORED_TEXT = (
    "What is kept: a random number made in this browser, your answers, how sure you were, and the"
    " whole seconds each took; no name, no date, no time of day. “Your answers as CSV” writes that"
    " to a file, which leaves this device only if you hand it on. Which of the two forms comes"
    " first is drawn at random."
)
SCORE_TEXT = (
    "These questions were written for these lessons and checked against what is published on how"
    " people understand differential privacy. They have not been tried on a group of people, so a"
    " score is no grade."
)


def ask() -> None:
    """The questions, or what came of them, as this browser remembers. Nothing comes back to the
    server.
    """
    component = st.components.v2.component(
        "dpviz.questions",
        html='<div class="quiz"></div>',
        css=asset("drawing_legend.css") + asset("questions.css"),
        js=asset("questions.js") + asset("question_drawing.js") + asset("stroke.js"),
    )
    component(key="twelve-questions", data=data())


def data() -> dict[str, Any]:
    """What the browser needs to ask, to score and to write the file."""
    return {
        "questions": [
            {
                "key": q.key,
                "gist": q.gist,
                "transfer": q.transfer,
                "lesson": LESSONS[q.key].title,
                "href": address(LESSONS[q.key], 0, **detail_level.link_part()),
            }
            for q in QUESTIONS.values()
        ],
        "forms": {name: [in_browser(q.form(name)) for q in QUESTIONS.values()] for name in FORMS},
        "sure": [[str(share), words] for share, words in SURE.items()],
        "columns": class_files.COLUMNS,
        "lessons": detail_level.address("lessons"),
        "keys": tuple(LESSONS),
    }


def small_print() -> None:
    """What is kept, what a score is worth, and where a class is looked at."""
    with st.expander("What is kept, and what a score is worth"):
        st.markdown(f"{STORED_TEXT}\n\n{SCORE_TEXT}")
    st.html(
        lesson_strip.anchor(
            detail_level.address("class-results"), "For teachers: what a class learned"
        )
    )
