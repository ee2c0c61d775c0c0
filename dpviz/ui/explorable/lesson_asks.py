"""What a lesson's steps ask, and what is said to every answer that can be given."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dpviz.formatting import unbroken
from dpviz.run import experiment
from dpviz.stats import Interval, accuracy
from dpviz.types import RunSpec
from dpviz.ui.widgets import draw_curve
from dpviz.views import lessons
from dpviz.views.lessons import CHANGES, Drawing, Lesson, Outcome, Reason, Step, Verdict, drawings

Json = Any


def ask(lesson: Lesson, at: int) -> dict[str, Json] | None:
    """The prediction of a step, None where it asks for none; its runs are computed where they are
    not in the store.
    """
    step = lesson.steps[at]
    asked = step.ask
    if asked is None:
        return None
    told: dict[str, Json] = {"text": unbroken(asked.text), "plain": asked.text}
    told["covered"] = step.covered
    if isinstance(asked, Drawing):
        return told | _drawing(step, asked)
    if isinstance(asked, Reason):
        options = {str(i): option for i, option in enumerate(asked.options)}
        verdicts = {said: lessons.reason_verdict(asked, said) for said in ("", *options)}
    else:
        options, verdicts = CHANGES, _outcomes(step, asked, lesson.steps[at + 1])
    told["options"] = list(options.items())
    return told | {"verdicts": {said: _json(verdict) for said, verdict in verdicts.items()}}


def _outcomes(before: Step, asked: Outcome, after: Step) -> dict[str, Verdict]:
    first, then = _accuracies(lessons.groups(before, asked, after), asked.score)
    return {said: lessons.verdict(asked, first, then, said) for said in ("", *CHANGES)}


def _drawing(step: Step, asked: Drawing) -> dict[str, Json]:
    """The chart to draw in, the true curve, and what judges a drawn one."""
    true = truth(step, asked)
    return {
        "chart": draw_curve.script_data(asked, None, None),
        "truth": draw_curve.script_data(asked, (), true)["truth"],
        "facts": drawings.facts(asked, true),
    }


def truth(step: Step, asked: Drawing) -> list[Interval]:
    """The true curve."""
    groups = drawings.groups(step, asked)
    return _accuracies(groups, asked.score) if groups else drawings.by_formula(step, asked)


def _accuracies(groups: Sequence[tuple[RunSpec, ...]], score: str) -> list[Interval]:
    found = iter(experiment.sweep([spec for group in groups for spec in group]))
    return [accuracy([next(found) for _ in group], score) for group in groups]


def _json(verdict: Verdict) -> dict[str, str]:
    return {
        "words": unbroken(verdict.words),
        "mark": verdict.mark,
        "said": verdict.prediction,
        "came": verdict.result,
    }
