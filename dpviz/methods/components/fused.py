"""The clipped sums of ``public_scores`` on a GPU: product, clip and sum by class in one kernel,
scores never in memory.

Unit rows are rounded to whole multiples of 2^-11, which float16 holds; bfloat16 runs as fast and
holds multiples of 2^-8. **Why the sensitivity is kept exactly:** products of such rows are whole
multiples of 2^-22 and no part of their sum reaches 2, so float32 holds each of them and a pair's
score does not depend on the order of addition, nor on which other records are there. Scores are
rounded to the steps of ``public_scores``, clipped to a window of whole steps, and added up in
blocks that float32 holds; the blocks' sums are float64. So one record adds its own clipped score to
each sum of its own class, nothing to the others, and takes nothing away.

Where triton is missing, or its kernel cannot be compiled or gives anything else, the same is
computed by plain torch, in more passes, to the same bits. Sums are exact, so neither the kind of
GPU nor the tile changes them.
"""

from __future__ import annotations

import itertools
import logging
import math
from importlib import util
from typing import Any

import numpy as np

from dpviz.caches import cached
from dpviz.lazy_imports import torch
from dpviz.machine import accelerator
from dpviz.mechanisms import UTILITY_STEP

log = logging.getLogger(__name__)

BITS = 11
WHOLE = 2.0**20
"""Of a row's largest number, before its norm is taken: the squares add up exactly."""
WHOLE_WINDOW = round(1 / UTILITY_STEP)
"""A cosine of 1, in steps."""
UNIT_ROWS_BLOCK = 8192
"""Rows that are brought to unit length at once."""
BLOCK = 512
"""Records whose scores are added in float32."""
TILE = 65_536
"""Public records that are on the GPU at a time: the next tile is queued behind the product of this
one, so two are held; halved where memory runs out, which changes no bit.
"""
MIN_TILE = 1024
"""The smallest tile that is tried."""
STEP = 64
"""Features a step of the product: rows are filled up with zeros to a multiple of it."""


def ready() -> bool:
    """Whether there is a GPU to compute on."""
    return accelerator.on_gpu()


def error(d: int) -> float:
    """The most by which a record's clipped score is off in d dimensions: two roundings of rows, one
    of their product.
    """
    return 2 * math.sqrt(d) * 2.0 ** -(BITS + 1) * (1 + 2.0**-6) + UTILITY_STEP


def clipped_sums(
    x: np.ndarray,
    starts: np.ndarray,
    public: np.ndarray,
    low: int,
    high: int,
    device: str | None = None,
    kernel: bool | None = None,
) -> np.ndarray:
    """Sums of clip(cos, low, high) - low by class, in steps: (classes, m) float64.

    Args:
        x: (n, d) records, those of a class together; starts: (classes + 1,) where each class
            begins.
        public: (m, d); only two tiles of it are on the device at once.
        low, high: cosines at the ends of the window, in steps.
        device: by default the first GPU.
        kernel: the fused kernel or plain torch; by default the kernel where it works.

    Raises:
        DpvizError: where the GPU's memory does not suffice, or it fails. The CPU does not step in:
            it rounds otherwise, and whether it did would depend on the private records.
    """
    device = device or accelerator.devices()[0]
    tile = TILE
    with accelerator.failures_in_words(device):
        use = kernel_works(device) if kernel is None else kernel
        while True:
            try:
                return _by_tiles(x, starts, public, (low, high), device, use, tile)
            except torch.OutOfMemoryError:
                if tile <= MIN_TILE:
                    raise
            torch.cuda.empty_cache()
            tile //= 2


def _by_tiles(
    x: np.ndarray,
    starts: np.ndarray,
    public: np.ndarray,
    ends: tuple[int, int],
    device: str,
    use: bool,
    tile: int,
) -> np.ndarray:
    rows = halves(x, device)
    out = torch.empty((len(starts) - 1, len(public)), dtype=torch.float64, device=device)
    for start in range(0, len(public), tile):
        columns = halves(public[start : start + tile], device)
        part = out[:, start : start + len(columns)]
        (_kernel if use else plain)(rows, starts, columns, *ends, part)
    return out.cpu().numpy()


@cached(8)
def kernel_works(device: str) -> bool:
    """Whether triton compiles the kernel here and it gives what plain torch does, tried once on a
    few records; what goes wrong is logged.
    """
    if util.find_spec("triton") is None:
        return False
    values = torch.arange(3 * STEP, dtype=torch.float32).reshape(3, STEP).sin().numpy()
    rows, starts = halves(values, device), np.array([0, 1, 3])
    found = torch.empty((2, 2, 3), dtype=torch.float64, device=device)
    try:
        for sums, out in zip((_kernel, plain), found, strict=True):
            sums(rows, starts, rows, -WHOLE_WINDOW, WHOLE_WINDOW, out)
        same = torch.equal(*found)
        reason = "its sums differ from torch"
    except torch.OutOfMemoryError:
        raise
    except Exception as error:  # triton, its compilers and drivers each raise their own
        same, reason = False, f"{type(error).__name__}: {error}".splitlines()[0][:200]
    if not same:
        log.warning("Fused kernel unavailable (%s). Using torch instead.", reason)
    return same


def halves(x: np.ndarray, device: str) -> torch.Tensor:
    """Unit rows in float16 on the device, (k, d filled up to a multiple of STEP)."""
    rows = torch.from_numpy(np.ascontiguousarray(x))
    if device != "cpu":
        rows = rows.pin_memory().to(device, non_blocking=True)
    unit = torch.empty(rows.shape, dtype=torch.float16, device=device)
    for start in range(0, len(rows), UNIT_ROWS_BLOCK):
        unit[start : start + UNIT_ROWS_BLOCK] = _unit(
            rows[start : start + UNIT_ROWS_BLOCK].double()
        )
    return torch.nn.functional.pad(unit, (0, -unit.shape[1] % STEP))


def _unit(rows: torch.Tensor) -> torch.Tensor:
    """Rows (k, d) float64 of norm 1 on the grid, each a function of itself alone."""
    largest = rows.abs().amax(dim=1, keepdim=True)
    whole = torch.round(rows / torch.where(largest > 0, largest, 1) * WHOLE)
    norms = whole.square().sum(dim=1, keepdim=True).sqrt().clamp(min=1)
    return torch.round(whole / norms * 2.0**BITS).mul_(2.0**-BITS)


def plain(
    rows: torch.Tensor,
    starts: np.ndarray,
    columns: torch.Tensor,
    low: int,
    high: int,
    out: torch.Tensor,
) -> None:
    """What the kernel computes, over blocks of scores that are written out and read back."""
    right = columns.float().T / UTILITY_STEP
    for c, (first, last) in enumerate(itertools.pairwise(starts)):
        out[c] = 0
        for block in rows[first:last].split(BLOCK):
            scores = (block.float() @ right).add_(0.5).floor_()
            out[c] += scores.clamp_(low, high).sub_(low).sum(0)


def _kernel(rows: torch.Tensor, starts: np.ndarray, *settings: Any) -> None:
    """As ``plain``, on the device."""
    from dpviz.methods.components.fused_kernel import launch

    launch(STEP, rows, torch.from_numpy(starts.astype(np.int32)).to(rows.device), *settings)


def bytes_needed(n: int, m: int, d: int, classes: int) -> int:
    """The most that ``clipped_sums`` holds on the device at once."""
    wide = d + -d % STEP
    # as copied; in float16, before and after filling up
    row = 4 * d + 2 * wide * 2
    return n * row + 2 * TILE * row + 4 * 8 * UNIT_ROWS_BLOCK * d + 8 * classes * m
