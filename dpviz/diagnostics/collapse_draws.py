"""Errors on two classes for which no formula is known, drawn many times: several projected steps,
and test records that an adversary moves. Intervals are exact for the number of draws.

Source: Wang et al. 2024, Theorem 3.4 and section 3.2.2.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from dpviz import mechanisms
from dpviz.caches import cached
from dpviz.diagnostics.collapse_theory import Setting, exp
from dpviz.lazy_imports import stats
from dpviz.types import DpvizError

DRAWS = 20_000
CONFIDENCE = 0.99
"""Of the interval of a share of draws: with all settings right, one in a hundred misses its own."""


@dataclass(frozen=True)
class ErrorShare:
    """A share of ``draws`` that were wrong, and its Clopper-Pearson interval."""

    wrong: int
    draws: int

    @property
    def mean(self) -> float:
        """The share."""
        return self.wrong / self.draws

    @property
    def ends(self) -> tuple[float, float]:
        """Low and high end."""
        tail, k, n = (1 - CONFIDENCE) / 2, self.wrong, self.draws
        low = float(stats.beta.ppf(tail, k, n - k + 1)) if k else 0.0
        high = float(stats.beta.ppf(1 - tail, k + 1, n - k)) if k < n else 1.0
        return low, high


@dataclass(frozen=True)
class Steps:
    """Theorem 3.4's projected descent: ``steps`` of rho-zCDP each, within a ball of ``radius``;
    ``t`` trades the size of a step against the printed chance of failing, steps * e^-t.
    """

    steps: int = 10
    radius: float = 1.0
    t: float = 12.0


def learning_rate(s: Setting, how: Steps) -> float:
    """As printed: R / (n (1 + beta^2 p) + p + sqrt(p t) + t)."""
    return how.radius / (s.n * (1 + s.t) + s.p + math.sqrt(s.p * how.t) + how.t)


def printed_steps(s: Setting, how: Steps) -> float:
    """The bound of Theorem 3.4; 1 where beta^2 p is not below 1."""
    if s.t >= 1:
        return 1.0
    shrunk = (1 + 2.0**-how.steps) / (1 - 2.0**-how.steps) / 3
    constant = shrunk * (1 + math.exp(how.radius * (1 + s.t))) ** 2 / (1 - s.t) ** 2
    tail = how.steps * math.exp(-how.t)
    return min(1.0, exp(-(s.n**2) / (constant**2 * s.variance * (1 + s.t))) + tail)


def stated_rate(s: Setting) -> float:
    """exp(-rho n^2 / (1 + beta^2 p)^2), to which the theorem says that its bound comes."""
    return exp(-s.rho * s.n**2 / (1 + s.t) ** 2)


@cached(64)
def several_steps(s: Setting, how: Steps, draws: int = DRAWS, seed: int = 0) -> ErrorShare:
    """How often the rule is wrong about a test record, training records fixed at +-(e_1 + beta u)
    and the test record at e_1 - beta u, u across with entries of +-1.

    theta lies by three numbers: along the training records, beside them towards the test record,
    and its distance from that plane, whose p - 2 coordinates are drawn as one direction and a
    chi-square: the cost does not grow with p.

    Raises:
        DpvizError: below 3 dimensions.
    """
    if s.p < 3:
        raise DpvizError(f"Several steps need at least 3 dimensions, got p = {s.p}.")
    length, rate = math.hypot(1, s.beta * math.sqrt(s.p - 1)), learning_rate(s, how)
    sigma = math.sqrt(s.variance)
    along, beside, far = (np.zeros(draws) for _ in range(3))
    for step in range(how.steps):
        noise, rest = _step_noise(seed, step, s.p, draws)
        along += rate * (s.n * length / (1 + np.exp(length * along)) + sigma * noise[0])
        beside += rate * sigma * noise[1]
        far = np.sqrt((far + rate * sigma * noise[2]) ** 2 + (rate * sigma) ** 2 * rest)
        shrink = np.minimum(1, how.radius / np.sqrt(along**2 + beside**2 + far**2))
        along, beside, far = along * shrink, beside * shrink, far * shrink
    test_along = (1 - (s.p - 1) * s.beta**2) / length
    test_beside = math.sqrt(max(length**2 - test_along**2, 0))
    return ErrorShare(int((along * test_along + beside * test_beside < 0).sum()), draws)


def _step_noise(seed: int, step: int, p: int, draws: int) -> tuple[np.ndarray, np.ndarray]:
    """Three standard normal coordinates (3, draws), and the squared length of the other p - 3."""
    noise = mechanisms.standard_normal(seed, f"projected step {step}", (3, draws)).values
    assert noise is not None  # a seed is given
    random = mechanisms.generator(seed, f"projected step {step}, rest")
    return noise, random.chisquare(p - 3, draws) if p > 3 else np.zeros(draws)


@cached(64)
def against_adversary(s: Setting, draws: int = 2000, seed: int = 0) -> ErrorShare:
    """How often one step on perfect features is wrong about a corner that an adversary, who knows
    the rule, moves by at most beta in each coordinate: n + noise < beta |theta|_1.
    """
    sigma, wrong = math.sqrt(1 / (2 * s.rho)), 0
    for start in range(0, draws, 200):
        shape = (min(200, draws - start), s.p)
        noise = mechanisms.standard_normal(seed, f"against adversary {start}", shape).values
        assert noise is not None  # a seed is given
        theta = sigma * noise
        theta[:, 0] += s.n
        wrong += int((theta[:, 0] < s.beta * np.abs(theta).sum(axis=1)).sum())
    return ErrorShare(wrong, draws)
