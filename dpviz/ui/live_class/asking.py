"""Questions to a live class: a lesson's prediction, the teacher's own, a private one, or a race."""

from __future__ import annotations

from collections.abc import Callable
from weakref import WeakKeyDictionary

import streamlit as st

from dpviz.classroom import (
    Choice,
    LiveClass,
    Number,
    Private,
    Question,
    Race,
    lesson_questions,
)
from dpviz.classroom.live_class import WAITING
from dpviz.formatting import literal
from dpviz.text import live_class as text
from dpviz.text.template import render, render_text
from dpviz.types import DpvizError
from dpviz.ui.frame import lesson_strip, page_parts
from dpviz.ui.live_class import estimates
from dpviz.views import class_race, lessons, live_class_page
from dpviz.views.lessons import LESSONS, Step

#: Number of the question after which the next prediction was selected.
SELECTED_AFTER = "class-selected-after"
#: By live class: the number of a question, its lesson and its step.
_lesson_of_class: WeakKeyDictionary[LiveClass, tuple[int, str, int]] = WeakKeyDictionary()


def step_of(live_class: LiveClass) -> tuple[Step, Step] | None:
    """Return the lesson's step that is asked now and the next one; None for other questions."""
    number, key, at = _lesson_of_class.get(live_class, (0, "", 0))
    if not number or number != live_class.snapshot().number:
        return None
    steps = LESSONS[key].steps
    return steps[at], steps[min(at + 1, len(steps) - 1)]


def next_question(live_class: LiveClass) -> tuple[str, int] | None:
    """Return lesson and step of the prediction after the current one; the first one at first."""
    places = [
        (key, at)
        for key, lesson in LESSONS.items()
        for at, step in enumerate(lesson.steps)
        if step.ask
    ]
    number, key, at = _lesson_of_class.get(live_class, (0, "", 0))
    if not number:
        return places[0]
    return next(iter(places[places.index((key, at)) + 1 :]), None)


def next_button(live_class: LiveClass) -> None:
    """Draw the button that asks the next prediction, also on a projector."""
    place = next_question(live_class)
    if place is None:
        return
    key, at = place
    is_first = live_class.phase == WAITING
    words = render(text.FIRST if is_first else text.NEXT, title=LESSONS[key].title, step=at + 1)
    with st.container(horizontal=True, vertical_alignment="center", key="class-next-row"):
        is_pressed = st.button(words, key="class-next")
        link = lessons.address(LESSONS[key], at)
        st.html(lesson_strip.anchor(link, text.OPEN_STEP, "dp-quiet"))
    if is_pressed:
        question = lesson_questions.of_step(LESSONS[key].steps[at])
        assert question is not None
        _ask(live_class, question, key, at)
        st.rerun()


def panel(live_class: LiveClass, epsilon: float) -> None:
    """Draw all ways to ask; ``epsilon`` is the budget of a private question."""
    st.subheader(text.ASK_TITLE)
    kind = st.segmented_control(
        text.KIND,
        list(text.KINDS),
        format_func=text.KINDS.__getitem__,
        default="lesson",
        required=True,
        key="class-kind",
        persist_state="session",
        label_visibility="collapsed",
    )
    private = lambda: _private(live_class, epsilon)
    lesson = lambda: _lesson(live_class)
    make = {"lesson": lesson, "own": _own_question, "private": private, "race": _race}[kind]()
    # no callback: it would get the values from before the last box was left
    if st.button(text.ASK, key="class-ask", type="primary", icon=":material/campaign:"):
        try:
            _ask(live_class, *make())
        except DpvizError as error:
            page_parts.refusals([str(error)])
        else:
            st.rerun()


def _ask(live_class: LiveClass, question: Question, lesson: str, at: int) -> None:
    number = live_class.ask(question)
    if lesson:  # the place is kept while other questions are asked
        _lesson_of_class[live_class] = number, lesson, at


#: Returns a question, and for a lesson's question its key and step (from 0). Raises ``DpvizError``
#: for an invalid question.
Make = Callable[[], tuple[Question, str, int]]


