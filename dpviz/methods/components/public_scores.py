"""Scores of private records against the public set, for the methods that choose prototypes from it.

For each class c and public record j, the sum over the class's records i of clip(1 + cos(x_i, p_j),
low, high) - low. Records are sorted by class, so that a tile of scores is summed class by class as
soon as it is there, and nothing of size n x m is ever held. What is held is the records' unit rows,
one tile a core, and the sums: ``bytes_needed``.

Scores and both ends of the window are whole numbers of steps of ``UTILITY_STEP``, so the sums are
exact: one record more adds its own scores and nothing else, wherever the blocks then begin.
"""

from __future__ import annotations

import itertools
import threading
from collections.abc import Callable, Sequence

import numpy as np

from dpviz import mechanisms
from dpviz.caches import KeyedCache
from dpviz.lazy_imports import torch
from dpviz.machine.threads import map_blocks
from dpviz.mechanisms import UTILITY_STEP
from dpviz.methods.components import fused
from dpviz.methods.components.prototypes import frozen
from dpviz.types import Dataset, DpvizError, Param

TILE = 1024
"""Public records a tile; ROWS private ones."""
ROWS = 512
"""Of a block that is summed in float32: no sum exceeds 2^24 steps, so it is exact."""
COSINE_STEPS = round(1 / UTILITY_STEP)
"""A cosine of 1, in steps."""
MIN_GPU_NUMBERS = 2 * 10**7
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
    if _on_gpu(public):
        return fused.clipped_sums(*sorted_by_class(x, y, classes), public, *ends) * UTILITY_STEP
    out = np.empty((classes, len(public)))
    score_floor = ends[0] * np.bincount(y, minlength=classes)[:, None]

    def put(at: slice, sums: np.ndarray) -> None:
        out[:, at] = (sums[0] - score_floor) * UTILITY_STEP

    _tiles(x, y, classes, public, ends[1:], put, ends[0])
    return out


def _on_gpu(public: np.ndarray) -> bool:
    return fused.ready() and public.size >= MIN_GPU_NUMBERS


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
    scores_in_range = torch.cat(parts, dim=1).clamp_(steps(low), steps(high)).sub_(steps(low))
    return scores_in_range.double().numpy() * UTILITY_STEP


def steps(t: float) -> int:
    """The cosine at an end t of a window on 1 + cos, as the nearest whole number of steps."""
    return round(t / UTILITY_STEP) - COSINE_STEPS


def columns(public: np.ndarray, start: int) -> torch.Tensor:
    """Unit rows of a tile of the public set (m, d), as columns (d, k) that give ``scores``."""
    tile = slice(start, start + TILE)
    if (
        public.nbytes <= mechanisms.MAX_CACHED_BYTES
    ):  # the same for whatever private records come next
        unit = mechanisms.unit_rows(public)[tile]
    else:
        unit = mechanisms.contributions(public[tile], 0, mechanisms.BITS)
    return torch.from_numpy(unit * np.float32(COSINE_STEPS)).T.contiguous()


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
    floor: int = -COSINE_STEPS,
) -> None:
    """``put(columns, sums (len(ends), classes, k))`` for each tile of the public set: of scores
    between ``floor`` and each of ``ends``, in steps.
    """
    sorted_rows, starts = sorted_by_class(mechanisms.unit_rows(x), y, classes)
    rows = torch.from_numpy(sorted_rows)
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
    parts = []
    for first in range(0, int(starts[-1]), ROWS):
        inside = np.clip(starts - first, 0, ROWS)
        parts.append(
            (
                first,
                [(a, b, c) for c, (a, b) in enumerate(itertools.pairwise(inside)) if a < b],
            )
        )
    return parts


D_MIN = Param(
    "d_min",
    "d_min",
    "Lower end of the score range (1 + cosine). A higher end separates similar images better.",
    1.3,
    0.0,
    1.95,
    0.05,
)
D_MAX = Param(
    "d_max",
    "d_max",
    "Upper end of the score range (1 + cosine). d_max − d_min bounds the effect of one record.",
    1.9,
    0.05,
    2.0,
    0.05,
)


