"""What the smallest class can expect, told from sizes and a budget alone."""

from __future__ import annotations

import math

from dpviz.formatting import budget_text, class_named, literal, rounded
from dpviz.types import Budget

METHOD = "dppl-mean"
TAIL = 0.025
"""Chance on either side of a 95 % interval."""


def noise_length(d: int, mu: float) -> float:
    """Root mean square length of DPPL-Mean's noise on a sum of records of norm 1, at mu-GDP for
    each record; d: feature dimension.
    """
    return math.sqrt(d) / mu


def expectation(
    name: str, records: int, tested: int, noise: float, budget: Budget, whom: str = ""
) -> str:
    """Two sentences in Markdown: how long noise on the class's mean is beside the mean, and what
    its test records can show at best.

    Args:
        name: of the class; records, tested: private and test records of it; noise: length of
            DPPL-Mean's noise on the sum of its records, each of norm 1, at the budget, 0 where
            that method is not shown; whom: one of those that this is promised to, where it has to
            be told.

    Source: Clopper and Pearson for a class that is always right.
    """
    start = (
        f"{literal(class_named(name, start=True))} has **{_count_text(records, 'private record')}**"
    )
    if records and noise:
        promised = f"{budget_text(budget)} for each {whom}" if whom else budget_text(budget)
        start += (
            f": at {promised} the noise that DPPL-Mean adds to its mean is"
            f" **{rounded(noise / records, 2)} times** as long as that mean can be (with"
            f" {math.ceil(noise):,} records both would be equally long)"
        )
    return f"{start}. {_test_text(tested)}"


def _test_text(tested: int) -> str:
    if not tested:
        return "No test record of it is there, so nothing shows how often it is right."
    least = math.floor(100 * TAIL ** (1 / tested))
    return (
        f"Even a method that is right on {'all of ' if tested > 1 else ''}its"
        f" {_count_text(tested, 'test record')} is only shown to be right **{least} %** of the"
        " time or more (95 % interval)."
    )


def _count_text(n: int, what: str) -> str:
    return f"{n:,} {what}{'' if n == 1 else 's'}"
