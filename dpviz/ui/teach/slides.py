"""The tab Slides and files: every lesson as slides, and as one file."""

from __future__ import annotations

import streamlit as st

from dpviz.formatting import plain
from dpviz.text import teach as text
from dpviz.text.template import render_text
from dpviz.ui.assets import asset
from dpviz.ui.explorable import export_dialog
from dpviz.ui.frame import detail_level, lesson_strip, presentation
from dpviz.views import lessons
from dpviz.views.lessons import LESSONS, Lesson


def draw() -> None:
    """Draw the lessons with their links, and the button that creates a lesson's file."""
    st.markdown(text.SLIDES_INTRO)
    rows = "".join(map(_row, LESSONS.values()))
    slides, files = st.columns([3, 2], gap="large")
    slides.html(f'<style>{asset("teach.css")}</style><div class="dp-lesson-rows">{rows}</div>')
    with files:
        st.markdown(f"##### {text.FILES_TITLE}")
        st.markdown(text.FILES_INTRO)
        key = st.selectbox(
            text.FILE_LESSON,
            list(LESSONS),
            format_func=lambda key: LESSONS[key].title,
            key="lesson-file",
        )
        export_dialog.lesson_file(LESSONS[key])


def _row(lesson: Lesson) -> str:
    """Return a lesson's title with the links to its slides and its first step, as HTML."""
    link_part = detail_level.link_part()
    minutes = lessons.minutes(lesson)
    title = render_text(text.LESSON, title=lesson.title, minutes=minutes)
    parts = {presentation.NAME: "1", presentation.FROM: presentation.TEACH}
    slides = lessons.address(lesson, 0, **link_part, **parts)
    links = lesson_strip.anchor(slides, text.SLIDES_LINK) + lesson_strip.anchor(
        lessons.address(lesson, 0, **link_part), text.LESSON_LINK, "dp-aside"
    )
    return f"<span>{plain(title)}</span><span>{links}</span>"
