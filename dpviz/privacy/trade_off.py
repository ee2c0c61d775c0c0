"""The trade-off that a guarantee leaves: how many members any test finds for its false alarms.

Source: Dong, Roth & Su 2019 (trade-off functions); Kairouz, Oh & Viswanath 2015 ((ε, δ)); Bun &
    Steinke 2016; Dong, Durfee & Rogers 2020, "Optimal Differential Privacy Composition for
    Exponential Mechanisms" (bounded range).
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from dpviz.caches import cached
from dpviz.lazy_imports import special
from dpviz.privacy.sampled import POINTS, losses, reach
from dpviz.types import Guarantee, Sampled

ORDERS = 1 + np.geomspace(1e-3, 1e3, 40)
STEPS = 40
SAMPLED_EPSILONS = 120
"""At which the losses of sampled records are asked for their delta."""


def true_positive_bound(promise: Guarantee, fpr: np.ndarray | Sequence[float]) -> np.ndarray:
    """The largest share of members that any attack finds with these false alarms (k,) in [0, 1]:
    (k,) float64.
    """
    fpr = np.asarray(fpr, float)
    if promise.value == math.inf:
        return np.ones_like(fpr)
    return (
        _one_choice_curve(promise, fpr)
        if one_choice(promise)
        else CURVES[promise.notion](promise, fpr)
    )


def one_choice(promise: Guarantee) -> bool:
    """Whether it is the promise of one choice by an exponential mechanism."""
    return promise.bounded_range and promise.notion == "pure"


def _one_choice_curve(promise: Guarantee, fpr: np.ndarray) -> np.ndarray:
    """e^eps fpr / (1 + fpr (e^eps - 1)): the log-odds of a hit are those of a false alarm plus eps.

    The losses of one exponential mechanism lie in [-t, eps - t] for some t in [0, eps]; no such
    mechanism is told better than one with these two losses alone, whose curve has one corner, and
    over all t the corners are this curve.

    Source: Dong, Durfee & Rogers 2020 (the two losses); Dong, Roth & Su 2019 (the curve).
    """
    return special.expit(special.logit(fpr) + promise.value)


def _gdp_curve(promise: Guarantee, fpr: np.ndarray) -> np.ndarray:
    """Phi(Phi^-1(fpr) + mu)."""
    return special.ndtr(special.ndtri(fpr) + promise.value)


def _approx_curve(promise: Guarantee, fpr: np.ndarray) -> np.ndarray:
    """min(1, e^eps fpr + delta, 1 - e^-eps (1 - delta - fpr)), delta being 0 for a pure
    guarantee.
    """
    delta = promise.delta if promise.notion == "approx" else 0.0
    with np.errstate(over="ignore", divide="ignore"):
        one = (
            np.where(fpr == 0, 0.0, np.exp(promise.value + np.log(np.maximum(fpr, 1e-300)))) + delta
        )
    other = 1 - math.exp(-promise.value) * (1 - delta - fpr)
    return np.minimum(np.minimum(one, other), 1.0)


def _zcdp_curve(promise: Guarantee, fpr: np.ndarray) -> np.ndarray:
    """The largest rate that keeps both Rényi divergences of the attack's yes-or-no answer within
    rho alpha.

    By data processing these hold for any attack; a grid of orders gives a valid bound, found by
    bisection and rounded up.
    """
    q, low, high = fpr[:, None], fpr.copy(), np.ones_like(fpr)
    allowed = ORDERS * (ORDERS - 1) * promise.value
    for _ in range(STEPS):
        middle = (low + high) / 2
        p = middle[:, None]
        over = np.any(np.maximum(_moment(p, q), _moment(q, p)) > allowed, axis=1)
        low, high = np.where(over, low, middle), np.where(over, middle, high)
    return np.where(fpr == 0, 0.0, high)


def _moment(p: np.ndarray, q: np.ndarray) -> np.ndarray:
    """(alpha - 1) times the Rényi divergence of two coins, at each of ORDERS."""
    with np.errstate(divide="ignore", invalid="ignore"):
        logs = [ORDERS * np.log(a) + (1 - ORDERS) * np.log(b) for a, b in ((p, q), (1 - p, 1 - q))]
    return np.logaddexp(
        *(np.nan_to_num(part, nan=-np.inf, posinf=np.inf, neginf=-np.inf) for part in logs)
    )


CURVES = {"pure": _approx_curve, "approx": _approx_curve, "gdp": _gdp_curve, "zcdp": _zcdp_curve}


def sampled_true_positive_bound(promise: Guarantee, fpr: np.ndarray) -> np.ndarray:
    """As ``most_true``, but from all (epsilon, delta) that releases of sampled records keep, where
    they are all that is promised about, and not from one of them: a closer bound.
    """
    fpr = np.asarray(fpr, float)
    if promise.sampled is None or promise.value == math.inf:
        return true_positive_bound(promise, fpr)
    epsilons, deltas = _delta_curve(promise.sampled)
    with np.errstate(over="ignore"):
        one = np.exp(epsilons)[:, None] * fpr + deltas[:, None]
    other = 1 - np.exp(-epsilons)[:, None] * (1 - deltas[:, None] - fpr)
    return np.minimum(np.minimum(one, other).min(axis=0), 1.0)


@cached(64)
def _delta_curve(one: Sampled) -> tuple[np.ndarray, np.ndarray]:
    """Epsilons, and the delta of each."""
    most = reach(one.mu) * math.sqrt(one.times)
    epsilons = np.linspace(0, most, SAMPLED_EPSILONS)
    loss = losses(one, reach(one.mu) / POINTS)
    return epsilons, np.array([loss.get_delta_for_epsilon(float(e)) for e in epsilons])
