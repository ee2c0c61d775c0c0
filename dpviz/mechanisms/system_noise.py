"""Noise that cannot be drawn again: exact samplers of OpenDP, fed by the system's entropy.

The library is loaded when the first release is drawn: nothing else needs it.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from dpviz.caches import cached
from dpviz.machine import optional
from dpviz.types import DpvizError

MAX_STEPS, EXACT_STEPS = 2**62, 2**53


def _opendp() -> Any:
    optional.require("opendp")
    import opendp.prelude as dp

    dp.enable_features("contrib")
    return dp


def discrete_gaussian(
    sums: np.ndarray, sigma: float, spread: float | np.ndarray, grid: float
) -> np.ndarray:
    """``sums``, whole multiples of ``grid``, plus discrete Gaussian noise of scale sigma *
    spread on the same grid: float64, of the sums' shape.

    Guarantee: sensitivity^2 / (2 sigma^2)-zCDP for an L2 sensitivity (Canonne, Kamath & Steinke
        2020, Theorem 14); numbers of a smaller spread must be moved less in the same proportion.

    Raises:
        ValueError: if the sums are not on the grid: their sensitivity would not be known.
        DpvizError: if they are of more steps than float64 adds up exactly.
    """
    dp = _opendp()
    whole = np.rint(sums / grid)
    if np.abs(whole).max(initial=0) > EXACT_STEPS:
        raise DpvizError("The sums are too large to be exact. Use fewer records.")
    if not np.array_equal(whole * grid, sums):
        raise ValueError("Released sums must be whole multiples of their grid.")
    spreads = np.broadcast_to(spread, whole.shape)
    noisy = np.empty(whole.shape)
    space = dp.vector_domain(dp.atom_domain(T="i64")), dp.l2_distance(T="f64")
    for spread_value in np.unique(spreads):
        places = spreads == spread_value
        draw = dp.m.make_gaussian(*space, scale=float(sigma * spread_value / grid))
        noisy[places] = draw(whole[places].astype(np.int64).tolist())
    return noisy * grid


def noisy_max(utility: np.ndarray, scale: float, grid: float) -> int:
    """Index drawn with probability proportional to exp(utility / scale), utilities (m,) being whole
    multiples of ``grid``.

    Guarantee: the exponential mechanism, exactly (Gumbel noise; not permute-and-flip, which the
        library takes for pure measures).

    Raises:
        DpvizError: if the utilities are more steps than the library counts.
    """
    draw = _choice(scale / grid)
    whole = np.rint(utility / grid)
    if np.abs(whole).max() >= MAX_STEPS:
        raise DpvizError("The budget is too small for an exact choice. Use a larger budget.")
    return int(draw(whole.astype(np.int64).tolist()))


@cached(8)
def _choice(scale: float) -> Any:
    """The library's choice among whole utilities; to make it takes longer than a choice."""
    dp = _opendp()
    space = dp.vector_domain(dp.atom_domain(T="i64")), dp.linf_distance(T="i64", monotonic=True)
    measure = dp.zero_concentrated_divergence()
    return dp.m.make_noisy_max(*space, output_measure=measure, scale=scale)


def discrete_laplace(counts: np.ndarray, epsilon: float) -> np.ndarray:
    """Counts (k,) of whole numbers, each plus noise z with P(z) proportional to e^(-epsilon |z|) or
    a little wider: int64 (k,).

    Guarantee: epsilon-DP where whoever is protected moves the counts by one in all.
    Source: Ghosh, Roughgarden & Sundararajan 2009; drawn exactly as in Canonne, Kamath & Steinke
        2020, Algorithm 2.

    Raises:
        ValueError: if the counts are not whole: their sensitivity would not be known.
    """
    whole = np.rint(counts).astype(np.int64)
    if not np.array_equal(whole, counts):
        raise ValueError("Released counts must be whole numbers.")
    noisy = _laplace(float(epsilon))(np.atleast_1d(whole).tolist())
    return np.array(noisy, np.int64).reshape(whole.shape)


@cached(8)
def _laplace(epsilon: float) -> Any:
    """The library's noise, of a scale rounded up, so that by the library's own reckoning a step
    of one costs no more than epsilon.
    """
    dp = _opendp()
    space = dp.vector_domain(dp.atom_domain(T="i64")), dp.l1_distance(T="i64")
    scale = 1 / epsilon
    while (draw := dp.m.make_laplace(*space, scale=scale)).map(1) > epsilon:
        scale = np.nextafter(scale, np.inf)
    return draw
