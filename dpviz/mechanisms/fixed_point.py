"""What a record contributes, as whole numbers of a small step: sums of it are exact.

A record's contribution is a vector of norm at most 1 whose coordinates are multiples of a power of
two. Then float64 adds up to 2^29 records without rounding, in any order and in any blocks, so that
one record more moves a sum by its own contribution and by nothing else. Methods multiply the sum by
what they clip to afterwards, together with its noise.

Features are kept to BITS bits: products of two such rows of norm at most 1 are exact even in
float32, whatever order and blocks the library picks, since no part of the sum exceeds 1. What is
only ever added up is kept to FINE_BITS.
"""

from __future__ import annotations

import numpy as np

from dpviz.caches import WeakCache
from dpviz.lazy_imports import torch

BITS, FINE_BITS = 12, 24
COARSE, FINE = 2.0**-BITS, 2.0**-FINE_BITS
"""The steps of features, of which products are taken, and of what is only added up; a product of
two features is a multiple of FINE too.
"""
NUMBERS_PER_BLOCK = 2**18
"""Numbers worked on at once: they stay in a core's cache."""
TRIES = 8
MAX_CACHED_BYTES = 128 * 2**20
"""Of an array whose rounded rows are kept for as long as it is there."""


def contributions(x: np.ndarray, radius: float, bits: int = FINE_BITS) -> np.ndarray:
    """Rows x_i / max(|x_i|, radius) of x (n, d), rounded to multiples of 2^-bits: clipping to
    ``radius``, in units of it. At radius 0 rows are brought to norm 1; a zero row stays zero.

    Each row depends on its record alone.

    Returns:
        (n, d), float32 for BITS or fewer, else float64; no row's norm exceeds 1 by more than 2^-46,
        and at BITS none exceeds it at all.
    """
    rounded = np.empty(x.shape, np.float32 if bits <= BITS else np.float64)
    step = max(1, NUMBERS_PER_BLOCK // max(1, x.shape[1]))
    for start in range(0, len(x), step):
        rounded[start : start + step] = _rounded(x[start : start + step], radius, bits)
    return rounded


def _rounded(x: np.ndarray, radius: float, bits: int) -> np.ndarray:
    rows = x.astype(np.float64)
    largest = np.abs(rows).max(axis=1, keepdims=True, initial=0)
    rows /= np.where(largest > 0, largest, 1)  # nothing under- or overflows when it is squared
    norms = np.sqrt((rows * rows).sum(axis=1, keepdims=True))
    with np.errstate(divide="ignore", over="ignore"):
        bound = np.maximum(norms, np.divide(radius, largest, where=largest > 0, out=norms * 0))
    rows *= 2.0**bits / np.where(bound > 0, bound, 1)
    whole = np.rint(rows)
    squared_limit, squares = 4.0**bits, np.einsum("ij,ij->i", whole, whole)
    (long,) = np.nonzero(squares > squared_limit)
    for attempt in range(TRIES):
        if not len(long):
            break
        # rounding made these too long: a little shorter, and again
        shorter = np.sqrt(squared_limit / squares[long]) * (1 - 2.0 ** (attempt - bits - 8))
        rows[long] *= shorter[:, None]
        again = np.rint(rows[long])
        whole[long], squares[long] = again, np.einsum("ij,ij->i", again, again)
        long = long[squares[long] > squared_limit]
    whole[long] = np.trunc(rows[long])
    whole *= 2.0**-bits
    return whole


_units: WeakCache[np.ndarray] = WeakCache(__name__)


def unit_rows(x: np.ndarray) -> np.ndarray:
    """``contributions`` at radius 0 and BITS: unit rows of which products are exact, (n, d)
    float32, read-only, kept as long as x is.
    """
    return (
        _units.get_or_compute(x, BITS, lambda: _unit(x))
        if x.nbytes <= MAX_CACHED_BYTES
        else _unit(x)
    )


def _unit(x: np.ndarray) -> np.ndarray:
    rounded = contributions(x, 0, BITS)
    rounded.setflags(write=False)
    return rounded


def product(x: torch.Tensor, w: torch.Tensor) -> torch.Tensor:
    """x @ w.T without any rounding but that of w: (n, k) float32.

    So a record's scores do not depend on the records beside it, which a product's blocks could
    otherwise make them do.

    Args:
        x: (n, d) float32, rows of ``contributions`` at BITS.
        w: (k, d) float32, rounded here to BITS bits of each row's norm.
    """
    rounded, scale = rounded_rows(w)
    return (x @ rounded.T).mul_(scale.T)


def rounded_rows(w: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """Rows of w (k, d) as multiples of 2^-BITS of norm at most 1, and the powers of two (k, 1) that
    they are to be multiplied with.
    """
    room = 1 + w.shape[1] ** 0.5 * COARSE
    norms = torch.linalg.vector_norm(w, dim=1, keepdim=True, dtype=torch.float64) * room
    scale = torch.exp2(torch.ceil(torch.log2(norms.clamp(min=2.0**-100)))).to(w.dtype)
    return (w * (2.0**BITS / scale)).round_().mul_(COARSE).float(), scale.float()


def class_sums(rows: np.ndarray, y: np.ndarray, classes: int) -> np.ndarray:
    """Sum of the rows (n, d) in each class: (C, d) float64, exact for rows of ``contributions``."""
    sums = np.zeros((classes, rows.shape[1]))
    for c in range(classes):
        sums[c] = rows[y == c].sum(axis=0, dtype=np.float64)
    return sums
