"""What each person adds to the gradient of a softmax regression: the sum of the records' parts,
clipped as a whole.

A record's part is r x^T with r and x on grids; a person's squared norm is the sum of (r_i . r_j)
(x_i . x_j) over pairs of records, of which the second factor is the same at each step. It is summed
exactly, so that the factor that shortens a person, a whole number of 2^-FACTOR_BITS and rounded
down, depends on that person's records and the head alone, as does everything that person adds.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from dpviz import mechanisms
from dpviz.lazy_imports import torch
from dpviz.methods.parts.clipped_gradients import WHOLE, Problem, Watch
from dpviz.types import Dataset, DpvizError

FACTOR_BITS = 12
GRID = mechanisms.FINE / 2**FACTOR_BITS
"""Step of the sums."""
MOST = 2**17
"""Records whose sum is exact whatever they are."""
HELD = 2**27
"""Products of two records of a person that are held at once: 1 GiB."""
AT_ONCE = 256
"""Persons whose products are taken at once."""
BITS = 53
"""Of a whole number in float64."""
BELOW = 1 - 2.0**-40
"""Factors are rounded down from this part of themselves: more than float64 is off by."""


@dataclass(frozen=True, eq=False)
class Group:
    """Persons with more than half of k records and at most k.

    Attributes:
        rows: (P, k) int64, records of each person, 0 where padded; there: (P, k) float64, 1 for a
            record.
        products: (P, k, k) float64, products of their features on a grid, 0 where padded; slack: by
            how much a squared norm may be above what is summed, in units of what a record is
            clipped to.
    """

    rows: torch.Tensor
    there: torch.Tensor
    products: torch.Tensor
    slack: float


@dataclass(frozen=True, eq=False)
class Crowd:
    """The persons of a problem who have several records, in groups of like size."""

    groups: tuple[Group, ...]

    @classmethod
    def of(cls, data: Dataset) -> Crowd:
        """The persons of ``data``, whose records the problem has in the same order.

        Raises:
            DpvizError: for more records than can be added up exactly, or more of one person than
                memory holds the products of.
        """
        if len(data.x) > MOST:
            raise DpvizError(
                f"There are {len(data.x):,} records and persons' gradients are added up exactly for"
                f" at most {MOST:,}; use person=group, or fewer records."
            )
        assert data.persons is not None
        order = np.argsort(data.persons, kind="stable")
        _, starts, counts = np.unique(data.persons[order], return_index=True, return_counts=True)
        places = 1 << np.ceil(np.log2(counts)).astype(np.int64)
        if int((places[counts > 1] ** 2).sum()) > HELD:
            raise DpvizError(
                f"Somebody has {counts.max():,} records, and clipping whole persons holds the"
                " product of each two; keep fewer of each person, such as 1000, or use"
                " person=group."
            )
        unit = torch.tensor(mechanisms.unit_rows(data.x))
        groups = []
        for k in np.unique(places[counts > 1]).tolist():
            mine = places == k
            there = np.arange(k) < counts[mine, None]
            rows = np.zeros(there.shape, np.int64)
            rows[there] = order[(starts[mine, None] + np.arange(k))[there]]
            groups.append(_group(unit, torch.from_numpy(rows), torch.from_numpy(there).double()))
        return cls(tuple(groups))

    def factors(self, whole: torch.Tensor) -> torch.Tensor:
        """What each record's part is multiplied by, so that no person's sum is longer than 1, in
        units of what records are clipped to.

        Args:
            whole: (cells, C, N) residuals in whole steps; as ``Block.clip`` leaves them.

        Returns:
            (cells, N) float64.
        """
        cells, classes, count = whole.shape
        made = torch.ones(cells, count, dtype=torch.float64)
        for group in self.groups:
            persons, k = group.rows.shape
            # (persons, k, cells * classes)
            own = whole[:, :, group.rows].permute(2, 3, 0, 1).reshape(persons, k, -1).double()
            own *= group.there[:, :, None]
            squares = (torch.bmm(group.products, own) * own).sum(1)
            squares = squares.view(persons, cells, classes).sum(2) / WHOLE**2 + group.slack
            shorter = torch.floor(2.0**FACTOR_BITS * BELOW / squares.clamp(min=1).sqrt())
            factor = torch.where(squares > 1, shorter / 2**FACTOR_BITS, 1.0)
            present = group.there > 0
            each = factor.T[:, :, None].expand(cells, persons, k)
            made[:, group.rows[present]] = each[:, present]
        return made


def _group(unit: torch.Tensor, rows: torch.Tensor, there: torch.Tensor) -> Group:
    """Persons with these rows (P, k) of the unit features (n, d).

    With products on steps of 2^-bits every partial sum of a squared norm is below k^2 WHOLE^2 /
    2^-bits, which float64 holds exactly; rounding them may hide k^2 / 2^(bits + 1) of it.
    """
    k = rows.shape[1]
    bits = BITS - 2 * mechanisms.BITS - 2 * math.ceil(math.log2(k))
    parts = zip(rows.split(AT_ONCE), there.split(AT_ONCE), strict=True)
    products = [_products(unit[own].double() * m[:, :, None], bits) for own, m in parts]
    exact = bits >= mechanisms.FINE_BITS
    return Group(rows, there, torch.cat(products), 0.0 if exact else k**2 / 2.0 ** (bits + 1))


def _products(own: torch.Tensor, bits: int) -> torch.Tensor:
    """Products of the rows (P, k, d) with one another, on steps of 2^-bits: (P, k, k) float64."""
    return (own @ own.mT).mul_(2.0**bits).round_().div_(2.0**bits)


def clipped_sums(
    problem: Problem, crowd: Crowd, w: np.ndarray, clip: float, watch: Watch | None = None
) -> np.ndarray:
    """Sum over the persons of their records' clipped gradients under heads w (cells, C, d), clipped
    once more as a whole, in units of the clip norm: (cells, C, d) float64.

    ``watch`` is shown the blocks and by how much records were shortened, (cells, N).
    """
    blocks = list(problem.blocks(w))
    for block in blocks:
        block.clip(clip)
    factors = crowd.factors(torch.cat([block.residual for block in blocks], 2))
    sums = torch.zeros(w.shape, dtype=torch.float64)
    for block in blocks:
        sums += block.total(factors[:, block.at])
    if watch is not None:
        watch(blocks, factors)
    return sums.numpy()
