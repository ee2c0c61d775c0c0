"""The one sentence that answers the page's question, computed from the numbers that are drawn."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from dpviz.stats import Interval, best

WHO = {
    "minority": "the minority is right",
    "balanced": "the average class is right",
    "overall": "a test record is right",
}
RIVAL = "noisy-gd"
"""What a method is compared with where it is drawn: the usual way to train privately."""


@dataclass(frozen=True)
class Picked:
    """The best private method, what it is compared with if anything is, and whether these two can
    be told apart, the best having been picked from all.
    """

    top: str
    rival: str | None
    told: bool


def picked(points: Mapping[str, Interval]) -> Picked:
    """What a sentence is about, of each private method's accuracy at a budget."""
    top, told = best(points)
    others = [method for method in points if method != top]
    rival = max(others, key=lambda method: points[method].mean, default=None)
    rival = RIVAL if RIVAL in others else rival
    return Picked(top, rival, rival in told)


def who(metric: str, minority: bool) -> str:
    """Whose accuracy a score is."""
    if metric == "minority" and not minority:
        return "the quarter of the classes counted as smallest, though all are as large, is right"
    return WHO[metric]


def named(title: str) -> str:
    """A title inside a sentence: names stay, a description such as "Private linear probe" gets its
    article.
    """
    first = title.split()[0]
    return f"the {title[0].lower()}{title[1:]}" if first[1:].islower() and " " in title else title


def guesses(points: Sequence[Interval], chance: float) -> bool:
    """Whether noise lets us tell none of these from guessing, or from less than that."""
    return all(point.runs > 1 and point.low <= chance for point in points)
