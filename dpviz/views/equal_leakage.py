"""Methods compared at equal leakage: at the same best guess of an attacker (prior 1/2).

At equal ε guarantees of different notions leak differently. The budgets of equal leakage are solved
exactly (``privacy.at_best_guess``); accuracies there are runs of their own.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from dpviz import privacy
from dpviz.diagnostics import attack_bound
from dpviz.formatting import METRIC_WORDS, SYMBOLS, budget_text, number, percent, percent_up, spread
from dpviz.methods import METHODS
from dpviz.plots.budget_curves import BudgetCurve, Line
from dpviz.stats import Interval, accuracy, difference, interval, significant_differences
from dpviz.text import equal_leakage as text
from dpviz.text.template import render, render_text
from dpviz.types import Budget, Guarantee, Result
from dpviz.views.page_config import Group, PageConfig
from dpviz.views.phrases import title_in_sentence

TOLERANCE = 1e-6
"""Difference of best guesses up to which two guarantees leak equally."""
MAX_GUESS = 0.99
"""Best guess above which a guarantee limits next to nothing."""
Guarantees = Mapping[tuple[str, float], Guarantee]
"""By method and budget."""


@dataclass(frozen=True)
class EqualLeakage:
    """Private methods at one best guess.

    Attributes:
        share: how often an attacker guesses right at most; points: accuracy of each method, by
            key; guarantees: of each method there.
    """

    share: float
    points: Mapping[str, Interval]
    guarantees: Mapping[str, Guarantee]


def weakest_guess(at_now: Sequence[Result]) -> float:
    """The best guess that the weakest guarantee allows among private runs at one budget; 0 without
    any.
    """
    private = [run for run in at_now if METHODS[run.spec.method].private]
    return max((privacy.success_bound(run.guarantee) for run in private), default=0.0)


def groups(view: PageConfig, at_now: Sequence[Result]) -> list[Group]:
    """Runs that bring every private method to the weakest guarantee's leakage, in each data draw.

    Methods that leak as much already need none. Nor is there any where an attacker may be right
    nearly always.
    """
    share = weakest_guess(at_now)
    if not 0.5 < share <= MAX_GUESS:
        return []
    leaks = {run.spec.method: privacy.success_bound(run.guarantee) for run in at_now}
    budget = Budget(100 * share, "guess", view.budget.delta)
    return [
        tuple(
            replace(view.spec(key, draw=draw), budget=budget, seed=view.first_seed + s)
            for draw in view.all_draws
            for s in range(view.seeds)
        )
        for key in view.methods
        if METHODS[key].private and leaks.get(key, share) < share - TOLERANCE
    ]


def info(at_now: Sequence[Result], raised: Sequence[Result], metric: str) -> EqualLeakage | None:
    """The comparison; None where less than two methods are there, or one leaks nearly everything.

    Args:
        at_now: runs at the budget looked at; raised: those of ``groups``, of all its methods.
    """
    share = weakest_guess(at_now)
    runs = {run.spec.method: run for run in at_now if METHODS[run.spec.method].private}
    if len(runs) < 2 or not 0.5 < share <= MAX_GUESS:
        return None
    results: dict[str, list[Result]] = {}
    raised_methods = {run.spec.method for run in raised}
    for run in (*raised, *(run for run in at_now if run.spec.method not in raised_methods)):
        if run.spec.method in runs:
            results.setdefault(run.spec.method, []).append(run)
    leaks = {
        key: privacy.success_bound(runs_of_method[0].guarantee)
        for key, runs_of_method in results.items()
    }
    if min(leaks.values()) < share - 2 * TOLERANCE:  # some runs are still to come
        return None
    points = {key: accuracy(results[key], metric) for key in runs}
    return EqualLeakage(share, points, {key: results[key][0].guarantee for key in runs})


@dataclass(frozen=True)
class Needed:
    """What one method needs for a target accuracy.

    Attributes:
        method, title: of the line.
        budget: the smallest computed budget from which on every mean is at the target or above;
            inf where there is none.
        accuracy: accuracy at that budget, or at the largest one where the target is not reached.
        previous_budget: the next smaller budget, which does not reach the target, or None.
        significant: whether the accuracy is significantly above the target, over all points.
        guess: the attacker's best guess (prior 1/2) at that budget; inf where not reached.
        clear_budget: the smallest computed budget from which on the accuracy is significantly
            above the target; inf where there is none.
        clear_guess: the attacker's best guess there; inf where there is none.
    """

    method: str
    title: str
    budget: float
    accuracy: Interval
    previous_budget: float | None
    significant: bool
    guess: float = math.inf
    clear_budget: float = math.inf
    clear_guess: float = math.inf

    @property
    def reached(self) -> bool:
        """False where no computed budget is enough."""
        return math.isfinite(self.budget)


def needed_budgets(curve: BudgetCurve, target: float, guarantees: Guarantees) -> tuple[Needed, ...]:
    """Every private method's need for a target accuracy (a fraction), the lowest best guess of an
    attacker first; ``guarantees``: at every budget at which a target can be reached.
    """
    goal = interval([target], noisy=False)
    differences = [difference(goal, point) for line in curve.lines for point in line.points]
    signs = iter(significant_differences(differences))
    clear = [tuple(islice(signs, len(line.points))) for line in curve.lines]
    needs = [_needed(*pair, target) for pair in zip(curve.lines, clear, strict=True)]
    guessed = [
        replace(
            need,
            guess=_best_guess(need.method, need.budget, guarantees),
            clear_guess=_best_guess(need.method, need.clear_budget, guarantees),
        )
        for need in needs
    ]
    return tuple(sorted(guessed, key=lambda n: (n.guess, n.budget, -n.accuracy.mean)))


def _best_guess(method: str, budget: float, guarantees: Guarantees) -> float:
    if math.isinf(budget):
        return math.inf
    return attack_bound.success_bound(guarantees[method, budget])


def _needed(line: Line, clear: Sequence[bool], target: float) -> Needed:
    """``clear``: which points differ significantly from the target."""
    enough = len(line.points)
    while enough and line.points[enough - 1].mean >= target:
        enough -= 1
    before = line.budgets[enough - 1] if enough else None
    if enough == len(line.points):
        return Needed(line.method, line.title, math.inf, line.points[-1], before, False)
    sure = len(line.points)
    while sure > enough and clear[sure - 1]:
        sure -= 1
    return Needed(
        line.method,
        line.title,
        line.budgets[enough],
        line.points[enough],
        before,
        clear[enough],
        clear_budget=line.budgets[sure] if sure < len(line.points) else math.inf,
    )


def needed_sentence(needs: tuple[Needed, ...], curve: BudgetCurve, target: float) -> str:
    """Return the answer in Markdown: the method that is significantly above the target with the
    least leakage, how many miss the target, and which needs the smallest budget if another does.
    """
    goal = {"goal": target, "metric": METRIC_WORDS[curve.metric]}
    if not needs:
        return render(text.ANSWERS["choose"], **goal)
    if not needs[0].reached:
        fields = {"method": title_in_sentence(needs[0].title), "reached": needs[0].accuracy}
        return render(text.ANSWERS["none"], **goal, **fields)
    clear = [need for need in needs if math.isfinite(need.clear_budget)]
    if not clear:
        return render(text.ANSWERS["unclear"], **goal)
    best = min(clear, key=lambda need: (need.clear_guess, need.clear_budget))
    budget = budget_text(curve.budget.with_value(best.clear_budget))
    parts = [
        render(text.ANSWERS["lowest"], **goal, method=title_in_sentence(best.title), budget=budget),
        render(text.NOTES["guess"], guess=best.clear_guess),
    ]
    if needs[0].guess < best.clear_guess - TOLERANCE:
        fields = {"other": title_in_sentence(needs[0].title), "guess": needs[0].guess}
        parts.append(render(text.NOTES["mean"], **fields))
    missed = sum(not need.reached for need in needs)
    if len(needs) > 1:
        note = text.NOTES["some" if missed else "all"]
        parts.append(render(note, missed=missed, methods=len(needs)))
    smallest = min(clear, key=lambda need: need.clear_budget)
    if (
        smallest.clear_budget < best.clear_budget
        and smallest.clear_guess > best.clear_guess + TOLERANCE
    ):
        fields = {"symbol": SYMBOLS[curve.budget.axis], "budget": smallest.clear_budget}
        other = {"other": title_in_sentence(smallest.title), "guess": smallest.clear_guess}
        parts.append(render(text.NOTES["smallest"], **fields, **other))
    return " ".join(parts)


def needed_table(needs: tuple[Needed, ...], curve: BudgetCurve) -> list[dict[str, str]]:
    """Return one row per method, as column and text."""
    symbol = SYMBOLS[curve.budget.axis]
    heads = {key: render_text(head, symbol=symbol) for key, head in text.TABLE.items()}
    return [
        {heads[key]: cell for key, cell in _needed_cells(need, symbol).items()} for need in needs
    ]


def plain_columns(curve: BudgetCurve) -> list[str]:
    """Return the columns of ``needed_table`` for readers without statistics."""
    symbol = SYMBOLS[curve.budget.axis]
    columns = ("method", "smallest", "accuracy", "guess")
    return [render_text(text.TABLE[column], symbol=symbol) for column in columns]


def _needed_cells(need: Needed, symbol: str) -> dict[str, str]:
    cells = text.CELLS
    previous = need.previous_budget
    at_most = render_text(cells["at_most"], accuracy=need.accuracy)
    return {
        "method": need.title,
        "smallest": number(need.budget) if need.reached else cells["not_reached"],
        "accuracy": percent(need.accuracy) if need.reached else at_most,
        "interval": spread(need.accuracy),
        "guess": f"{percent_up(need.guess)}%" if need.reached else "",
        "previous": (
            "" if previous is None else render_text(cells["below"], symbol=symbol, budget=previous)
        ),
        "significant": cells["yes"] if need.significant else cells["no"] if need.reached else "",
    }
