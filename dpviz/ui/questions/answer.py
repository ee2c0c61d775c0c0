"""The Quiz page: a short quiz, and the test before and after the lessons.

The browser asks both and stores the answers of the test.
"""

from __future__ import annotations

from typing import Any

import streamlit as st

from dpviz.text import questions as text
from dpviz.ui.assets import asset
from dpviz.ui.frame import detail_level, lesson_strip
from dpviz.views.lessons import LESSONS, address
from dpviz.views.questions import FORMS, QUESTIONS, QUIZ, SURE, class_files, in_browser

#: Parameter of the link that opens the test.
TEST = "test"


def is_test() -> bool:
    """Return whether the link asks for the test before and after the lessons."""
    return st.query_params.get(TEST) == "1"


def test_link() -> str:
    """Return the link of the test."""
    return f"./questions?{TEST}=1"


def quiz() -> None:
    """Draw the short quiz, with a link to the test below."""
    _column()
    component = st.components.v2.component(
        "dpviz.quiz",
        html='<div class="quiz brief"></div>',
        css=asset("questions.css"),
        js=asset("quiz.js") + asset("question_parts.js"),
    )
    component(key="short-quiz", data=quiz_data())
    st.caption(text.STORED_QUIZ)
    st.html(lesson_strip.anchor(test_link(), text.TO_TEST, "dp-plain"))


def _column() -> None:
    """Put the whole page into one centered column."""
    st.html(f"<style>{asset('quiz_page.css')}</style>")


def test() -> None:
    """Draw the test, or its results, as this browser has stored it. Nothing reaches the server."""
    _column()
    component = st.components.v2.component(
        "dpviz.questions",
        html='<div class="quiz"></div>',
        css=asset("drawing_legend.css") + asset("questions.css"),
        js="".join(
            map(asset, ("questions.js", "question_parts.js", "question_drawing.js", "stroke.js"))
        ),
    )
    component(key="twelve-questions", data=test_data())
    with st.expander(text.STORED_TITLE):
        st.markdown(f"{text.STORED}\n\n{text.SCORE}")
    st.html(
        lesson_strip.anchor(detail_level.address("questions"), text.TO_QUIZ)
        + lesson_strip.anchor(detail_level.address("class-results"), text.TO_RESULTS)
    )


def quiz_data() -> dict[str, Any]:
    """Return the data from which the browser asks the quiz."""
    return {
        "questions": [
            in_browser(question) | {"lesson": LESSONS[key].title, "href": _lesson_link(key)}
            for key, question in QUIZ.items()
        ],
        "lessons": detail_level.address("lessons"),
        "words": text.QUIZ,
    }


def test_data() -> dict[str, Any]:
    """Return the data from which the browser asks and scores the test and writes the file."""
    return {
        "questions": [
            {
                "key": q.key,
                "gist": q.gist,
                "transfer": q.transfer,
                "lesson": LESSONS[q.key].title,
                "href": _lesson_link(q.key),
            }
            for q in QUESTIONS.values()
        ],
        "forms": {name: [in_browser(q.form(name)) for q in QUESTIONS.values()] for name in FORMS},
        "sure": [[str(share), words] for share, words in SURE.items()],
        "columns": class_files.COLUMNS,
        "lessons": detail_level.address("lessons"),
        "keys": tuple(LESSONS),
        "words": text.TEST,
    }


def _lesson_link(key: str) -> str:
    return address(LESSONS[key], 0, **detail_level.link_part())
