"""Shifts of features bounded in each coordinate: random signs, one fixed offset, and the worst case
for a given rule.

Source: Wang et al. 2024 (neural collapse and DP), 3.2: stochastic, offset and adversarial
    attackers.
"""

from __future__ import annotations

import dataclasses
import hashlib
import zlib

import numpy as np

from dpviz.data.record_hashes import one_type
from dpviz.lazy_imports import special
from dpviz.types import Adversary, Dataset, DpvizError, Param, Release

KINDS = ("none", "stochastic", "adversarial", "offset", "gaussian")
TEST = Param(
    "test",
    "Test perturbation",
    "Stochastic: each coordinate moves by ±size. Gaussian: normal noise with standard deviation"
    " size. Offset: all records move by the same vector. Adversarial: the worst shift for the"
    " evaluated classifier.",
    "none",
    choices=KINDS,
)
SIZE = Param(
    "size",
    "Perturbation size",
    "Largest shift of each coordinate, or standard deviation of Gaussian noise. Features have"
    " norm 1.",
    0.1,
    0.0,
    1.0,
    0.01,
)

MOVED_RECORDS = Param(
    "where",
    "Perturbed records",
    "Test records, private training records, or both together with the public set.",
    "test",
    choices=("test", "training", "both"),
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
    values = bits.astype(np.float32)
    values *= 2
    values -= 1
    return values.reshape(shape)


def normals(seed: int, label: str, shape: tuple[int, ...]) -> np.ndarray:
    """Independent standard normal moves, float32."""
    return _normal(stream(seed, label).integers(0, 2**32, shape, np.uint32))


def own_signs(x: np.ndarray) -> np.ndarray:
    """Signs -1 and 1 for each row (n, d) that follow from its content: (n, d) float32.

    Guarantee: a record's depend on that record alone, and on no other's place.
    """
    d, values = x.shape[1], np.empty(x.shape, np.float32)
    for i, row in enumerate(one_type(x)):
        digest = hashlib.shake_256(row.tobytes()).digest(-(-d // 8))
        values[i] = np.unpackbits(np.frombuffer(digest, np.uint8), count=d)
    return values * 2 - 1


def own_normals(x: np.ndarray) -> np.ndarray:
    """Standard normal moves of each row (n, d) that follow from its content: (n, d) float32.

    Guarantee: as of ``own_signs``.
    """
    d, values = x.shape[1], np.empty(x.shape, np.float32)
    for i, row in enumerate(one_type(x)):
        digest = hashlib.shake_256(b"normal" + row.tobytes()).digest(4 * d)
        values[i] = _normal(np.frombuffer(digest, np.uint32))
    return values


def _normal(bits: np.ndarray) -> np.ndarray:
    """The normal quantiles that 32 even bits stand for, float32."""
    return special.ndtri((bits + 0.5) / 2.0**32).astype(np.float32)


def perturb(
    data: Dataset,
    kind: str,
    size: float,
    seed: int,
    where: str = "test",
    by_place: bool = False,
) -> Dataset:
    """``data`` with a perturbation of the records that ``where`` names.

    Args:
        by_place: whether training records move by their places, as generated ones may, which are
            nobody's and may be alike; else by what follows from each one's own content.

    Raises:
        DpvizError: for an adversary of training records: it waits for the rule that is scored.
    """
    if kind == "none" or size == 0:
        return data
    if where == "test":
        return moved_test(data, kind, size, seed)
    if kind == "adversarial":
        raise DpvizError("An adversary moves test records only. Use where=test.")
    if by_place or kind == "offset":
        moves = _moves(kind, seed, "training", data.x.shape)
    else:
        moves = (own_normals if kind == "gaussian" else own_signs)(data.x)
    data = dataclasses.replace(data, x=data.x + np.float32(size) * moves)
    if where == "training":
        return data
    public = data.public_changed(
        lambda x: x + np.float32(size) * _moves(kind, seed, "public", x.shape)
    )
    data = dataclasses.replace(data, public_rows=public)
    return moved_test(data, kind, size, seed)


def _moves(kind: str, seed: int, part: str, shape: tuple[int, ...]) -> np.ndarray:
    if kind == "offset":
        return signs(seed, "test offset", (1, shape[1]))
    return (normals if kind == "gaussian" else signs)(seed, f"{part} {kind}", shape)


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
    moves = _moves(kind, seed, "test", data.x_test.shape)
    return dataclasses.replace(data, x_test=data.x_test + np.float32(size) * moves)


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
        rows, other_classes = np.flatnonzero(y == c), np.arange(len(release.weights)) != c
        gap = (release.weights[c] - release.weights[other_classes]).astype(np.float64)
        bias = np.subtract(release.bias[c], release.bias[other_classes], dtype=np.float64)
        pulled = gap if adversary.basis is None else gap @ adversary.basis
        step = -np.sign(pulled)
        step = step if adversary.basis is None else step @ adversary.basis.T
        records, size = x[rows].astype(np.float64), adversary.size[rows, None]
        margin = records @ gap.T + size * (step * gap).sum(axis=1)
        if bias.any():
            square = (
                (records**2).sum(axis=1)[:, None]
                + 2 * size * (records @ step.T)
                + size**2 * (step**2).sum(axis=1)
            )
            margin += bias * (np.sqrt(np.maximum(square, 0)) if release.normalise else 1.0)
        unmoved_right = release.predict(x[rows]) == c
        right[rows] = unmoved_right & (margin > 0).all(axis=1)
    return right
