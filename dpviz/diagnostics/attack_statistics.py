"""How far losses tell members from others: curves, areas, their error, and whom they tell best.

Source: DeLong et al. 1988; Cameron, Gelbach & Miller 2011; Watson et al. 2022 and Carlini et al.
    2022 (losses held against what the same record's are in other runs).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np

SHARE = 0.05
"""Of those judged, whom an attacker would turn to first."""
MIN_RUNS = 2
"""Runs with a record, and runs without it, below which it is not known how it fits in either."""


@dataclass(frozen=True, eq=False)
class Informed:
    """An attack by someone who has seen other runs, on all or on those it works best on.

    In each run, a loss is held against the middle of what the same record's losses are with it and
    without it; those whose two differ most may be picked. Both are read off the other runs alone,
    so neither knows what the coin said in this one.

    Attributes:
        auc, error: as of ``Attack``; fpr, tpr: the whole curve.
        right, unsure: how often "it was used" is rightly said or not said where the line is drawn
            at the middle, used and not used counting alike, and its standard error.
    """

    auc: float
    error: float
    fpr: np.ndarray
    tpr: np.ndarray
    right: float
    unsure: float


def informed(losses: np.ndarray, inside: np.ndarray, share: float) -> Informed | None:
    """What a better informed attack reaches on the ``share`` of records that are easiest to find;
    None where too few runs tell.

    Args:
        losses, inside: (runs, n) losses and membership; share: in (0, 1].
    """
    times = inside.sum(axis=0)
    enough = (times >= MIN_RUNS) & (len(inside) - times >= MIN_RUNS)
    losses, inside = losses[:, enough], inside[:, enough]
    if not enough.any():
        return None
    used, unused = _elsewhere(losses, inside), _elsewhere(losses, ~inside)
    gap, against = unused - used, losses - (used + unused) / 2
    chosen = gap >= np.quantile(gap, 1 - share, axis=1, keepdims=True)
    members, non_members = (against[chosen & part] for part in (inside, ~inside))
    if not len(members) or not len(non_members):
        return None
    fpr, tpr = roc(members, non_members)
    area, weights = float(np.trapezoid(tpr, fpr)), chosen.astype(float)
    hits = np.where(inside, against < 0, against >= 0)
    return Informed(
        area, error(against, inside, weights, area), fpr, tpr, *_right(hits, inside, weights)
    )


def _right(hits: np.ndarray, inside: np.ndarray, weights: np.ndarray) -> tuple[float, float]:
    """The mean of the shares of members and of others that are told rightly, and its standard
    error, clustered as in ``error``.
    """
    parts, shares = np.zeros(hits.shape), []
    for part in (inside, ~inside):
        number = weights[part].sum()
        shares.append(float((weights * hits)[part].sum() / number))
        parts += np.where(part, weights * (hits - shares[-1]) / number / 2, 0.0)
    return sum(shares) / 2, clustered(parts)


def _elsewhere(losses: np.ndarray, part: np.ndarray) -> np.ndarray:
    """Each record's mean loss over the other runs that are in a part: (runs, n)."""
    own = np.where(part, losses, 0.0)
    return (own.sum(axis=0) - own) / (part.sum(axis=0) - part)


def roc(
    members: np.ndarray, non_members: np.ndarray, weights: np.ndarray | None = None
) -> tuple[np.ndarray, np.ndarray]:
    """False and true positive rate of "loss at most t is a member" for every t, from (0, 0) to (1,
    1).

    Args:
        members: (k,) losses; non_members: (m,) losses; weights: (m,) of these, 1 each if None.
    """
    thresholds = np.unique(np.concatenate([members, non_members]))
    tpr = np.searchsorted(np.sort(members), thresholds, side="right") / len(members)
    false = weighted_cdf(non_members, np.ones(len(non_members)) if weights is None else weights)
    return np.concatenate([[0.0], false(thresholds, "right")]), np.concatenate([[0.0], tpr])


def tpr_at(grid: np.ndarray, fpr: np.ndarray, tpr: np.ndarray) -> np.ndarray:
    """The true positive rate at each false positive rate of a grid that begins at 0; there, the
    largest without a false alarm.
    """
    rates = np.interp(grid, fpr, tpr)
    rates[0] = tpr[fpr == 0].max()
    return rates


def auc(members: np.ndarray, non_members: np.ndarray, weights: np.ndarray | None = None) -> float:
    """How often a member has a smaller loss than another record, ties counting 1/2."""
    fpr, tpr = roc(members, non_members, weights)
    return float(np.trapezoid(tpr, fpr))


def weighted_cdf(
    values: np.ndarray, weights: np.ndarray
) -> Callable[[np.ndarray, Literal["left", "right"]], np.ndarray]:
    """Weighted share of ``values`` below each of some thresholds (``left``), or at most each
    (``right``).
    """
    order = np.argsort(values)
    total = np.concatenate([[0.0], np.cumsum(weights[order])])
    return lambda at, side: total[np.searchsorted(values[order], at, side=side)] / total[-1]


def error(losses: np.ndarray, inside: np.ndarray, weights: np.ndarray, area: float) -> float:
    """Standard error of the pooled AUC, clustered by record and by run, for a record's losses go
    together.

    Args:
        losses, inside: (runs, n) losses and membership; weights: (runs, n), 0 for what is left out.
        area: the AUC.

    Source: DeLong et al. 1988, placements; Cameron, Gelbach & Miller 2011, two-way clusters.
    """
    non_members, members = (weighted_cdf(losses[part], weights[part]) for part in (~inside, inside))
    ones = weights[inside].sum(), weights[~inside].sum()
    above = 1 - (non_members(losses, "left") + non_members(losses, "right")) / 2
    under = (members(losses, "left") + members(losses, "right")) / 2
    parts = weights * np.where(inside, (above - area) / ones[0], (under - area) / ones[1])
    return clustered(parts)


def clustered(parts: np.ndarray) -> float:
    """Standard error of a sum of (runs, n) parts that go together within a record and a run."""
    by_record, by_run, alone = (
        (parts.sum(axis=0) ** 2).sum(),
        (parts.sum(axis=1) ** 2).sum(),
        (parts**2).sum(),
    )
    return math.sqrt(max(by_record + by_run - alone, by_record, by_run))