def window_width(d_min: float, d_max: float) -> float:
    """d_max - d_min, what one record can add to a score, both ends being on the scores' grid.

    Raises:
        DpvizError: unless d_min < d_max there.
    """
    width = (steps(d_max) - steps(d_min)) * mechanisms.UTILITY_STEP
    if width <= 0:
        raise DpvizError(
            f"d_min must be at least {mechanisms.UTILITY_STEP:g} below d_max, got d_min ="
            f" {d_min:g} and d_max = {d_max:g}."
        )
    return width


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
    return _scores.get_or_compute(key, lambda: frozen(_clipped(data, d_min, d_max)))


def ranking(data: Dataset, d_min: float, d_max: float) -> np.ndarray:
    """Public records from best to worst for each class by ``utilities``: (C, m), read-only."""
    u = utilities(data, d_min, d_max)
    return _scores.get_or_compute(
        (*_grid_key(data), d_min, d_max, "ranked"),
        lambda: frozen(np.argsort(-u, axis=1, kind="stable")),
    )


def _clipped(data: Dataset, d_min: float, d_max: float) -> np.ndarray:
    """The sum itself. From the second window of a data set on, the capped sums at both ends are
    kept, and from the third at all ends of a map of windows, in one pass.
    """
    key, window = _grid_key(data), (d_min, d_max)
    is_first = _first_windows.get_or_compute(key, lambda: window) == window
    grid = _grids.get(key) or {}
    if (is_first and not grid) or not _can_keep(data, len({*grid, *window})):
        return clipped_sums(data.x, data.y, data.classes, data.public, d_min, d_max)
    ends = {*window}
    if grid and not ends <= {*grid} and _can_keep(data, len({*grid, *ends, *MAP_ENDS})):
        ends |= {*MAP_ENDS}
    grid = _with_ends(data, sorted(ends))
    return grid[d_max] - grid[d_min]


# ----------------------------------------------------------------------------- every window at once

GRID = tuple(round(0.05 * k, 2) for k in range(41))
"""Ends of a score window that a grid of running sums answers; others are summed when asked for."""
MAP_ENDS = tuple(round(0.1 * k, 1) for k in range(9, 20))
"""Ends of the windows on a map."""
GRID_BYTES = 160 * 2**20

_grids: KeyedCache[dict[float, np.ndarray]] = KeyedCache(__name__, 1)
_grid_lock = threading.Lock()
"""Of ``keep_grid``: pages ask for the same one again and again."""
_first_windows: KeyedCache[tuple[float, float]] = KeyedCache(__name__, 32)
"""The first window that was asked for, of each of the last data sets."""


def _grid_key(data: Dataset) -> tuple:
    return data.fingerprint, data.public_key


def keep_grid(data: Dataset) -> bool:
    """Keep the capped sums at all of ``GRID``, so that ``utilities`` of any window on it is one
    subtraction.

    Numbers are the same with and without. One data set is kept at a time; False where it would not
    fit.
    """
    if not _can_keep(data, len(GRID)):
        return False
    with _grid_lock:
        _with_ends(data, GRID)
    return True


def _with_ends(data: Dataset, ends: Sequence[float]) -> dict[float, np.ndarray]:
    """Return the capped sums that are kept of a data set, with those at ``ends``, by end."""
    key = _grid_key(data)
    grid = _grids.get(key) or {}
    if missing := [t for t in ends if t not in grid]:
        sums = capped_sums(data.x, data.y, data.classes, data.public, missing)
        grid = grid | dict(zip(missing, sums, strict=True))
        _grids.put(key, grid)
    return grid


def _can_keep(data: Dataset, ends: int) -> bool:
    """Whether capped sums at so many ends fit, and give the bits of ``clipped_sums``."""
    return not _on_gpu(data.public) and data.classes * len(data.public) * ends * 8 <= GRID_BYTES
