"""The questions themselves, which the browser asks and keeps the answers of."""

from __future__ import annotations

from typing import Any

import streamlit as st

from dpviz.ui.assets import asset
from dpviz.ui.frame import detail_level
from dpviz.views.lessons import LESSONS
from dpviz.views.questions import QUESTIONS, class_files
from dpviz.views.questions.lesson_links import lesson_of
from dpviz.views.questions.model import FORMS, SURE, in_browser


def ask() -> None:
    """The questions, or what came of them, as this browser remembers. Nothing comes back to the
    server.
    """
    shown = st.components.v2.component(
        "dpviz.questions",
        html='<div class="quiz"></div>',
        css=asset("drawing_legend.css") + asset("questions.css"),
        js=asset("questions.js") + asset("question_drawing.js") + asset("stroke.js"),
    )
    shown(key="twelve-questions", data=data())


def data() -> dict[str, Any]:
    """What the browser needs to ask, to score and to write the file."""
    links = {
        question.key: lesson_of(question.key, **detail_level.link_part()) for question in QUESTIONS
    }
    return {
        "questions": [
            {
                "key": q.key,
                "gist": q.gist,
                "transfer": q.transfer,
                "lesson": links[q.key][0],
                "href": links[q.key][1],
            }
            for q in QUESTIONS
        ],
        "forms": {name: [in_browser(q.form(name)) for q in QUESTIONS] for name in FORMS},
        "sure": [[str(share), words] for share, words in SURE.items()],
        "columns": class_files.COLUMNS,
        "lessons": detail_level.address("lessons"),
        "keys": tuple(LESSONS),
    }