def _lesson(live_class: LiveClass) -> Make:
    _select_next(live_class)
    asking = {
        key: [at for at, step in enumerate(lesson.steps) if step.ask]
        for key, lesson in LESSONS.items()
    }
    left_column, right_column = st.columns(2)
    key = left_column.selectbox(
        text.LESSON,
        [key for key, places in asking.items() if places],
        format_func=lambda key: LESSONS[key].title,
        key="class-lesson",
        persist_state="session",
    )
    at = right_column.selectbox(
        text.STEP,
        asking[key],
        format_func=lambda at: render_text(
            text.STEP_OPTION, step=at + 1, steps=len(LESSONS[key].steps)
        ),
        key=f"class-step-{key}",
        persist_state="session",
    )
    step = LESSONS[key].steps[at]
    assert step.ask is not None  # only steps with a prediction can be chosen
    st.markdown(f"{step.look_in_class}\n\n**{step.ask.text}**")
    st.html(lesson_strip.anchor(lessons.address(LESSONS[key], at), text.OPEN_STEP, "dp-quiet"))

    def make() -> tuple[Question, str, int]:
        question = lesson_questions.of_step(step)
        assert question is not None
        return question, key, at

    return make


def _select_next(live_class: LiveClass) -> None:
    """Select the prediction after the one that was asked last, once per question."""
    number = _lesson_of_class.get(live_class, (0, "", 0))[0]
    place = next_question(live_class)
    if number and place and st.session_state.get(SELECTED_AFTER) != number:
        key, at = place
        st.session_state[SELECTED_AFTER] = number
        st.session_state["class-lesson"], st.session_state[f"class-step-{key}"] = key, at


def _own_question() -> Make:
    kind = st.segmented_control(
        text.KIND,
        list(text.OWN_KINDS),
        format_func=text.OWN_KINDS.__getitem__,
        default="choice",
        required=True,
        key="class-own",
        persist_state="session",
        label_visibility="collapsed",
    )
    written = st.text_input(text.TEXT, key="class-text", max_chars=600)
    make = {"choice": _choice, "yes": _is_yes, "number": _number}[kind](written)
    return lambda: (make(), "", 0)


def _choice(asked: str) -> Callable[[], Question]:
    written = st.text_area(text.OPTIONS, key="class-options")
    options = tuple(filter(None, map(str.strip, written.splitlines())))
    right = _right(options)
    return lambda: Choice(asked, options, right)


def _is_yes(asked: str) -> Callable[[], Question]:
    options = (text.YES, text.NO)
    right = _right(options)
    return lambda: Choice(asked, options, right)


def _right(options: tuple[str, ...]) -> int | None:
    """Return the index of the right option, if any; phones see it with the results."""
    places = [None, *range(len(options))]
    return st.selectbox(
        text.RIGHT,
        places,
        format_func=lambda at: text.NO_RIGHT if at is None else options[at],
        help=text.RIGHT_HELP,
        key=f"class-right-{hash(options)}",
    )


def _number(asked: str) -> Callable[[], Question]:
    columns = st.columns(5)
    low = columns[0].number_input(text.FROM, value=0.0, format="%g", key="class-least")
    high = columns[1].number_input(text.TO, value=100.0, format="%g", key="class-most")
    step = columns[2].number_input(text.STEPS, value=1.0, format="%g", key="class-steps")
    unit = columns[3].text_input(text.UNIT, key="class-unit", max_chars=40)
    right = columns[4].number_input(text.TRUE_NUMBER, value=None, format="%g", key="class-true")
    return lambda: Number(asked, low, high, step, unit, right)


def _race() -> Make:
    question = Race(text.RACE_TEXT, class_race.EPSILONS, setup=class_race.setup())
    st.markdown(f"{literal(question.setup)}\n\n**{literal(question.text)}**")
    st.caption(class_race.note())
    return lambda: (question, "", 0)


def _private(live_class: LiveClass, epsilon: float) -> Make:
    asked = st.text_input(text.PRIVATE_TEXT, key="class-private", max_chars=600)
    way = st.radio(text.WAY, list(text.WAYS), format_func=text.WAYS.get, key="class-way")
    people = live_class.snapshot().joined or estimates.DEFAULT_PEOPLE
    is_useful, words = live_class_page.precision_text(way, epsilon, people)
    (st.info if is_useful else st.warning)(words, icon=":material/straighten:")
    st.caption(render(text.SPENDS, epsilon=epsilon))
    return lambda: (Private(asked, way, epsilon), "", 0)
