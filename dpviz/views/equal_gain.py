"""Methods compared where an attacker could gain equally much from each, which at equal ε need not
be: promises of different notions convert to the same ε and protect differently.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from dpviz.diagnostics import attack_bound
from dpviz.plots.accuracy_by_budget import BudgetCurve, Line
from dpviz.stats import Interval, within_noise
from dpviz.types import Guarantee

ALIKE = 0.002
"""Share of right answers up to which promises protect alike."""
NEARLY = 0.99
"""Share of right answers above which a promise limits next to nothing."""
Promises = Mapping[tuple[str, float], Guarantee]
"""By method and budget."""


@dataclass(frozen=True)
class Equal:
    """One method at the largest budget computed at which an attacker gains no more than from the
    weakest promise at the budget looked at.

    Attributes:
        method, title: its key and name; budget, right, accuracy: the largest budget that is
            computed and allows no more than ``most``, the share of right answers that it allows,
            and the accuracy there.
    """

    method: str
    title: str
    budget: float
    right: float
    accuracy: Interval


@dataclass(frozen=True)
class Comparison:
    """Methods at an equal gain: ``most`` is the share of right answers that the weakest promise at
    the budget looked at allows.
    """

    most: float
    rows: tuple[Equal, ...]


def info(curve: BudgetCurve, promises: Promises, now: float) -> Comparison | None:
    """The comparison; None where all promises at this budget protect alike, or one
    next to not at all.
    """
    gains = {
        line.method: attack_bound.most_right(promises[line.method, now])
        for line in curve.lines
        if (line.method, now) in promises
    }
    if len(gains) < 2 or max(gains.values()) - min(gains.values()) < ALIKE:
        return None
    most = max(gains.values())
    if most > NEARLY:
        return None
    rows = (_equal(line, promises, now, most) for line in curve.lines if line.method in gains)
    return Comparison(most, tuple(sorted(rows, key=lambda row: -row.accuracy.mean)))


def stricter(
    curve: BudgetCurve, promises: Promises, now: float, methods: Sequence[str]
) -> tuple[Equal, bool] | None:
    """Which of two methods promises more at this budget, where it is allowed as much as the other,
    and whether noise lets one tell the two apart there; None where both protect alike or no larger
    budget allows no more.
    """
    lines = tuple(line for line in curve.lines if line.method in methods)
    found = info(replace(curve, lines=lines), promises, now)
    looser = [row for row in found.rows if row.budget > now] if found else []
    if not looser:
        return None
    other = next(row for row in found.rows if row is not looser[0])
    return looser[0], not within_noise(other.accuracy, looser[0].accuracy)


def _equal(line: Line, promises: Promises, now: float, most: float) -> Equal:
    gain = attack_bound.most_right(promises[line.method, now])
    found = Equal(line.method, line.title, now, gain, line.points[line.budgets.index(now)])
    for budget, point in zip(line.budgets, line.points, strict=True):
        right = attack_bound.most_right(promises[line.method, budget])
        if right > most + 1e-9:
            break
        if budget > now:
            found = Equal(line.method, line.title, budget, right, point)
    return found
