"""Predictions of lessons as questions for a live class."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from dpviz.classroom.questions import Choice, Curve
from dpviz.formatting import numbers
from dpviz.stats import Interval
from dpviz.views.lessons import CHANGES, Drawing, Outcome, Reason, Step, drawings


def of_step(step: Step) -> Choice | Curve | None:
    """Return the prediction of a step with its explanation; None if it has none.

    Runs compute the right answer of a drawing and of an outcome; it is given with the results.
    """
    ask = step.ask
    if isinstance(ask, Reason):
        options = tuple(map(_plain, ask.options))
        return Choice(
            _plain(ask.text), options, ask.right, _plain(ask.why), setup=_plain(step.look_in_class)
        )
    if isinstance(ask, Outcome):
        return Choice(_plain(ask.text), tuple(CHANGES.values()), setup=_plain(step.look_in_class))
    return _curve_question(ask, step.look_in_class) if isinstance(ask, Drawing) else None


def truth(intervals: Sequence[Interval]) -> tuple[tuple[float, float, float], ...]:
    """Return a true curve's means and intervals in percent, as in ``Curve.truth``."""
    percents = [
        tuple(100 * share for share in (interval.mean, interval.low, interval.high))
        for interval in intervals
    ]
    return tuple((round(a, 1), round(b, 1), round(c, 1)) for a, b, c in percents)


def _curve_question(ask: Drawing, setup: str) -> Curve:
    below, beside = drawings.titles(ask)
    names, places = tuple(numbers(ask.values)), tuple(drawings.places(ask))
    scale = drawings.scale(ask)
    question = Curve(_plain(ask.text), names, places, below, beside, scale)
    return replace(question, then=_plain(ask.gap), setup=_plain(setup))


def _plain(words: str) -> str:
    """Return a text without Markdown, which phones do not show."""
    return words.replace("**", "")
