"""Gaussian noise, of vectors and of symmetric matrices."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from dpviz.caches import cached
from dpviz.mechanisms import noise_recorder
from dpviz.mechanisms.fixed_point import FINE
from dpviz.mechanisms.randomness import SYSTEM, Seed, UnitNoise, generator
from dpviz.mechanisms.system_noise import discrete_gaussian
from dpviz.types import Gaussian


def standard_normal(seed: Seed, label: str, shape: tuple[int, ...]) -> UnitNoise:
    """Standard normal noise of a draw, float64; ``add_gaussian`` scales it by a planned sigma."""
    values = None if seed == SYSTEM else generator(seed, label).standard_normal(shape)
    return UnitNoise(seed, label, shape, values)


def packed_symmetric(seed: Seed, label: str, d: int) -> UnitNoise:
    """Noise of a symmetric matrix (d, d) as its lower triangle, row by row: (d (d+1) / 2,) float64
    of variance 1 on the diagonal and 1/2 off it.

    This is what symmetrising independent noise on all d^2 entries gives, so it hides a symmetric
    matrix of Frobenius sensitivity 1 as ``standard_normal`` hides a vector; variance 1 off the
    diagonal would be more.
    """
    noise = standard_normal(seed, label, (d * (d + 1) // 2,))
    spread = _packed_spread(d)
    values = None if noise.from_system else noise.replayed * spread
    return UnitNoise(seed, label, noise.shape, values, spread)


@cached(4)
def _packed_spread(d: int) -> np.ndarray:
    spread = np.full(d * (d + 1) // 2, math.sqrt(0.5))
    spread[packed_diagonal(d)] = 1.0
    spread.setflags(write=False)
    return spread


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


@cached(4)
def _lower(d: int) -> np.ndarray:
    return np.tri(d, dtype=bool)


def normal_steps(seed: Seed, label: str, shape: tuple[int, ...]) -> Iterator[UnitNoise]:
    """Standard normal noise of a draw for step after step of an iterative method, float32."""
    stream = None if seed == SYSTEM else generator(seed, label)
    step = 0
    while True:
        values = None if stream is None else stream.standard_normal(shape, dtype=np.float32)
        yield UnitNoise(seed, f"{label} {step:05}", shape, values)
        step += 1


def add_gaussian(
    sums: np.ndarray, event: Gaussian, noise: UnitNoise, scale: float = 1.0, grid: float = FINE
) -> np.ndarray:
    """scale * sums plus the event's noise, float64.

    Args:
        sums: of contributions on ``grid``; see ``fixed_point``.
        scale: what one unit of the sums stands for, such as the norm that records are clipped to.

    Guarantee: (sensitivity/sigma)-GDP if one record moves ``scale * sums`` by at most
        ``event.sensitivity``; with noise of the system's entropy the same rho of zCDP, exactly.
    """
    noise = noise_recorder.noise_of(event, noise)
    sigma = event.sigma / scale
    if event.sigma == 0:
        noisy = np.array(sums, np.float64)
    elif noise.from_system:
        noisy = discrete_gaussian(sums, sigma, noise.spread, grid)
    else:
        noisy = np.multiply(noise.replayed, sigma, dtype=np.float64)
        noisy += sums  # in place: for matrices the memory is what takes time
    if scale != 1:
        noisy *= scale
    return noise_recorder.noted(event, noise, noisy)
