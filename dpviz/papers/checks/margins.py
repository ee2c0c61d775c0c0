"""Whether one accuracy is above another by more than a stated margin, and what comes of a claim by
how many are.

A claim of "nearly as good", "no better" or "far better" is about a size, so that a try of it names
one, and tells a difference from that size as others are told from none.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import replace
from typing import TypeVar

from dpviz.papers.model import CANNOT_TELL, DOES_NOT, HOLDS
from dpviz.stats import Interval, signs

Key = TypeVar("Key", bound=Hashable)
SAME = 0.03
"""Difference of accuracies or errors up to which two are called nearly equal."""


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


def tally(told: Mapping[Key, int]) -> tuple[int, int]:
    """How many signs, as of ``gains``, are up, and how many down."""
    signed = list(told.values())
    return signed.count(1), signed.count(-1)


def outcome_of(with_it: int, against: int, of: int) -> str:
    """What comes of a claim about ``of`` comparisons: one that goes against it refutes it, and it
    holds where all go with it.
    """
    return DOES_NOT if against else HOLDS if of and with_it == of else CANNOT_TELL
