"""The one sentence that answers the page's question, computed from the numbers that are drawn."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from dpviz.diagnostics import attack_bound
from dpviz.plots.accuracy_by_budget import BudgetCurve
from dpviz.stats import Interval, best
from dpviz.types import Budget, Material
from dpviz.views import equal_gain
from dpviz.views.whole_numbers import untested
from dpviz.words import SYMBOLS, at, most, number, percent, subset

WHO = {
    "minority": "the minority is right",
    "balanced": "the average class is right",
    "overall": "a test record is right",
}
RIVAL = "noisy-gd"
"""What a method is compared with where it is drawn: the usual way to train privately."""


@dataclass(frozen=True)
class Picked:
    """The best private method, what it is compared with if anything is, and whether these two can
    be told apart, the best having been picked from all.
    """

    top: str
    rival: str | None
    told: bool


def picked(points: Mapping[str, Interval]) -> Picked:
    """What a sentence is about, of each private method's accuracy at a budget."""
    top, told = best(points)
    others = [method for method in points if method != top]
    rival = max(others, key=lambda method: points[method].mean, default=None)
    rival = RIVAL if RIVAL in others else rival
    return Picked(top, rival, rival in told)


def answer(
    curve: BudgetCurve,
    of: Material,
    now: float,
    minority: bool = True,
    promises: equal_gain.Promises | None = None,
) -> str:
    """One sentence in Markdown: best private method, its rival, whether they differ by more than
    noise, or whether either is above guessing, the same methods without noise, and the one that
    promises more where it allows an attacker as much.

    Args:
        minority: False where all classes are as large, so that the score is of no minority.
        promises: where they are known.
    """
    points = curve.at(now)
    if not points:
        return "Choose a private method to see what its privacy costs."
    if not any(point.known for point in points.values()):
        return untested()
    titles = {line.method: line.title for line in curve.lines}
    found = picked(points)
    start = (
        f"At {subset(of)} and {at(Budget(now, curve.axis, curve.delta))}"
        f" {who(curve.metric, minority)} **{percent(points[found.top])}** of the time with"
        f" {named(titles[found.top])}"
    )
    middle = ""
    drawn = [found.top, *([found.rival] if found.rival else [])]
    if guesses([points[method] for method in drawn], curve.chance):
        middle = _no_better(points, found.rival, titles, curve.chance)
    elif found.rival:
        middle = _compared(points[found.top], points[found.rival], titles[found.rival], found.told)
    return f"{start}{middle}{_quiet(curve, drawn)}{_allowed(curve, promises or {}, now, drawn)}."


def _allowed(
    curve: BudgetCurve, promises: equal_gain.Promises, now: float, drawn: Sequence[str]
) -> str:
    found = equal_gain.stricter(curve, promises, now, drawn)
    if found is None:
        return ""
    one, told = found
    least = max(attack_bound.most_right(promises[method, now]) for method in drawn)
    return (
        f"; where an attacker may be right as often after both ({most(least)} %, prior 1/2),"
        f" {named(one.title)}, at {SYMBOLS[curve.axis]} = {number(one.budget)}, gives"
        f" **{percent(one.accuracy)}**{'' if told else ', a difference that noise alone can make'}"
    )


def who(metric: str, minority: bool) -> str:
    """Whose accuracy a score is."""
    if metric == "minority" and not minority:
        return "the quarter of the classes counted as smallest, though all are as large, is right"
    return WHO[metric]


def named(title: str) -> str:
    """A title inside a sentence: names stay, a description such as "Private linear probe" gets its
    article.
    """
    first = title.split()[0]
    return f"the {title[0].lower()}{title[1:]}" if first[1:].islower() and " " in title else title


def guesses(points: Sequence[Interval], chance: float) -> bool:
    """Whether noise lets us tell none of these from guessing, or from less than that."""
    return all(point.runs > 1 and point.low <= chance for point in points)


def _no_better(
    points: Mapping[str, Interval], rival: str | None, titles: Mapping[str, str], chance: float
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


def _quiet(curve: BudgetCurve, drawn: Sequence[str]) -> str:
    """What the same methods give without noise; nothing until all of that is known."""
    there = [curve.without_noise(method) for method in drawn]
    told = [f"**{percent(one)}**" for one in there if one]
    if len(told) < len(drawn):
        return ""
    return f"; without noise the same method{'s' * (len(told) > 1)} would be {' and '.join(told)}"
