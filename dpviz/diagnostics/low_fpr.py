"""What an attack finds while it accuses hardly anybody wrongly, with an interval.

The threshold is where so many of all non-members, over all runs together, are called members; the
share of members above it is the true positive rate. Its interval knows that the threshold is an
estimate too, and that a record's scores in several runs, and a run's of several records, go
together.

Above its bound is a share of members at a threshold beyond what the promise allows at the share of
false alarms there. How far luck moves the one and, along the promise's own curve, the other is put
together; a slope that luck has bent would say "above" too often.

Source: Carlini et al. 2022 (rates at few false alarms); Hsieh & Turnbull 1996 (spread of a point of
    a ROC curve); Cameron, Gelbach & Miller 2011 (two-way clusters); Wilson 1927 (the interval);
    Zou & Donner 2008 (limits of a difference out of those of its two parts).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from dpviz.diagnostics.attack_statistics import clustered
from dpviz.lazy_imports import special
from dpviz.privacy.trade_off import true_positive_bound
from dpviz.types import Guarantee

LEVEL = 0.95
"""How often an interval holds the rate that endless runs would give."""
CHANCE = 0.001
"""How often at most an attack that lies on its bound is said to lie above it, at each rate."""
MIN_ALARMS = 10
"""False alarms on which a threshold has to rest; with fewer no rate is told."""


@dataclass(frozen=True)
class Rate:
    """What an attack finds at a share of false alarms.

    Attributes:
        fpr: share of non-members called members; tpr: share of members found; low, high: its
            interval of LEVEL; error: its standard error.
        alarms: the false alarms that the threshold rests on.
        most: share that the guarantee lets any attack find.
        above: whether ``tpr`` lies further above ``most`` than luck lifts one in 1 / CHANCE.
    """

    fpr: float
    tpr: float
    low: float
    high: float
    error: float
    alarms: float
    most: float
    above: bool


def rates(
    scores: np.ndarray, inside: np.ndarray, guarantee: Guarantee, at: Sequence[float]
) -> tuple[Rate | None, ...]:
    """The rate at each share of false alarms; None where fewer than MIN_ALARMS alarms tell it.

    Args:
        scores: (k, n) float64, the larger, the rather a member; inside: (k, n) bool, who was in.
        at: shares of false alarms, each in (0, 1).
    """
    members, non_members = np.sort(scores[inside]), np.sort(scores[~inside])
    if not len(members):
        return (None,) * len(at)
    return tuple(
        None
        if fpr * len(non_members) < MIN_ALARMS
        else _rate(scores, inside, members, non_members, guarantee, fpr)
        for fpr in at
    )


def threshold(non_members: np.ndarray, fpr: float) -> tuple[float, float]:
    """The score above which non-members (m,) in rising order are called members, and the share of
    those right at it who are, so that exactly a share ``fpr`` is.
    """
    at = non_members[max(len(non_members) - math.ceil(fpr * len(non_members)), 0)]
    above = len(non_members) - np.searchsorted(non_members, at, side="right")
    tied = len(non_members) - above - np.searchsorted(non_members, at, side="left")
    return float(at), float((fpr * len(non_members) - above) / tied)


def called_members(scores: np.ndarray, at: float, tied: float) -> np.ndarray:
    """How far each is called a member: 1, 0, or ``tied`` at the threshold."""
    return (scores > at) + tied * (scores == at)


def _rate(
    scores: np.ndarray,
    inside: np.ndarray,
    members: np.ndarray,
    non_members: np.ndarray,
    guarantee: Guarantee,
    fpr: float,
) -> Rate:
    hits = called_members(scores, *threshold(non_members, fpr))
    tpr = float(hits[inside].mean())
    near = [fpr / 2, min(2 * fpr, (1 + fpr) / 2)]
    low, high = (
        float(called_members(members, *threshold(non_members, rate)).mean()) for rate in near
    )
    slope = (high - low) / (near[1] - near[0])
    parts = np.where(inside, (hits - tpr) / len(members), -slope * (hits - fpr) / len(non_members))
    error = clustered(parts)
    judged = int((inside.any(axis=0) & ~inside.all(axis=0)).sum())
    worth = _worth(tpr, error, len(members), judged)
    freedom = max(min(len(inside), judged) - 1, 1)
    ends = wilson(tpr, worth, special.stdtrit(freedom, (1 + LEVEL) / 2))
    reach = special.stdtrit(freedom, 1 - CHANCE)
    least = _sure(hits, inside, tpr, judged, reach)[0]
    alarms = _sure(hits, ~inside, fpr, judged, reach)[1]
    most, lifted = map(float, true_positive_bound(guarantee, np.array([fpr, alarms])))
    beyond = tpr - most > math.hypot(tpr - least, lifted - most)
    return Rate(fpr, tpr, *ends, error, fpr * len(non_members), most, beyond)


def _sure(
    hits: np.ndarray, part: np.ndarray, share: float, judged: int, reach: float
) -> tuple[float, float]:
    """Ends of the interval of the share of a part called members, at a threshold that is given."""
    number = int(part.sum())
    error = clustered(np.where(part, (hits - share) / number, 0.0))
    return wilson(share, _worth(share, error, number, judged), reach)


def _worth(tpr: float, error: float, members: int, judged: int) -> float:
    """How many independent members tell as much: of no hit, or of nothing but hits, which have no
    spread of their own, as many as records are judged.
    """
    if error == 0 or tpr in (0.0, 1.0):
        return float(judged)
    return min(tpr * (1 - tpr) / error**2, float(members))


def wilson(share: float, number: float, reach: float) -> tuple[float, float]:
    """Ends of the interval of a share of so many, ``reach`` standard errors to each side; of none
    it is (0, 1).

    Source: Wilson 1927.
    """
    if number <= 0:
        return 0.0, 1.0
    more = reach**2 / number
    middle = (share + more / 2) / (1 + more)
    half = reach / (1 + more) * math.sqrt(share * (1 - share) / number + more / number / 4)
    return float(max(middle - half, 0.0)), float(min(middle + half, 1.0))
