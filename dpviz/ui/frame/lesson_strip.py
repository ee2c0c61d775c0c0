"""A step of a lesson beside its page: explanation, prediction, result, and one control.

The whole state is in the link: ``lesson``, ``step``, ``said`` of the step before and ``drawn`` of
this one. Progress stays in the visitor's browser.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

import streamlit as st

from dpviz.formatting import plain, unbroken
from dpviz.stats import Interval, accuracy
from dpviz.text import lessons as text
from dpviz.text.template import render
from dpviz.ui.assets import asset
from dpviz.ui.frame import detail_level, presentation
from dpviz.ui.frame.page_parts import ANSWER, PHONE_SLIDER, PICTURE
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
_HIDE_ANSWER = f"""
[data-testid="stLayoutWrapper"]:has(> .st-key-{ANSWER}) {{ display: none !important; }}"""
COVER_ANSWER = f"<style>{_HIDE_ANSWER}</style>"
SIDE_BAR = 'section[data-testid="stSidebar"]'
#: Keys of the budget's control, and of the box with a survey's question above the chart.
BUDGET, OWN_ANSWER = "budget", "own-answer"
#: Style of a step, with the classes of the elements that its text speaks of.
ONLY_CHART = """<style>.st-key-lesson, .st-key-lesson-drawing, .st-key-answer, .st-key-tools,
.st-key-room-open, [class*="st-key-hand-"], {shown}, [data-testid="stAlertContentError"],
[data-testid="stProgress"] {{
  .stMainBlockContainer
    :is([data-testid="stVerticalBlock"] > *, [data-testid="stElementContainer"]):not(
      &, & *, :has(&)) {{
    display: none;
  }}
}}</style>"""
#: On phones, the page's answer makes room for the chart unless the text speaks of it.
NO_ANSWER = f"<style>@media (max-width: 1099px) {{{_HIDE_ANSWER} }}</style>"
NO_SIDE_BAR = f"""<style>{SIDE_BAR}, [data-testid="stExpandSidebarButton"] {{ display: none; }}
.stApp {{ --dp-lesson-control: 0rem; }}</style>"""


def strip() -> None:
    """Draw the step of a lesson that the link names, if any."""
    presentation.go_back()
    lesson = LESSONS.get(st.query_params.get("lesson", ""))
    if lesson is None:
        return
    number = st.query_params.get("step", "1")
    at = min(int(number), len(lesson.steps)) - 1 if re.fullmatch("[1-9]", number) else 0
    step, curve_points = lesson.steps[at], _drawn_values(lesson.steps[at])
    _style(step)
    title = render(text.HEADING, title=lesson.title, step=at + 1, steps=len(lesson.steps))
    with st.container(key=NAME):
        # each in a place of its own, so that nothing moves while runs compute
        with st.container(key=f"{NAME}-head"):
            st.html(anchor(detail_level.address("lessons"), text.ALL_LESSONS, "dp-all"))
            st.markdown(title)
        before = st.container(key=f"{NAME}-before")
        with st.container(key=f"{NAME}-look"):
            st.markdown(unbroken(step.look))
            if step.covered and curve_points is None:
                st.html(COVER)
                if step.at != ANSWER:  # the page's answer shows the result, too
                    st.html(COVER_ANSWER)
                if not isinstance(step.ask, Drawing):
                    st.caption(text.COVERED)
        answered = "asked" if curve_points is None else "answered"
        ask_place, links = (st.container(key=f"{NAME}-{name}") for name in (answered, "links"))
    with ask_place:
        prediction = _prediction(lesson, at, curve_points)
    with links:
        st.html("".join(_links(lesson, at, prediction)))
    verdict = _curve(lesson, at, curve_points)
    came = Verdict("")
    with before:  # computed last, while the explanation can be read
        if curve_points is None:
            came = _came(lesson, at)
        else:  # the verdict on the curve that was drawn here
            st.markdown(unbroken(verdict.words))
    came_now = {at: verdict} if verdict.mark else {}
    _script(lesson, at, ({at - 1: came} if came.mark else {}) | came_now)


def _style(step: Step) -> None:
    """Hide everything but the lesson, the answer, the chart, the element of the step's text, and
    the control that it names.
    """
    keys = [step.at or PICTURE]
    if keys[0] == ANSWER:
        keys.append(PICTURE)
    if keys[0] == OWN_ANSWER:  # the page's answer and chart are about all people, for later steps
        st.html(COVER + COVER_ANSWER)
    if step.control == BUDGET:
        keys.append(PHONE_SLIDER)
    st.html(ONLY_CHART.format(shown=", ".join(f".st-key-{key}" for key in keys)))
    if step.at != ANSWER:
        st.html(NO_ANSWER)
    st.html(f"<style>{asset('lesson_strip.css')}</style>")
    if presentation.on():
        st.html(f"<style>{asset('lesson_slides.css')}</style>")
    if step.control:
        hide_controls([step.control])
    else:
        st.html(NO_SIDE_BAR)


def hide_controls(shown: Iterable[str]) -> None:
    """Hide all controls of the side bar except some, given by their keys."""
    classes = [".st-key-" + re.sub(r"[^\w-]", "-", key) for key in shown if key]
    if not classes:
        return
    inside = ", ".join(f"{name}, {name} *" for name in classes)
    st.html(
        f"<style>{SIDE_BAR} [data-testid=stElementContainer]:not({inside}) {{ display: none; }}"
        f"{SIDE_BAR} [data-testid=stExpander]:not(:has({', '.join(classes)})) {{ display: none; }}"
        "</style>"
    )


def anchor(href: str, words: str, kind: str = "", attributes: str = "") -> str:
    """Return a link that looks like a button. It reloads the page, without any earlier state."""
    return (
        f'<a class="dp-button dp-inline {kind}" href="{plain(href)}" target="_self"{attributes}>'
        f"{plain(words)}</a>"
    )


def _links(lesson: Lesson, at: int, prediction: str) -> list[str]:
    """Return the links to the next and the previous step, and the slides."""
    link_parts = detail_level.link_part() | presentation.link_part()
    links = [anchor(address(lesson, at - 1, **link_parts), text.BACK, "dp-back")] if at else []
    ask = lesson.steps[at].ask
    if isinstance(ask, Drawing) and not prediction:  # shown here, since the next step does not
        skip = address(lesson, at, drawn=drawings.SKIPPED, **link_parts)
        links.append(anchor(skip, text.SKIP, "dp-next dp-quiet"))
    elif at + 1 < len(lesson.steps):
        label = text.NEXT if isinstance(ask, Drawing) else text.SHOW
        words = text.NEXT if not ask else label if prediction else text.SKIP
        link_prediction = "" if isinstance(ask, Drawing) else prediction
        kind = "dp-next dp-quiet" if ask and not prediction else "dp-next"
        links.append(anchor(address(lesson, at + 1, link_prediction, **link_parts), words, kind))
    else:
        end = lessons.end_link(lesson, **detail_level.link_part())
        links.append(anchor(end, text.TO_END, "dp-next"))
    if not presentation.on():
        slides = address(lesson, at, **link_parts, **{presentation.NAME: "1"})
        links.append(anchor(slides, text.SLIDES, "dp-aside", f' title="{plain(text.SLIDES_HELP)}"'))
    return links


# --------------------------------------------------------------------------------- predictions


def _prediction(lesson: Lesson, at: int, curve_points: list[int] | None) -> str:
    """Return this step's prediction as the next link carries it; empty before it is made."""
    ask = lesson.steps[at].ask
    if ask is None:
        return ""
    if isinstance(ask, Drawing):  # the question is above the chart to draw in
        return "" if curve_points is None else drawings.link_text(curve_points) or drawings.SKIPPED
    st.markdown(f"**{text.PREDICT_FIRST}** {unbroken(ask.text)}")
    return _chosen(lesson, at, ask)


