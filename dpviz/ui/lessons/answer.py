"""The Lessons page: the list with the visitor's progress, and the end of a lesson."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import streamlit as st

from dpviz.text import lessons as text
from dpviz.text.template import render, render_text
from dpviz.ui.assets import asset
from dpviz.ui.frame import detail_level, lesson_strip
from dpviz.views import lessons
from dpviz.views.lessons import LESSONS, Lesson

PATH = '<div class="dp-lessons"><div></div><section></section></div>'
END = '<div class="dp-lessons"><ul></ul></div>'


def answer(precise: bool) -> str:
    """Return how many lessons there are, in one sentence."""
    asks = sum(step.ask is not None for lesson in LESSONS.values() for step in lesson.steps)
    return text.ANSWERS["list"].fill(precise, lessons=len(LESSONS), asks=asks)


def path() -> None:
    """Draw the lessons in their order with the visitor's progress, and the way to the quiz."""
    entries = [
        {
            "key": key,
            "chapter": text.CHAPTERS[chapter],
            "title": lesson.title,
            "gist": lesson.gist,
            "steps": len(lesson.steps),
            "link": lessons.address(lesson, 0, **detail_level.link_part()),
        }
        for chapter, keys in lessons.CHAPTERS.items()
        for key in keys
        for lesson in [LESSONS[key]]
    ]
    data = {"lessons": tuple(entries), "words": text.PATH, "button": ended_lesson() is None}
    _component("path", PATH)(key="lesson-path", data=data)
    link = detail_level.address("questions")
    st.html(lesson_strip.anchor(link, text.QUIZ_LINK))
    st.caption(text.STORED)


def ended_lesson() -> Lesson | None:
    """Return the lesson that the link names as finished."""
    return LESSONS.get(st.query_params.get("ended", ""))


def end() -> None:
    """Draw the end of the lesson that the link names: summary, predictions, next lesson."""
    lesson = ended_lesson()
    if lesson is None:
        return
    with st.container(border=True, key="lesson-end"):
        st.subheader(render(text.END_TITLE, title=lesson.title))
        if lesson.says:
            st.markdown(f"**{text.SAYS}**\n\n" + "\n".join(f"- {s}" for s in lesson.says))
        if any(step.ask for step in lesson.steps):
            st.markdown(f"**{text.PREDICTIONS}**")
            data = {"lesson": lesson.key, "words": text.PREDICTED}
            _component("end", END)(key="lesson-predictions", data=data)
        if after := _next(lesson):
            link = lessons.address(after, 0, **detail_level.link_part())
            words = render_text(text.NEXT_LESSON, title=after.title)
            st.html(lesson_strip.anchor(link, words, "dp-next dp-primary"))
        else:
            link = detail_level.address("questions")
            st.html(lesson_strip.anchor(link, text.QUIZ_LINK, "dp-next dp-primary"))


def _next(lesson: Lesson) -> Lesson | None:
    """Return the lesson after this one."""
    path = list(LESSONS.values())
    return next(iter(path[path.index(lesson) + 1 :]), None)


def _component(name: str, html: str) -> Callable[..., Any]:
    script = asset(f"lesson_{name}.js") + asset("lesson_progress.js")
    return st.components.v2.component(
        f"dpviz.lesson-{name}", html=html, css=asset("lesson_path.css"), js=script
    )
