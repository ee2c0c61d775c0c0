"""What "One person, many pictures" says to someone who knows no statistics."""

from __future__ import annotations

from dataclasses import dataclass

from dpviz.stats import Interval
from dpviz.types import Guarantee
from dpviz.views.guarantee_in_words import whose
from dpviz.views.methods_in_plain_words import named
from dpviz.views.whole_numbers import guess, hundredths, times


@dataclass(frozen=True)
class Side:
    """The best method under one of the two promises, its accuracy, and how many pictures of a
    person are in, in words.
    """

    method: str
    right: Interval
    kept: str = ""


def answer(picture: Side, person: Side, sign: int, promise: Guarantee | None) -> str:
    """In Markdown: what a promise to a whole person costs beside one to each picture.

    Args:
        sign: of the difference, 0 where noise alone can make it; promise: to a person.
    """
    lost = hundredths(picture.right.mean) - hundredths(person.right.mean)
    start = (
        "People sent several pictures each. Where each picture is protected by itself, pictures are"
        f" recognised {times(picture.right.mean)} by {named(picture.method)}; where each person is,"
        f" with all that they sent, {times(person.right.mean)} by {named(person.method)} with"
        f" {person.kept}"
    )
    told = guess([promise], whose(promise)) if promise else ""
    return f"{start}: {_cost(lost, sign, person.right.runs)}.{told and f' {told}.'}"


def _cost(lost: int, sign: int, runs: int) -> str:
    if runs < 2:
        return "one try each, which cannot tell whether they differ"
    if sign == 0:
        return "a difference that luck alone can make" if lost else "no difference"
    if sign > 0:
        return "protecting the person costs nothing here"
    return f"protecting the person costs **{lost} in 100**"
