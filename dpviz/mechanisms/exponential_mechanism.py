"""The exponential mechanism: one choice, and the best K jointly."""

from __future__ import annotations

import math

import numpy as np

from dpviz.caches import cached
from dpviz.mechanisms import noise_recorder
from dpviz.mechanisms.fixed_point import COARSE
from dpviz.mechanisms.randomness import SYSTEM, Seed, UnitNoise, _remembered
from dpviz.mechanisms.system_noise import noisy_max
from dpviz.types import Exponential

UTILITY_STEP = COARSE / 4
"""Utilities are whole multiples of it: 512 of at most 2 add up exactly in float32."""
RANK_STEP = UTILITY_STEP * 2.0**-21
"""Of what a rank adds to a utility. A set's rank differs between neighbours, so by up to a step of
this a set is likelier than it should be: less than the margin of every calibration for any window.
"""


def standard_gumbel(seed: Seed, label: str, shape: tuple[int, ...]) -> UnitNoise:
    """Standard Gumbel noise of a draw, float64, read-only: argmax(logits + noise) samples from
    softmax(logits).
    """
    values = None if seed == SYSTEM else _remembered(_gumbel, seed, label, shape)
    return UnitNoise(seed, label, shape, values)


def _gumbel(stream: np.random.Generator, shape: tuple[int, ...]) -> np.ndarray:
    return -np.log(stream.standard_exponential(shape))


def exponential_logits(utility: np.ndarray, event: Exponential) -> np.ndarray:
    """epsilon * u / sensitivity for utilities u (..., m); at epsilon = inf only the best keep
    weight.
    """
    if event.epsilon == math.inf:
        return np.where(utility == utility.max(axis=-1, keepdims=True), 0.0, -np.inf)
    return utility * (event.epsilon / event.sensitivity)


def exponential(utility: np.ndarray, event: Exponential, noise: UnitNoise) -> np.ndarray:
    """Index drawn by the exponential mechanism along the last axis of u (..., m).

    Guarantee: epsilon-DP if u is monotone in the data and one record adds at most ``sensitivity``.
    Source: McSherry & Talwar 2007; Gumbel-max sampling is exact.
    """
    noise = noise_recorder.noise_of(event, noise)
    if noise.from_system:
        chosen = np.apply_along_axis(_from_system, -1, utility, event)
    else:
        chosen = np.argmax(exponential_logits(utility, event) + noise.replayed, axis=-1)
    return noise_recorder.noted(event, noise, chosen)


def _from_system(utility: np.ndarray, event: Exponential) -> int:
    if event.epsilon == math.inf:
        return int(np.argmax(utility))
    return noisy_max(_on_grid(utility), event.sensitivity / event.epsilon, UTILITY_STEP)


def _on_grid(utility: np.ndarray) -> np.ndarray:
    """The utilities.

    Raises:
        ValueError: if they are not on their grid: rounding would add to what a record moves.
    """
    if not np.array_equal(np.rint(utility / UTILITY_STEP) * UTILITY_STEP, utility):
        raise ValueError("Utilities must be whole multiples of their step.")
    return utility


def exponential_probabilities(utility: np.ndarray, event: Exponential) -> np.ndarray:
    """The exponential mechanism's selection probabilities along the last axis of u (..., m)."""
    logits = exponential_logits(utility, event)
    weights = np.exp(logits - logits.max(axis=-1, keepdims=True))
    return weights / weights.sum(axis=-1, keepdims=True)


@cached(8)
def log_sets(m: int, k: int) -> np.ndarray:
    """ln C(y-1, k-1) for ranks y = k..m: how many k-sets have their worst member at rank y. (m - k
    + 1,).

    Added up from C(y, k-1) / C(y-1, k-1) = y / (y-k+1): as a difference of large logarithms it
    would be off by 1e-9, which a small epsilon does not bear.
    """
    y = np.arange(k, m)
    return np.concatenate([[0.0], np.cumsum(-np.log1p(-(k - 1) / y))])


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
    noise: UnitNoise,
    order: np.ndarray,
    ranked: np.ndarray,
) -> np.ndarray:
    """Set of k items of u (m,) by the joint exponential mechanism; at k = 1 equal to
    ``exponential``.

    Args:
        sorted_utility: (m,) utilities from best to worst, ``utility[ranked]``.
        noise: Gumbel noise (m,) by item, for the rank of the worst member.
        order: (m,) independent uniform noise by item, for the members above it.
        ranked: (m,) items from best to worst, ``argsort(-utility, kind="stable")``.

    Returns:
        (k,) int64, ascending: any order that follows the ranking would tell more than the set.

    Guarantee: epsilon-DP for a monotone utility: the set's utility is its worst member's, a minimum
    of monotone functions.
    """
    noise = noise_recorder.noise_of(event, noise)
    if noise.from_system:
        worst = k - 1 + _worst_from_system(sorted_utility, k, event)
    else:
        logits = top_k_logits(sorted_utility, k, event)
        worst = k - 1 + int(np.argmax(logits + noise.replayed[ranked[k - 1 :]]))
    better = ranked[:worst]
    if k - 1 < worst:
        better = better[np.argpartition(order[better], k - 1)[: k - 1]]
    return noise_recorder.noted(event, noise, np.sort(np.append(better, ranked[worst])))


def _worst_from_system(sorted_utility: np.ndarray, k: int, event: Exponential) -> int:
    """The rank of the worst member, less k - 1: a constant of each rank is added to its utility."""
    if event.epsilon == math.inf:
        return 0
    scale = event.sensitivity / event.epsilon
    constants = rank_constants(len(sorted_utility), k, scale)
    return noisy_max(_on_grid(sorted_utility[k - 1 :]) + constants, scale, RANK_STEP)


def rank_constants(m: int, k: int, scale: float) -> np.ndarray:
    """``log_sets`` times ``scale``, in whole multiples of RANK_STEP: (m - k + 1,)."""
    return np.rint(log_sets(m, k) * (scale / RANK_STEP)) * RANK_STEP
