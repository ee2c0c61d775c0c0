"""A count of yes-or-no answers that were given to one who counts them: told once, with noise."""

from __future__ import annotations

import numpy as np

from dpviz.mechanisms.laplace_noise import whole_laplace
from dpviz.mechanisms.system_noise import discrete_laplace
from dpviz.mechanisms.unit_noise import SYSTEM, Seed


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
