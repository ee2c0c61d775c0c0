"""Phrases that answers of several pages share: whose accuracy, titles, and guessing."""

from __future__ import annotations

from collections.abc import Sequence

from dpviz.stats import Interval
from dpviz.types import DataConfig
from dpviz.views.natural_frequencies import class_list as listed_classes

METRIC_SUBJECTS = {
    "minority": "the minority is right",
    "balanced": "the average class is right",
    "overall": "a test record is right",
}
RIVAL = "noisy-gd"
"""What a method is compared with where it is drawn: the usual way to train privately."""


def metric_subject(metric: str, minority: bool) -> str:
    """Whose accuracy a score is."""
    if metric == "minority" and not minority:
        return "the quarter of the classes counted as smallest, though all are as large, is right"
    return METRIC_SUBJECTS[metric]


def title_in_sentence(title: str) -> str:
    """A title inside a sentence: names stay, a description such as "Private linear probe" gets its
    article.
    """
    first = title.split()[0]
    return f"the {title[0].lower()}{title[1:]}" if first[1:].islower() and " " in title else title


def guesses(points: Sequence[Interval], chance: float) -> bool:
    """Whether noise lets us tell none of these from guessing, or from less than that."""
    return all(point.runs > 1 and point.low <= chance for point in points)


def recognition_text(metric: str, rare: Sequence[str], of: DataConfig) -> str:
    """Whose accuracy a score is: ``the rare digits 3, 7 and 9 are recognised``."""
    what = "pictures" if of.encoder else "records"
    if metric == "minority" and rare:
        kind = "digits" if all(name.isdigit() for name in rare) else "classes"
        return f"the rare {kind} {listed_classes(rare)} are recognised"
    if metric == "minority":
        return f"{what} of the classes counted as smallest, though all are as large, are recognised"
    return f"{what} are recognised{', every class counting alike,' * (metric == 'balanced')}"
