"""Lessons beside any page: what to look at, a prediction, and what came true, computed.

All of it is in the link: ``lesson``, ``step``, ``said`` of the step before and ``drawn`` of this
one. How far somebody is stays in their browser.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import streamlit as st

from dpviz.formatting import plain, unbroken
from dpviz.stats import Interval, accuracy
from dpviz.ui.assets import asset
from dpviz.ui.frame import detail_level, presentation
from dpviz.ui.frame.page_parts import PHONE_HINT, PICTURE
from dpviz.ui.live import long_work
from dpviz.ui.widgets import draw_curve
from dpviz.views import lessons
from dpviz.views.lessons import (
    CHANGES,
    LESSONS,
    Drawing,
    Lesson,
    Outcome,
    Reason,
    Step,
    Verdict,
    address,
    drawings,
)

NAME = "lesson"
COVER = f"<style>.st-key-{PICTURE} {{ display: none; }}</style>"
COVERED = ":material/visibility_off: The chart is covered: it would give the answer away."
BACK, NEXT, SHOW = "← Back", "Next →", "Show me →"
SKIP, TO_END = "Skip the prediction →", "To the end →"
PREDICT_FIRST, ASKED_BEFORE = "Predict first.", "You were asked:"
SLIDES = "Step by step in large type; the arrow keys, or a presenter's, turn the steps."


def strip() -> None:
    """What a link asks for: nothing, or a step of a lesson."""
    lesson = LESSONS.get(st.query_params.get("lesson", ""))
    if lesson is None:
        return
    number = st.query_params.get("step", "1")
    at = min(int(number), len(lesson.steps)) - 1 if re.fullmatch("[1-9]", number) else 0
    step, curve_points = lesson.steps[at], _drawn_values(lesson.steps[at])
    style = "lesson_slides.css" if presentation.on() else "lesson_strip.css"
    st.html(f"<style>{asset(style)}</style>")
    heading = f"**{lesson.title}** · step {at + 1} of {len(lesson.steps)}"
    with st.container(key=NAME), st.expander(heading, expanded=True, key=f"{NAME}-fold"):
        before = st.container(key=f"{NAME}-before")
        # each in a place of its own: nothing moves up and leaves its old self while runs compute
        with st.container(key=f"{NAME}-look"):
            st.markdown(unbroken(step.look))
            if step.covered and curve_points is None:
                st.html(COVER)
                st.caption(COVERED)
            st.html(PHONE_HINT)
        answered = "asked" if curve_points is None else "answered"
        ask_place, links = (st.container(key=f"{NAME}-{name}") for name in (answered, "links"))
    with ask_place:
        prediction = _prediction(lesson, at, curve_points)
    with links:
        st.html("".join(_links(lesson, at, prediction)))
    verdict = _curve(lesson, at, curve_points)
    came = Verdict("")
    with before:  # computed last, while the words can be read
        if curve_points is None:
            came = _came(lesson, at)
        else:  # what was drawn is answered there
            st.markdown(unbroken(verdict.words))
    came_now = {at: verdict} if verdict.mark else {}
    _script(lesson, at, ({at - 1: came} if came.mark else {}) | came_now)


def anchor(href: str, words: str, kind: str = "", attributes: str = "") -> str:
    """A link that looks like a button and loads its page anew, so that nothing of the last view
    stays.
    """
    return (
        f'<a class="dp-button dp-inline {kind}" href="{plain(href)}" target="_self"{attributes}>'
        f"{plain(words)}</a>"
    )


def _links(lesson: Lesson, at: int, prediction: str) -> list[str]:
    """The way on and back."""
    link_parts = detail_level.link_part() | ({presentation.NAME: "1"} if presentation.on() else {})
    links = [anchor(address(lesson, at - 1, **link_parts), BACK, "dp-back")] if at else []
    ask = lesson.steps[at].ask
    if isinstance(ask, Drawing) and not prediction:  # shown here, since the next step does not
        skip = address(lesson, at, drawn=drawings.SKIPPED, **link_parts)
        links.append(anchor(skip, SKIP, "dp-next dp-quiet"))
    elif at + 1 < len(lesson.steps):
        label = NEXT if isinstance(ask, Drawing) else SHOW
        words = NEXT if not ask else label if prediction else SKIP
        link_prediction = "" if isinstance(ask, Drawing) else prediction
        kind = "dp-next dp-quiet" if ask and not prediction else "dp-next"
        links.append(anchor(address(lesson, at + 1, link_prediction, **link_parts), words, kind))
    else:
        end = lessons.end_link(lesson, **detail_level.link_part())
        links.append(anchor(end, TO_END, "dp-next"))
    links.append(anchor(detail_level.address("lessons"), "All lessons", "dp-aside"))
    if not presentation.on():
        slides = address(lesson, at, **link_parts, **{presentation.NAME: "1"})
        links.append(anchor(slides, "As slides", "dp-aside", f' title="{plain(SLIDES)}"'))
    return links


# -------------------------------------------------------------------------------- what is predicted


def _prediction(lesson: Lesson, at: int, curve_points: list[int] | None) -> str:
    """The prediction of this step: what is said of it in the next link, empty before."""
    ask = lesson.steps[at].ask
    if ask is None:
        return ""
    if isinstance(ask, Drawing):  # its question stands above the chart that is drawn in
        return "" if curve_points is None else drawings.link_text(curve_points) or drawings.SKIPPED
    st.markdown(f"**{PREDICT_FIRST}** {unbroken(ask.text)}")
    return _chosen(lesson, at, ask)


def _chosen(lesson: Lesson, at: int, ask: Outcome | Reason) -> str:
    """The answer chosen of those given; empty before."""
    titles = (
        CHANGES
        if isinstance(ask, Outcome)
        else {str(i): option for i, option in enumerate(ask.options)}
    )
    chosen = st.radio(
        "Your prediction",
        list(titles),
        format_func=titles.get,
        index=None,
        key=f"predict-{lesson.key}-{at}",
        label_visibility="collapsed",
    )
    return chosen or ""


def _drawn_values(step: Step) -> list[int] | None:
    """What was drawn at this step, if it was."""
    if not isinstance(step.ask, Drawing):
        return None
    return drawings.read(st.query_params.get("drawn", ""), step.ask)


def _curve(lesson: Lesson, at: int, curve_points: list[int] | None) -> Verdict:
    """The chart to draw in; with what was drawn, the true curve over it and what the gap is."""
    step = lesson.steps[at]
    ask, truth = step.ask, None
    if not isinstance(ask, Drawing):
        return Verdict("")
    head = PREDICT_FIRST if curve_points is None else ASKED_BEFORE
    with st.container(border=True, key=f"{NAME}-drawing"):
        st.markdown(f"**{head}** {unbroken(ask.text)}")
        place = st.container()
        if curve_points is not None:
            truth = _truth(step, ask, f"{NAME}-{at}")
        with place:
            draw_curve.show(f"draw-{lesson.key}-{at}", ask, curve_points, truth)
    return drawings.verdict(ask, truth, curve_points or ()) if truth else Verdict("")


def _truth(step: Step, ask: Drawing, key: str) -> Sequence[Interval] | None:
    """The true curve; None where its runs were stopped or refused."""
    groups = drawings.groups(step, ask)
    if not groups:
        return drawings.by_formula(step, ask)
    job = long_work.collect(key, groups, st.empty())
    return [accuracy(job.done[group], ask.score) for group in groups] if job.complete else None


# ----------------------------------------------------------------------------------- what came true


def _came(lesson: Lesson, at: int) -> Verdict:
    """What came of the choice made at the step before; a drawing is answered where it is drawn."""
    ask = lesson.steps[at - 1].ask if at else None
    prediction = st.query_params.get("said", "")
    if ask is None or isinstance(ask, Drawing):
        return Verdict("")
    if isinstance(ask, Reason):
        verdict = lessons.reason_verdict(ask, prediction)
    else:
        verdict = _outcome(lesson.steps[at - 1], ask, lesson.steps[at], prediction)
    if verdict.words:
        st.markdown(unbroken(verdict.words))
    return verdict


def _outcome(before: Step, ask: Outcome, after: Step, prediction: str) -> Verdict:
    groups = lessons.groups(before, ask, after)
    job = long_work.collect(NAME, groups, st.empty())
    if not job.complete:
        return Verdict("")
    before_accuracy, after_accuracy = (accuracy(job.done[group], ask.score) for group in job.groups)
    return lessons.verdict(ask, before_accuracy, after_accuracy, prediction)


def _script(lesson: Lesson, at: int, came: dict[int, Verdict]) -> None:
    """What the browser does: brings what is named into view, keeps how far one is, turns slides."""
    part = st.components.v2.component(
        "dpviz.lesson", js=asset("lesson_strip.js") + asset("lesson_progress.js")
    )
    verdicts = {
        str(place): {
            "asked": ask.text,
            "mark": verdict.mark,
            "said": verdict.prediction,
            "came": verdict.result,
        }
        for place, verdict in came.items()
        if (ask := lesson.steps[place].ask) is not None
    }
    step = lesson.steps[at]
    is_above = isinstance(step.ask, Drawing) or presentation.on()  # what is looked at stands on top
    named = "" if is_above else step.at
    data = {"lesson": lesson.key, "step": at, "of": len(lesson.steps), "at": named}
    link = address(lesson, at, **detail_level.link_part())
    data |= {"came": verdicts, "slides": presentation.on(), "link": link}
    part(key="hand-lesson", data=data)
