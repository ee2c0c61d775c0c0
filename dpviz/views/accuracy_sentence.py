"""The one sentence that answers the page's question, computed from the numbers that are drawn."""

from __future__ import annotations

from dpviz.plots.accuracy_by_budget import BudgetCurve, Line
from dpviz.stats import Interval, within_noise
from dpviz.types import Budget
from dpviz.words import at, number, percent

WHO = {
    "minority": "the minority is right",
    "balanced": "the average class is right",
    "overall": "a test record is right",
}
RIVAL = "noisy-gd"
"""What a method is compared with where it is drawn: the usual way to train privately."""


def answer(curve: BudgetCurve, ir: float, now: float) -> str:
    """One sentence in Markdown: best private method, its rival, whether they differ, and the
    ceiling.
    """
    points = curve.at(now)
    if not points:
        return "Choose a private method on the left to see what its privacy costs."
    titles = {line.method: line.title for line in curve.lines}
    best = max(points, key=lambda m: points[m].mean)
    start = (
        f"At IR {number(ir)} and {at(Budget(now, curve.axis, curve.delta))} {WHO[curve.metric]}"
        f" **{percent(points[best])}** of the time with {named(titles[best])}"
    )
    rival = _rival(points, best)
    middle = _compared(points[best], points[rival], titles[rival]) if rival else ""
    return f"{start}{middle}{_ceiling(curve.references)}."


def named(title: str) -> str:
    """A title inside a sentence: names stay, a description such as "Private linear probe" gets its
    article.
    """
    first = title.split()[0]
    return f"the {title[0].lower()}{title[1:]}" if first[1:].islower() and " " in title else title


def _rival(points: dict[str, Interval], best: str) -> str | None:
    others = [m for m in points if m != best]
    if RIVAL in others:
        return RIVAL
    return max(others, key=lambda m: points[m].mean, default=None)


def _compared(best: Interval, rival: Interval, title: str) -> str:
    said = f"**{percent(rival)}** with {named(title)}"
    if min(best.runs, rival.runs) < 2:
        return f" and {said} (one noise seed: whether they differ cannot be told)"
    return f" and {said}, which is within noise" if within_noise(best, rival) else f", {said}"


def _ceiling(references: tuple[Line, ...]) -> str:
    if not references:
        return ""
    best = max(references, key=lambda line: line.points[0].mean)
    return f"; without privacy it would be **{percent(best.points[0])}**"
