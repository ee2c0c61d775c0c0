"""What each record adds to the gradient of a softmax regression, in whole steps of a grid.

A record's gradient is (p - e_y) x^T, of norm |p - e_y| |x|. Both factors are brought to a grid, the
first after clipping, so that the sum over the records is exact: one record more moves it by its own
part, of norm at most 1 in units of what it was clipped to, and by nothing else. Sums that are exact
may be taken a block of records at a time, which stays in a core's cache.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from dpviz import mechanisms
from dpviz.lazy_imports import torch
from dpviz.methods.components.privacy_unit import PrivacyUnits
from dpviz.types import Dataset, Plan

WHOLE = 2**mechanisms.BITS
"""Steps of the grid in what a record is clipped to."""
LANES = 64
"""Records are made up to a multiple of it with rows of zeros: a shorter rest would be worked on by
other instructions, and a record's part would depend on its place.
"""
SCORES_PER_BLOCK = 2**17
"""Scores worked on at once."""
MIN_SCORE = -80.0
"""Scores lie at most this far below the highest of their record: beyond it a probability is below
1e-34 whatever it is, which moves no sum by a step, and numbers that small take ten times as long.
"""
MAX_EXACT_BYTES = 128 * 2**20
"""Of features that are kept in float64 beside float32: more are converted at each step."""


@dataclass(frozen=True, eq=False)
class Block:
    """Some records under stacked heads.

    Attributes:
        rows: which records; x: (b, d), or (cells, b, d); is_record: (b,) bool, False for rows of
            zeros that stand for nobody.
        residual: (cells, C, b) float32, p - e_y; from ``clipped_sum`` on clipped, in steps.
        norms: (cells, 1, b) float32 of the residual before that.
    """

    rows: slice
    x: torch.Tensor
    is_record: torch.Tensor
    residual: torch.Tensor
    norms: torch.Tensor

    def clipped_sum(self, divisor: float | torch.Tensor) -> torch.Tensor:
        """Sum of these records' parts: residuals divided by ``divisor``, or by their norm where
        that is larger, in whole steps, times x. (cells, C, d) float64, exact.
        """
        self.clip(divisor)
        return self.total()

    def clip(
        self,
        most: float | torch.Tensor,
        lengths: torch.Tensor | float = 1.0,
        longest: float = 1.0,
    ) -> None:
        """Bring residuals to whole steps of what they are clipped to.

        Rounding may add half a step in each class; what is clipped keeps that much away from 1, and
        more than the norm's own rounding error.

        Args:
            lengths: (cells, 1, b) or one for all, no less than the norm of the features that each
                residual is to be multiplied with; longest: no less than any of those norms.
        """
        classes = self.residual.shape[1]
        whole_range = WHOLE - 1 - longest * classes**0.5 / 2 - classes / WHOLE
        divisor = torch.maximum(self.norms * lengths * (WHOLE / whole_range), torch.as_tensor(most))
        self.residual.mul_(WHOLE / divisor).round_()

    def total(self, factors: torch.Tensor | None = None) -> torch.Tensor:
        """Sum of clipped residuals times x, each multiplied by a factor (cells, b) where they are
        given: (cells, C, d) float64.
        """
        parts = self.residual.double()
        if factors is not None:
            parts *= factors[:, None]
        whole = parts.numpy()
        if self.x.ndim == 2:
            whole = whole.reshape(-1, whole.shape[2])
        sums = torch.from_numpy(
            whole @ self.x.double().numpy()
        )  # in float64 numpy's product is the faster
        return sums.view(*self.residual.shape[:2], -1).div_(WHOLE)

    def lengths(self, basis: np.ndarray | None = None) -> np.ndarray:
        """Norm of what each record added, in units of what it was clipped to and in the directions
        of a basis (d, P), where one is given: (cells, b) float64.
        """
        residual_norms = torch.linalg.vector_norm(self.residual.double(), dim=1) / WHOLE
        x = self.x.double()
        if basis is not None:
            x = x @ torch.from_numpy(basis).double()
        return (residual_norms * torch.linalg.vector_norm(x, dim=-1)).numpy()


Watch = Callable[..., None]
"""Shown all blocks of records of each step once their sum is taken; moves nothing."""


@dataclass(frozen=True, eq=False)
class Problem:
    """Unit features and labels of private records, the same for all cells or those of each.

    Attributes:
        x: (N, d) float32, ``mechanisms.unit_rows`` and rows of zeros up to a multiple of LANES; or
            (cells, N, d).
        exact: the same in float64, or x itself where that would take much room.
        onehot: (C, N) float32, so that records are consecutive, or (cells, C, N); count: of
            records.
    """

    x: torch.Tensor
    exact: torch.Tensor
    onehot: torch.Tensor
    count: int

    @classmethod
    def from_dataset(cls, data: Dataset) -> Problem:
        """The private training records of ``data``."""
        return cls.of_rows(mechanisms.unit_rows(data.x), data.y, data.classes)

    @classmethod
    def of_rows(cls, unit: np.ndarray, y: np.ndarray, classes: int) -> Problem:
        """Rows (n, d) of ``mechanisms.unit_rows`` with labels y (n,)."""
        count = len(y)
        padded = -(-count // LANES) * LANES
        x = np.zeros((padded, unit.shape[1]), np.float32)
        x[:count] = unit
        onehot = np.zeros((classes, padded), np.float32)
        onehot[y, np.arange(count)] = 1
        rows = torch.from_numpy(x)
        exact = rows.double() if x.nbytes <= MAX_EXACT_BYTES else rows
        return cls(rows, exact, torch.from_numpy(onehot), count)

    @classmethod
    def of_each(cls, problems: Sequence[Problem]) -> Problem:
        """Each cell's own records, with rows of zeros up to the largest cell's number."""
        padded = max(problem.onehot.shape[1] for problem in problems)
        x, exact = (
            torch.stack([_padded(getattr(problem, name), padded) for problem in problems])
            for name in ("x", "exact")
        )
        onehot = torch.stack([_padded(problem.onehot.T, padded).T for problem in problems])
        return cls(x, exact, onehot, max(problem.count for problem in problems))

    def select(self, places: np.ndarray) -> Problem:
        """These records alone, (k,) places in order, where all cells have the same ones."""
        padded = -(-len(places) // LANES) * LANES
        index = torch.from_numpy(places)

        def rows(features: torch.Tensor) -> torch.Tensor:
            part = torch.zeros((padded, features.shape[1]), dtype=features.dtype)
            part[: len(places)] = features[index]
            return part

        x = rows(self.x)
        exact = x if self.exact is self.x else rows(self.exact)
        return Problem(x, exact, rows(self.onehot.T).T.contiguous(), len(places))

    def blocks(
        self, w: np.ndarray, bias: np.ndarray | None = None, square: bool = False
    ) -> Iterator[Block]:
        """All records, a block at a time, under heads w (cells, C, d) float32: of the first cells,
        where each has its own; bias: (cells, C) float32, added to the scores; square: residuals are
        those of the square loss, scores without a softmax.

        A record's residual depends on that record and the heads alone.
        """
        cells, classes, d = w.shape
        stacked = self.x.ndim == 3
        exact, onehot = (rows[:cells] if stacked else rows for rows in (self.exact, self.onehot))
        rounded, scale = mechanisms.rounded_rows(torch.from_numpy(w).view(-1, d))
        heads = rounded * scale  # a power of two: products stay exact
        added = None if bias is None else torch.from_numpy(bias)[:, :, None]
        size = max(1, SCORES_PER_BLOCK // (cells * classes * LANES)) * LANES
        for start in range(0, self.x.shape[-2], size):
            part = slice(start, start + size)
            if stacked:
                residual = torch.bmm(heads.view(w.shape), self.x[:cells, part].transpose(1, 2))
            else:
                residual = torch.mm(heads, self.x[part].T).view(cells, classes, -1)
            if added is not None:
                residual += added
            if not square:
                residual -= residual.amax(1, keepdim=True)
                residual.clamp_(min=MIN_SCORE).exp_()
                residual /= residual.sum(1, keepdim=True)
            residual -= onehot[..., part]
            norms = (residual * residual).sum(1, keepdim=True).sqrt_()
            present = torch.arange(start, start + residual.shape[2]) < self.count
            yield Block(part, exact[..., part, :], present, residual, norms)


def _padded(rows: torch.Tensor, count: int) -> torch.Tensor:
    """Rows (n, k) with rows of zeros up to ``count``."""
    return torch.nn.functional.pad(rows, (0, 0, 0, count - len(rows)))


def example_heads(data: Dataset, plan: Plan, rng: np.random.Generator) -> list[np.ndarray]:
    """Heads that earlier steps may have left, (C, d) float32: none, small and large ones."""
    shape = data.classes, data.x.shape[1]
    head = rng.permutation(np.linspace(-1, 1, math.prod(shape))).reshape(shape)
    return [(scale * head).astype(np.float32) for scale in (0.0, 0.1, 30.0)]


def gradient_norms(
    units: PrivacyUnits,
    blocks: Sequence[Block],
    x: torch.Tensor,
    basis: np.ndarray | None = None,
    factors: torch.Tensor | None = None,
) -> np.ndarray:
    """Norm of what each unit added to a sum of clipped gradients, in units of what a record is
    clipped to: (count,) float64.

    Args:
        blocks: of all records under one head, clipped; x: (N, d) their features.
        basis: (d, P), the directions that are released, or None for all; factors: (N,) by which
            records were shortened once more, or None.
    """
    n = len(units.of_record)
    norms = np.concatenate([block.lengths(basis)[0] for block in blocks])[:n]
    if not units.row_groups:
        return units.map_units(norms, len)
    residual = torch.cat([block.residual[0] for block in blocks], 1).double().numpy() / WHOLE
    if factors is not None:
        residual *= factors.numpy()

    def together(rows: np.ndarray) -> float:
        features = x[rows].double().numpy()
        released = features if basis is None else features @ basis.astype(np.float64)
        return float(np.linalg.norm(residual[:, rows] @ released))

    return units.map_units(norms, together)
