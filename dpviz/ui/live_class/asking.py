"""What the room is asked: a lesson's prediction, the teacher's own question, or a private one."""

from __future__ import annotations

from collections.abc import Callable
from weakref import WeakKeyDictionary

import streamlit as st

from dpviz.classroom import Choice, LiveClass, Number, Private, Question, lesson_questions
from dpviz.formatting import literal, number
from dpviz.types import DpvizError
from dpviz.ui.frame import lesson_strip, page_parts
from dpviz.views import lessons
from dpviz.views.lessons import LESSONS, Step

KINDS = {
    "lesson": "A lesson's prediction",
    "own": "Your own question",
    "private": "A private yes or no",
}
OWN_QUESTIONS = {"choice": "Choose one", "yes": "Yes or no", "number": "A number"}
WAYS = {
    "coin": "A coin on each phone: this server gets deniable answers alone",
    "server": "This server counts the true answers, tells the count once with noise, and forgets",
}
_of_lessons: WeakKeyDictionary[LiveClass, tuple[int, str, int]] = WeakKeyDictionary()
"""Of each room the number of a question, and which lesson's step it was."""


def step_of(live_class: LiveClass) -> tuple[Step, Step] | None:
    """The lesson's step that is asked now and the one after it; None for other questions."""
    number, key, at = _of_lessons.get(live_class, (0, "", 0))
    if not number or number != live_class.snapshot().number:
        return None
    steps = LESSONS[key].steps
    return steps[at], steps[min(at + 1, len(steps) - 1)]


def panel(live_class: LiveClass, epsilon: float) -> None:
    """All ways to ask; ``epsilon``: of a private question."""
    st.header("Ask the room")
    kind = st.segmented_control(
        "What to ask",
        list(KINDS),
        format_func=KINDS.__getitem__,
        default="lesson",
        required=True,
        key="class-kind",
        persist_state="session",
        label_visibility="collapsed",
    )
    make = {"lesson": _lesson, "own": _own_question, "private": lambda: _private(epsilon)}[kind]()
    # no callback: it would be given what stood in the boxes before the last one was left
    if st.button("Ask it", key="class-ask", type="primary", icon=":material/campaign:"):
        try:
            _ask(live_class, *make())
        except DpvizError as error:
            page_parts.refusals([str(error)])
        else:
            st.rerun()


def _ask(live_class: LiveClass, question: Question, lesson: str, at: int) -> None:
    number = live_class.ask(question)
    if lesson:
        _of_lessons[live_class] = number, lesson, at
    else:
        _of_lessons.pop(live_class, None)


Make = Callable[[], tuple[Question, str, int]]
"""Makes the question, with the lesson's key and the step from 0 where it is a lesson's.

Raises:
    DpvizError: where it cannot be asked.
"""


def _lesson() -> Make:
    asking = {
        key: [at for at, step in enumerate(lesson.steps) if step.ask]
        for key, lesson in LESSONS.items()
    }
    left_column, right_column = st.columns(2)
    key = left_column.selectbox(
        "Lesson",
        [key for key, places in asking.items() if places],
        format_func=lambda key: LESSONS[key].title,
        key="class-lesson",
        persist_state="session",
    )
    at = right_column.selectbox(
        "Step",
        asking[key],
        format_func=lambda at: f"step {at + 1} of {len(LESSONS[key].steps)}",
        key=f"class-step-{key}",
        persist_state="session",
    )
    step = LESSONS[key].steps[at]
    assert step.ask is not None  # only steps that ask can be chosen
    st.markdown(step.ask.text)
    st.html(lesson_strip.anchor(lessons.address(LESSONS[key], at), OPEN_STEP, "dp-quiet"))

    def make() -> tuple[Question, str, int]:
        question = lesson_questions.of_step(step)
        assert question is not None
        return question, key, at

    return make


def _own_question() -> Make:
    kind = st.segmented_control(
        "Kind of question",
        list(OWN_QUESTIONS),
        format_func=OWN_QUESTIONS.__getitem__,
        default="choice",
        required=True,
        key="class-own",
        persist_state="session",
        label_visibility="collapsed",
    )
    text = st.text_input("Your question", key="class-text", max_chars=600)
    make = {"choice": _choice, "yes": _is_yes, "number": _number}[kind](text)
    return lambda: (make(), "", 0)


OPEN_STEP = "Open this step"
NO_RIGHT_ANSWER = "none is right, or not known"


def _choice(text: str) -> Callable[[], Question]:
    written = st.text_area("What may be chosen, one a line (2 to 8)", key="class-options")
    options = tuple(filter(None, map(str.strip, written.splitlines())))
    right = _right(options)
    return lambda: Choice(text, options, right)


def _is_yes(text: str) -> Callable[[], Question]:
    right = _right(("Yes", "No"))
    return lambda: Choice(text, ("Yes", "No"), right)


def _right(options: tuple[str, ...]) -> int | None:
    """The place of the right option, where the teacher knows one; no phone is told before."""
    places = [None, *range(len(options))]
    return st.selectbox(
        "Which is right (phones see it with the reveal)",
        places,
        format_func=lambda at: NO_RIGHT_ANSWER if at is None else options[at],
        key=f"class-right-{hash(options)}",
    )


def _number(text: str) -> Callable[[], Question]:
    columns = st.columns(5)
    low = columns[0].number_input("From", value=0.0, format="%g", key="class-least")
    high = columns[1].number_input("To", value=100.0, format="%g", key="class-most")
    step = columns[2].number_input("In steps of", value=1.0, format="%g", key="class-steps")
    unit = columns[3].text_input("Unit", key="class-unit", max_chars=40)
    right = columns[4].number_input("True one, if known", value=None, format="%g", key="class-true")
    return lambda: Number(text, low, high, step, unit, right)


def _private(epsilon: float) -> Make:
    text = st.text_input("Your question, with yes or no", key="class-private", max_chars=600)
    way = st.radio("Who draws the noise", list(WAYS), format_func=WAYS.get, key="class-way")
    st.caption(
        f"ε = {literal(number(epsilon))} from the slider of the sidebar, for each who answers;"
        " asked again it is spent again. What this room could learn is below."
    )
    return lambda: (Private(text, way, epsilon), "", 0)
