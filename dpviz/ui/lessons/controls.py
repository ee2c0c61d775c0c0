"""The controls of the page "Lessons": a teacher makes a link that shows only some controls."""

from __future__ import annotations

import re
from urllib.parse import parse_qsl

import streamlit as st

from dpviz.methods import METHODS
from dpviz.ui.frame import page_parts
from dpviz.views import lesson_outcomes

CONTROLS = {
    "budget": "Budget",
    "ir": "Imbalance ratio",
    "records": "Records a class",
    "data": "Data set",
    "enc": "Encoder",
    "pub": "Public set",
    "m": "Methods",
    "n": "Number of seeds",
    "seed": "First seed",
}
"""Controls that most pages have, by the key of their place in the side bar."""
HOW = (
    "Set up any page as you want your class to see it, copy its address, and paste it here. The"
    " link below opens that view with only the controls you choose, and your question above it. A"
    " setting of a method can stay as well, once the address names it: move it once."
)


def own_link() -> None:
    """Makes a link with a question above the page."""
    st.markdown(HOW)
    here = (st.context.url or "http://localhost:8501/").rpartition("/")[0]
    view = f"{here}/trade-off?ir=50&m=dppl-mean,dppl-public"
    link = st.text_input("Address of the view", view, max_chars=2000).strip()
    titles = CONTROLS | _settings(link)
    only = st.multiselect(
        "Controls that stay", list(titles), ["budget"], format_func=titles.get, select_all=False
    )
    question = st.text_input(
        "Your question",
        "At which budget does the minority drop below half?",
        max_chars=lesson_outcomes.LONGEST,
    )
    if not re.match("https?://", link):
        page_parts.refusals(
            ["That is no address of a page: copy the whole line from your browser, from http on."]
        )
        return
    made = lesson_outcomes.teacher_link(link, tuple(only), question.strip())
    st.code(made, language=None, wrap_lines=True)
    st.caption(
        "Try it before class: open the link in a private window, where your students see it for the"
        " first time as well."
    )


def _settings(link: str) -> dict[str, str]:
    """Settings of methods that an address names, by key."""
    labels = {
        f"{method.key}.{p.name}": f"{method.title}: {p.label}"
        for method in METHODS.values()
        for p in method.params
    }
    named = (key for key, _ in parse_qsl(link.partition("?")[2]))
    return {key: labels[key] for key in named if key in labels}
