"""Gaussian noise, of vectors and of symmetric matrices."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from dpviz.caches import remembered
from dpviz.mechanisms.randomness import generator
from dpviz.types import Gaussian


def standard_normal(seed: int, label: str, shape: tuple[int, ...]) -> np.ndarray:
    """Standard normal noise of a seed, float64; scale it by a planned sigma with
    ``add_gaussian``.
    """
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
    matrix: np.ndarray = np.zeros((d, d), dtype)
    matrix[_lower(d)] = packed
    return matrix


@remembered(4)
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
