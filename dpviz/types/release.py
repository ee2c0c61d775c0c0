"""Releases of methods, and their predictions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpviz.types.dataset import unit_rows


@dataclass(frozen=True, eq=False)
class Release:
    """A linear classifier ``argmax(x @ weights.T + bias)`` on features.

    Attributes:
        weights: (C, d) float32; bias: (C,) float32.
        normalise: divide each feature row by its L2 norm first.
        chosen: (C, K) int64 rows of the public set if the method selects from it, else None.
    """

    weights: NDArray[np.float32]
    bias: NDArray[np.float32]
    normalise: bool = True
    chosen: NDArray[np.int64] | None = None

    def predict(self, x: NDArray[np.floating]) -> NDArray[np.int64]:
        """Return labels (n,) int64 of features (n, d)."""
        return self.labels(unit_rows(x) if self.normalise else x)

    def labels(self, rows: NDArray[np.floating]) -> NDArray[np.int64]:
        """Return labels (n,) int64 of features (n, d), already divided by their norms if
        ``normalise`` is set.
        """
        return np.argmax(rows @ self.weights.T + self.bias, axis=1)


@dataclass(frozen=True, eq=False)
class Fit:
    """Releases of a batch of cells: one row per plan, one column per seed.

    Attributes:
        releases: ``releases[plan][seed]``.
        trace: private view; never covered by the guarantee.
    """

    releases: list[list[Release]]
    trace: Mapping[str, Any] = field(default_factory=dict)
