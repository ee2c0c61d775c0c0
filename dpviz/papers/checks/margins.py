"""Whether one accuracy is above another by more than a stated margin, and what comes of a claim by
how many are: ``outcome_of`` is the one rule, which ``verdicts.RULES`` puts in words.

A claim of "nearly as good", "no better" or "far better" is about a size, so that a try of it names
one, and tells a difference from that size as others are told from none.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import replace
from typing import TypeVar

from dpviz.papers import rules
from dpviz.papers.model import CANNOT_TELL, DOES_NOT, HOLDS
from dpviz.stats import Difference, Interval, signs

Key = TypeVar("Key", bound=Hashable)
#: Difference of accuracies or errors up to which two are called nearly equal.
SAME = rules.rule_of("mixed-f1-ends", "mixed").margin
#: Of the smaller of two errors, up to which they are: an error of 3 % cannot fall by 3 points, so
#: that a margin as large would show nothing.
PART = 0.25


def nearly(one: Interval, other: Interval) -> float:
    """Difference up to which two errors are nearly equal: SAME, and PART of the smaller one."""
    return min(SAME, PART * min(one.mean, other.mean))


NEARLY = f"Nearly equal is up to {100 * SAME:g} points and a quarter of the smaller error here"


def in_points(gap: Difference) -> str:
    """Such as ``+0.43 ± 0.38 points``: one digit, and more where these hide which is the larger."""
    apart, half = 100 * gap.apart, 100 * gap.half
    digits = next((n for n in (1, 2, 3) if f"{abs(apart):.{n}f}" != f"{half:.{n}f}"), 1)
    return f"{apart:+.{digits}f} ± {half:.{digits}f} points"


def raised(value: Interval, by: float) -> Interval:
    """The same, higher by a fraction in [-1, 1] that is known."""
    values = tuple(one + by for one in value.values)
    ends = value.low + by, value.high + by
    return replace(
        value, mean=value.mean + by, low=ends[0], high=ends[1], values=values, parts=value.parts
    )


def gains(
    pairs: Mapping[Key, tuple[Interval, Interval]], margin: float, paired: bool = False
) -> dict[Key, int]:
    """Of each pair 1 if the second is above the first by more than ``margin``, -1 if by less, 0
    where neither can be told, all pairs looked at together (Holm); ``paired`` as in
    ``stats.difference``.
    """
    return signs({key: (raised(a, margin), b) for key, (a, b) in pairs.items()}, paired)


def tally(directions: Mapping[Key, int]) -> tuple[int, int]:
    """How many signs, as of ``gains``, are up, and how many down."""
    signed = list(directions.values())
    return signed.count(1), signed.count(-1)


def outcome_of(with_it: int, against: int, total: int) -> str:
    """What comes of a claim that ``of`` comparisons try, each told over seeds and test records, all
    at once: it holds where all go with it, does not hold where one clearly goes against it, and
    cannot be told otherwise. A check that decides in another way says so in its sentence.
    """
    return DOES_NOT if against else HOLDS if total and with_it == total else CANNOT_TELL
