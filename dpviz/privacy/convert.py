"""Conversions between epsilon, delta, rho, mu and sigma, and calibration to the private side. Wraps
autodp.

Source: Dong, Roth & Su 2019 (GDP); Bun & Steinke 2016 (zCDP); arXiv 2510.25746 (the exponential
mechanism is bounded-range, and what that is worth in zCDP exactly); Balle & Wang 2018 (exact
Gaussian).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from dpviz.caches import cached
from dpviz.lazy_imports import dp_bank, mechanism_zoo, optimize, special
from dpviz.types import Budget, Gaussian

PRIVATE_SIDE = 1e-9
"""Relative safety margin of every calibration: above the solvers' tolerance, below anything
visible.
"""


@cached(4096)
def gdp_epsilon(mu: float, delta: float) -> float:
    """Exact epsilon at ``delta`` of a mu-GDP release (Gaussian mechanism with sensitivity/sigma =
    mu).
    """
    if mu == 0:
        return 0.0
    if mu == math.inf:
        return math.inf
    return float(dp_bank.get_eps_ana_gaussian(1 / mu, delta))


@cached(4096)
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
    first, second = (
        special.log_ndtr(mu / 2 - epsilon / mu),
        epsilon + special.log_ndtr(-mu / 2 - epsilon / mu),
    )
    with np.errstate(divide="ignore"):  # a delta too small for a float is 0
        return float(first + np.log1p(-np.exp(min(second - first, -1e-300))))


@cached(4096)
def zcdp_epsilon(rho: float, delta: float) -> float:
    """Epsilon at ``delta`` of a rho-zCDP release by autodp's conversion from its Rényi curve."""
    if rho in (0, math.inf):
        return float(rho)
    with np.errstate(
        invalid="ignore", divide="ignore"
    ):  # the search for the best order may step on a flat stretch
        return float(mechanism_zoo.zCDP_Mechanism(rho).get_approxDP(delta))


@cached(4096)
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
    return math.exp(optimize.brentq(excess, low, high, xtol=1e-13, rtol=1e-13))


def zcdp_epsilon_simple(rho: float, delta: float) -> float:
    """The papers' conversion rho + 2 sqrt(rho ln(1/delta)): looser, shown only beside the exact
    one.
    """
    return rho + 2 * math.sqrt(rho * math.log(1 / delta))


def mu_for(budget: Budget) -> float:
    """mu that a method made of Gaussian releases may spend in all."""
    if budget.axis == "approx":
        return gdp_mu(budget.value, budget.delta)
    if budget.axis == "guess":
        return guess_mu(budget.value / 100) * (1 - PRIVATE_SIDE)
    return math.sqrt(2 * rho_for(budget))


def rho_for(budget: Budget) -> float:
    """rho that a method may spend in all when it is accounted in zCDP."""
    rho = allowed_rho(budget)
    return rho if budget.axis == "approx" else rho * (1 - PRIVATE_SIDE)


def allowed_rho(budget: Budget) -> float:
    """rho of a budget, without the margin of a calibration."""
    if budget.axis == "guess":
        return guess_rho(budget.value / 100)
    if budget.axis == "zcdp":
        return budget.value
    if budget.axis == "paper":
        return budget.value**2 / 2
    return zcdp_rho(budget.value, budget.delta)


def guess_mu(share: float) -> float:
    """mu of a Gaussian release after which an attacker is right in ``share`` of guesses."""
    return math.inf if share == math.inf else 2 * float(special.ndtri(share))


def guess_of_mu(mu: float) -> float:
    """Share of guesses in which an attacker is right at most after mu-GDP."""
    return float(special.ndtr(mu / 2))


def guess_rho(share: float) -> float:
    """rho of zCDP after which no attacker is right in more than ``share`` of guesses.

    Averaging a test with its mirror image leaves its success and lowers no divergence limit
    (joint convexity), so the best test answers as randomized response with honesty ``share``.
    Its Kullback-Leibler divergence is at most rho.
    """
    if share == math.inf:
        return math.inf
    return (2 * share - 1) * 2 * _atanh(2 * share - 1)


@cached(4096)
def zcdp_guess(rho: float) -> float:
    """Share of guesses in which an attacker is right at most after rho-zCDP: the inverse of
    ``guess_rho``, rounded up.
    """
    if rho == math.inf:
        return 1.0
    if rho == 0:
        return 0.5
    honest = _root(lambda log_odds: _coin_divergence(math.exp(log_odds)) - rho)
    return float(special.expit(honest))


def _coin_divergence(log_odds: float) -> float:
    """Kullback-Leibler divergence of two mirrored coins with these log-odds of being right."""
    return log_odds * math.tanh(log_odds / 2)


def _atanh(x: float) -> float:
    return math.inf if x == math.inf else math.atanh(x)


def exponential_epsilon_for(budget: Budget) -> float:
    """Pure epsilon that one exponential mechanism may spend.

    For a target (epsilon, delta) the larger of epsilon itself and the epsilon whose zCDP
    converts to the target. For a target best guess what one choice may spend exactly.
    """
    if budget.axis == "guess":
        return 4 * _atanh(2 * budget.value / 100 - 1) * (1 - PRIVATE_SIDE)
    by_rho = exponential_epsilon(rho_for(budget), budget.axis)
    return max(budget.value * (1 - PRIVATE_SIDE), by_rho) if budget.axis == "approx" else by_rho


def exponential_epsilon(rho: float, axis: str = "zcdp") -> float:
    """Pure epsilon of an exponential mechanism that may spend rho; on the paper's axis what its
    epsilon^2/8 allows, which is less.
    """
    if axis == "paper":
        return math.sqrt(8 * rho)
    return bounded_range_epsilon(rho) * (1 - PRIVATE_SIDE)


SMALL_EPSILON = 0.03
"""Below it the closed form of ``bounded_range_rho`` cancels, and four terms of its series are
exact.
"""


def bounded_range_rho(epsilon: Any) -> Any:
    """rho of zCDP of an epsilon-bounded-range mechanism, such as the exponential one, exactly:
    r - 1 - ln r with r = epsilon / (e^epsilon - 1). A number, or an array (n,) at once.

    The papers use epsilon^2/8, which is its first term and always more.

    Source: arXiv 2510.25746 (FORC 2026).
    """
    values = np.asarray(epsilon, float)
    with np.errstate(divide="ignore", invalid="ignore"):
        log_r = np.log(values) - values - np.log(-np.expm1(-values))
        closed = np.exp(log_r) - 1 - log_r
    squares = values * values
    series = squares * (1 / 8 - squares * (1 / 576 - squares * (1 / 25920 - squares / 1075200)))
    rho = np.where(values < SMALL_EPSILON, series, np.where(np.isinf(values), np.inf, closed))
    return float(rho) if np.ndim(epsilon) == 0 else rho


@cached(4096)
def bounded_range_epsilon(rho: float) -> float:
    """The epsilon whose bounded range costs rho: the inverse of ``bounded_range_rho``."""
    if rho == 0 or rho == math.inf:
        return rho
    return _root(lambda log_epsilon: bounded_range_rho(math.exp(log_epsilon)) - rho)


def gaussian(sensitivity: float, mu: float, times: int = 1) -> Gaussian:
    """``times`` Gaussian releases that together are mu-GDP. mu = inf gives no noise."""
    sigma = 0.0 if mu == math.inf else sensitivity * math.sqrt(times) / mu * (1 + PRIVATE_SIDE)
    return Gaussian(sensitivity, sigma, times)
