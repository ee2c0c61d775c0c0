"""Results of a question, computed once and shown on all phones."""

from __future__ import annotations

from typing import Any

from streamlit.delta_generator import DeltaGenerator

from dpviz.classroom import (
    Choice,
    Curve,
    LiveClass,
    Number,
    Private,
    Race,
    Snapshot,
    lesson_questions,
)
from dpviz.stats import Interval, accuracy
from dpviz.text import live_class as text
from dpviz.text.template import render
from dpviz.ui.frame import page_parts
from dpviz.ui.live import long_work
from dpviz.ui.live_class import asking
from dpviz.views import class_race, lessons, live_class_page
from dpviz.views.lessons import CHANGES, Drawing, Outcome, Step, drawings
from dpviz.views.live_class_page import ClassEstimate

KEY = "class-truth"


def prepare(live_class: LiveClass) -> None:
    """Start the runs of an open race, so that its results need not wait."""
    question = live_class.snapshot().question
    if isinstance(question, Race):
        long_work.start_job(KEY, class_race.groups(question.epsilons))


def settle(live_class: LiveClass, status: DeltaGenerator) -> None:
    """Show the results of a closed question; ``status`` is the place of a progress bar."""
    shot = live_class.snapshot()
    if isinstance(shot.question, Private):
        estimate = private(live_class, shot)
        words = live_class_page.estimate_text(estimate) if estimate else text.NOBODY
        live_class.reveal(words, shot.number)
        return
    if isinstance(shot.question, Race):
        _race(live_class, shot, shot.question, status)
        return
    steps = asking.step_of(live_class)
    result = _of_lesson(*steps, status) if steps else ("", {})
    if result is None:
        return
    words, known = result
    live_class.reveal(words.replace("**", "").replace("*", ""), shot.number, **known)


def private(live_class: LiveClass, shot: Snapshot) -> ClassEstimate | None:
    """Return the estimate of a private question; None without answers."""
    question = shot.question
    assert isinstance(question, Private)
    if not shot.answered:
        return None
    came = shot.tally[0] if question.way == "coin" else live_class.release_yes_count()
    return live_class_page.estimate_share(question.way, question.epsilon, shot.answered, came)


def _race(live_class: LiveClass, shot: Snapshot, question: Race, status: DeltaGenerator) -> None:
    """Show the results of a race once all of its runs are computed."""
    groups = class_race.groups(question.epsilons)
    job = long_work.collect(KEY, groups, status)
    page_parts.refusals(job.errors.values())
    if not job.complete:
        return
    *by_epsilon, public_runs = (job.done[group] for group in groups)
    truth = tuple(map(class_race.point, by_epsilon))
    public = class_race.public_accuracy(public_runs)
    words = class_race.mean_text(shot.tally, truth) if shot.answered else text.NOBODY
    live_class.reveal(
        words.replace("**", ""),
        shot.number,
        truth=truth,
        public=public,
        then=class_race.public_text(public),
    )


def _of_lesson(
    step: Step, after: Step, status: DeltaGenerator
) -> tuple[str, dict[str, Any]] | None:
    """Return the text of a lesson's result, and the fields of the question that it completes; None
    where its runs were stopped, which can be continued.
    """
    ask = step.ask
    if isinstance(ask, Outcome):
        groups = lessons.groups(step, ask, after)
        job = long_work.collect(KEY, groups, status)
        if not job.complete:
            return None if job.missing else ("", {})
        before_accuracy, after_accuracy = (
            accuracy(job.done[group], ask.score) for group in job.groups
        )
        came = lessons.change(after_accuracy.mean - before_accuracy.mean)
        words = lessons.verdict(ask, before_accuracy, after_accuracy, "").words
        return words, {"right": list(CHANGES).index(came)}
    if isinstance(ask, Drawing):
        groups = drawings.groups(step, ask)
        if not groups:
            return "", {"truth": lesson_questions.truth(drawings.by_formula(step, ask))}
        job = long_work.collect(KEY, groups, status)
        if not job.complete:
            return None if job.missing else ("", {})
        truth = [accuracy(job.done[group], ask.score) for group in groups]
        return "", {"truth": lesson_questions.truth(truth)}
    return "", {}


def result_text(shot: Snapshot, live_class: LiveClass) -> str:
    """Return one computed sentence about the results, in Markdown."""
    question = shot.question
    if not shot.answered:
        return text.NOBODY
    if isinstance(question, Private):
        estimate = private(live_class, shot)
        return live_class_page.estimate_text(estimate) if estimate else ""
    if isinstance(question, Choice):
        if question.right is None:
            return render(text.ANSWERED, answered=shot.answered)
        return render(text.RIGHT_OF, right=shot.tally[question.right], answered=shot.answered)
    if isinstance(question, Race):
        if not question.truth:
            return render(text.ANSWERED, answered=shot.answered)
        return class_race.mean_text(shot.tally, question.truth)
    if isinstance(question, Curve):
        steps = asking.step_of(live_class)
        if not question.truth or not steps or not isinstance(steps[0].ask, Drawing):
            return render(text.DREW, answered=shot.answered)
        truth = [
            Interval(mean / 100, low / 100, high / 100, runs=1)
            for mean, low, high in question.truth
        ]
        verdicts = [drawings.verdict(steps[0].ask, truth, curve) for curve in shot.curves]
        return live_class_page.drawing_summary([verdict.mark for verdict in verdicts])
    assert isinstance(question, Number)
    middle = shot.numbers[(len(shot.numbers) - 1) // 2]
    if question.right is None:
        return render(text.MEDIAN, answered=shot.answered, median=_value(middle, question.unit))
    return render(
        text.MEDIAN_TRUE,
        answered=shot.answered,
        median=_value(middle, question.unit),
        true=_value(question.right, question.unit),
    )


def _value(number: float, unit: str) -> str:
    """Return a number with its unit."""
    return f"{number:g} {unit}".strip()
