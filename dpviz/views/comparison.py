"""Two views side by side: what changed in the settings, and what that did to each method."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from dpviz.formatting import METRICS, literal, percent, points
from dpviz.methods import METHODS
from dpviz.stats import Interval, accuracy, difference, significant_differences
from dpviz.types import Result
from dpviz.views import settings_in_words
from dpviz.views.page_config import PageConfig


@dataclass(frozen=True)
class Pin:
    """A view as numbers and words alone.

    Attributes:
        words: its settings; scores: mean and interval of each method (title) and metric.
    """

    words: settings_in_words.Words
    scores: dict[str, dict[str, Interval]]


def pin(view: PageConfig, results: Sequence[Result]) -> Pin:
    """A pin of the results at the budget looked at and of the references."""
    methods = dict.fromkeys(r.spec.method for r in results)
    mine = {key: [r for r in results if r.spec.method == key] for key in methods}
    scores = {
        METHODS[key].title: {m: accuracy(runs, m) for m in METRICS} for key, runs in mine.items()
    }
    return Pin(settings_in_words.words(view), scores)


def pin_sentence(a: Pin, b: Pin, metric: str) -> str:
    """What changed in the settings, and what that did to each method, in Markdown."""
    changed = settings_in_words.changes(a.words, b.words)
    if not changed:
        return "**A is pinned.** Move a control: the difference from A is written here."
    head = literal("; ".join(changed))
    told = [
        f"{title} **{METRICS[metric].lower()} {change.words}**"
        for title, change in _score_changes(a, b, metric).items()
    ]
    return f"**A → B: {head}.** {'; '.join(told) or 'No method is in both'}."


def pin_table(a: Pin, b: Pin, metric: str) -> list[dict[str, str]]:
    """A row a method in either; nothing where no setting changed."""
    if not settings_in_words.changes(a.words, b.words):
        return []
    changes, rows = _score_changes(a, b, metric), []
    for title in dict.fromkeys([*a.scores, *b.scores]):
        one, other = (side.scores.get(title, {}).get(metric) for side in (a, b))
        change = changes.get(title)
        rows.append(
            {
                "": title,
                "A": percent(one) if one else "not drawn",
                "B": percent(other) if other else "not drawn",
                "B − A": change.apart if change else "",
                "told apart": (change.verdict or "yes") if change else "",
            }
        )
    return rows


@dataclass(frozen=True)
class Change:
    """What a change of settings did to a method: a difference in points, and whether it is more
    than noise, in words; empty where it is.
    """

    apart: str
    verdict: str

    @property
    def words(self) -> str:
        """Both."""
        return f"{self.apart}, {self.verdict}" if self.verdict else self.apart


def _score_changes(a: Pin, b: Pin, metric: str) -> dict[str, Change]:
    """Of each method in both, all told together."""
    pairs = {
        title: (a.scores[title][metric], b.scores[title][metric])
        for title in b.scores
        if title in a.scores
    }
    found = [difference(*pair) for pair in pairs.values()]
    return {
        title: Change(points(one.apart, one.half), verdict(*pairs[title], clear))
        for title, one, clear in zip(pairs, found, significant_differences(found), strict=True)
    }


def verdict(a: Interval, b: Interval, clear: bool) -> str:
    """``within noise`` and the like, empty where the difference is clear."""
    if a == b:
        return "the same"
    if math.isinf(a.sd + b.sd):
        return "a single run: its noise cannot be told"
    return "" if clear else "within noise"
