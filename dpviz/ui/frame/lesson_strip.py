"""A lesson above any page: what to look at, a prediction, and what came true, computed.

All of it is in the link: ``lesson``, ``step`` and ``said``.
"""

from __future__ import annotations

import re

import streamlit as st

from dpviz.stats import accuracy
from dpviz.ui.frame.page_parts import PICTURE
from dpviz.ui.live import long_work
from dpviz.views.lesson_outcomes import CHANGES, address, groups, verdict
from dpviz.views.lessons import LESSONS
from dpviz.views.lessons.model import Lesson, Outcome, Step
from dpviz.words import plain, unbroken

COVER = f"<style>.st-key-{PICTURE} {{ display: none; }}</style>"
PHONE = '<p class="dp-phone">On a phone, » at the top left opens the controls.</p>'


def strip() -> None:
    """What a link asks for above its page: nothing, or a step of a lesson."""
    lesson = LESSONS.get(st.query_params.get("lesson", ""))
    if lesson is None:
        return
    number = st.query_params.get("step", "1")
    at = min(int(number), len(lesson.steps)) - 1 if re.fullmatch("[1-9]", number) else 0
    with st.container(border=True, key="lesson"):
        st.markdown(f"**{lesson.title}** · step {at + 1} of {len(lesson.steps)}")
        if at and isinstance(lesson.steps[at - 1].ask, Outcome):
            _outcome(lesson.steps[at - 1], lesson.steps[at], st.query_params.get("said", ""))
        st.markdown(unbroken(lesson.steps[at].look))
        if lesson.steps[at].covered:
            st.html(COVER)
            st.caption(
                ":material/visibility_off: The chart is covered: it would give the answer away."
            )
        st.html(PHONE)
        _onward(lesson, at)


def anchor(href: str, words: str) -> str:
    """A link that looks like a button and loads its page anew, so that nothing of the last view
    stays.
    """
    return f'<a class="dp-button dp-inline" href="{plain(href)}" target="_self">{plain(words)}</a>'


def _onward(lesson: Lesson, at: int) -> None:
    """The prediction, and the way on and back."""
    step, said = lesson.steps[at], ""
    if isinstance(step.ask, Outcome):
        st.markdown(f"**Predict first.** {unbroken(step.ask.text)}")
        place = {
            "key": f"predict-{lesson.key}-{at}",
            "label_visibility": "collapsed",
            "horizontal": True,
        }
        said = (
            st.radio("Your prediction", list(CHANGES), format_func=CHANGES.get, index=None, **place)
            or ""
        )
    links = [anchor(address(lesson, at - 1), "← Back")] if at else []
    if at + 1 < len(lesson.steps):
        words = "Next →" if not step.ask else "Show me →" if said else "Skip the prediction →"
        links.append(anchor(address(lesson, at + 1, said), words))
    links.append(anchor("./lessons", "All lessons"))
    st.html("".join(links))


# ----------------------------------------------------------------------------------- what came true


def _outcome(before: Step, after: Step, said: str) -> None:
    status = st.empty()
    job = long_work.collect("lesson", groups(before, after), status, lambda job: None)
    if job.complete:
        sides = [accuracy(job.done[group], before.ask.score) for group in job.groups]
        st.markdown(unbroken(verdict(before.ask, *sides, said)))
