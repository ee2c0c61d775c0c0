"""The only place that converts or calibrates epsilon, delta, rho, mu and sigma. Wraps autodp.

Adjacency is add-or-remove of one record unless a guarantee says otherwise. Every calibrated amount
of noise is rounded to the private side, and ``check`` recomputes a plan's cost before anything is
fitted.

Source: Dong, Roth & Su 2019 (GDP); Bun & Steinke 2016 (zCDP); Cesar & Rogers 2021 (the exponential
mechanism is bounded-range, hence epsilon^2/8-zCDP); Balle & Wang 2018 (exact Gaussian).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from itertools import product
from typing import Any

import numpy as np
from autodp import dp_bank
from autodp.mechanism_zoo import zCDP_Mechanism
from scipy.optimize import brentq
from scipy.special import log_ndtr

from dpviz.types import Budget, DpvizError, Event, Exponential, Gaussian, Guarantee, Parallel, Plan

ADD_REMOVE = "add or remove one record"
REPLACE_IN_CLASS = "replace one record within its class"
ENCODER_PUBLIC = "the encoder"
PRIVATE_SIDE = 1e-9
"""Relative safety margin of every calibration: above the solvers' tolerance, below anything
visible.
"""


@lru_cache(maxsize=4096)
def gdp_epsilon(mu: float, delta: float) -> float:
    """Exact epsilon at ``delta`` of a mu-GDP release (Gaussian mechanism with sensitivity/sigma =
    mu).
    """
    if mu == 0:
        return 0.0
    if mu == math.inf:
        return math.inf
    return float(dp_bank.get_eps_ana_gaussian(1 / mu, delta))


@lru_cache(maxsize=4096)
def gdp_mu(epsilon: float, delta: float) -> float:
    """Largest mu whose exact epsilon at ``delta`` stays at or below ``epsilon``."""
    if epsilon == math.inf:
        return math.inf
    log_delta = math.log(delta)
    mu = _root(lambda log_mu: _log_delta(math.exp(log_mu), epsilon) - log_delta) * (
        1 - PRIVATE_SIDE
    )
    while gdp_epsilon(mu, delta) > epsilon:
        mu *= 1 - PRIVATE_SIDE
    return mu


def _log_delta(mu: float, epsilon: float) -> float:
    """ln of the exact delta at ``epsilon`` of a mu-GDP release (Balle & Wang 2018, Theorem 8)."""
    first, second = log_ndtr(mu / 2 - epsilon / mu), epsilon + log_ndtr(-mu / 2 - epsilon / mu)
    return float(first + np.log1p(-np.exp(min(second - first, -1e-300))))


@lru_cache(maxsize=4096)
def zcdp_epsilon(rho: float, delta: float) -> float:
    """Epsilon at ``delta`` of a rho-zCDP release by autodp's conversion from its Rényi curve."""
    if rho in (0, math.inf):
        return float(rho)
    with np.errstate(
        invalid="ignore", divide="ignore"
    ):  # the search for the best order may step on a flat stretch
        return float(zCDP_Mechanism(rho).get_approxDP(delta))


@lru_cache(maxsize=4096)
def zcdp_rho(epsilon: float, delta: float) -> float:
    """Largest rho whose conversion at ``delta`` stays at or below ``epsilon``."""
    if epsilon == math.inf:
        return math.inf
    return _largest(lambda rho: zcdp_epsilon(rho, delta), epsilon)


def _largest(cost: Callable[[float], float], target: float) -> float:
    """Largest x with cost(x) <= target for an increasing cost, rounded down."""
    x = _root(lambda log_x: cost(math.exp(log_x)) - target) * (1 - PRIVATE_SIDE)
    while cost(x) > target:
        x *= 1 - PRIVATE_SIDE
    return x


def _root(excess: Callable[[float], float]) -> float:
    """exp of the root of an increasing function of a logarithm."""
    low = high = 0.0
    while excess(high) <= 0:
        high += 1.5
    while excess(low) > 0:
        low -= 1.5
    return math.exp(brentq(excess, low, high, xtol=1e-13, rtol=1e-13))


def zcdp_epsilon_simple(rho: float, delta: float) -> float:
    """The papers' conversion rho + 2 sqrt(rho ln(1/delta)): looser, shown only beside the exact
    one.
    """
    return rho + 2 * math.sqrt(rho * math.log(1 / delta))


# ------------------------------------------------------------------------------------- calibration


def mu_for(budget: Budget) -> float:
    """mu that a method made of Gaussian releases may spend in all."""
    if budget.axis == "approx":
        return gdp_mu(budget.value, budget.delta)
    return math.sqrt(2 * rho_for(budget))


def rho_for(budget: Budget) -> float:
    """rho that a method may spend in all when it is accounted in zCDP."""
    if budget.axis == "zcdp":
        return budget.value * (1 - PRIVATE_SIDE)
    if budget.axis == "paper":
        return budget.value**2 / 2 * (1 - PRIVATE_SIDE)
    return zcdp_rho(budget.value, budget.delta)


def exponential_epsilon_for(budget: Budget) -> float:
    """Pure epsilon that one exponential mechanism may spend.

    On a zCDP axis sqrt(8 rho). For a target (epsilon, delta) the larger of epsilon itself and the
    epsilon whose epsilon^2/8-zCDP converts to the target.
    """
    by_rho = math.sqrt(8 * rho_for(budget))
    return max(budget.value * (1 - PRIVATE_SIDE), by_rho) if budget.axis == "approx" else by_rho


def gaussian(sensitivity: float, mu: float, times: int = 1) -> Gaussian:
    """``times`` Gaussian releases that together are mu-GDP. mu = inf gives no noise."""
    sigma = 0.0 if mu == math.inf else sensitivity * math.sqrt(times) / mu * (1 + PRIVATE_SIDE)
    return Gaussian(sensitivity, sigma, times)


