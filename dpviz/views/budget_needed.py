"""The question asked backwards: the smallest budget at which each method reaches a target, among
those computed.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice

from dpviz.diagnostics import attack_bound
from dpviz.plots.accuracy_by_budget import BudgetCurve, Line
from dpviz.stats import Interval, difference, interval, told_apart
from dpviz.types import Budget, Material
from dpviz.views.equal_leakage import ALIKE, Promises
from dpviz.words import SYMBOLS, at, most, number, percent, spread, subset

WHO = {"minority": "minority", "balanced": "balanced", "overall": "overall"}


@dataclass(frozen=True)
class Needed:
    """What one method needs.

    Attributes:
        method, title: of the line; budget: the smallest computed one from which on every computed
            mean is at the target or above, inf where none is; there: accuracy at it, or at the
            largest budget where not reached; before: the next smaller budget, which does not reach
            it, None where there is none; sure: the accuracy there is above the target by more than
            noise, all points of the chart having been looked at.
    """

    method: str
    title: str
    budget: float
    there: Interval
    before: float | None
    sure: bool

    @property
    def reached(self) -> bool:
        """False where no computed budget is enough."""
        return math.isfinite(self.budget)


def info(curve: BudgetCurve, target: float) -> tuple[Needed, ...]:
    """Every private method's need for a target accuracy (a fraction), the most frugal first."""
    goal = interval([target], noisy=False)
    above = [difference(goal, point) for line in curve.lines for point in line.points]
    told = iter(told_apart(above))
    clear = [tuple(islice(told, len(line.points))) for line in curve.lines]
    needs = [_needed(*pair, target) for pair in zip(curve.lines, clear, strict=True)]
    return tuple(sorted(needs, key=lambda need: (need.budget, -need.there.mean)))


def _needed(line: Line, clear: Sequence[bool], target: float) -> Needed:
    """``clear``: which points are told apart from the target."""
    enough = len(line.points)
    while enough and line.points[enough - 1].mean >= target:
        enough -= 1
    before = line.budgets[enough - 1] if enough else None
    if enough == len(line.points):
        return Needed(line.method, line.title, math.inf, line.points[-1], before, False)
    here, sure = line.points[enough], clear[enough]
    return Needed(line.method, line.title, line.budgets[enough], here, before, sure)


def sentence(
    needs: tuple[Needed, ...],
    curve: BudgetCurve,
    of: Material,
    target: float,
    promises: Promises,
) -> str:
    """The answer in Markdown: who reaches the target at the least budget, who does not reach it,
    and from whom an attacker gains least there.
    """
    goal = f"For **{100 * target:g} %** {WHO[curve.metric]} accuracy at {subset(of)}"
    if not needs:
        return f"{goal}, choose a private method."
    best = needs[0]
    missed = sum(not need.reached for need in needs)
    if not best.reached:
        most = at(Budget(max(curve.lines[0].budgets), curve.axis, curve.delta))
        return (
            f"{goal} no method here has a budget that is enough: at {most} {best.title} comes"
            f" closest, with {percent(best.there)}."
        )
    if len(needs) == 1:
        return f"{goal} {best.title} needs **{at(Budget(best.budget, curve.axis, curve.delta))}**."
    rest = (
        f"; {missed} of {len(needs)} do not reach it"
        if missed
        else "; every method here reaches it at some budget"
    )
    return (
        f"{goal} {best.title} needs the least {SYMBOLS[curve.axis]}:"
        f" **{at(Budget(best.budget, curve.axis, curve.delta))}**{rest}."
        f"{_least_gain(needs, curve, promises)}"
    )


def _least_gain(needs: tuple[Needed, ...], curve: BudgetCurve, promises: Promises) -> str:
    """Who leaves an attacker least where the target is reached, if that is another one: equal
    budgets do not protect alike.
    """
    gains = {need: _gain(need, promises) for need in needs if need.reached}
    kind = min(gains, key=lambda need: gains[need])
    if gains[kind] > gains[needs[0]] - ALIKE:
        return ""
    return (
        f" But an attacker gains least from {kind.title}: right at most {most(gains[kind])} % at"
        f" {SYMBOLS[curve.axis]} = {number(kind.budget)}, against {most(gains[needs[0]])} %."
    )


def _gain(need: Needed, promises: Promises) -> float:
    return attack_bound.most_right(promises[need.method, need.budget])


def table(
    needs: tuple[Needed, ...], curve: BudgetCurve, target: float, promises: Promises
) -> list[dict[str, str]]:
    """One row a method, in words."""
    symbol = SYMBOLS[curve.axis]
    return [
        {
            "method": need.title,
            f"smallest {symbol} computed": number(need.budget) if need.reached else "not reached",
            "accuracy there": (
                percent(need.there)
                if need.reached
                else f"at most {percent(need.there)} at the largest budget"
            ),
            "95 % interval": spread(need.there),
            "an attacker is right at most": (
                f"{most(_gain(need, promises))} %" if need.reached else ""
            ),
            "and at the next smaller": (
                "" if need.before is None else f"below, at {symbol} = {number(need.before)}"
            ),
            "sure": "yes" if need.sure else "within noise" if need.reached else "",
        }
        for need in needs
    ]