def _chosen(lesson: Lesson, at: int, ask: Outcome | Reason) -> str:
    """Return the chosen option; empty before a choice."""
    titles = (
        CHANGES
        if isinstance(ask, Outcome)
        else {str(i): option for i, option in enumerate(ask.options)}
    )
    chosen = st.radio(
        text.PREDICTION,
        list(titles),
        format_func=titles.get,
        index=None,
        key=f"predict-{lesson.key}-{at}",
        label_visibility="collapsed",
    )
    return chosen or ""


def _drawn_values(step: Step) -> list[int] | None:
    """Return the curve that was drawn at this step, if any."""
    if not isinstance(step.ask, Drawing):
        return None
    return drawings.read(st.query_params.get("drawn", ""), step.ask)


def _curve(lesson: Lesson, at: int, curve_points: list[int] | None) -> Verdict:
    """Draw the chart to draw in; after the drawing, add the true curve and return the verdict."""
    step = lesson.steps[at]
    ask, truth = step.ask, None
    if not isinstance(ask, Drawing):
        return Verdict("")
    head = text.PREDICT_FIRST
    if curve_points is not None:
        head = text.ASKED_BEFORE if curve_points else text.NOT_PREDICTED
    with st.container(border=True, key=f"{NAME}-drawing"):
        st.markdown(f"**{head}** {unbroken(ask.text)}")
        place = st.container()
        if curve_points is not None:
            truth = _truth(step, ask, f"{NAME}-{at}")
        with place:
            draw_curve.show(f"draw-{lesson.key}-{at}", ask, curve_points, truth)
    return drawings.verdict(ask, truth, curve_points or ()) if truth else Verdict("")


def _truth(step: Step, ask: Drawing, key: str) -> Sequence[Interval] | None:
    """Return the true curve; None if its runs were stopped or refused."""
    groups = drawings.groups(step, ask)
    if not groups:
        return drawings.by_formula(step, ask)
    job = long_work.collect(key, groups, st.empty())
    return [accuracy(job.done[group], ask.score) for group in groups] if job.complete else None


# ------------------------------------------------------------------------------------- results


def _came(lesson: Lesson, at: int) -> Verdict:
    """Show and return the result of the previous step's choice; a drawing has its own."""
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
    """Scroll to the step's element, store the progress and turn slides, in the browser."""
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
    is_above = isinstance(step.ask, Drawing) or presentation.on()  # the chart is on top
    named = "" if is_above else step.at
    data = {"lesson": lesson.key, "step": at, "of": len(lesson.steps), "at": named}
    link = address(lesson, at, **detail_level.link_part())
    data |= {"came": verdicts, "slides": presentation.on(), "link": link}
    part(key="hand-lesson", data=data)
