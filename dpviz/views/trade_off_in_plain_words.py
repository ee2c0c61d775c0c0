"""What the page "Trade-off" says to someone who knows no statistics."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from dpviz.diagnostics import attack_bound
from dpviz.plots.accuracy_by_budget import BudgetCurve
from dpviz.types import Guarantee, Material
from dpviz.views import equal_gain, methods_in_plain_words
from dpviz.views.accuracy_sentence import guesses, picked
from dpviz.views.whole_numbers import (
    SOMEONE,
    asked,
    at_most,
    guess,
    limit,
    named,
    out_of_100,
    times,
    untested,
)

CHOOSE = "Choose a private method to see what its privacy costs."
LUCK = ", a difference that luck alone can make"
ONE_TRY = " (one try each, which cannot tell whether they differ)"
Promises = Mapping[tuple[str, float], Guarantee]
"""By method and budget."""


def answer(
    curve: BudgetCurve, of: Material, now: float, rare: Sequence[str], promises: Promises
) -> str:
    """In Markdown: how often pictures are recognised, with noise and by the same methods without,
    and what a guess about a picture can gain.

    Args:
        rare: names of the classes that a score by the minority counts, none where all are as large.
    """
    points = curve.at(now)
    if not points:
        return CHOOSE
    if not any(point.known for point in points.values()):
        return untested(rare)
    found = picked(points)
    first = (
        f"At this privacy setting {recognised(curve.metric, rare, of)}"
        f" {times(points[found.top].mean)} by {methods_in_plain_words.named(found.top)}"
    )
    drawn = [found.top, *([found.rival] if found.rival else [])]
    return (
        f"{first}{_rival(curve, now)}{_quiet(curve, drawn)}."
        f" {guessed([promises[method, now] for method in drawn])}."
        f"{_allowed(curve, promises, now, drawn)}"
    )


def _allowed(curve: BudgetCurve, promises: Promises, now: float, drawn: Sequence[str]) -> str:
    """What the one that gives less away manages where it may give away as much."""
    found = equal_gain.stricter(curve, promises, now, drawn)
    if found is None:
        return ""
    one, told = found
    order = ("the first", "the second")
    this = drawn.index(one.method)
    return (
        f" Allowed to give away as much as {order[1 - this]}, {order[this]} recognises"
        f" **{out_of_100(one.accuracy.mean)}**{'' if told else LUCK}."
    )


def recognised(metric: str, rare: Sequence[str], of: Material) -> str:
    """Whose accuracy a score is: ``the rare digits 3, 7 and 9 are recognised``."""
    what = "pictures" if of.encoder else "records"
    if metric == "minority" and rare:
        kind = "digits" if all(name.isdigit() for name in rare) else "classes"
        return f"the rare {kind} {named(rare)} are recognised"
    if metric == "minority":
        return f"{what} of the classes counted as smallest, though all are as large, are recognised"
    return f"{what} are recognised{', every class counting alike,' * (metric == 'balanced')}"


def _rival(curve: BudgetCurve, now: float) -> str:
    points = curve.at(now)
    found = picked(points)
    drawn = [found.top, *([found.rival] if found.rival else [])]
    blind = f"clearly better than blind guessing, which is right {out_of_100(curve.chance)}"
    blind += " times in 100"
    no_better = guesses([points[method] for method in drawn], curve.chance)
    if not found.rival:
        return f", which is not {blind}" * no_better
    other = points[found.rival]
    said = f" and **{out_of_100(other.mean)}** by {methods_in_plain_words.named(found.rival)}"
    if no_better:
        return f"{said}, neither {blind}"
    if min(points[found.top].runs, other.runs) < 2:
        return said + ONE_TRY
    return said if found.told else said + LUCK


def _quiet(curve: BudgetCurve, drawn: Sequence[str]) -> str:
    """What the same methods manage without noise; what is still to come is left out."""
    there = [curve.without_noise(method) for method in drawn]
    shares = [out_of_100(one.mean) for one in there if one]
    if len(shares) < len(drawn):
        return ""
    if len(set(shares)) == 1:
        many = "the same method manages" if len(drawn) == 1 else "both manage"
        return f"; without noise {many} **{shares[0]}**"
    return f"; without noise, **{shares[0]}** and **{shares[1]}**"


def guessed(promises: Sequence[Guarantee]) -> str:
    """What one or two methods leave to someone who guesses, each by its own promise."""
    most = [at_most(attack_bound.most_right(one)) for one in promises]
    if len(set(most)) == 1 or any(attack_bound.most_right(one) == 1 for one in promises):
        said = guess(promises)
        return said.replace("; before", " after either; before") if len(promises) > 1 else said
    if not all(often.isdigit() for often in most):
        first, second = (limit(attack_bound.most_right(one)) for one in promises)
        return (
            f"{SOMEONE} {asked(promises)} {first} after the first, {second} after the second;"
            " before, 50"
        )
    return (
        f"{SOMEONE} {asked(promises)} is right at most **{most[0]} times in 100** after the first,"
        f" **{most[1]}** after the second; before, 50"
    )
