"""Shifts of features bounded in each coordinate: random signs, one fixed offset, and the worst case
for a given rule.

Source: Wang et al. 2024 (neural collapse and DP), 3.2: stochastic, offset and adversarial
    attackers.
"""

from __future__ import annotations

import dataclasses
import zlib

import numpy as np

from dpviz.types import Adversary, Dataset, Param, Release

KINDS = ("none", "stochastic", "adversarial", "offset")
TEST = Param(
    "test",
    "Test perturbation",
    "Stochastic: each coordinate moves by ±size. Offset: all records move alike. Adversarial: the"
    " worst move against the rule being scored.",
    "none",
    choices=KINDS,
)
SIZE = Param(
    "size",
    "Its size",
    "How far a test record may move in each coordinate; features have length 1.",
    0.1,
    0.0,
    1.0,
    0.01,
)


def stream(seed: int, label: str) -> np.random.Generator:
    """Random numbers of one part of generated data."""
    return np.random.default_rng([seed, zlib.crc32(label.encode())])


def signs(seed: int, label: str, shape: tuple[int, ...]) -> np.ndarray:
    """Independent random signs, float32: symmetric, and as far from 0 as a bound of 1 allows."""
    count = int(np.prod(shape))
    bits = np.unpackbits(
        np.frombuffer(stream(seed, label).bytes((count + 7) // 8), np.uint8), count=count
    )
    found = bits.astype(np.float32)
    found *= 2
    found -= 1
    return found.reshape(shape)


def moved_test(data: Dataset, kind: str, size: float, seed: int) -> Dataset:
    """``data`` with a test perturbation; an adversarial one waits for the rule that is scored
    (``survives``).
    """
    if kind == "none" or size == 0:
        return data
    if kind == "adversarial":
        already = 0.0 if data.adversary is None else data.adversary.size
        return dataclasses.replace(
            data, adversary=Adversary(already + np.full(len(data.x_test), size))
        )
    shape = data.x_test.shape if kind == "stochastic" else (1, data.x_test.shape[1])
    return dataclasses.replace(
        data, x_test=data.x_test + np.float32(size) * signs(seed, f"test {kind}", shape)
    )


def survives(release: Release, x: np.ndarray, y: np.ndarray, adversary: Adversary) -> np.ndarray:
    """Whether a rule still names each record's class after the worst move that ``adversary`` may
    make.

    For each other class j the worst move is -size * sign(w_y - w_j), the difference pulled back
    through the public projection where there is one. It is the exact worst case for rules without a
    bias; with one it is an attack, which another move might beat, since normalising features makes
    the bias weigh differently.

    Args:
        x: (n, d) test features before the move; y: (n,) int64.

    Returns:
        (n,) bool.
    """
    right = np.ones(len(x), bool)
    for c in np.unique(y):
        rows, others = np.flatnonzero(y == c), np.arange(len(release.weights)) != c
        gap = (release.weights[c] - release.weights[others]).astype(np.float64)
        bias = np.subtract(release.bias[c], release.bias[others], dtype=np.float64)
        pulled = gap if adversary.basis is None else gap @ adversary.basis
        step = -np.sign(pulled)
        step = step if adversary.basis is None else step @ adversary.basis.T
        mine, size = x[rows].astype(np.float64), adversary.size[rows, None]
        margin = mine @ gap.T + size * (step * gap).sum(axis=1)
        if bias.any():
            square = (
                (mine**2).sum(axis=1)[:, None]
                + 2 * size * (mine @ step.T)
                + size**2 * (step**2).sum(axis=1)
            )
            margin += bias * (np.sqrt(np.maximum(square, 0)) if release.normalise else 1.0)
        still = release.predict(x[rows]) == c
        right[rows] = still & (margin > 0).all(axis=1)
    return right
