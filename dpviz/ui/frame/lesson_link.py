"""Link beside the title of a page to the lesson about the page."""

from __future__ import annotations

import streamlit as st

from dpviz.formatting import plain
from dpviz.text import lessons as text
from dpviz.text.template import render_text
from dpviz.ui.frame import detail_level
from dpviz.views.lessons import LESSONS, address

#: Lesson of each page, by address; other pages link to the list of lessons.
LESSON_OF = {
    "trade-off": "epsilon",
    "dp-means": "coinpress",
    "public-prototypes": "public",
    "teachers-vote": "teachers",
    "neural-collapse": "encoder",
    "who-pays": "minorities",
    "attackers-view": "sure",
    "many-pictures": "person",
    "break-it": "caught",
    "tuning": "tuning",
    "your-answer": "promise",
}
#: Addresses of pages without the link: they lead to lessons themselves.
EXCLUDED_PAGES = {"", "lessons", "questions", "class", "class-results"}


def draw(page: str) -> None:
    """Draw the link of the page at this address, except during a lesson."""
    if page in EXCLUDED_PAGES or "lesson" in st.query_params:
        return
    if page in LESSON_OF:
        lesson = LESSONS[LESSON_OF[page]]
        title = render_text(text.LINK_TITLE, title=lesson.title)
        link = address(lesson, 0, **detail_level.link_part())
    else:
        title, link = text.TITLE, detail_level.address("lessons")
    st.html(
        f'<a class="dp-lesson" href="{plain(link)}" target="_self" title="{plain(title)}">'
        f'<span class="dp-icon" aria-hidden="true">school</span><span>{text.LINK}</span></a>',
        width="content",
    )
