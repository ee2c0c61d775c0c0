"""What a lesson's steps ask, and what is said to every answer that can be given."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dpviz.experiments import experiment
from dpviz.formatting import unbroken
from dpviz.stats import Interval, accuracy
from dpviz.types import RunSpec
from dpviz.ui.frame.page_parts import ANSWER
from dpviz.ui.widgets import draw_curve
from dpviz.views import lessons
from dpviz.views.lessons import (
    CHANGES,
    Drawing,
    Lesson,
    Outcome,
    Reason,
    Step,
    Verdict,
    drawings,
)

Json = Any


def ask(lesson: Lesson, at: int) -> dict[str, Json] | None:
    """The prediction of a step, None where it asks for none; its runs are computed where they are
    not in the store.
    """
    step = lesson.steps[at]
    prompt = step.ask
    if prompt is None:
        return None
    data: dict[str, Json] = {"text": unbroken(prompt.text), "plain": prompt.text}
    data["covered"] = step.covered
    data["coversAnswer"] = step.at != ANSWER
    if isinstance(prompt, Drawing):
        return data | _drawing(step, prompt)
    if isinstance(prompt, Reason):
        options = {str(i): option for i, option in enumerate(prompt.options)}
        verdicts = {answer: lessons.reason_verdict(prompt, answer) for answer in ("", *options)}
    else:
        options, verdicts = CHANGES, _outcomes(step, prompt, lesson.steps[at + 1])
    data["options"] = list(options.items())
    return data | {"verdicts": {answer: _json(verdict) for answer, verdict in verdicts.items()}}


def _outcomes(before: Step, prompt: Outcome, after: Step) -> dict[str, Verdict]:
    before_accuracy, after_accuracy = _accuracies(
        lessons.groups(before, prompt, after), prompt.score
    )
    return {
        answer: lessons.verdict(prompt, before_accuracy, after_accuracy, answer)
        for answer in ("", *CHANGES)
    }


def _drawing(step: Step, prompt: Drawing) -> dict[str, Json]:
    """The chart to draw in, the true curve, and what judges a drawn one."""
    true = truth(step, prompt)
    return {
        "chart": draw_curve.script_data(prompt, None, None),
        "truth": draw_curve.script_data(prompt, (), true)["truth"],
        "facts": drawings.facts(prompt, true),
    }


def truth(step: Step, prompt: Drawing) -> list[Interval]:
    """The true curve."""
    groups = drawings.groups(step, prompt)
    return _accuracies(groups, prompt.score) if groups else drawings.by_formula(step, prompt)


def _accuracies(groups: Sequence[tuple[RunSpec, ...]], score: str) -> list[Interval]:
    results = iter(experiment.sweep([spec for group in groups for spec in group]))
    return [accuracy([next(results) for _ in group], score) for group in groups]


def _json(verdict: Verdict) -> dict[str, str]:
    return {
        "words": unbroken(verdict.words),
        "mark": verdict.mark,
        "said": verdict.prediction,
        "came": verdict.result,
    }
