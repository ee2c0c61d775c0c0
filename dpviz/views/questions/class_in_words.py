"""What a class gained, in sentences."""

from __future__ import annotations

import dataclasses
import math

import numpy as np

from dpviz.formatting import points
from dpviz.stats import Difference
from dpviz.views.questions import QUESTIONS
from dpviz.views.questions.class_gain import (
    MIN_PEOPLE,
    Item,
    Pairs,
    gain,
    normalised,
    overconfidence,
)

NOTHING = (
    "From so few nothing can be told of a class, and too much of those in it; from"
    f" {MIN_PEOPLE} people on, this page says what they gained."
)


def too_few(both: Pairs) -> str:
    """Why there is nothing to see, or ""."""
    n = len(both.people)
    if n >= MIN_PEOPLE:
        return ""
    count = {0: "Nobody", 1: "One person"}.get(n, f"{n} people")
    return f"**{count} answered all questions both times.** {NOTHING}{_other_pairs(both)}"


def _other_pairs(both: Pairs) -> str:
    if not both.partly:
        return ""
    one = both.partly == 1
    return (
        f" {both.partly} more {'has' if one else 'have'} answered once, or not all questions, and"
        f" {'is' if one else 'are'} left out."
    )


def plainly(both: Pairs) -> str:
    """The gain in whole numbers."""
    total, difference = both.before.shape[1], gain(both)
    before, after = (total * float(each.mean()) for each in (both.before, both.after))
    start = (
        f"Of {total} questions these **{len(both.people)} people** had **{before:.1f}** right"
        f" before the lessons and **{after:.1f}** after."
    )
    if difference.p > 0.05:
        return (
            f"{start} So small a difference can be chance in a class of this size."
            f"{_other_pairs(both)}"
        )
    if difference.half == 0:
        return f"{start}{_other_pairs(both)}"
    ends = sorted(abs(total * (difference.apart + sign * difference.half)) for sign in (-1, 1))
    more = "more" if difference.apart > 0 else "fewer"
    return (
        f"{start} For a class like this that is between {ends[0]:.1f} and {ends[1]:.1f} {more}."
        f"{_other_pairs(both)}"
    )


def precisely(both: Pairs) -> str:
    """The same with its interval, its p-value and the normalised gain."""
    difference, left = gain(both), normalised(both)
    share = (
        ""
        if left is None or left <= 0
        else f" Of what was left to gain, the mean person gained {left:.0%}"
    )
    if share:
        share = share.replace("%", " %") + " (normalised gain)."
    return (
        f"Gain {_with_interval(difference)}, the 95 % interval from {len(both.people)} people"
        f" paired with themselves (Student's t, p {_p(difference.p)}).{share} {kinds(both)}"
    )


def kinds(both: Pairs) -> str:
    """Facts and new situations, each with its gain."""
    texts = []
    for transfer, name in ((False, "Facts"), (True, "new situations")):
        at = [i for i, question in enumerate(QUESTIONS.values()) if question.transfer == transfer]
        difference = gain(
            dataclasses.replace(both, before=both.before[:, at], after=both.after[:, at])
        )
        texts.append(f"{name} ({len(at)} questions): {_with_interval(difference)}")
    return f"{'; '.join(texts)}."


def _with_interval(difference: Difference) -> str:
    if math.isinf(difference.half) or difference.half == 0:
        return (
            f"{points(difference.apart, math.inf)} (the same for all, so that its interval is open)"
        )
    return points(difference.apart, difference.half)


def _p(p: float) -> str:
    return "below 0.001" if p < 0.001 else f"= {p:.2g}"


def sureness(both: Pairs) -> str:
    """Whether the class knew what it knew."""
    texts = [
        _sureness("before", both.sure_before, both.before),
        _sureness("after", both.sure_after, both.after),
    ]
    return " ".join(texts)


def _sureness(when: str, sure: np.ndarray, right: np.ndarray) -> str:
    difference = overconfidence(sure, right)
    start = (
        f"{when.capitalize()} the lessons the mean answer was expected to be right"
        f" {100 * float(sure.mean()):.0f} times in 100 and was {100 * float(right.mean()):.0f}"
    )
    if difference.p > 0.05:
        return f"{start}: about as sure as right."
    return f"{start}: {'too sure' if difference.apart > 0 else 'not sure enough'}."


def changed_questions(items: tuple[Item, ...]) -> str:
    """Which questions gained for certain."""
    up = [item.gist for item in items if item.significant and item.after > item.before]
    down = [item.gist for item in items if item.significant and item.after < item.before]
    if not up and not down:
        return (
            "No single question moved by more than chance, all looked at together (exact test of"
            " paired answers, Holm)."
        )
    texts = [f"more right: {', '.join(up)}"] * bool(up) + [f"less right: {', '.join(down)}"] * bool(
        down
    )
    return (
        f"By more than chance, all looked at together (exact test of paired answers, Holm):"
        f" {'; '.join(texts)}."
    )
