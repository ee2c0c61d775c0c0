"""Clipping, and the sums that noise is added to: what bounds one record's part of a release."""

from __future__ import annotations

import numpy as np


def clip_rows(x: np.ndarray, radius: float) -> np.ndarray:
    """Rows of x (n, d) scaled down to L2 norm at most ``radius``: bounds what one record adds to a
    sum.
    """
    norms = np.linalg.norm(x, axis=1, keepdims=True)
    return x * np.minimum(1.0, radius / np.maximum(norms, np.finfo(np.float32).tiny)).astype(
        x.dtype
    )
