"""About the numbers: what is public, what no guarantee covers, what varies."""

from __future__ import annotations

import streamlit as st

from dpviz.text import about_numbers as text
from dpviz.ui.frame import page_parts
from dpviz.views import origins, settings_in_words
from dpviz.views.page_config import PageConfig


def fold(view: PageConfig) -> None:
    """Draw the fold "About the numbers"."""
    page_parts.current_page().view = view
    with st.expander(text.TITLE):
        draw(view)


def draw(view: PageConfig) -> None:
    """Draw what is public, what no guarantee covers, and what varies."""
    words = settings_in_words.words(view)
    varied = [words[name] for name in ("draws", "seeds") if name in words]
    lines = [
        *text.LINES,
        *origins.data(view),
        *(f"{title.capitalize()}: {value}." for title, value in varied),
    ]
    lines += origins.computed_by(page_parts.current_page().results)
    st.markdown("\n".join(f"- {line}" for line in lines))
    page_parts.draw_glossary_line()
