"""The only place that draws noise: Gaussian, exponential mechanism, top-K exponential, noisy votes;
clipping beside it.

Noise comes from a run's own seed and a label, never from the budget or another setting, so that
budgets share their random numbers and nothing jumps when an unrelated control moves. Floating-point
sampling is not hardened against attacks on its low-order bits (Mironov 2012): this is an instrument
for seeing, and a deployment would swap in a discrete sampler here.
"""

from __future__ import annotations

import math
import zlib
from collections.abc import Callable, Iterator
from functools import lru_cache

import numpy as np
from scipy.special import gammaln

from dpviz.types import Exponential, Gaussian

KEPT_NOISE = 1_000_000
"""Numbers in an array of noise that is worth its memory."""


def generator(seed: int, label: str) -> np.random.Generator:
    """Independent stream for one use (``label``) of a run's ``seed``."""
    return np.random.Generator(
        np.random.PCG64(np.random.SeedSequence([seed, zlib.crc32(label.encode())]))
    )


# -------------------------------------------------------------------------------------- sensitivity


def clip_rows(x: np.ndarray, radius: float) -> np.ndarray:
    """Rows of x (n, d) scaled down to L2 norm at most ``radius``: bounds what one record adds to a
    sum.
    """
    norms = np.linalg.norm(x, axis=1, keepdims=True)
    return x * np.minimum(1.0, radius / np.maximum(norms, np.finfo(np.float32).tiny)).astype(
        x.dtype
    )


def class_sums(x: np.ndarray, y: np.ndarray, classes: int) -> np.ndarray:
    """Sum of the rows of x (n, d) in each class: (C, d) float64."""
    sums = np.zeros((classes, x.shape[1]))
    for c in range(classes):
        sums[c] = x[y == c].sum(axis=0, dtype=np.float64)
    return sums


# ----------------------------------------------------------------------------------------- Gaussian


def standard_normal(seed: int, label: str, shape: tuple[int, ...]) -> np.ndarray:
    """Standard normal noise of a seed, float64; scale it by a planned sigma with ``add_gaussian``."""
    return generator(seed, label).standard_normal(shape)


def standard_symmetric(seed: int, label: str, d: int) -> np.ndarray:
    """Symmetric standard noise (d, d) float64: variance 1 on the diagonal and 1/2 off it.

    This is what symmetrising independent noise on all d^2 entries gives, so it hides a symmetric
    matrix of Frobenius sensitivity 1 as ``standard_normal`` hides a vector; variance 1 off the
    diagonal would be more.
    """
    noise = unpack_lower(packed_symmetric(seed, label, d), d)
    noise += np.tril(noise, -1).T
    return noise


def packed_symmetric(seed: int, label: str, d: int) -> np.ndarray:
    """The lower triangle of ``standard_symmetric``, which says all of it, row by row: (d (d+1) /
    2,) float64.
    """
    noise = standard_normal(seed, label, (d * (d + 1) // 2,))
    diagonal = packed_diagonal(d)
    whole = noise[diagonal]
    noise *= math.sqrt(0.5)
    noise[diagonal] = whole
    return noise


def packed_diagonal(d: int) -> np.ndarray:
    """Places of the diagonal in a packed lower triangle: (d,)."""
    return np.cumsum(np.arange(1, d + 1)) - 1


def pack_lower(matrix: np.ndarray) -> np.ndarray:
    """The lower triangle of a matrix (d, d), row by row: (d (d+1) / 2,)."""
    return matrix[_lower(len(matrix))]


def unpack_lower(packed: np.ndarray, d: int, dtype: type = np.float64) -> np.ndarray:
    """The matrix (d, d) with this lower triangle and zeros above it; who solves with it reads no
    more.
    """
    matrix = np.zeros((d, d), dtype)
    matrix[_lower(d)] = packed
    return matrix


@lru_cache(maxsize=4)
def _lower(d: int) -> np.ndarray:
    return np.tri(d, dtype=bool)


def normal_steps(seed: int, label: str, shape: tuple[int, ...]) -> Iterator[np.ndarray]:
    """Standard normal noise of a seed for step after step of an iterative method, float32."""
    stream = generator(seed, label)
    while True:
        yield stream.standard_normal(shape, dtype=np.float32)


def add_gaussian(value: np.ndarray, event: Gaussian, unit_noise: np.ndarray) -> np.ndarray:
    """``value`` plus the event's noise.

    Guarantee: (sensitivity/sigma)-GDP if one record moves ``value`` by at most
        ``event.sensitivity``.
    """
    noisy = event.sigma * unit_noise
    noisy += value  # in place: for matrices the memory is what takes time
    return noisy


# ------------------------------------------------------------------------------------- exponential


def standard_gumbel(seed: int, label: str, shape: tuple[int, ...]) -> np.ndarray:
    """Standard Gumbel noise of a seed, float64, read-only: argmax(logits + noise) samples from
    softmax(logits).
    """
    return _remembered(_gumbel, seed, label, shape)


def standard_uniform(seed: int, label: str, shape: tuple[int, ...]) -> np.ndarray:
    """Uniform noise of a seed in [0, 1), float64, read-only."""
    return _remembered(np.random.Generator.random, seed, label, shape)


def _gumbel(stream: np.random.Generator, shape: tuple[int, ...]) -> np.ndarray:
    return -np.log(stream.standard_exponential(shape))


def _remembered(draw: Callable, seed: int, label: str, shape: tuple[int, ...]) -> np.ndarray:
    """Small noise is kept: most moves of a slider ask for the noise of the last move again."""
    return (_drawn if math.prod(shape) <= KEPT_NOISE else _drawn.__wrapped__)(
        draw, seed, label, shape
    )


@lru_cache(maxsize=32)
def _drawn(draw: Callable, seed: int, label: str, shape: tuple[int, ...]) -> np.ndarray:
    noise = draw(generator(seed, label), shape)
    noise.setflags(write=False)
    return noise


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


@lru_cache(maxsize=8)
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


# ---------------------------------------------------------------------------------------------
# votes


def confident_gnmax(
    votes: np.ndarray,
    threshold: float,
    sigma1: float,
    sigma2: float,
    unit1: np.ndarray,
    unit2: np.ndarray,
    most: float = math.inf,
) -> tuple[np.ndarray, np.ndarray]:
    """Confident-GNMax: answer a query with its noisy winner if the winner's votes, noised, reach a
    threshold.

    At ``threshold`` -inf every query is answered (GNMax, plain noisy max) and ``sigma1`` is without
    effect.

    Args:
        votes: (q, C) votes of the teachers for each class; threshold: in votes.
        sigma1, sigma2: noise of the threshold test and of the votes, in votes; 0 is no noise.
        unit1: (q,), unit2: (q, C): standard normal noise, drawn whether used or not, so that
            nothing jumps.
        most: stop after this many answers; later queries are not asked.

    Returns:
        asked: (q,) bool; labels: (q,) int64, -1 where not asked or not answered.

    Guarantee: a record that reaches one teacher alone moves at most one vote from a class to
    another. Each asked query's test is then a Gaussian release of L2 sensitivity 1 (the top count
    moves by at most one vote), and each answered query's noisy winner follows from one of L2
    sensitivity sqrt(2): RDP alpha/(2 sigma1^2) and alpha/sigma2^2.
    Source: Papernot et al. 2018, Section 4.
    """
    passed = votes.max(axis=1) + (sigma1 * unit1 if threshold > -math.inf else 0.0) >= threshold
    asked = np.cumsum(passed) - passed < most
    return asked, np.where(asked & passed, np.argmax(votes + sigma2 * unit2, axis=1), -1)
