"""Lessons and a teacher's question above any page: what to look at, a prediction, and what came
true, computed.

All of it is in the link: ``lesson``, ``step`` and ``said`` for a lesson, ``only`` and ``ask`` for a
    teacher's own view.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from urllib.parse import urlencode

import streamlit as st

from dpviz.data import DATASETS
from dpviz.encoders import ENCODERS
from dpviz.methods import METHODS
from dpviz.stats import Interval, difference, interval
from dpviz.types import Budget, RunSpec
from dpviz.ui.frame.page_parts import PICTURE
from dpviz.ui.lessons.texts import LESSONS, Ask, Lesson, Step
from dpviz.ui.live import long_work
from dpviz.views.accuracy_sentence import named
from dpviz.words import METRICS, literal, percent, plain, points, unbroken

SEEDS = 5
CHANGES = {
    "up": "It rises by more than 5 points",
    "same": "It stays within 5 points",
    "down": "It falls by 5 to 20 points",
    "lost": "It falls by more than 20 points",
}
COVER = f"<style>.st-key-{PICTURE} {{ display: none; }}</style>"
PHONE = '<p class="dp-phone">On a phone, » at the top left opens the controls.</p>'
LONGEST = 300
"""Signs of a teacher's question that are shown."""


def strip() -> None:
    """What a link asks for above its page: nothing, a step of a lesson, or a teacher's question."""
    _only(st.query_params.get("only", ""))
    if question := st.query_params.get("ask", "")[:LONGEST]:
        st.info(literal(question), icon=":material/school:")
        st.html(PHONE)
    lesson = LESSONS.get(st.query_params.get("lesson", ""))
    if lesson is None:
        return
    number = st.query_params.get("step", "1")
    at = min(int(number), len(lesson.steps)) - 1 if re.fullmatch("[1-9]", number) else 0
    with st.container(border=True, key="lesson"):
        st.markdown(f"**{lesson.title}** · step {at + 1} of {len(lesson.steps)}")
        if at and lesson.steps[at - 1].ask:
            _outcome(lesson.steps[at - 1], lesson.steps[at], st.query_params.get("said", ""))
        st.markdown(unbroken(lesson.steps[at].look))
        if lesson.steps[at].covered:
            st.html(COVER)
            st.caption(
                ":material/visibility_off: The chart is covered: it would give the answer away."
            )
        st.html(PHONE)
        _onward(lesson, at)


def address(lesson: Lesson, at: int, said: str = "") -> str:
    """Link of a step (counted from 0), relative to any page."""
    step = lesson.steps[at]
    more = {"lesson": lesson.key, "step": str(at + 1)} | ({"said": said} if said else {})
    return f"./{step.page}?{urlencode(dict(step.link) | more)}"


def anchor(href: str, words: str) -> str:
    """A link that looks like a button and loads its page anew, so that nothing of the last view
    stays.
    """
    return f'<a class="dp-button dp-inline" href="{plain(href)}" target="_self">{plain(words)}</a>'


def _onward(lesson: Lesson, at: int) -> None:
    """The prediction, and the way on and back."""
    step, said = lesson.steps[at], ""
    if step.ask:
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


def spec(step: Step, method: str, seed: int) -> RunSpec:
    """The run that a step's link shows for a method."""
    link = step.link
    params = tuple(
        (key.partition(".")[2], value)
        for key, value in link.items()
        if key.startswith(f"{method}.")
    )
    dataset, encoder = link.get("data", next(iter(DATASETS))), link.get("enc", next(iter(ENCODERS)))
    return RunSpec(
        dataset,
        encoder,
        method,
        Budget(float(link["eps"])),
        ir=float(link["ir"]),
        params=params,
        seed=seed,
        public=link.get("pub"),
    )


def groups(before: Step, after: Step) -> list[tuple[RunSpec, ...]]:
    """The runs on both sides of a prediction."""
    ask = before.ask
    pairs = ((before, ask.method), (after, ask.then or ask.method))
    return [tuple(spec(step, method, seed) for seed in range(SEEDS)) for step, method in pairs]


def change(apart: float) -> str:
    """The key of ``CHANGES`` that a difference of accuracies (a fraction) falls under."""
    return (
        "up" if apart > 0.05 else "same" if apart >= -0.05 else "down" if apart >= -0.2 else "lost"
    )


def _outcome(before: Step, after: Step, said: str) -> None:
    status = st.empty()
    job = long_work.collect("lesson", groups(before, after), status, lambda job: None)
    if job.complete:
        sides = [
            interval([getattr(r.scores, before.ask.score) for r in job.done[group]])
            for group in job.groups
        ]
        st.markdown(unbroken(verdict(before.ask, *sides, said)))


def verdict(ask: Ask, before: Interval, after: Interval, said: str) -> str:
    """What came true, in Markdown, beside what was said (a key of ``CHANGES``, or anything else for
    nothing).
    """
    apart, half = difference(before, after)
    true = change(apart)
    who = f"{METRICS[ask.score]} accuracy of {named(METHODS[ask.method].title)}"
    to = f" to {named(METHODS[ask.then].title)}'s" if ask.then else " to"
    came = (
        f"{who}: from **{percent(before)}**{to} **{percent(after)}**, {points(apart, half)} (95 %"
        f" interval over {before.runs} noise seeds)."
    )
    if said not in CHANGES:
        return came
    right = "That is what happened." if said == true else f"What happened: it {_words(true)}."
    return f"You said: *it {_words(said)}*. **{right}** {came}"


def _words(key: str) -> str:
    return CHANGES[key].removeprefix("It ")


# --------------------------------------------------------------------------------- a teacher's view


def _only(keys: str) -> None:
    """Hide every control in the side bar but those with these keys."""
    kept = [re.sub(r"[^\w-]", "-", key) for key in keys.split(",") if key]
    if not kept:
        return
    inside = ", ".join(f".st-key-{key}, .st-key-{key} *" for key in kept)
    side = 'section[data-testid="stSidebar"]'
    st.html(
        f"<style>{side} [data-testid=stElementContainer]:not({inside}) {{ display: none; }}{side}"
        f" [data-testid=stExpander]:not(:has({', '.join(f'.st-key-{key}' for key in kept)})) {{"
        " display: none; }</style>"
    )


def teacher_link(link: str, only: tuple[str, ...], question: str) -> str:
    """A view's link, changed so that it shows these controls alone and asks this question."""
    base, _, query = link.partition("?")
    kept = [part for part in query.split("&") if part and not part.startswith(("only=", "ask="))]
    more: Mapping[str, str] = {"only": ",".join(only)} if only else {}
    added = urlencode(dict(more) | ({"ask": question[:LONGEST]} if question else {}))
    return f"{base}?{'&'.join([*kept, added] if added else kept)}"
