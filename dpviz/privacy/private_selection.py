"""What it costs to try many settings and show the best: composition, or the private selection
theorems.

The theorems bound a selection that draws how often to run (K) from a stated distribution, makes K
independent runs of one mechanism (draw a setting from a fixed distribution, run it, score it), and
shows the best run
alone: neither K nor any other run. Whoever shows all runs, or lets earlier scores steer later
settings, pays composition.

Source: Papernot and Steinke 2022 (arXiv 2110.03620), Theorem 2 (truncated negative binomial, which
holds the geometric and the logarithmic distribution) and Theorem 6 (Poisson); Liu & Talwar 2019 for
the pure case.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from dpviz.lazy_imports import optimize, special, stats
from dpviz.types import DpvizError, Guarantee

SHAPES = {"geometric": 1.0, "logarithmic": 0.0, "poisson": math.inf}
"""Distributions of K by name: eta of the truncated negative binomial; inf is Poisson, where K may
be 0.
"""
_ORDERS = 1 + np.geomspace(1e-3, 1e6, 4001)
_LONGEST = 10_000_000


@dataclass(frozen=True)
class OneRun:
    """What each single run promises, whichever setting it draws.

    Attributes:
        rho: zCDP; pure: epsilon of pure DP, inf if none; mu: of Gaussian DP, None if it is not
            known to be.
    """

    rho: float
    pure: float = math.inf
    mu: float | None = None


def one_run(guarantee: Guarantee) -> OneRun:
    """The parts of a guarantee that the theorems use."""
    value = guarantee.value
    return OneRun(
        guarantee.rho,
        value if guarantee.notion == "pure" else math.inf,
        value if guarantee.notion == "gdp" else None,
    )


# --------------------------------------------------------------------------------- how often to run


def gamma(mean: float, eta: float) -> float:
    """Parameter of the truncated negative binomial with this mean; 1 where K is always 1.

    Raises:
        DpvizError: for a mean below 1.
    """
    if not mean >= 1 or math.isinf(mean):
        raise DpvizError(f"The mean number of trials must be finite and at least 1, got {mean:g}.")
    if mean == 1:
        return 1.0
    if eta == 1:
        return 1 / mean
    return math.exp(
        optimize.brentq(
            lambda log_g: _log_mean(log_g, eta) - math.log(mean), -300.0, -1e-9, xtol=1e-14
        )
    ) * (1 - 1e-9)


def _log_mean(log_g: float, eta: float) -> float:
    """ln E[K], in logarithms because gamma may be tiny."""
    share = -log_g if eta == 0 else -math.expm1(eta * log_g) / eta
    return math.log(-math.expm1(log_g)) - log_g - math.log(share)


def generating(x: np.ndarray | float, mean: float, eta: float) -> np.ndarray | float:
    """E[x^K] for x in [0, 1]: the chance that all K runs fall into a set of probability x."""
    if math.isinf(eta):
        return np.exp(mean * (np.asarray(x) - 1))
    g = gamma(mean, eta)
    if g == 1:
        return x
    if eta == 0:
        return np.log1p(-(1 - g) * np.asarray(x)) / math.log(g)
    return ((1 - (1 - g) * np.asarray(x)) ** -eta - 1) / (g**-eta - 1)


def trials_at(u: float, mean: float, eta: float) -> int:
    """How many trials a uniform draw ``u`` in [0, 1) stands for (inverse of the distribution
    function).

    The draw must stay secret in a deployment, as the theorems average over it.
    """
    if math.isinf(eta):
        return int(stats.poisson.ppf(u, mean)) if u > 0 else 0
    g = gamma(mean, eta)
    if g == 1:
        return 1
    chance = (1 - g) / math.log(1 / g) if eta == 0 else eta * (1 - g) / (g**-eta - 1)
    total, k = chance, 1
    while total <= u and k < _LONGEST:
        chance *= (1 - g) * (k + eta) / (k + 1)
        total, k = total + chance, k + 1
    return k


# -------------------------------------------------------------------------------------------- Rényi


def renyi(order: np.ndarray | float, run: OneRun) -> np.ndarray | float:
    """Rényi divergence of order > 1 that one run may leave."""
    return np.minimum(np.asarray(order) * run.rho, run.pure)


def selected_renyi(order: np.ndarray | float, run: OneRun, mean: float, eta: float) -> np.ndarray:
    """Rényi divergence of order > 1 that the best of K runs may leave, K with this mean and shape.

    Source: Papernot and Steinke 2022, Theorems 2 and 6. In Theorem 2 the second order is chosen
    best: for zCDP it is sqrt(ln(1/gamma)/rho), for pure DP infinity, which gives (2 + eta) epsilon
    in the limit.
    """
    order = np.asarray(order, float)
    gamma_ = gamma(mean, 1.0 if math.isinf(eta) else eta)  # refuses a bad mean for every shape
    choice = renyi(order, run) + math.log(mean) / (order - 1)
    if math.isinf(eta):
        return choice + mean * delta_at(np.log1p(1 / (order - 1)), run)
    return choice + (1 + eta) * min(run.pure, _second(run.rho, math.log(1 / gamma_)))


def _second(rho: float, log_gamma: float) -> float:
    """min over orders l >= 1 of (1 - 1/l) rho l + ln(1/gamma)/l."""
    if rho == 0 or math.isinf(rho):
        return rho
    best = max(1.0, math.sqrt(log_gamma / rho))
    return (best - 1) * rho + log_gamma / best


def delta_at(epsilon: np.ndarray, run: OneRun) -> np.ndarray:
    """A delta with which one run is (epsilon, delta)-DP, the least of what is known of it."""
    epsilon = np.asarray(epsilon, float)
    if run.mu is not None:
        found = _gaussian_delta(run.mu, epsilon)
    else:
        found = np.exp(np.minimum(0.0, _log_deltas(epsilon, run).min(axis=-1)))
    return np.where(epsilon >= run.pure, 0.0, np.minimum(found, 1.0))


def _gaussian_delta(mu: float, epsilon: np.ndarray) -> np.ndarray:
    """Exact delta of mu-GDP (Balle & Wang 2018, Theorem 8)."""
    if mu == 0:
        return np.zeros_like(epsilon)
    return np.exp(special.log_ndtr(mu / 2 - epsilon / mu)) - np.exp(
        epsilon + special.log_ndtr(-mu / 2 - epsilon / mu)
    )


def _log_deltas(epsilon: np.ndarray, run: OneRun) -> np.ndarray:
    """ln delta at each epsilon by each order (Canonne, Kamath & Steinke 2020, Proposition 12)."""
    orders = _ORDERS[::10]
    gap = renyi(orders, run) - epsilon[..., None] + np.log1p(-1 / orders)
    return (orders - 1) * gap - np.log(orders)


def _converted(divergence: np.ndarray, orders: np.ndarray, delta: float) -> float:
    """Epsilon at delta from a Rényi curve, by the best order (the same proposition)."""
    found = divergence + np.log1p(-1 / orders) - (math.log(delta) + np.log(orders)) / (orders - 1)
    return max(0.0, float(np.min(found)))


# -------------------------------------------------------------------------------------------- costs


def selected_epsilon(run: OneRun, mean: float, eta: float, delta: float) -> float:
    """Epsilon at ``delta`` of showing the best of K runs alone, K with this mean and shape.

    Guarantee: holds for any score that is computed from a run's own release and public data.
    """
    if math.isinf(run.rho) and math.isinf(run.pure):
        return math.inf
    found = _converted(selected_renyi(_ORDERS, run, mean, eta), _ORDERS, delta)
    return found if math.isinf(eta) else min(found, (2 + eta) * run.pure)
