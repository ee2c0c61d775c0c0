"""What each person adds to the gradient of a softmax regression: the sum of the records' parts,
clipped as a whole.

A record's part is r x^T with r and x on grids. Of a person with few records the squared norm is the
sum of (r_i . r_j) (x_i . x_j) over pairs of records, of which the second factor is the same at each
step, and records are multiplied by a whole number of 2^-FACTOR_BITS. Of one with many the parts are
summed, and the sum is shortened. Both are exact but for what is rounded down, so that what a person
adds depends on that person's records and the head alone.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from dpviz import mechanisms
from dpviz.lazy_imports import torch
from dpviz.methods.components.clipped_gradients import WHOLE, Problem, Watch
from dpviz.types import Dataset

FACTOR_BITS = 12
GRID = mechanisms.FINE / 2**FACTOR_BITS
"""Step of the sums."""
FEW = 128
"""Records of a person whose products are held: at most 2 KiB a record, below what its features
take.
"""
AT_ONCE = 256
"""Persons whose products are taken at once."""
ROWS_AT_ONCE = 4096
"""Records of one person that are summed at once."""
BITS, INTEGER_BITS = 53, 62
"""Of a whole number in float64, and of a sum of squares in int64."""
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
    """The persons of a problem who have several records.

    Attributes:
        groups: those with at most FEW, in groups of like size; many: (k,) int64, the records of
            each of the others.
    """

    groups: tuple[Group, ...]
    many: tuple[torch.Tensor, ...]

    @classmethod
    def of(cls, data: Dataset) -> Crowd:
        """The persons of ``data``, whose records the problem has in the same order."""
        assert data.persons is not None
        order = np.argsort(data.persons, kind="stable")
        _, starts, counts = np.unique(data.persons[order], return_index=True, return_counts=True)
        few, places = counts <= FEW, 1 << np.ceil(np.log2(counts)).astype(np.int64)
        unit = torch.tensor(mechanisms.unit_rows(data.x))
        groups = []
        for k in np.unique(places[few & (counts > 1)]).tolist():
            mine = places == k
            there = np.arange(k) < counts[mine, None]
            rows = np.zeros(there.shape, np.int64)
            rows[there] = order[(starts[mine, None] + np.arange(k))[there]]
            groups.append(_group(unit, torch.from_numpy(rows), torch.from_numpy(there).double()))
        own = zip(starts[~few], counts[~few], strict=True)
        many = (torch.from_numpy(order[start : start + count]) for start, count in own)
        return cls(tuple(groups), tuple(many))

    def factors(self, whole: torch.Tensor) -> torch.Tensor:
        """What each record's part is multiplied by, so that no person's sum is longer than 1, in
        units of what records are clipped to; 0 for those of ``many``.

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
        for rows in self.many:
            made[:, rows] = 0
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

    No number of the sum is above 2^17, so that float64 holds it exactly however many persons there
    are: cutting it there brings no two sums further apart.

    ``watch`` is shown the blocks and by how much records were shortened, (cells, N).
    """
    blocks = list(problem.blocks(w))
    for block in blocks:
        block.clip(clip)
    residual = torch.cat([block.residual for block in blocks], 2)
    factors = crowd.factors(residual)
    steps = torch.zeros(w.shape, dtype=torch.int64)
    for block in blocks:
        steps += block.total(factors[:, block.at]).div_(GRID).long()
    for rows, added, factor in _of_many(problem, crowd, residual):
        steps += added
        factors[:, rows] = factor[:, None]
    if watch is not None:
        watch(blocks, factors)
    sums = steps.clamp_(-(2**BITS), 2**BITS).double().mul_(GRID)
    return sums.numpy()


def _of_many(
    problem: Problem, crowd: Crowd, residual: torch.Tensor
) -> Iterator[tuple[torch.Tensor, torch.Tensor, torch.Tensor]]:
    """Of each person with many records: which they are, (cells, C, d) int64 in steps of GRID what
    they add, and (cells,) by how much that is shorter than their sum.
    """
    for rows in crowd.many:
        whole = torch.zeros(*residual.shape[:2], problem.exact.shape[1], dtype=torch.float64)
        for at in rows.split(ROWS_AT_ONCE):
            whole += residual[:, :, at].double() @ problem.exact[at].double()
        whole /= mechanisms.COARSE
        factor = _shorter(whole, len(rows))
        yield rows, (whole * factor[:, None, None]).mul_(2**FACTOR_BITS).trunc_().long(), factor


def _shorter(whole: torch.Tensor, k: int) -> torch.Tensor:
    """By how much sums (cells, C, d) of k records' parts, in steps of FINE, are shortened to norm
    1: (cells,) float64.

    No norm is above k. Steps are so wide that a sum of squares fits into int64, and a norm is
    taken to be as much longer as that may hide.
    """
    wider = mechanisms.FINE_BITS + math.ceil(math.log2(k)) - INTEGER_BITS // 2
    steps = (whole / 2.0**wider).round_().long()
    hidden = math.sqrt(whole[0].numel()) / 2
    norms = (steps * steps).sum((1, 2)).double().sqrt() + hidden
    norms *= 2.0**wider * mechanisms.FINE
    return torch.where(norms > BELOW, BELOW / norms, 1.0)
