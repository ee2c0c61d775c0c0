"""What the smallest class can expect, told from sizes and a budget alone."""

from __future__ import annotations

import math

from dpviz import privacy
from dpviz.types import Budget
from dpviz.words import at, class_named, literal, rounded

SURE = 0.025
"""Chance on either side of a 95 % interval."""


def expectation(
    name: str, records: int, tested: int, d: int, budget: Budget, mu: float | None = None
) -> str:
    """Two sentences in Markdown: how long noise on the class's mean is beside the mean, and what
    its test records can show at best.

    Args:
        name: of the class; records, tested: private and test records of it; d: feature dimension;
            mu: of the budget, where a run at it has told, which saves working it out.

    Source: noise of root mean square length sqrt(d) / mu on a sum of records of norm 1 (DPPL-Mean,
        add or remove one); Clopper and Pearson for a class that is always right.
    """
    start = f"{literal(class_named(name, start=True))} has **{_many(records, 'private record')}**"
    noise = math.sqrt(d) / (mu or privacy.mu_for(budget))
    if records and noise:
        start += (
            f": at {at(budget)} the noise that DPPL-Mean adds to its mean is"
            f" **{rounded(noise / records, 2)} times** as long as that mean can be (as long with"
            f" {math.ceil(noise):,} records)"
        )
    return f"{start}. {_test(tested)}"


def _test(tested: int) -> str:
    if not tested:
        return "No test record of it is there, so nothing shows how often it is right."
    least = math.floor(100 * SURE ** (1 / tested))
    return (
        f"With {_many(tested, 'test record')} of it, not one mistake would show no more than that"
        f" it is right **{least} %** of the time or more (95 % interval)."
    )


def _many(n: int, what: str) -> str:
    return f"{n:,} {what}{'' if n == 1 else 's'}"
