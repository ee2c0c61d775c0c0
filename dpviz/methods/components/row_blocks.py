"""Rows of a large matrix, worked on in blocks that stay in a core's cache: no second copy, no trips
to memory.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from dpviz.lazy_imports import torch

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
