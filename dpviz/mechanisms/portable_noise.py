"""Noise that the script of an exported page draws alike: Philox4x32-10 by seed and place.

For teaching, not for releases: seeds are known, and a number has 32 random bits. Normal noise ends
at 6.8 standard deviations.

Source: Salmon, Moraes, Dror and Shaw 2011, "Parallel random numbers: as easy as 1, 2, 3". The same
in JavaScript: ``ui/assets/portable_draws.js``. Words are equal to the bit. Normal and Gumbel noise
is equal up to the rounding of logarithm and cosine, a relative error below 1e-12.
"""

from __future__ import annotations

import numpy as np

ROUNDS = 10
MULTIPLIERS = (0xD2511F53, 0xCD9E8D57)
KEY_STEPS = (0x9E3779B9, 0xBB67AE85)
WORD = 0xFFFFFFFF


def philox(counters: np.ndarray, key: tuple[int, int]) -> np.ndarray:
    """Return four random words per counter (k, 4) of 32-bit words: (k, 4) uint32."""
    first, second, third, fourth = np.asarray(counters, np.uint64).T
    for turn in range(ROUNDS):
        own = [np.uint64((key[at] + turn * KEY_STEPS[at]) & WORD) for at in (0, 1)]
        left, right = (first * np.uint64(MULTIPLIERS[0]), third * np.uint64(MULTIPLIERS[1]))
        first, third = (right >> 32) ^ second ^ own[0], (left >> 32) ^ fourth ^ own[1]
        second, fourth = right & np.uint64(WORD), left & np.uint64(WORD)
    return np.stack([first, second, third, fourth], axis=1).astype(np.uint32)


def portable_uniforms(seed: int, count: int) -> np.ndarray:
    """Return uniform numbers in (0, 1), the middles of 2^32 intervals: (count,) float64.

    Args:
        seed: in [0, 2^32).
    """
    counters = np.zeros((-(-count // 4), 4), np.uint64)
    counters[:, 0] = np.arange(len(counters))
    return (philox(counters, (seed, 0)).ravel()[:count] + 0.5) * 2.0**-32


def portable_normals(seed: int, count: int) -> np.ndarray:
    """Return standard normal numbers by Box and Muller, two per pair of uniforms: (count,)."""
    pairs = portable_uniforms(seed, count + count % 2).reshape(-1, 2)
    radius, angle = np.sqrt(-2 * np.log(pairs[:, 0])), 2 * np.pi * pairs[:, 1]
    return np.stack([radius * np.cos(angle), radius * np.sin(angle)], axis=1).ravel()[:count]


def portable_gumbels(seed: int, count: int) -> np.ndarray:
    """Return standard Gumbel numbers: (count,) float64."""
    return -np.log(-np.log(portable_uniforms(seed, count)))
