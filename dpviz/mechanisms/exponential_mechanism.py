"""The exponential mechanism: one choice, and the best K jointly."""

from __future__ import annotations

import math

import numpy as np
from scipy.special import gammaln

from dpviz.caches import remembered
from dpviz.mechanisms.randomness import _remembered
from dpviz.types import Exponential


def standard_gumbel(seed: int, label: str, shape: tuple[int, ...]) -> np.ndarray:
    """Standard Gumbel noise of a seed, float64, read-only: argmax(logits + noise) samples from
    softmax(logits).
    """
    return _remembered(_gumbel, seed, label, shape)


def _gumbel(stream: np.random.Generator, shape: tuple[int, ...]) -> np.ndarray:
    return -np.log(stream.standard_exponential(shape))


def exponential_logits(utility: np.ndarray, event: Exponential) -> np.ndarray:
    """epsilon * u / sensitivity for utilities u (..., m); at epsilon = inf only the best keep
    weight.
    """
    if event.epsilon == math.inf:
        return np.where(utility == utility.max(axis=-1, keepdims=True), 0.0, -np.inf)
    return utility * (event.epsilon / event.sensitivity)


def exponential(utility: np.ndarray, event: Exponential, gumbel: np.ndarray) -> np.ndarray:
    """Index drawn by the exponential mechanism along the last axis of u (..., m).

    Guarantee: epsilon-DP if u is monotone in the data and one record adds at most ``sensitivity``.
    Source: McSherry & Talwar 2007; Gumbel-max sampling is exact.
    """
    return np.argmax(exponential_logits(utility, event) + gumbel, axis=-1)


def exponential_probabilities(utility: np.ndarray, event: Exponential) -> np.ndarray:
    """The exponential mechanism's selection probabilities along the last axis of u (..., m)."""
    logits = exponential_logits(utility, event)
    weights = np.exp(logits - logits.max(axis=-1, keepdims=True))
    return weights / weights.sum(axis=-1, keepdims=True)


@remembered(8)
def log_sets(m: int, k: int) -> np.ndarray:
    """ln C(y-1, k-1) for ranks y = k..m: how many k-sets have their worst member at rank y. (m - k
    + 1,).
    """
    y = np.arange(k, m + 1)
    return gammaln(y) - gammaln(k) - gammaln(y - k + 1)


def top_k_logits(sorted_utility: np.ndarray, k: int, event: Exponential) -> np.ndarray:
    """Log weight of each lowest rank y >= k, up to a constant, for utilities sorted downwards (m,).

    Source: Gillenwater et al. 2022, with the multiplicity C(y, k) of the DPPL paper corrected to
    C(y-1, k-1): the printed one breaks the guarantee.
    """
    sets = log_sets(len(sorted_utility), k)
    if event.epsilon == math.inf:
        return np.where(np.arange(len(sets)) == 0, 0.0, -np.inf)
    return sets + exponential_logits(sorted_utility[k - 1 :], event)


def top_k(
    sorted_utility: np.ndarray,
    k: int,
    event: Exponential,
    gumbel: np.ndarray,
    order: np.ndarray,
    ranked: np.ndarray,
) -> np.ndarray:
    """Set of k items of u (m,) by the joint exponential mechanism; at k = 1 equal to
    ``exponential``.

    Args:
        sorted_utility: (m,) utilities from best to worst, ``utility[ranked]``.
        gumbel: (m,) noise by item, for the rank of the worst member.
        order: (m,) independent uniform noise by item, for the members above it.
        ranked: (m,) items from best to worst, ``argsort(-utility, kind="stable")``.

    Returns:
        (k,) int64, ascending: any order that follows the ranking would tell more than the set.

    Guarantee: epsilon-DP for a monotone utility: the set's utility is its worst member's, a minimum
    of monotone functions.
    """
    worst = k - 1 + int(np.argmax(top_k_logits(sorted_utility, k, event) + gumbel[ranked[k - 1 :]]))
    better = ranked[:worst]
    if k - 1 < worst:
        better = better[np.argpartition(order[better], k - 1)[: k - 1]]
    return np.sort(np.append(better, ranked[worst]))
