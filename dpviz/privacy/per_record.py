"""The conversions of ``convert`` for many records at once, rounded up."""

from __future__ import annotations

import math

import numpy as np

from dpviz.lazy_imports import special
from dpviz.privacy.convert import zcdp_epsilon
from dpviz.types import Gaussian

ORDERS = 1 + np.geomspace(1e-4, 1e7, 3000)


def squared_mus(moved: np.ndarray, event: Gaussian) -> np.ndarray:
    """mu^2 that one release of the event has for records which move it by these norms (n,); those
    of several releases add up.
    """
    return (moved / event.sigma) ** 2


def gaussian_losses(squared: np.ndarray, delta: float) -> tuple[np.ndarray, np.ndarray]:
    """Epsilon at ``delta`` and rho, (n,) each, of records for which mu^2 (n,) has added up."""
    return gdp_epsilons(np.sqrt(squared), delta), squared / 2


def gdp_epsilons(mu: np.ndarray, delta: float) -> np.ndarray:
    """Exact epsilon at ``delta`` of mu-GDP for each of mu (n,), rounded up.

    Source: Balle & Wang 2018: delta(eps) = Phi(mu/2 - eps/mu) - e^eps Phi(-mu/2 - eps/mu), by
        bisection.
    """
    values, inverse = np.unique(np.asarray(mu, float), return_inverse=True)
    low, high = np.zeros(len(values)), values**2 / 2 + values * math.sqrt(2 * math.log(1 / delta))
    high[log_delta(values, low) <= math.log(delta)] = 0.0
    for _ in range(60):
        middle = (low + high) / 2
        too_small = log_delta(values, middle) > math.log(delta)
        low, high = np.where(too_small, middle, low), np.where(too_small, high, middle)
    return high[inverse]


def log_delta(mu: np.ndarray, epsilon: np.ndarray) -> np.ndarray:
    """ln of the exact delta at each ``epsilon`` (n,) of each mu (n,)."""
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        log_first = special.log_ndtr(mu / 2 - epsilon / mu)
        ratio = epsilon + special.log_ndtr(-mu / 2 - epsilon / mu) - log_first
        return np.where(mu == 0, -math.inf, log_first + np.log(-np.expm1(np.minimum(ratio, 0.0))))


def zcdp_epsilons(rho: np.ndarray, delta: float) -> np.ndarray:
    """Epsilon at ``delta`` of each of rho (n,), rounded up, by the conversion of ``zcdp_epsilon``.

    Any order of the Rényi curve gives a valid epsilon, so the best of a grid is one.

    Source: Canonne, Kamath & Steinke 2020, Proposition 12.
    """
    values, inverse = np.unique(np.asarray(rho, float), return_inverse=True)
    offset = np.log1p(-1 / ORDERS) - (math.log(delta) + np.log(ORDERS)) / (ORDERS - 1)
    best = np.array([np.min(value * ORDERS + offset) for value in values])
    return np.clip(best, 0.0, zcdp_epsilon(float(values[-1]), delta))[inverse]
