"""Methods compared at equal leakage: at the same best guess of an attacker (prior 1/2).

At equal ε guarantees of different notions leak differently. The budgets of equal leakage are solved
exactly (``privacy.at_best_guess``); accuracies there are runs of their own.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from dpviz import privacy
from dpviz.methods import METHODS
from dpviz.stats import Interval, accuracy
from dpviz.types import Budget, Guarantee, Result
from dpviz.views.page_config import Group, PageConfig

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
    return max((privacy.most_right(run.guarantee) for run in private), default=0.0)


def groups(view: PageConfig, at_now: Sequence[Result]) -> list[Group]:
    """Runs that bring every private method to the weakest guarantee's leakage.

    Methods that leak as much already need none. Nor is there any where an attacker may be right
    nearly always.
    """
    share = weakest_guess(at_now)
    if not 0.5 < share <= MAX_GUESS:
        return []
    leaks = {run.spec.method: privacy.most_right(run.guarantee) for run in at_now}
    budget = Budget(100 * share, "guess", view.budget.delta)
    return [
        tuple(
            replace(view.spec(key), budget=budget, seed=view.first_seed + s)
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
    there: dict[str, list[Result]] = {}
    again = {run.spec.method for run in raised}
    for run in (*raised, *(run for run in at_now if run.spec.method not in again)):
        if run.spec.method in runs:
            there.setdefault(run.spec.method, []).append(run)
    leaks = {key: privacy.most_right(some[0].guarantee) for key, some in there.items()}
    if min(leaks.values()) < share - 2 * TOLERANCE:  # some runs are still to come
        return None
    points = {key: accuracy(there[key], metric) for key in runs}
    return EqualLeakage(share, points, {key: there[key][0].guarantee for key in runs})
