"""The clipped sums of ``tiles`` on a GPU: product, clip and sum by class in one kernel, scores
never in memory.

Unit rows are rounded to float16, which is what features are kept in; products and sums are float32.
bfloat16 runs as fast and rounds eight times as coarsely. **Why clipping after rounding keeps the
sensitivity:** whatever a score was rounded to, clip - low lies in [0, high - low], so one record
adds that much at most to each sum of its own class, nothing to the others, and takes nothing away.
The rounded score of a pair is the same whichever other records are there, since a pair's products
are added in an order that depends on d alone. What is left is the rounding of the float32 sums, as
with any sum in floating point.

Without triton the same is computed by plain torch, in more passes.
"""

from __future__ import annotations

import itertools
from importlib import util
from typing import Any

import numpy as np
import torch

ERROR = 2.0**-10 + 2.0**-20
"""The most by which a record's clipped score is off: two roundings by 2⁻¹¹ of products that add up
to at most 1.
"""
TILE = 65_536
"""Public records that are on the GPU at a time; the copy of the next tile runs beside the product
of this one.
"""
STEP = 64
"""Features a step of the product: rows are filled up with zeros to a multiple of it."""


def ready() -> bool:
    """Whether there is a GPU."""
    return torch.cuda.is_available()


def clipped_sums(
    x: np.ndarray,
    starts: np.ndarray,
    public: np.ndarray,
    low: float,
    high: float,
    device: str = "cuda",
    kernel: bool | None = None,
) -> np.ndarray:
    """Sums of clip(1 + cos, low, high) - low by class: (classes, m) float64.

    Args:
        x: (n, d) records, those of a class together; starts: (classes + 1,) where each class
            begins.
        public: (m, d); only ``TILE`` rows of it are on the device at once.
        low, high: ends of the window, 0 <= low < high <= 2.
        kernel: the fused kernel or plain torch; by default the kernel where triton is there.
    """
    use = (util.find_spec("triton") is not None) if kernel is None else kernel
    rows = halves(x, device)
    out = torch.empty((len(starts) - 1, len(public)), dtype=torch.float32, device=device)
    for start in range(0, len(public), TILE):
        columns = halves(public[start : start + TILE], device)
        part = out[:, start : start + len(columns)]
        (_kernel if use else plain)(rows, starts, columns, low - 1, high - 1, part)
    return out.cpu().numpy().astype(np.float64)


def halves(x: np.ndarray, device: str) -> torch.Tensor:
    """Unit rows in float16 on the device, (k, d filled up to a multiple of STEP)."""
    there = torch.from_numpy(np.ascontiguousarray(x))
    if device != "cpu":
        there = there.pin_memory().to(device, non_blocking=True)
    unit = torch.nn.functional.normalize(there.float(), eps=1e-30).half()
    return torch.nn.functional.pad(unit, (0, -unit.shape[1] % STEP))


def plain(
    rows: torch.Tensor,
    starts: np.ndarray,
    columns: torch.Tensor,
    low: float,
    high: float,
    out: torch.Tensor,
) -> None:
    """What the kernel computes, over blocks of scores that are written out and read back."""
    right = columns.float().T
    for c, (first, last) in enumerate(itertools.pairwise(starts)):
        out[c] = 0
        for block in rows[first:last].split(1024):
            out[c] += (block.float() @ right).clamp_(low, high).sub_(low).sum(0)


def _kernel(rows: torch.Tensor, starts: np.ndarray, *rest: Any) -> None:
    """As ``plain``, on the device."""
    from dpviz.methods.parts.fused_kernel import launch

    launch(STEP, rows, torch.from_numpy(starts.astype(np.int32)).to(rows.device), *rest)


def bytes_needed(n: int, m: int, d: int, classes: int) -> int:
    """The most that ``clipped_sums`` holds on the device at once."""
    wide = d + -d % STEP
    # as copied, in float32, of unit length; in float16, before and after filling up
    row = 4 * d * 3 + 2 * wide * 2
    return n * row + 2 * TILE * row + 4 * classes * m
