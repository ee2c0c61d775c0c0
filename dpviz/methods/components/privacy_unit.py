"""Whom a plan protects, each record or each person, and how far all that is theirs moves a release.

Who has one record moves a release as far as that record does, to the bit. The records of a person
may point in different directions, so that what they add is summed before its length is taken.

A method reruns itself with the plan's noise and the seed's draws, and looks at what it sums before
the noise: those are the losses of each record or person.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from dpviz.lazy_imports import torch
from dpviz.privacy import per_record
from dpviz.types import Dataset, Gaussian, Losses, Plan

ROUNDING = 1e-6
"""Relative: what lies this little above its bound is at the bound, clipped in single precision."""


def clip_rounding(values: np.ndarray, bound: float) -> np.ndarray:
    """Values that stand above the bound by rounding alone, set to it."""
    return np.where(values <= bound * (1 + ROUNDING), np.minimum(values, bound), values)


def gaussian(mu_squared: np.ndarray, plan: Plan) -> Losses:
    """Losses of records of which Gaussian releases tell mu^2 (n,) in all."""
    return per_record.gaussian_losses(mu_squared, plan.guarantee.delta)


def squared_mu(norms: np.ndarray, event: Gaussian) -> np.ndarray:
    """mu_i^2 of one release to which the records contribute vectors of these norms (n,)."""
    return per_record.squared_mus(clip_rounding(norms, event.sensitivity), event)


def row_norms(x: np.ndarray | torch.Tensor) -> np.ndarray:
    """L2 norm of each row of x (n, d), float64."""
    return np.linalg.norm(np.asarray(x, np.float64), axis=1)


@dataclass(frozen=True, eq=False)
class PrivacyUnits:
    """The records or the persons of whom a plan promises something.

    Attributes:
        of_record: (n,) int64, whose each record is; persons in the order of their numbers.
        count: how many are protected.
        row_groups: of each who has more than one record, the number and those records' rows.
    """

    of_record: np.ndarray
    count: int
    row_groups: tuple[tuple[int, np.ndarray], ...]

    @classmethod
    def from_dataset(cls, data: Dataset, plan: Plan) -> PrivacyUnits:
        """Those whom ``plan`` protects among the private records of ``data``."""
        return cls.persons(data) if plan.records_per_person else cls.records(data)

    @classmethod
    def records(cls, data: Dataset) -> PrivacyUnits:
        """Each private record by itself."""
        return cls(np.arange(len(data.y)), len(data.y), ())

    @classmethod
    def persons(cls, data: Dataset) -> PrivacyUnits:
        """The persons whom the private records are from."""
        assert data.persons is not None
        _, owner, counts = np.unique(data.persons, return_inverse=True, return_counts=True)
        rows_of = np.split(np.argsort(owner, kind="stable"), np.cumsum(counts)[:-1])
        several = ((i, rows) for i, rows in enumerate(rows_of) if len(rows) > 1)
        return cls(owner, len(counts), tuple(several))

    def map_units(
        self, moved_by_record: np.ndarray, together: Callable[[np.ndarray], float]
    ) -> np.ndarray:
        """How far each moves a release: (count,) float64.

        Args:
            moved_by_record: (n,) of each record alone; together: of several records, given their
                rows.
        """
        moved = np.empty(self.count)
        moved[self.of_record] = moved_by_record
        for number, rows in self.row_groups:
            moved[number] = together(rows)
        return moved

    def by_class(
        self, moved_by_record: np.ndarray, y: np.ndarray, together: Callable[[np.ndarray], float]
    ) -> np.ndarray:
        """As ``map_units`` for a release that has a part for every class: a person's parts lie
        across one another.
        """

        def stacked(rows: np.ndarray) -> float:
            parts = (rows[y[rows] == c] for c in np.unique(y[rows]))
            return float(np.linalg.norm([together(part) for part in parts]))

        return self.map_units(moved_by_record, stacked)

    def counts(self, counted: np.ndarray | None = None) -> np.ndarray:
        """Of how many records each one is counted, all or those of ``counted`` (n,) bool: (count,)
        float64.
        """
        weights = None if counted is None else counted.astype(np.float64)
        return np.bincount(self.of_record, weights, self.count).astype(np.float64)

    def counts_by_class(self, y: np.ndarray) -> np.ndarray:
        """Norm of each one's part in the class counts: (count,) float64."""
        return self.by_class(np.ones(len(y)), y, lambda rows: float(len(rows)))


def moment_norm(x: np.ndarray, weights: np.ndarray | None = None) -> float:
    """Frobenius norm of the sum of w_i x_i x_i^T over rows of x (k, d), weights (k,) not negative,
    or 1.

    The squared norm is the sum of w_i w_j (x_i . x_j)^2 over pairs of rows.
    """
    rows = x.astype(np.float64)
    w = np.ones(len(rows)) if weights is None else weights.astype(np.float64)
    if len(rows) > rows.shape[1]:
        return float(np.linalg.norm((rows * w[:, None]).T @ rows))
    return float(np.sqrt(w @ (rows @ rows.T) ** 2 @ w))
