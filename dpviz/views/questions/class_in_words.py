"""What a class gained, in sentences."""

from __future__ import annotations

import dataclasses
import math

import numpy as np

from dpviz.formatting import points
from dpviz.stats import Difference
from dpviz.views.questions import QUESTIONS
from dpviz.views.questions.class_gain import (
    FEW,
    Item,
    Pairs,
    gain,
    normalised,
    overconfidence,
)

NOTHING = (
    "From so few nothing can be told of a class, and too much of those in it; from"
    f" {FEW} people on, this page says what they gained."
)


def too_few(of: Pairs) -> str:
    """Why there is nothing to see, or ""."""
    n = len(of.people)
    if n >= FEW:
        return ""
    who = {0: "Nobody", 1: "One person"}.get(n, f"{n} people")
    return f"**{who} answered all questions both times.** {NOTHING}{_other_pairs(of)}"


def _other_pairs(of: Pairs) -> str:
    if not of.partly:
        return ""
    one = of.partly == 1
    return (
        f" {of.partly} more {'has' if one else 'have'} answered once, or not all questions, and"
        f" {'is' if one else 'are'} left out."
    )


def plainly(of: Pairs) -> str:
    """The gain in whole numbers."""
    total, found = of.before.shape[1], gain(of)
    before, after = (total * float(each.mean()) for each in (of.before, of.after))
    start = (
        f"Of {total} questions these **{len(of.people)} people** had **{before:.1f}** right before"
        f" the lessons and **{after:.1f}** after."
    )
    if found.p > 0.05:
        return (
            f"{start} So small a difference can be chance in a class of this size."
            f"{_other_pairs(of)}"
        )
    if found.half == 0:
        return f"{start}{_other_pairs(of)}"
    ends = sorted(abs(total * (found.apart + sign * found.half)) for sign in (-1, 1))
    more = "more" if found.apart > 0 else "fewer"
    return (
        f"{start} For a class like this that is between {ends[0]:.1f} and {ends[1]:.1f} {more}."
        f"{_other_pairs(of)}"
    )


def precisely(of: Pairs) -> str:
    """The same with its interval, its p-value and the normalised gain."""
    found, left = gain(of), normalised(of)
    share = (
        ""
        if left is None or left <= 0
        else f" Of what was left to gain, the mean person gained {left:.0%}"
    )
    if share:
        share = share.replace("%", " %") + " (normalised gain)."
    return (
        f"Gain {_with_interval(found)}, the 95 % interval from {len(of.people)} people paired with"
        f" themselves (Student's t, p {_p(found.p)}).{share} {kinds(of)}"
    )


def kinds(of: Pairs) -> str:
    """Facts and new situations, each with its gain."""
    said = []
    for transfer, name in ((False, "Facts"), (True, "new situations")):
        at = [i for i, question in enumerate(QUESTIONS.values()) if question.transfer == transfer]
        found = gain(dataclasses.replace(of, before=of.before[:, at], after=of.after[:, at]))
        said.append(f"{name} ({len(at)} questions): {_with_interval(found)}")
    return f"{'; '.join(said)}."


def _with_interval(found: Difference) -> str:
    if math.isinf(found.half) or found.half == 0:
        return f"{points(found.apart, math.inf)} (the same for all, so that its interval is open)"
    return points(found.apart, found.half)


def _p(p: float) -> str:
    return "below 0.001" if p < 0.001 else f"= {p:.2g}"


def sureness(of: Pairs) -> str:
    """Whether the class knew what it knew."""
    told = [
        _sureness("before", of.sure_before, of.before),
        _sureness("after", of.sure_after, of.after),
    ]
    return " ".join(told)


def _sureness(when: str, sure: np.ndarray, right: np.ndarray) -> str:
    found = overconfidence(sure, right)
    start = (
        f"{when.capitalize()} the lessons the mean answer was expected to be right"
        f" {100 * float(sure.mean()):.0f} times in 100 and was {100 * float(right.mean()):.0f}"
    )
    if found.p > 0.05:
        return f"{start}: about as sure as right."
    return f"{start}: {'too sure' if found.apart > 0 else 'not sure enough'}."


def which(items: tuple[Item, ...]) -> str:
    """Which questions gained for certain."""
    up = [item.gist for item in items if item.told and item.after > item.before]
    down = [item.gist for item in items if item.told and item.after < item.before]
    if not up and not down:
        return (
            "No single question moved by more than chance, all looked at together (exact test of"
            " paired answers, Holm)."
        )
    said = [f"more right: {', '.join(up)}"] * bool(up) + [f"less right: {', '.join(down)}"] * bool(
        down
    )
    return (
        f"By more than chance, all looked at together (exact test of paired answers, Holm):"
        f" {'; '.join(said)}."
    )
