"""What the prototype methods share: cosine classification, pooling, and blocks of records."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from dpviz.caches import WeakCache
from dpviz.lazy_imports import torch
from dpviz.methods.components.public_sets import NoPublicSet
from dpviz.types import Dataset, DpvizError, Release, unit_rows

BLOCK = 2**18
"""Numbers in a block."""


def blocks(n: int, d: int) -> list[slice]:
    """Rows 0..n-1 of a matrix of d columns in blocks of at most BLOCK numbers, one row at least."""
    size = max(1, BLOCK // d)
    return [slice(start, start + size) for start in range(0, n, size)]


def apply_blocks(
    x: np.ndarray, picked: np.ndarray, width: int, make: Callable[[np.ndarray], np.ndarray]
) -> torch.Tensor:
    """``make`` of the picked rows of x (n, d), for a ``make`` that treats each row by itself:
    (len(picked), width) float32.
    """
    rows = torch.empty(len(picked), width)
    for part in blocks(len(picked), x.shape[1]):
        rows[part] = torch.from_numpy(make(x[picked[part]]))
    return rows


def cosine_release(prototypes: np.ndarray, chosen: np.ndarray | None = None) -> Release:
    """Nearest prototype by cosine for prototypes (C, d): a linear rule with unit weights.

    Several prototypes a class (C, K, d) classify by mean cosine distance (DPPL paper, Eq. 7).
    """
    prototypes = prototypes.astype(np.result_type(prototypes, np.float32), copy=False)
    unit = prototypes / np.maximum(np.linalg.norm(prototypes, axis=-1, keepdims=True), 1e-30)
    weights = unit.mean(axis=1) if unit.ndim == 3 else unit
    return Release(
        weights.astype(np.float32),
        np.zeros(len(weights), np.float32),
        normalise=False,
        chosen=chosen,
    )


def pool(x: np.ndarray, k: int) -> np.ndarray:
    """Average of each k neighbouring coordinates of x (n, d), remainder dropped: (n, d // k)."""
    if k == 1:
        return x
    width = x.shape[1] // k
    return x[:, : width * k].reshape(len(x), width, k).mean(axis=2)


def unpool(prototypes: np.ndarray, k: int, d: int) -> np.ndarray:
    """Weights (C, d) that score features as ``prototypes`` (C, d // k) score pooled features."""
    wide = np.repeat(prototypes, k, axis=1) / k
    return np.pad(wide, ((0, 0), (0, d - wide.shape[1])))


def pooled_release(prototypes: np.ndarray, k: int, d: int) -> Release:
    """Nearest prototype by cosine for prototypes (C, d // k) of features pooled by k."""
    release = cosine_release(prototypes)
    if k == 1:
        return release
    unit = prototypes / np.maximum(np.linalg.norm(prototypes, axis=1, keepdims=True), 1e-30)
    return Release(unpool(unit, k, d).astype(np.float32), release.bias, normalise=False)


_scales: WeakCache[np.ndarray] = WeakCache(__name__)


def public_scale(data: Dataset, k: int) -> tuple[np.ndarray, np.ndarray]:
    """Mean and spread of the public set's unit-norm features pooled by k: two (d // k,).

    Kept for as long as the public set is, whatever private records stand beside it.
    """
    public = data.public
    centre, spread = _scales.get_or_compute(public, k, lambda: frozen(_mean_and_spread(public, k)))
    return centre, spread


def _mean_and_spread(x: np.ndarray, k: int) -> np.ndarray:
    """Mean and standard deviation (at least 1e-6) of the pooled unit rows of x: (2, d // k)
    float32, in one pass.
    """
    near = None
    for part in blocks(*x.shape):
        offset = pool(unit_rows(x[part]), k)
        if near is None:
            near, totals = offset.mean(axis=0), np.zeros((2, offset.shape[1]))
        offset -= near  # offsets from a first mean cancel little
        ones = np.ones(len(offset), np.float32)
        totals[0] += ones @ offset
        totals[1] += ones @ np.square(offset, out=offset)
    mean, square = totals / len(x)
    spread = np.sqrt(np.maximum(square - mean**2, 0.0))
    return np.stack([near + mean, np.maximum(spread, 1e-6)]).astype(np.float32)


def require_public(title: str, public: int, needed: int = 1) -> None:
    """Refuse what needs more public records than there are; ``title`` begins the sentence.

    Raises:
        NoPublicSet: if there are none.
        DpvizError: if ``public`` records are fewer than ``needed``.
    """
    if public == 0:
        raise NoPublicSet(f"{title} needs a public set, and this data set has none.")
    if public < needed:
        raise DpvizError(
            f"{title} needs {needed} public images, and this data set has {public}. Lower K or"
            " add public images."
        )


def frozen(array: np.ndarray) -> np.ndarray:
    """The array, made read-only."""
    array.setflags(write=False)
    return array
