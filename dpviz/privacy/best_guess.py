"""The attacker's best guess: how often anyone can tell whether a record was used, and the budget of
a method at which that is a given share.

Source: Dong, Roth & Su 2019 (trade-off functions); Kairouz, Oh & Viswanath 2015 ((ε, δ)); Bun &
    Steinke 2016; Dong, Durfee & Rogers 2020 (bounded range).
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable

import numpy as np

from dpviz.caches import cached
from dpviz.lazy_imports import special
from dpviz.privacy.convert import zcdp_guess
from dpviz.privacy.sampled import sampled_guess
from dpviz.privacy.trade_off import one_choice, true_positive_bound
from dpviz.types import Budget, DpvizError, Guarantee, Plan, check_range

CLOSE = 1e-6
"""Share of guesses up to which two guarantees leak equally."""
STEPS = 60
"""Of a bisection, at most."""
RATES = np.unique(
    np.concatenate(
        [np.geomspace(1e-8, 1, 300), 1 - np.geomspace(1e-8, 1, 300), np.linspace(0, 1, 401)]
    )
)


def corners(promise: Guarantee) -> tuple[np.ndarray, np.ndarray]:
    """Points of a curve that lies on or above the bound everywhere: its own corners, or a staircase
    for zCDP.
    """
    if promise.notion in ("pure", "approx"):
        delta = promise.delta if promise.notion == "approx" else 0.0
        fpr = np.array(
            [0.0, (1 - delta) / (1 + math.exp(min(promise.value, 700.0))), 1 - delta, 1.0]
        )
        return fpr, true_positive_bound(promise, fpr)
    return _staircase(promise)


@cached(64)
def _staircase(promise: Guarantee) -> tuple[np.ndarray, np.ndarray]:
    rates = true_positive_bound(promise, RATES)
    return np.repeat(RATES, 2)[:-1], np.repeat(rates, 2)[1:]


def success_bound(promise: Guarantee, prior: float = 0.5) -> float:
    """The largest share of right answers of any attacker who holds "it was used" for likely with
    ``prior``.

    At 1/2 it is (1 + TV) / 2: Phi(mu / 2) for mu-GDP, e^eps / (1 + e^eps) for pure epsilon,
    (1 + tanh(eps / 4)) / 2 for one choice by an exponential mechanism and ``zcdp_guess`` for
    rho-zCDP.
    """
    prior = _checked(prior)
    if promise.value == math.inf:
        return 1.0
    if promise.notion == "gdp":
        if promise.value == 0:
            return max(prior, 1 - prior)
        shift = math.log((1 - prior) / prior) / promise.value
        return float(
            prior * special.ndtr(promise.value / 2 - shift)
            + (1 - prior) * special.ndtr(promise.value / 2 + shift)
        )
    if promise.sampled is not None and prior == 0.5:
        return sampled_guess(promise.sampled)
    if promise.notion == "zcdp" and prior == 0.5:
        return zcdp_guess(promise.value)
    if one_choice(promise):
        fpr = np.array([_best_alarms(promise.value, prior)])
        tpr = true_positive_bound(promise, fpr)
    else:
        fpr, tpr = corners(promise)
    return float(np.max(prior * tpr + (1 - prior) * (1 - fpr)))


def _best_alarms(epsilon: float, prior: float) -> float:
    """Where the curve of one choice has slope (1 - prior) / prior, or the end nearest to it."""
    reach = (epsilon + math.log(prior / (1 - prior))) / 2
    if not 0 < reach < epsilon:
        return 0.0 if reach <= 0 else 1.0
    return math.exp(reach - epsilon) * math.expm1(-reach) / math.expm1(-epsilon)


def _checked(prior: float) -> float:
    prior = check_range("Prior", prior, 0, 1, open_low=True)
    if prior == 1:
        raise DpvizError("Prior must be above 0 and below 1, got 1.")
    return prior


def at_best_guess(make: Callable[[Budget], Plan], budget: Budget) -> Plan:
    """The plan at a budget. On the axis ``guess`` the attacker's best guess after it is the
    budget's, to ``CLOSE``, never more.

    Args:
        make: the plan at a budget. A method with one kind of noise spends a best guess exactly.
            Others are calibrated in zCDP, which is more than is needed; here their epsilon grows
            until the guess is reached.
    """
    plan, share = make(budget), budget.value / 100
    if budget.axis != "guess" or not budget.private or not plan.events:
        return plan
    if success_bound(plan.guarantee) >= share - CLOSE:
        return plan

    def at(log_epsilon: float) -> tuple[Plan, float]:
        planned = make(dataclasses.replace(budget, value=math.exp(log_epsilon), axis="approx"))
        return planned, success_bound(planned.guarantee)

    low = math.log(max(plan.guarantee.epsilon_delta, 1e-6))
    high = low
    for _ in range(STEPS):
        high += 0.2
        other, right = at(high)
        if right > share:
            break
        plan, low = other, high
        if right >= share - CLOSE:
            return plan
    for _ in range(STEPS):
        middle = (low + high) / 2
        other, right = at(middle)
        if right > share:
            high = middle
            continue
        plan, low = other, middle
        if right >= share - CLOSE:
            break
    return plan
