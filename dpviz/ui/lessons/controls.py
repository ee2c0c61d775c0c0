"""The controls of the page "Lessons": a teacher makes a link that shows only some controls."""

from __future__ import annotations

import re
from urllib.parse import parse_qsl

import streamlit as st

from dpviz.methods import METHODS
from dpviz.ui.frame import page_parts
from dpviz.views import page_links
from dpviz.views.page_links import Question

#: Controls that most pages have, by the key of their place in the side bar.
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
INTRO = (
    "Set up any page as you want your class to see it, copy its address, and paste it here. The"
    " link below opens that view with only the controls you choose, and your question above it. A"
    " setting of a method can stay as well, once the address names it: move it once."
)
ANSWERS_HELP = (
    f"One a line, {page_links.MAX_ANSWERS} at most; none for a question that you talk about."
)
COVER_HELP = (
    "Sentence, chart and cards stay hidden until an answer is chosen, or, without answers, until"
    " the button below the question is pressed. Whoever reads the link's end can find the right"
    " answer there: it is no exam."
)
TRY_TEXT = (
    "Try it before class: open the link in a private window, where your students see it for the"
    " first time as well. Add &present=1 for the wall: one sentence, one chart, your question"
    " above them."
)
FRAMES = (
    "Another site may show the page in a frame once whoever runs this server allows it:"
    ' `DPVIZ_FRAME_ANCESTORS="https://courses.example.org"` before its start.'
)


def own_link() -> None:
    """Makes a link with a question above the page."""
    st.markdown(INTRO)
    app_address = (st.context.url or "http://localhost:8501/").rpartition("/")[0]
    view = f"{app_address}/trade-off?ir=50&m=dppl-mean,dppl-public"
    link = st.text_input("Address of the view", view, max_chars=2000).strip()
    titles = CONTROLS | _settings(link)
    only = st.multiselect(
        "Controls that stay",
        list(titles),
        ["budget"],
        format_func=titles.__getitem__,
        select_all=False,
    )
    question = _question()
    if not re.match("https?://", link):
        page_parts.refusals(
            ["That is no address of a page: copy the whole line from your browser, from http on."]
        )
        return
    own_address = page_links.question_link(link, tuple(only), question)
    st.code(own_address, language=None, wrap_lines=True)
    st.caption(TRY_TEXT)
    with st.expander("In a page of your own: HTML to paste", key="embed"):
        st.code(page_links.frame_html(own_address), language="html", wrap_lines=True)
        st.caption(FRAMES)


def _question() -> Question:
    """The question, its answers, and what is said afterwards."""
    text = st.text_input(
        "Your question",
        "At which budget does the minority drop below half?",
        max_chars=page_links.MAX_TEXT_CHARS,
    )
    with st.expander("Answers to choose from, and a cover until one is chosen", key="answers"):
        typed = st.text_area(
            "Answers", "", max_chars=900, help=ANSWERS_HELP, placeholder="One a line"
        )
        lines = dict.fromkeys(
            line.strip()[: page_links.MAX_ANSWER_CHARS] for line in typed.splitlines()
        )
        answers = tuple(line for line in lines if line)[: page_links.MAX_ANSWERS]
        none = "None of them: it is an opinion, or a guess"
        right = st.selectbox("The right one", [none, *answers], key="right-answer")
        then = st.text_input("Said afterwards", "", max_chars=page_links.MAX_TEXT_CHARS)
        covered = st.checkbox("Cover the page until then", key="cover-page", help=COVER_HELP)
    place = 1 + answers.index(right) if right in answers else 0
    return Question(text.strip(), answers, place, then.strip(), covered)


def _settings(link: str) -> dict[str, str]:
    """Settings of methods that an address names, by key."""
    labels = {
        f"{method.key}.{p.name}": f"{method.title}: {p.label}"
        for method in METHODS.values()
        for p in method.params
    }
    names = (key for key, _ in parse_qsl(link.partition("?")[2]))
    return {key: labels[key] for key in names if key in labels}
