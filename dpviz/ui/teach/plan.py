"""The tab 40-minute plan: which lessons, when, and what to do without phones."""

from __future__ import annotations

import streamlit as st

from dpviz.formatting import plain
from dpviz.text import teach as text
from dpviz.text.template import render, render_text
from dpviz.ui.assets import asset
from dpviz.ui.frame import detail_level, lesson_strip, presentation
from dpviz.views import lesson_plan, lessons
from dpviz.views.lesson_plan import Part
from dpviz.views.lessons import LESSONS


def draw() -> None:
    """Draw the parts with their minutes, and links to the slides."""
    parts = lesson_plan.plan()
    count = sum(part.lesson is not None for part in parts)
    st.markdown(render(text.PLAN, total=lesson_plan.TOTAL, lessons=count))
    rows = "".join(map(_row, parts))
    st.html(f'<style>{asset("teach.css")}</style><div class="dp-lesson-rows dp-plan">{rows}</div>')
    st.markdown(text.PLAN_FALLBACK)
    st.caption(render(text.PLAN_BASIS, each=lesson_plan.PREDICTION))
    with st.expander(text.NOTES, icon=":material/school:", key="teacher-notes"):
        _note()


def _note() -> None:
    """Draw the note for the teacher about a chosen lesson."""
    key = st.selectbox(
        text.FILE_LESSON, list(LESSONS), format_func=lambda key: LESSONS[key].title, key="noted"
    )
    st.markdown(lesson_plan.note(LESSONS[key]))


def _row(part: Part) -> str:
    """Return the minutes, the part and its link, as HTML."""
    time = render_text(text.PLAN_TIME, start=part.start, end=part.end)
    title, link = text.PLAN_JOIN, ""
    if part.kind == "discussion":
        title = text.PLAN_DISCUSSION
    elif part.lesson is not None:
        count = lesson_plan.predictions(part.lesson)
        title = render_text(text.PLAN_LESSON, title=part.lesson.title, predictions=count)
        slides = {presentation.NAME: "1", presentation.FROM: presentation.TEACH}
        address = lessons.address(part.lesson, 0, **detail_level.link_part(), **slides)
        link = lesson_strip.anchor(address, text.SLIDES_LINK)
    return f"<span>{plain(time)}</span><span>{plain(title)}</span><span>{link}</span>"
