"""Logic of the page "Data": answer, tiles, people, and the smallest class."""

from __future__ import annotations

import math
from collections.abc import Sequence
from statistics import median

from dpviz.formatting import budget_text, class_named, literal, rounded
from dpviz.text import data as text
from dpviz.text.template import render, render_text
from dpviz.types import Budget
from dpviz.views.page_as_shown import Tile

METHOD = "dppl-mean"
TAIL = 0.025
"""Probability on either side of a 95% interval."""


def answer(title: str, case: str, encoder: str, counts: tuple[int, int], precise: bool) -> str:
    """Return the answer in Markdown.

    Args:
        case: a key of ``ANSWERS``; counts: number of data sets on this computer, and of others.
    """
    ready, missing = counts
    fields = {"title": title, "encoder": encoder, "ready": ready, "missing": missing}
    return text.ANSWERS[case].fill(precise, **fields)


def tiles(train: Sequence[int], test: Sequence[int], aside: int = 0) -> list[Tile]:
    """Return the sizes of a data set.

    Args:
        train, test: images per class; aside: training images that are held aside as public.
    """
    fewest, most = min(train), max(train)
    each = render_text(text.EQUAL_NOTE, each=most)
    if fewest < most:
        each = render_text(text.RANGE_NOTE, fewest=fewest, most=most)
    ratio = f"{most / fewest:.1f}".removesuffix(".0") if fewest else "∞"
    private = Tile(text.PRIVATE, f"{sum(train) - aside:,}", text.PRIVATE_NOTE, text.PRIVATE_HELP)
    last = Tile(text.RATIO, ratio, text.RATIO_NOTE)
    if aside:
        last = Tile(text.PUBLIC, f"{aside:,}", text.PUBLIC_NOTE)
    return [
        private,
        Tile(text.TEST, f"{sum(test):,}", text.TEST_NOTE),
        Tile(text.CLASSES, f"{len(train):,}", each),
        last,
    ]


def finding(title: str, train: Sequence[int]) -> tuple[str, str]:
    """Return title and caption of the chart of class sizes."""
    fewest, most = min(train), max(train)
    if fewest == most:
        return render(text.FINDING_EQUAL, title=title), text.CAPTION_EQUAL
    return render(text.FINDING, title=title, fewest=fewest, most=most), text.CAPTION


def persons_sentence(sent: Sequence[int], noun: str) -> str:
    """Return in Markdown how many people there are, and how many records each has.

    Args:
        sent: records of each person, empty where people are not known; noun: name of the records.
    """
    if not sent:
        return text.UNKNOWN_PERSONS
    if len(sent) == 1:
        return render(text.ONE_PERSON, images=sent[0], noun=noun)
    facts = {"persons": len(sent), "median": median(sent), "most": max(sent)}
    return render(text.PERSONS, noun=noun, **facts)


def noise_length(d: int, mu: float) -> float:
    """Return the root mean square length of DPPL-Mean's noise on a sum of records of norm 1.

    Args:
        d: feature dimension; mu: each record has mu-GDP.
    """
    return math.sqrt(d) / mu


def expectation(
    name: str,
    records: int,
    tested: int,
    noise: float,
    budget: Budget,
    subject: str = "",
    precise: bool = True,
) -> str:
    """Return the size of the noise on a class mean; precise: with what its test records can show.

    Args:
        name: of the class; records, tested: its private and test records; noise: length of
            DPPL-Mean's noise on the sum of its records, each of norm 1, at the budget, 0 without
            that method; subject: unit of the guarantee, where people are known.

    Source: Clopper and Pearson for a class that is always right.
    """
    facts = {"name": literal(class_named(name, start=True)), "records": records}
    if not (records and noise):
        return f"{render(text.NO_NOISE, **facts)} {_test_text(tested)}"
    sentence = (text.NOISE_PER_IMAGE if subject else text.NOISE).fill(
        precise,
        budget=budget_text(budget),
        ratio=rounded(noise / records, 2),
        equal=math.ceil(noise),
        **facts,
    )
    return f"{sentence} {_test_text(tested)}" if precise else sentence


def _test_text(tested: int) -> str:
    if not tested:
        return text.UNTESTED
    least = f"{math.floor(100 * TAIL ** (1 / tested))}"
    return render(text.TESTED if tested > 1 else text.TESTED_ONCE, tested=tested, least=least)
