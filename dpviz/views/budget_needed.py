"""The question asked backwards: the smallest computed budget at which each method reaches a target,
and what an attacker can guess there.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import islice

from dpviz.diagnostics import attack_bound
from dpviz.formatting import SYMBOLS, budget_text, number, percent, percent_up, spread, subset
from dpviz.plots.budget_curves import BudgetCurve, Line
from dpviz.stats import Interval, difference, interval, significant_differences
from dpviz.types import DataConfig
from dpviz.views.equal_leakage import ALIKE, Guarantees

WHO = {"minority": "minority", "balanced": "balanced", "overall": "overall"}


@dataclass(frozen=True)
class Needed:
    """What one method needs.

    Attributes:
        method, title: of the line; budget: the smallest computed one from which on every computed
            mean is at the target or above, inf where none is; there: accuracy at it, or at the
            largest budget where not reached; before: the next smaller budget, which does not reach
            it, None where there is none; sure: the accuracy there is above the target by more than
            noise, all points of the chart having been looked at; guess: the attacker's best guess
            (prior 1/2) at that budget, inf where the target is not reached.
    """

    method: str
    title: str
    budget: float
    there: Interval
    before: float | None
    sure: bool
    guess: float = math.inf

    @property
    def reached(self) -> bool:
        """False where no computed budget is enough."""
        return math.isfinite(self.budget)


def info(curve: BudgetCurve, target: float, promises: Guarantees) -> tuple[Needed, ...]:
    """Every private method's need for a target accuracy (a fraction), the lowest best guess of an
    attacker first; ``promises``: at every budget at which a target can be reached.
    """
    goal = interval([target], noisy=False)
    above = [difference(goal, point) for line in curve.lines for point in line.points]
    told = iter(significant_differences(above))
    clear = [tuple(islice(told, len(line.points))) for line in curve.lines]
    needs = [_needed(*pair, target) for pair in zip(curve.lines, clear, strict=True)]
    guessed = [replace(need, guess=_guess(need, promises)) for need in needs]
    return tuple(sorted(guessed, key=lambda n: (n.guess, n.budget, -n.there.mean)))


def _guess(need: Needed, promises: Guarantees) -> float:
    if not need.reached:
        return math.inf
    return attack_bound.most_right(promises[need.method, need.budget])


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


CHOOSE = "For **{goal:g} %** {whose} accuracy at {data}, choose a private method."
MISSED_BY_ALL = (
    "For **{goal:g} %** {whose} accuracy at {data}, no method here has a budget that is enough. At"
    " {most} {closest} comes closest, with {reached}."
)
LEAST = (
    "For **{goal:g} %** {whose} accuracy at {data}, {best} leaks least: it needs **{budget}**,"
    " where an attacker guesses right at most **{guess} %** of the time."
)
EVERY = "Every method here reaches the target."
SOME = "{missed} of {methods} methods do not reach the target."
SMALLEST = (
    "{other} needs the smallest {symbol}, {budget}, where an attacker guesses right at most"
    " {guess} % of the time."
)


def sentence(needs: tuple[Needed, ...], curve: BudgetCurve, of: DataConfig, target: float) -> str:
    """The answer in Markdown: the method that reaches the target at the lowest best guess of an
    attacker, how many miss the target, and which needs the smallest budget if another does.
    """
    goal = {"goal": 100 * target, "whose": WHO[curve.metric], "data": subset(of)}
    if not needs:
        return CHOOSE.format(**goal)
    best, budget = needs[0], lambda value: budget_text(curve.budget.at(value))
    if not best.reached:
        most_spent, reached = budget(max(curve.lines[0].budgets)), percent(best.there)
        return MISSED_BY_ALL.format(**goal, most=most_spent, closest=best.title, reached=reached)
    said = [
        LEAST.format(
            **goal, best=best.title, budget=budget(best.budget), guess=percent_up(best.guess)
        )
    ]
    missed = sum(not need.reached for need in needs)
    if len(needs) > 1:
        said.append(SOME.format(missed=missed, methods=len(needs)) if missed else EVERY)
    smallest = min(needs, key=lambda need: need.budget)
    if smallest.budget < best.budget and smallest.guess > best.guess + ALIKE:
        small = {"symbol": SYMBOLS[curve.budget.axis], "budget": number(smallest.budget)}
        said.append(
            SMALLEST.format(other=smallest.title, guess=percent_up(smallest.guess), **small)
        )
    return " ".join(said)


def table(needs: tuple[Needed, ...], curve: BudgetCurve) -> list[dict[str, str]]:
    """One row a method, in words."""
    symbol = SYMBOLS[curve.budget.axis]
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
            "an attacker is right at most": (f"{percent_up(need.guess)} %" if need.reached else ""),
            "and at the next smaller": (
                "" if need.before is None else f"below, at {symbol} = {number(need.before)}"
            ),
            "sure": "yes" if need.sure else "within noise" if need.reached else "",
        }
        for need in needs
    ]
