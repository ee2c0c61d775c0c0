"""Sentences of the page "One person, many pictures" in plain words."""

from __future__ import annotations

from dataclasses import dataclass

from dpviz.stats import Interval
from dpviz.types import Guarantee
from dpviz.views.phrases import guess, hundredths, method_in_sentence, times


@dataclass(frozen=True)
class Sides:
    """One method under the two promises.

    Attributes:
        method: its key; picture, person: its accuracies; sign: of the difference, 0 where noise
            alone can make it; bound_text: how many pictures of a person are in, in words; picked:
            whether it, or how many are in, was picked because it is best.
    """

    method: str
    picture: Interval
    person: Interval
    sign: int
    bound_text: str
    picked: bool


def answer(sides: Sides, recognised: str, guarantee: Guarantee | None) -> str:
    """In Markdown: what a promise to a whole person costs a method beside one to each picture.

    Args:
        recognised: whose accuracy it is; guarantee: to a person.
    """
    lost = hundredths(sides.picture.mean) - hundredths(sides.person.mean)
    best = "at best " * sides.picked
    start = (
        f"People sent several pictures each. With {method_in_sentence(sides.method)} {recognised}"
        f" {times(sides.picture.mean)} where each picture is protected by itself; where each person"
        f" is, with all that they sent, {best}{times(sides.person.mean)}, by {sides.bound_text}"
    )
    picked = (
        " Which choice is best was found by trying each on the private pictures, and the promise"
        " does not cover that."
    ) * sides.picked
    told = guess([guarantee]) if guarantee else ""
    return f"{start}: {_cost(lost, sides.sign, sides.person.runs)}.{picked}{told and f' {told}.'}"


def _cost(lost: int, sign: int, runs: int) -> str:
    if runs < 2:
        return "one try each, which cannot tell whether they differ"
    if sign == 0:
        return "a difference that luck alone can make" if lost else "no difference"
    if sign > 0:
        return "protecting the person costs nothing here"
    return f"protecting the person costs **{lost} in 100**"
