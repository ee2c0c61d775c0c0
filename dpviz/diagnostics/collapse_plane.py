"""Three classes in the plane of their means, beside a perfect frame's corners. A private view.

Source: Figure 1 of Wang et al. 2024, after Papyan et al. 2020.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from dpviz.caches import cached
from dpviz.lazy_imports import linalg
from dpviz.types import Dataset, DpvizError, unit_rows

MAX_DRAWN_RECORDS = 250
"""Most records of a class that are drawn, evenly spaced in their order."""
CORNERS = np.array([[math.cos(a), math.sin(a)] for a in (np.pi / 2 + np.arange(3) * 2 * np.pi / 3)])
"""Of a perfect frame of three classes: (3, 2)."""


@dataclass(frozen=True, eq=False)
class Plane:
    """Records of three classes, turned so that their means lie as near to CORNERS as they can.

    Attributes:
        classes: their indices; points: a (k, 2) array each; means: (3, 2).
        within_share: share of the records' spread about their means that lies in the plane;
            between: cosines of the three centred means with each other.
    """

    classes: tuple[int, ...]
    points: tuple[np.ndarray, ...]
    means: np.ndarray
    within_share: float
    between: tuple[float, ...]


@cached(16)
def plane(data: Dataset, classes: tuple[int, ...]) -> Plane:
    """The private training records of three classes, as unit features, in the plane through their
    three means.

    The mean of the means is taken off and the plane is scaled by one number, so that the three
    means have length 1 on average; then it is turned, or turned over, by Procrustes.

    Raises:
        DpvizError: for other than three classes with records, or means on one line.
    """
    rows = [unit_rows(data.x[data.y == c]).astype(np.float64) for c in classes]
    if len(set(classes)) != 3 or not all(len(x) for x in rows):
        raise DpvizError(f"The plane needs three different classes with records, got {len(rows)}.")
    means = np.array([x.mean(axis=0) for x in rows])
    middle = means.mean(axis=0)
    _, lengths, axes = np.linalg.svd(means - middle, full_matrices=False)
    if lengths[1] < 1e-9 * max(lengths[0], 1e-30):
        raise DpvizError("The means of these three classes are on one line. Choose other classes.")
    flat = (means - middle) @ axes[:2].T
    turn = linalg.orthogonal_procrustes(flat, CORNERS)[0] / np.linalg.norm(flat, axis=1).mean()
    inside, whole = (
        sum(float((part**2).sum()) for part in parts)
        for parts in zip(*(_offsets(x, axes[:2]) for x in rows), strict=True)
    )
    centred_means = flat @ turn
    points = tuple((x[_sample_size(len(x))] - middle) @ axes[:2].T @ turn for x in rows)
    return Plane(
        classes, points, centred_means, inside / max(whole, 1e-30), _cosines(means - middle)
    )


def _offsets(x: np.ndarray, axes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """How records lie off their mean: in the plane, and in all."""
    off = x - x.mean(axis=0)
    return off @ axes.T, off


def _sample_size(count: int) -> np.ndarray:
    return np.unique(
        np.linspace(0, count - 1, min(MAX_DRAWN_RECORDS, count)).round().astype(np.int64)
    )


def _cosines(rows: np.ndarray) -> tuple[float, ...]:
    unit = rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-30)
    return tuple(float(unit[a] @ unit[b]) for a, b in ((0, 1), (0, 2), (1, 2)))


def first_three(counts: Sequence[int]) -> tuple[int, ...]:
    """The three largest classes, in their order."""
    return tuple(sorted(np.argsort(-np.asarray(counts), kind="stable")[:3].tolist()))
