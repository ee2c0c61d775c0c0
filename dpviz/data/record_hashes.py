"""Hashes of what records hold, which order or divide them without a look at others."""

from __future__ import annotations

import hashlib
import math

import numpy as np

from dpviz.types.dataset import NUMBERS_PER_BLOCK

BYTES = 8
"""Of one hash."""


def hashes(rows: np.ndarray, y: np.ndarray) -> np.ndarray:
    """A hash of each record's content, (n, BYTES) uint8: its numbers (n, ...) and its label (n,).

    Guarantee: equal numbers have equal hashes, whether stored as float16 or float32. The number of
    records decides the type. -0 counts as 0.
    """
    flat, labels = rows.reshape(len(rows), math.prod(rows.shape[1:])), y.astype("<i8")[:, None]
    digests, step = [], max(1, NUMBERS_PER_BLOCK // max(1, flat.shape[1]))
    for start in range(0, len(flat), step):
        part = slice(start, start + step)
        numbers = one_type(flat[part])
        content = np.hstack([numbers.view(np.uint8), labels[part].view(np.uint8)])
        whole, width = memoryview(content.tobytes()), content.shape[1]
        starts = range(0, len(whole), width)
        digests += [
            hashlib.blake2b(whole[i : i + width], digest_size=BYTES).digest() for i in starts
        ]
    return np.frombuffer(b"".join(digests), np.uint8).reshape(-1, BYTES)


def one_type(rows: np.ndarray) -> np.ndarray:
    """Rows to be hashed: floats as float32 with -0 as 0, whole numbers as they are; contiguous."""
    kind = np.dtype(np.float32) if rows.dtype.kind == "f" else rows.dtype
    return np.ascontiguousarray(rows.astype(kind, copy=False) + kind.type(0))


def marks(rows: np.ndarray, y: np.ndarray) -> np.ndarray:
    """The same hashes as numbers, (n,) uint64."""
    return hashes(rows, y).view(np.uint64)[:, 0]


def mixed(numbers: np.ndarray, seed: int) -> np.ndarray:
    """A uniform hash of each number, (n,) uint64 (finalizer of splitmix64)."""
    with np.errstate(over="ignore"):
        z = numbers + np.uint64(seed + 1) * np.uint64(0x9E3779B97F4A7C15)
        z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        return z ^ (z >> np.uint64(31))