# -------------------------------------------------------------------------------------- guarantees


def event_mu(event: Gaussian | Parallel) -> float:
    """mu of all the releases of a Gaussian event, or the largest of several in parallel."""
    if isinstance(event, Parallel):
        return max(event_mu(part) for part in event.events)
    return (
        math.inf if event.sigma == 0 else math.sqrt(event.times) * event.sensitivity / event.sigma
    )


def event_rho(event: Event) -> float:
    """rho of an event: mu^2/2 for Gaussian noise, epsilon^2/8 for the exponential mechanism, else
    the largest.
    """
    if isinstance(event, Parallel):
        return max(event_rho(part) for part in event.events)
    return event.epsilon**2 / 8 if isinstance(event, Exponential) else event_mu(event) ** 2 / 2


def _gaussian_only(event: Event) -> bool:
    return all(
        isinstance(part, Gaussian)
        for part in (event.events if isinstance(event, Parallel) else (event,))
    )


def _alone(event: Event, delta: float) -> tuple[str, float, float]:
    """Notion, value in it, and epsilon at ``delta`` of one event.

    A record is in one part of a Parallel, so whatever holds for every part holds for the whole.
    """
    if isinstance(event, Exponential):
        return "pure", event.epsilon, min(event.epsilon, zcdp_epsilon(event_rho(event), delta))
    if isinstance(event, Gaussian):
        return "gdp", event_mu(event), gdp_epsilon(event_mu(event), delta)
    notions, values, epsilons = zip(*(_alone(part, delta) for part in event.events), strict=True)
    if len(set(notions)) == 1:
        return notions[0], max(values), max(epsilons)
    return "zcdp", event_rho(event), max(epsilons)


def guarantee(
    events: Mapping[str, Event], delta: float, *, adjacency: str, public: str, source: str
) -> Guarantee:
    """What the events promise together, in the tightest notion that the project composes in.

    All Gaussian: mu-GDP. One event: its own notion. Several, not all Gaussian: zCDP. After a choice
    among parallel parts, the smaller epsilon of two valid ways to compose.
    """
    rho = sum(event_rho(event) for event in events.values())
    if all(_gaussian_only(event) for event in events.values()):
        value = math.hypot(*(event_mu(event) for event in events.values()))
        notion, epsilon = "gdp", gdp_epsilon(value, delta)
    elif len(events) == 1:
        notion, value, epsilon = _alone(next(iter(events.values())), delta)
    else:
        notion, value, epsilon = "zcdp", rho, zcdp_epsilon(rho, delta)
    if len(events) > 1 and any(isinstance(event, Parallel) for event in events.values()):
        epsilon = min(epsilon, _branch_epsilon(list(events.values()), delta))
    return Guarantee(notion, value, delta, adjacency, public, epsilon, rho, source)


def _branch_epsilon(events: Sequence[Event], delta: float) -> float:
    """Epsilon at ``delta`` where earlier outputs may choose which part of each Parallel a record
    meets.

    The outputs that lead to one choice are as likely as if that choice were fixed, so each of k
    choices may fail with delta/k on its own: the dearest choice at delta/k bounds them all.
    """
    branches = list(product(*(e.events if isinstance(e, Parallel) else (e,) for e in events)))
    return max(_fixed_epsilon(branch, delta / len(branches)) for branch in branches)


def _fixed_epsilon(events: Sequence[Gaussian | Exponential], delta: float) -> float:
    """Epsilon at ``delta`` of events one after another: Gaussian ones exactly, pure ones added, or
    all by zCDP.
    """
    pure = sum(event.epsilon for event in events if isinstance(event, Exponential))
    added = pure + gdp_epsilon(
        math.hypot(*(event_mu(e) for e in events if isinstance(e, Gaussian))), delta
    )
    return (
        min(added, zcdp_epsilon(sum(event_rho(event) for event in events), delta))
        if pure
        else added
    )


def no_guarantee(budget: Budget, source: str) -> Guarantee:
    """The card of a reference that reads the private data without noise."""
    inf = math.inf
    return Guarantee(
        "pure",
        inf,
        budget.delta,
        ADD_REMOVE,
        "nothing: reads private data without noise",
        inf,
        inf,
        source,
    )


def make_plan(
    method: str,
    params: Mapping[str, Any],
    budget: Budget,
    events: Mapping[str, Event],
    *,
    source: str,
    public: str = ENCODER_PUBLIC,
    adjacency: str = ADD_REMOVE,
    notes: Mapping[str, Any] | None = None,
) -> Plan:
    """A plan whose guarantee is computed from its events.

    Raises:
        DpvizError: if the events cost more than ``budget``.
    """
    promise = guarantee(events, budget.delta, adjacency=adjacency, public=public, source=source)
    plan = Plan(method, dict(params), dict(events), promise, notes or {})
    check(plan, budget)
    return plan


def check(plan: Plan, budget: Budget) -> None:
    """Recompute what a plan costs and refuse one that exceeds the budget.

    Raises:
        DpvizError: with the cost and the budget.
    """
    if not budget.private or not plan.events:
        return
    old = plan.guarantee
    new = guarantee(
        plan.events, budget.delta, adjacency=old.adjacency, public=old.public, source=old.source
    )
    if budget.axis == "approx":
        cost, allowed, unit = new.epsilon_delta, budget.value, f"ε at δ={budget.delta:g}"
    else:
        allowed = budget.value if budget.axis == "zcdp" else budget.value**2 / 2
        cost, unit = new.rho, "ρ"
    if not cost <= allowed:
        raise DpvizError(
            f"{plan.method} would spend {unit} = {cost:.6g}, above the budget of {allowed:.6g}; add"
            " noise."
        )
