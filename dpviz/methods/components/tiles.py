"""Clipped scores against the public set, summed by class, tile by tile: nothing of size n x m is
ever held.

For each class c and public record j, the sum over the class's records i of clip(1 + cos(x_i, p_j),
low, high) - low. Records are sorted by class, so that a tile of scores is summed class by class as
soon as it is there. What is held is the records' unit rows, one tile a core, and the sums:
``bytes_needed``.

Scores and both ends of the window are whole numbers of steps of ``UTILITY_STEP``, so the sums are
exact: one record more adds its own scores and nothing else, wherever the blocks then begin.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence

import numpy as np

from dpviz import mechanisms
from dpviz.lazy_imports import torch
from dpviz.machine.threads import map_blocks
from dpviz.mechanisms import UTILITY_STEP
from dpviz.methods.components import fused

TILE = 1024
"""Public records a tile; ROWS private ones."""
ROWS = 512
"""Of a block that is summed in float32: no sum exceeds 2^24 steps, so it is exact."""
ONE = round(1 / UTILITY_STEP)
"""A cosine of 1, in steps."""
ON_GPU = 2 * 10**7
"""Numbers of the public set (m d) from which a GPU is asked, which rounds scores otherwise. What is
public decides alone: were it the private n, one record more could round all others anew.
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
        with a GPU and a large public set, equal to it within ``fused.error(d)`` a record, and as
        exact.
    """
    ends = steps(low), steps(high)
    if fused.ready() and public.size >= ON_GPU:
        return fused.clipped_sums(*sorted_by_class(x, y, classes), public, *ends) * UTILITY_STEP
    out = np.empty((classes, len(public)))
    below = ends[0] * np.bincount(y, minlength=classes)[:, None]

    def put(at: slice, sums: np.ndarray) -> None:
        out[:, at] = (sums[0] - below) * UTILITY_STEP

    _tiles(x, y, classes, public, ends[1:], put, ends[0])
    return out


def capped_sums(
    x: np.ndarray, y: np.ndarray, classes: int, public: np.ndarray, ends: Sequence[float]
) -> np.ndarray:
    """Sum over the records of each class of min(1 + cos, t) - 1 for each t: (len(ends), classes, m)
    float64, exact.
    """
    out = np.empty((len(ends), classes, len(public)))

    def put(at: slice, sums: np.ndarray) -> None:
        out[:, :, at] = sums * UTILITY_STEP

    if len(ends):
        _tiles(x, y, classes, public, [steps(t) for t in ends], put)
    return out


def clipped_scores(x: np.ndarray, public: np.ndarray, low: float, high: float) -> np.ndarray:
    """What each record of x (k, d), a few, adds to ``clipped_sums``: (k, m) float64."""
    rows = torch.from_numpy(mechanisms.contributions(x, 0, mechanisms.BITS))
    parts = [scores(rows, columns(public, start)) for start in range(0, len(public), TILE)]
    found = torch.cat(parts, dim=1).clamp_(steps(low), steps(high)).sub_(steps(low))
    return found.double().numpy() * UTILITY_STEP


def steps(t: float) -> int:
    """The cosine at an end t of a window on 1 + cos, as the nearest whole number of steps."""
    return round(t / UTILITY_STEP) - ONE


def columns(public: np.ndarray, start: int) -> torch.Tensor:
    """Unit rows of a tile of the public set (m, d), as columns (d, k) that give ``scores``."""
    at = slice(start, start + TILE)
    if public.nbytes <= mechanisms.KEPT_BYTES:  # the same for whatever private records come next
        unit = mechanisms.unit_rows(public)[at]
    else:
        unit = mechanisms.contributions(public[at], 0, mechanisms.BITS)
    return torch.from_numpy(unit * np.float32(ONE)).T.contiguous()


def scores(rows: torch.Tensor, columns: torch.Tensor) -> torch.Tensor:
    """Cosines of unit rows (k, d) and ``columns`` in whole steps: (k, m) float32.

    The products are exact, so each is a function of its record and its picture alone.
    """
    return torch.mm(rows, columns).round_()


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
    rows = 2 * n * d * 4  # of unit length, and sorted
    a_core = 4 * TILE * (3 * d + ROWS) + 8 * TILE * classes * 2 + 2**23
    return rows + cores * a_core + 8 * classes * m


def _tiles(
    x: np.ndarray,
    y: np.ndarray,
    classes: int,
    public: np.ndarray,
    ends: Sequence[int],
    put: Callable[[slice, np.ndarray], None],
    floor: int = -ONE,
) -> None:
    """``put(columns, sums (len(ends), classes, k))`` for each tile of the public set: of scores
    between ``floor`` and each of ``ends``, in steps.
    """
    together, starts = sorted_by_class(mechanisms.unit_rows(x), y, classes)
    rows = torch.from_numpy(together)
    downwards = sorted(range(len(ends)), key=lambda k: -ends[k])

    def tile(start: int) -> None:
        unit = columns(public, start)
        sums = np.zeros((len(ends), classes, unit.shape[1]))
        for first, parts in blocks(starts):
            block = scores(rows[first : first + ROWS], unit)
            for k in downwards:  # what was capped high is then capped low
                block.clamp_(floor, ends[k])
                for a, b, c in parts:
                    sums[k, c] += block[a:b].sum(0).numpy()
        put(slice(start, start + unit.shape[1]), sums)

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
