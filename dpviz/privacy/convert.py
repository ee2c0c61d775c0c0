"""Conversions between epsilon, delta, rho, mu and sigma, and calibration to the private side. Wraps
autodp.

Source: Dong, Roth & Su 2019 (GDP); Bun & Steinke 2016 (zCDP); Cesar & Rogers 2021 (the exponential
mechanism is bounded-range, hence epsilon^2/8-zCDP); Balle & Wang 2018 (exact Gaussian).
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from autodp import dp_bank
from autodp.mechanism_zoo import zCDP_Mechanism
from scipy.optimize import brentq
from scipy.special import log_ndtr

from dpviz.caches import remembered
from dpviz.types import Budget, Gaussian

PRIVATE_SIDE = 1e-9
"""Relative safety margin of every calibration: above the solvers' tolerance, below anything
visible.
"""


@remembered(4096)
def gdp_epsilon(mu: float, delta: float) -> float:
    """Exact epsilon at ``delta`` of a mu-GDP release (Gaussian mechanism with sensitivity/sigma =
    mu).
    """
    if mu == 0:
        return 0.0
    if mu == math.inf:
        return math.inf
    return float(dp_bank.get_eps_ana_gaussian(1 / mu, delta))


@remembered(4096)
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


@remembered(4096)
def zcdp_epsilon(rho: float, delta: float) -> float:
    """Epsilon at ``delta`` of a rho-zCDP release by autodp's conversion from its Rényi curve."""
    if rho in (0, math.inf):
        return float(rho)
    with np.errstate(
        invalid="ignore", divide="ignore"
    ):  # the search for the best order may step on a flat stretch
        return float(zCDP_Mechanism(rho).get_approxDP(delta))


@remembered(4096)
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
