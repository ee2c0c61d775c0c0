"""The tab Slides and files: every lesson as slides, and as one file."""

from __future__ import annotations

import streamlit as st

from dpviz.formatting import plain
from dpviz.text import teach as text
from dpviz.text.template import render_text
from dpviz.ui.assets import asset
from dpviz.ui.frame import detail_level, lesson_strip, presentation
from dpviz.views import lessons
from dpviz.views.lessons import LESSONS, Lesson

COMMAND = """echo 'lesson = "{key}"' > lesson.toml
dpviz explorable lesson.toml --out lesson.html"""


def draw() -> None:
    """Draw the lessons with their links, and how to write them to files."""
    st.markdown(text.SLIDES_INTRO)
    rows = "".join(map(_row, LESSONS.values()))
    st.html(f'<style>{asset("teach.css")}</style><div class="dp-lesson-rows">{rows}</div>')
    st.subheader(text.FILES_TITLE)
    st.markdown(text.FILES_INTRO)
    st.caption(text.FILE_COMMAND)
    st.code(COMMAND.format(key=next(iter(LESSONS))), language="bash")


def _row(lesson: Lesson) -> str:
    """Return a lesson's title with the links to its slides and its first step, as HTML."""
    link_part = detail_level.link_part()
    minutes, steps = lessons.minutes(lesson), len(lesson.steps)
    title = render_text(text.LESSON, title=lesson.title, minutes=minutes, steps=steps)
    slides = lessons.address(lesson, 0, **link_part, **{presentation.NAME: "1"})
    links = lesson_strip.anchor(slides, text.SLIDES_LINK) + lesson_strip.anchor(
        lessons.address(lesson, 0, **link_part), text.LESSON_LINK, "dp-aside"
    )
    return f"<span>{plain(title)}</span><span>{links}</span>"
