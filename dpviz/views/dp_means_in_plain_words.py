"""What the page "DP means" says to someone who knows no statistics."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from dpviz.stats import Interval
from dpviz.types import DataConfig, Guarantee
from dpviz.views.accuracy_sentence import recognition_text
from dpviz.views.natural_frequencies import guess, out_of_100, times, untested


@dataclass(frozen=True)
class Rotation:
    """A class's number of records, and by how many degrees noise turns its mean."""

    records: int
    angle: float


def answer(
    of: DataConfig,
    metric: str,
    rare: Sequence[str],
    scores: tuple[Interval, Interval],
    turned: tuple[Rotation, Rotation],
    lost: tuple[int, int],
    promise: Guarantee,
) -> str:
    """In Markdown: what noise does to the average of a class, and what that costs.

    Args:
        rare: names of the classes that a score by the minority counts; scores: accuracy with noise
            and without; turned: the largest class and the smallest; lost: classes for which
            CoinPress diverges, and all; promise: at the budget looked at.
    """
    right, quiet = scores
    large, small = turned
    what = "picture" if of.encoder else "record"
    scored = untested(rare)
    if right.known:
        scored = (
            f"At this privacy setting {recognition_text(metric, rare, of)} {times(right.mean)}; without"
            f" noise the same method manages **{out_of_100(quiet.mean)}**."
        )
    return (
        f"The noisy average {what} of each class stands for it. {scored} Noise turns the average"
        f" of the largest class ({_count_text(large.records, what)}) by **{large.angle:.0f}**"
        " degrees and"
        f" of the smallest ({_count_text(small.records, what)}) by **{small.angle:.0f}**; at 90"
        " it points anywhere."
        f" {_coinpress_text(*lost)} {guess([promise])}."
    )


def _coinpress_text(lost: int, classes: int) -> str:
    """How a way fares that guesses the average roughly and then closes in on it."""
    start = "CoinPress, which guesses roughly and then closes in,"
    if not lost:
        return f"{start} would find every class's average."
    return f"{start} would lose its way in **{lost} of {classes}** classes."


def _count_text(n: int, what: str) -> str:
    return f"{n:,} {what}{'' if n == 1 else 's'}"
