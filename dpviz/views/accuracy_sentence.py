"""The one sentence that answers the page's question, computed from the numbers that are drawn."""

from __future__ import annotations

from dpviz.plots.accuracy_by_budget import BudgetCurve, Line
from dpviz.stats import Interval, best
from dpviz.types import Budget, Material
from dpviz.words import at, percent, subset

WHO = {
    "minority": "the minority is right",
    "balanced": "the average class is right",
    "overall": "a test record is right",
}
RIVAL = "noisy-gd"
"""What a method is compared with where it is drawn: the usual way to train privately."""


def answer(curve: BudgetCurve, of: Material, now: float) -> str:
    """One sentence in Markdown: best private method, its rival, whether they differ by more than
    noise, the best having been picked from all, or whether either is above guessing, and the
    ceiling.
    """
    points = curve.at(now)
    if not points:
        return "Choose a private method on the left to see what its privacy costs."
    titles = {line.method: line.title for line in curve.lines}
    top, told = best(points)
    start = (
        f"At {subset(of)} and {at(Budget(now, curve.axis, curve.delta))} {WHO[curve.metric]}"
        f" **{percent(points[top])}** of the time with {named(titles[top])}"
    )
    rival = _rival(points, top)
    middle = ""
    if _guesses(points, (top, rival), curve.chance):
        middle = _no_better(points, rival, titles, curve.chance)
    elif rival:
        middle = _compared(points[top], points[rival], titles[rival], rival in told)
    return f"{start}{middle}{_ceiling(curve.references)}."


def named(title: str) -> str:
    """A title inside a sentence: names stay, a description such as "Private linear probe" gets its
    article.
    """
    first = title.split()[0]
    return f"the {title[0].lower()}{title[1:]}" if first[1:].islower() and " " in title else title


def _rival(points: dict[str, Interval], top: str) -> str | None:
    others = [m for m in points if m != top]
    if RIVAL in others:
        return RIVAL
    return max(others, key=lambda m: points[m].mean, default=None)


def _guesses(points: dict[str, Interval], drawn: tuple[str, str | None], chance: float) -> bool:
    """Whether noise lets us tell none of these from guessing, or from less than that."""
    every = [points[one] for one in drawn if one is not None]
    return all(point.runs > 1 and point.low <= chance for point in every)


def _no_better(
    points: dict[str, Interval], rival: str | None, titles: dict[str, str], chance: float
) -> str:
    guessing = (
        f"clearly better than guessing among {round(1 / chance)} classes ({100 * chance:.0f} %)"
    )
    if rival is None:
        return f", which is not {guessing}"
    return f" and **{percent(points[rival])}** with {named(titles[rival])}, neither {guessing}"


def _compared(top: Interval, rival: Interval, title: str, told: bool) -> str:
    said = f"**{percent(rival)}** with {named(title)}"
    if min(top.runs, rival.runs) < 2:
        return f" and {said} (one noise seed: whether they differ cannot be told)"
    return f", {said}" if told else f" and {said}, a difference that noise alone can make"


def _ceiling(references: tuple[Line, ...]) -> str:
    if not references:
        return ""
    highest = max(references, key=lambda line: line.points[0].mean)
    return f"; without privacy it would be **{percent(highest.points[0])}**"
