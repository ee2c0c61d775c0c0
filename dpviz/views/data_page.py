"""Sentences of the page "Data": classes, persons, and the smallest class."""

from __future__ import annotations

import math
from collections.abc import Sequence
from statistics import median

from dpviz.formatting import budget_text, class_named, literal, number, rounded
from dpviz.types import Budget

HOW_TO_READ = (
    "A bar is a class, its height how many pictures there are to learn from. Few pictures are what"
    " privacy is hardest on. Choose another **Data set** first."
)


def sentence(
    title: str,
    train: Sequence[int],
    test: Sequence[int],
    encoder: str,
    ready: bool,
    aside: int = 0,
) -> str:
    """What a set holds, what is private of it, how unequal its classes are, and whether the other
    pages can use it.

    Args:
        aside: pictures to learn from that are public.
    """
    private = "every page treats them as private"
    if aside:
        private = f"every page treats **{aside:,}** of them as public and the others as private"
    start = (
        f"**{literal(title)}** has **{sum(train):,}** pictures to learn from; {private}. It has"
        f" **{sum(test):,}** to test on, of **{len(train)}** classes:"
    )
    fewest, maximum = min(train), max(train)
    sizes = (
        f" {fewest:,} of each" if fewest == maximum else f" from {fewest:,} to {maximum:,} of each"
    )
    read = (
        f" {literal(encoder)}, a network, has turned each into numbers, so every page can use them."
        if ready
        else f" {literal(encoder)} has yet to turn them into numbers before other pages can use"
        " them."
    )
    return f"{start}{sizes}.{read}"


UNKNOWN_PERSONS = (
    "These data do not say whose records they are: any two may be one person's, so that no promise"
    " to a person can be made with them, only one to a record."
)


def persons_sentence(sent: Sequence[int], noun: str) -> str:
    """Markdown: persons, and how many records each sent.

    Args:
        sent: records of each person; empty where persons are not known; noun: the records.
    """
    if not sent:
        return UNKNOWN_PERSONS
    if len(sent) == 1:
        return f"All {sent[0]:,} {noun} are from **1 person**."
    return (
        f"The {noun} are from **{len(sent):,} persons**: the middle person has"
        f" **{number(median(sent))}**, nobody more than **{max(sent):,}**."
    )


METHOD = "dppl-mean"
TAIL = 0.025
"""Chance on either side of a 95% interval."""


def noise_length(d: int, mu: float) -> float:
    """Root mean square length of DPPL-Mean's noise on a sum of records of norm 1, at mu-GDP for
    each record; d: feature dimension.
    """
    return math.sqrt(d) / mu


def expectation(
    name: str, records: int, tested: int, noise: float, budget: Budget, subject: str = ""
) -> str:
    """Two sentences in Markdown: how long noise on the class's mean is beside the mean, and what
    its test records can show at best.

    Args:
        name: of the class; records, tested: private and test records of it; noise: length of
            DPPL-Mean's noise on the sum of its records, each of norm 1, at the budget, 0 where
            that method is not shown; subject: one of those that this is promised to, where it has
            to be told.

    Source: Clopper and Pearson for a class that is always right.
    """
    start = (
        f"{literal(class_named(name, start=True))} has **{_count_text(records, 'private record')}**"
    )
    if records and noise:
        claim_text = f"{budget_text(budget)} for each {subject}" if subject else budget_text(budget)
        start += (
            f": at {claim_text} the noise that DPPL-Mean adds to its mean is"
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
        f" {_count_text(tested, 'test record')} is only shown to be right **{least}%** of the"
        " time or more (95% interval)."
    )


def _count_text(n: int, noun: str) -> str:
    return f"{n:,} {noun}{'' if n == 1 else 's'}"
