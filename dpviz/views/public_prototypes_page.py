"""Sentences of the page "Public prototypes" in plain words."""

from __future__ import annotations

from collections.abc import Sequence

from dpviz.formatting import number
from dpviz.stats import Interval
from dpviz.types import DataConfig, Guarantee
from dpviz.views.phrases import guess, out_of_100, recognition_text, times, untested


def answer(
    config: DataConfig,
    metric: str,
    rare: Sequence[str],
    scores: tuple[Interval, Interval],
    picked: tuple[int, int] | None,
    nonsense: float | None,
    guarantee: Guarantee,
    draws: int = 1,
) -> str:
    """In Markdown: what is picked, how often that works, and from where on luck picks.

    Args:
        rare: names of the classes that a score by the minority counts; scores: accuracy with noise
            and without; picked: how many picks show their class, and all, None where that is not
            known; nonsense: the largest budget at which half of what the choice has above blind
            guessing is gone, None if none; guarantee: at the budget looked at; draws: for each
            class.
    """
    right, quiet = scores
    if not right.is_measured:
        return f"{untested(rare)} {guess([guarantee])}."
    noun = "picture" if config.encoder else "record"
    own, many = "", f" ({draws} draws for each class)" if draws > 1 else ""
    if picked:
        own = f"**{picked[0]} of {picked[1]}** picks{many} are of their class, and "
    return (
        f"One public {noun} is picked to stand for each class, with noise in the choice. At this"
        f" privacy setting {own}{recognition_text(metric, rare, config)} {times(right.mean)};"
        f" without noise the same method manages **{out_of_100(quiet.mean)}**.{_turn(nonsense)}"
        f" {guess([guarantee])}."
    )


def _turn(nonsense: float | None) -> str:
    if nonsense is None:
        return ""
    return (
        f" With the setting at **{number(nonsense)}** or less, luck picks more than likeness does."
    )
