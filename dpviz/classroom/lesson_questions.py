"""What a lesson asks, as a question for a room."""

from __future__ import annotations

from collections.abc import Sequence

from dpviz.classroom.questions import Choice, Curve
from dpviz.formatting import numbers
from dpviz.stats import Interval
from dpviz.views.lessons import CHANGES, Drawing, Outcome, Reason, Step, drawings


def of_step(step: Step) -> Choice | Curve | None:
    """The prediction of a step; None where it asks for none. What is right of a drawing or of an
    outcome is computed by runs: give it with the reveal (``truth``), or say it in words.
    """
    ask = step.ask
    if isinstance(ask, Reason):
        return Choice(_plain(ask.text), tuple(map(_plain, ask.options)), ask.right, _plain(ask.why))
    if isinstance(ask, Outcome):
        return Choice(_plain(ask.text), tuple(CHANGES.values()))
    return _curve_question(ask) if isinstance(ask, Drawing) else None


def truth(intervals: Sequence[Interval]) -> tuple[tuple[float, float, float], ...]:
    """A true curve's means and intervals as a ``Curve`` holds them, in percent."""
    percents = [
        tuple(100 * share for share in (interval.mean, interval.low, interval.high))
        for interval in intervals
    ]
    return tuple((round(a, 1), round(b, 1), round(c, 1)) for a, b, c in percents)


def _curve_question(ask: Drawing) -> Curve:
    below, beside = drawings.titles(ask)
    names, places = tuple(numbers(ask.values)), tuple(drawings.places(ask))
    scale = drawings.scale(ask)
    return Curve(_plain(ask.text), names, places, below, beside, scale, then=_plain(ask.gap))


def _plain(words: str) -> str:
    """A phone shows no Markdown."""
    return words.replace("**", "")
