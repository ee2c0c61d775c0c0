"""Laplace noise on counts: in whole numbers, for use, as on yes-or-no answers, and the textbook's,
for attacks on it.
"""

from __future__ import annotations

import numpy as np

from dpviz.mechanisms.randomness import SYSTEM, Seed, standard_uniform
from dpviz.mechanisms.system_noise import discrete_laplace

UNIFORM_STEP = 2.0**-53
"""Of the uniform numbers that a seed's noise is made from."""


def whole_laplace(counts: np.ndarray, epsilon: float, seed: Seed, label: str) -> np.ndarray:
    """Counts (k,) plus the difference of two geometric numbers each: whole numbers, float64.

    Guarantee: epsilon-DP where a record moves the counts by one in all, up to the 2^-53 in which
        the chances of a float may be off: P(z) is proportional to exp(-epsilon |z|).
    Source: Ghosh, Roughgarden & Sundararajan 2009.
    """
    u = standard_uniform(seed, label, (2, *np.shape(counts)))
    up, down = np.floor(-np.log1p(-u) / epsilon)
    return counts + up - down


def textbook_laplace(counts: np.ndarray, scale: float, seed: Seed, label: str) -> np.ndarray:
    """Counts (k,) - scale sign(u) ln(1 - 2|u|), u uniform in [-1/2, 1/2), in float64. NEVER for a
    release: it is here to be attacked.

    Guarantee: none, whatever the scale. The doubles that come out of different counts are
        different ones, since neither u nor the logarithm takes every value.
    Source: Mironov 2012, Section 2.
    """
    u = standard_uniform(seed, label, np.shape(counts)) - 0.5
    return counts + _noise(u, scale)


def _noise(u: np.ndarray, scale: float) -> np.ndarray:
    with np.errstate(divide="ignore"):
        return -scale * np.sign(u) * np.log(1 - 2 * np.abs(u))


NEAR = np.arange(-4, 5)
"""Steps about the uniform number that an output points to: rounding hides no more."""


def could_be_textbook(outputs: np.ndarray, count: float, scale: float) -> np.ndarray:
    """Whether some uniform number makes ``textbook_laplace`` put out each of the outputs (k,) for
    this count: (k,) bool. What it says no to cannot have come from that count.
    """
    apart = outputs - count
    u = np.copysign(-np.expm1(-np.abs(apart) / scale) / 2, apart)
    steps = np.rint((u + 0.5) / UNIFORM_STEP)[:, None] + NEAR
    tried = np.clip(steps, 0, 1 / UNIFORM_STEP - 1) * UNIFORM_STEP - 0.5
    return (count + _noise(tried, scale) == outputs[:, None]).any(axis=1)


def yes_counts(
    counts: np.ndarray, epsilon: float, seed: Seed = SYSTEM, label: str = "yes"
) -> np.ndarray:
    """How many say yes, counts (k,), as each may be told: int64 (k,), possibly below 0 or above
    all who answered.

    Args:
        seed: SYSTEM for a release; a number for a replay.

    Guarantee: epsilon-DP for one person's answer being replaced by the other, which moves a count
        by one; a replay's up to the 2^-53 in which the chances of a float may be off.
    Source: Ghosh, Roughgarden & Sundararajan 2009, the geometric mechanism.
    """
    if seed == SYSTEM:
        return discrete_laplace(np.asarray(counts), epsilon)
    return whole_laplace(np.asarray(counts), epsilon, seed, label).astype(np.int64)
