"""Two views side by side: what changed in the settings, and what that did to each method."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from dpviz.methods import METHODS
from dpviz.stats import Interval, difference, interval
from dpviz.types import Result
from dpviz.views import settings_in_words
from dpviz.views.view import View
from dpviz.words import METRICS, literal, percent, points


@dataclass(frozen=True)
class Pin:
    """A view as numbers and words alone.

    Attributes:
        words: its settings; scores: mean and interval of each method (title) and metric.
    """

    words: settings_in_words.Words
    scores: dict[str, dict[str, Interval]]


def pin(view: View, results: Sequence[Result]) -> Pin:
    """A pin of the results at the budget looked at and of the references."""
    methods = dict.fromkeys(r.spec.method for r in results)
    mine = {key: [r.scores for r in results if r.spec.method == key] for key in methods}
    scores = {
        METHODS[key].title: {m: interval([getattr(s, m) for s in runs]) for m in METRICS}
        for key, runs in mine.items()
    }
    return Pin(settings_in_words.words(view), scores)


def sentence(a: Pin, b: Pin, metric: str) -> str:
    """What changed in the settings, and what that did to each method, in Markdown."""
    changed = settings_in_words.changes(a.words, b.words)
    if not changed:
        return "**A is pinned.** Move a control: the difference from A is written here."
    head = literal("; ".join(changed))
    told = [
        f"{title} **{METRICS[metric].lower()}"
        f" {_apart(a.scores[title][metric], b.scores[title][metric])}**"
        for title in b.scores
        if title in a.scores
    ]
    return f"**A → B: {head}.** {'; '.join(told) or 'No method is in both'}."


def _apart(a: Interval, b: Interval) -> str:
    return f"{points(*difference(a, b))}{verdict(a, b)}"


def verdict(a: Interval, b: Interval) -> str:
    """``, within noise`` and the like, empty where the difference is clear."""
    if a.mean == b.mean and a.sd == b.sd:
        return ", the same"
    if min(a.runs, b.runs) < 2:
        return " (a single run: its noise cannot be told)"
    apart, half = difference(a, b)
    return ", within noise" if abs(apart) <= half else ""


def table(a: Pin, b: Pin, metric: str) -> list[dict[str, str]]:
    """A row a method in either; nothing where no setting changed."""
    if not settings_in_words.changes(a.words, b.words):
        return []
    rows = []
    for title in dict.fromkeys([*a.scores, *b.scores]):
        one, other = (side.scores.get(title, {}).get(metric) for side in (a, b))
        both = one is not None and other is not None
        row = {
            "": title,
            "A": percent(one) if one else "not drawn",
            "B": percent(other) if other else "not drawn",
        }
        rows.append(
            row
            | {
                "B − A": points(*difference(one, other)) if both else "",
                "told apart": _told(one, other) if both else "",
            }
        )
    return rows


def _told(a: Interval, b: Interval) -> str:
    return verdict(a, b).strip(" ,()") or "yes"
