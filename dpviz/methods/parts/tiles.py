"""Clipped scores against the public set, summed by class, tile by tile: nothing of size n x m is
ever held.

For each class c and public record j, the sum over the class's records i of clip(1 + cos(x_i, p_j),
low, high) - low. Records are sorted by class, so that a tile of scores is summed class by class as
soon as it is there. What is held is the records' unit rows, one tile a core, and the sums:
``bytes_needed``.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence

import numpy as np
import torch

from dpviz.machine.threads import map_blocks
from dpviz.methods.parts import fused
from dpviz.types import unit_rows

TILE = 1024
"""Public records a tile; ROWS private ones."""
ROWS = 512
ON_GPU = 10**12
"""Multiplications (n m d) from which a GPU is asked: below, the CPU answers in seconds and in
float32.
"""


def clipped_sums(
    x: np.ndarray, y: np.ndarray, classes: int, public: np.ndarray, low: float, high: float
) -> np.ndarray:
    """The sums of a window, in one pass over all classes.

    Args:
        x: (n, d) float32 or float16; y: (n,) in [0, classes); public: (m, d) float32 or float16.
        low, high: ends of the window, 0 <= low < high <= 2.

    Returns:
        (classes, m) float64. On the CPU the difference of two rows of ``capped_sums``, bit for bit;
        with a GPU and enough to do, equal to it within ``fused.ERROR`` a record.
    """
    if fused.ready() and x.size * len(public) >= ON_GPU:
        return fused.clipped_sums(*sorted_by_class(x, y, classes), public, low, high)
    out = np.empty((classes, len(public)))

    def put(at: slice, sums: np.ndarray) -> None:
        np.subtract(sums[1], sums[0], out=out[:, at])

    _tiles(x, y, classes, public, (low, high), put)
    return out


def capped_sums(
    x: np.ndarray, y: np.ndarray, classes: int, public: np.ndarray, ends: Sequence[float]
) -> np.ndarray:
    """Sum over the records of each class of min(1 + cos, t) - 1 for each t: (len(ends), classes, m)
    float64.

    Each t alone gives the same bits as among others, because a score capped high and then low is
    the score capped low.
    """
    out = np.empty((len(ends), classes, len(public)))

    def put(at: slice, sums: np.ndarray) -> None:
        out[:, :, at] = sums

    if len(ends):
        _tiles(x, y, classes, public, ends, put)
    return out


def sorted_by_class(x: np.ndarray, y: np.ndarray, classes: int) -> tuple[np.ndarray, np.ndarray]:
    """Rows of ``x`` with those of a class together, and where each class begins: (n, d), (classes +
    1,).
    """
    order = np.argsort(y, kind="stable")
    return x[order], np.searchsorted(y[order], np.arange(classes + 1))


def bytes_needed(n: int, m: int, d: int, classes: int, cores: int) -> int:
    """Arrays that ``clipped_sums`` holds at once on the CPU beside its arguments; the libraries'
    buffers come on top.
    """
    rows = 3 * n * d * 4  # sorted, being brought to unit length, done
    a_core = 4 * TILE * (3 * d + ROWS) + 8 * TILE * classes * 2
    return rows + cores * a_core + 8 * classes * m


def _tiles(
    x: np.ndarray,
    y: np.ndarray,
    classes: int,
    public: np.ndarray,
    ends: Sequence[float],
    put: Callable[[slice, np.ndarray], None],
) -> None:
    """``put(columns, sums (len(ends), classes, k))`` for each tile of the public set."""
    together, starts = sorted_by_class(x, y, classes)
    rows = torch.from_numpy(unit_rows(together))
    downwards = sorted(range(len(ends)), key=lambda k: -ends[k])

    def tile(start: int) -> None:
        columns = torch.from_numpy(unit_rows(public[start : start + TILE])).T.contiguous()
        sums = np.zeros((len(ends), classes, columns.shape[1]))
        for first, parts in blocks(starts):
            scores = torch.mm(rows[first : first + ROWS], columns)
            for k in downwards:
                scores.clamp_(max=ends[k] - 1)
                for a, b, c in parts:
                    sums[k, c] += scores[a:b].sum(0).numpy()
        put(slice(start, start + columns.shape[1]), sums)

    map_blocks(tile, range(0, len(public), TILE))


def blocks(starts: np.ndarray) -> list[tuple[int, list[tuple[int, int, int]]]]:
    """The first record of each block of ROWS, and its parts (first, last, class), counted from
    there.

    A block may hold many classes: products of a few rows, as of small classes, take several times
        as long a row.
    """
    found = []
    for first in range(0, int(starts[-1]), ROWS):
        inside = np.clip(starts - first, 0, ROWS)
        found.append(
            (
                first,
                [(a, b, c) for c, (a, b) in enumerate(itertools.pairwise(inside)) if a < b],
            )
        )
    return found
