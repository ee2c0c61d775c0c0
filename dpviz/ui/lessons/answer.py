"""The answer of the page "Lessons": the path of all lessons with what is done of it, and the end of
one.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import streamlit as st

from dpviz.ui.assets import asset
from dpviz.ui.frame import detail_level, lesson_strip
from dpviz.views import lessons
from dpviz.views.lessons import LESSONS, Lesson
from dpviz.views.questions import QUESTIONS

PATH = '<div class="dp-lessons"><section></section><div></div><ol></ol></div>'
END = '<div class="dp-lessons"><ul></ul></div>'
END_TITLE = "You have walked through “{}”"
SAYS, PREDICTIONS = "What you can now say", "Your predictions, and what happened"
BROWSER_TEXT = (
    "What is done, and your predictions, are kept in this browser alone; nothing of it reaches the"
    " server."
)


def answer() -> str:
    """How much there is, in one sentence."""
    asks = sum(step.ask is not None for lesson in LESSONS.values() for step in lesson.steps)
    return (
        f"**{len(LESSONS)} short lessons**, each of some minutes: they set the controls for you,"
        f" say what to look at, and {asks} times ask you to predict before they show. What comes"
        " true is computed then and there."
    )


def path() -> None:
    """The lessons in their order, with marks of what is done, and before them the way to the
    questions; until those are answered or declined, the list does not say what comes out.
    """
    entries = [
        {
            "key": lesson.key,
            "title": lesson.title,
            "gist": lesson.gist,
            "steps": len(lesson.steps),
            "minutes": lessons.minutes(lesson),
            "link": lessons.address(lesson, 0, **detail_level.link_part()),
        }
        for lesson in LESSONS.values()
    ]
    data = {
        "lessons": tuple(entries),
        "questions": detail_level.address("questions"),
        "asked": len(QUESTIONS),
    }
    _component("path", PATH)(key="lesson-path", data=data)
    st.caption(BROWSER_TEXT)


def end() -> None:
    """What can be said after the lesson that the link calls ended, what came of its predictions,
    and the way on.
    """
    lesson = LESSONS.get(st.query_params.get("ended", ""))
    if lesson is None:
        return
    with st.container(border=True, key="lesson-end"):
        st.subheader(END_TITLE.format(lesson.title))
        if lesson.says:
            st.markdown(f"**{SAYS}**\n\n" + "\n".join(f"- {s}" for s in lesson.says))
        if any(step.ask for step in lesson.steps):
            st.markdown(f"**{PREDICTIONS}**")
            _component("end", END)(key="lesson-predictions", data={"lesson": lesson.key})
        if after := _next(lesson):
            link = lessons.address(after, 0, **detail_level.link_part())
            st.html(lesson_strip.anchor(link, f"Next lesson: {after.title} →", "dp-next"))
        else:
            link = detail_level.address("questions")
            st.html(lesson_strip.anchor(link, "The twelve questions once more →", "dp-next"))


def _next(lesson: Lesson) -> Lesson | None:
    """The lesson after this one on the path."""
    path = list(LESSONS.values())
    return next(iter(path[path.index(lesson) + 1 :]), None)


def _component(name: str, html: str) -> Callable[..., Any]:
    script = asset(f"lesson_{name}.js") + asset("lesson_progress.js")
    return st.components.v2.component(
        f"dpviz.lesson-{name}", html=html, css=asset("lesson_path.css"), js=script
    )
