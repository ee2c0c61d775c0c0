"""What the prototype methods share: cosine classification, pooling, and scores against the public
set.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from dpviz import mechanisms
from dpviz.caches import KeyedCache, WeakCache
from dpviz.methods.components import tiles
from dpviz.methods.components.public_sets import NoPublicSet
from dpviz.methods.components.row_blocks import blocks
from dpviz.types import Dataset, DpvizError, Param, Release, unit_rows

D_MIN = Param(
    "d_min",
    "d_min",
    "Scores 1 + cos below this count as this; raises what a record can tell apart.",
    1.3,
    0.0,
    1.95,
    0.05,
)
D_MAX = Param(
    "d_max",
    "d_max",
    "Scores 1 + cos above this count as this; d_max − d_min is one record's say.",
    1.9,
    0.05,
    2.0,
    0.05,
)


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


_scales: WeakCache[np.ndarray] = WeakCache(__name__)


def public_scale(data: Dataset, k: int) -> tuple[np.ndarray, np.ndarray]:
    """Mean and spread of the public set's unit-norm features pooled by k: two (d // k,).

    Kept for as long as the public set is, whatever private records stand beside it.
    """
    public = data.public
    centre, spread = _scales.get_or_compute(public, k, lambda: _frozen(_mean_and_spread(public, k)))
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
        raise NoPublicSet(f"{title} needs a public set and this data has none.")
    if public < needed:
        raise DpvizError(
            f"{title} needs {needed} public records and this data has {public}; lower K or add"
            " more."
        )


def window_width(d_min: float, d_max: float) -> float:
    """d_max - d_min, what one record can add to a score, both ends being on the scores' grid.

    Raises:
        DpvizError: unless d_min < d_max there.
    """
    width = (tiles.steps(d_max) - tiles.steps(d_min)) * mechanisms.UTILITY_STEP
    if width <= 0:
        raise DpvizError(
            f"d_min is {d_min:g} and d_max is {d_max:g}; d_min must lie below d_max, by at least"
            f" {mechanisms.UTILITY_STEP:g}."
        )
    return width


# -------------------------------------------------------------------- scores against the public set

_scores: KeyedCache[np.ndarray] = KeyedCache(__name__, 6)


def utilities(data: Dataset, d_min: float, d_max: float) -> np.ndarray:
    """u[c, j] = sum over records i of class c of clip(1 + cos(x_i, p_j), d_min, d_max) - d_min.

    Exact sums of scores that are whole multiples of ``mechanisms.UTILITY_STEP``, as both ends of
    the window are: one record adds ``window_width`` at most to each u[c, j] of its own class,
    lowers none, and moves no other class's: monotone.

    Returns:
        (C, m) float64, read-only, kept for the last few settings.

    Source: DPPL paper, Algorithm 1, with the arguments of its clip in the right order.
    """
    key = (*_grid_key(data), d_min, d_max)
    return _scores.get_or_compute(key, lambda: _frozen(_clipped(data, d_min, d_max)))


def ranking(data: Dataset, d_min: float, d_max: float) -> np.ndarray:
    """Public records from best to worst for each class by ``utilities``: (C, m), read-only."""
    u = utilities(data, d_min, d_max)
    return _scores.get_or_compute(
        (*_grid_key(data), d_min, d_max, "ranked"),
        lambda: _frozen(np.argsort(-u, axis=1, kind="stable")),
    )


def _frozen(made: np.ndarray) -> np.ndarray:
    made.setflags(write=False)
    return made


def _clipped(data: Dataset, d_min: float, d_max: float) -> np.ndarray:
    """The sum itself: what is capped at d_max less what is capped at d_min, record by record."""
    kept = _grids.get(_grid_key(data)) or {}
    if not kept:
        return tiles.clipped_sums(data.x, data.y, data.classes, data.public, d_min, d_max)
    missing = [t for t in (d_min, d_max) if t not in kept]
    found = kept | dict(zip(missing, _capped_sums(data, missing), strict=True))
    return found[d_max] - found[d_min]


def _capped_sums(data: Dataset, ends: Sequence[float]) -> np.ndarray:
    return tiles.capped_sums(data.x, data.y, data.classes, data.public, ends)


# ----------------------------------------------------------------------------- every window at once

GRID = tuple(round(0.05 * k, 2) for k in range(41))
"""Ends of a score window that a grid of running sums answers; others are summed when asked for."""
GRID_BYTES = 160 * 2**20

_grids: KeyedCache[dict[float, np.ndarray]] = KeyedCache(__name__, 1)


def _grid_key(data: Dataset) -> tuple:
    return data.fingerprint, data.public_key


def keep_grid(data: Dataset) -> bool:
    """Keep the capped sums at all of ``GRID``, so that ``utilities`` of any window on it is one
    subtraction.

    Numbers are the same with and without. One data set is kept at a time; False where it would not
    fit.
    """
    if data.classes * len(data.public) * len(GRID) * 8 > GRID_BYTES:
        return False
    _grids.get_or_compute(
        _grid_key(data), lambda: dict(zip(GRID, _capped_sums(data, GRID), strict=True))
    )
    return True
