"""The kernel of ``fused``: one program for a tile of public records and a class. Needs triton."""

from __future__ import annotations

import torch
import triton
import triton.language as tl

from dpviz.mechanisms import UTILITY_STEP

COLUMNS, ROWS = 128, 128
"""Public and private records of the block of scores that a program keeps in registers."""


@triton.jit
def _sums(
    x,
    p,
    starts,
    out,
    m,
    d,
    stride,
    low,
    high,
    one,
    COLUMNS: tl.constexpr,
    ROWS: tl.constexpr,
    STEP: tl.constexpr,
):
    c = tl.program_id(1)
    first, last = tl.load(starts + c), tl.load(starts + c + 1)
    columns = tl.program_id(0) * COLUMNS + tl.arange(0, COLUMNS)
    step = tl.arange(0, STEP)
    total = tl.zeros((COLUMNS,), dtype=tl.float64)
    for start in range(first, last, ROWS):
        rows = start + tl.arange(0, ROWS)
        scores = tl.zeros((ROWS, COLUMNS), dtype=tl.float32)
        for j in range(0, d, STEP):
            a = tl.load(
                x + rows[:, None] * d + (j + step)[None, :], mask=rows[:, None] < last, other=0.0
            )
            b = tl.load(
                p + columns[None, :] * d + (j + step)[:, None], mask=columns[None, :] < m, other=0.0
            )
            scores = tl.dot(a, b, scores)
        steps = tl.floor(scores * one + 0.5)
        clipped = tl.minimum(tl.maximum(steps, low), high) - low
        # rows past the class's end scored 0, which a window below 0 would count
        # whole numbers, of which float32 holds the sum of a block
        total += tl.sum(tl.where(rows[:, None] < last, clipped, 0.0), axis=0).to(tl.float64)
    tl.store(out + c.to(tl.int64) * stride + columns, total, mask=columns < m)


def launch(
    step: int,
    rows: torch.Tensor,
    starts: torch.Tensor,
    columns: torch.Tensor,
    low: int,
    high: int,
    out: torch.Tensor,
) -> None:
    """Fill ``out`` (classes, m) float64 with the sums of clip(cos, low, high) - low, in steps.

    Args:
        step: divides d.
        rows: (n, d) float16 unit rows, those of a class together; starts: (classes + 1,) int32;
            columns: (m, d) float16.
    """
    m, d = columns.shape
    grid = (triton.cdiv(m, COLUMNS), len(starts) - 1)
    settings = {"COLUMNS": COLUMNS, "ROWS": ROWS, "STEP": step, "num_warps": 8, "num_stages": 3}
    ends = float(low), float(high), 1 / UTILITY_STEP
    _sums[grid](rows, columns, starts, out, m, d, out.stride(0), *ends, **settings)
