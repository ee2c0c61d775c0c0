"""A score of squares and products: relations between numbers that no single number shows.

The second of two numbers may be the square of the first plus something exact. Each number alone has
enough noise, but the difference has none. The score is Fisher's linear discriminant of the numbers,
their squares and the products of their pairs. It keeps directions in which almost nothing varies.
"""

from __future__ import annotations

import numpy as np

from dpviz.audits.distinguisher import Score, few_outcomes

MAX_VARYING = 16
"""Numbers that vary, up to which products are tried; the time and releases needed are quadratic."""
TYPICAL_RANGE, CUT_OFF = 20.0, 1e100
"""Half ranges within which releases are learned from, and at which a number is cut off."""
MIN_DEVIATION = 1e-12
"""Smallest standard deviation of a direction, in units of its parts; rounding is well below."""


def all_scores(present: np.ndarray, absent: np.ndarray) -> list[Score]:
    """Return the scores that are tried, learned on the first half of the releases (runs, k)."""
    half = len(present) // 2
    both = np.concatenate([present[:half], absent[:half]])
    columns = np.flatnonzero(((both != both[0]) & ~np.isnan(both)).any(axis=0))
    k = len(columns)
    if not 1 < k <= MAX_VARYING or k * (k + 3) > len(both) or few_outcomes(present, absent):
        return []
    score = _discriminant(present[:half, columns], absent[:half, columns])
    return [lambda outputs: score(outputs[:, columns])]


def _discriminant(present: np.ndarray, absent: np.ndarray) -> Score:
    low, middle, high = np.quantile(
        _finite(np.concatenate([present, absent])), (0.01, 0.5, 0.99), axis=0
    )
    half = high / 2 - low / 2
    half[half == 0] = 1.0

    def scaled(outputs: np.ndarray) -> np.ndarray:
        with np.errstate(over="ignore"):
            apart = (_finite(outputs) - middle) / half
        return np.clip(apart, -CUT_OFF, CUT_OFF)

    k = present.shape[1]
    one, other = np.triu_indices(k)
    features = []
    for rows in map(scaled, (present, absent)):
        # one outlier would hide a relation that the rounding of its square breaks
        rows = rows[(np.abs(rows) <= TYPICAL_RANGE).all(axis=1)]
        features.append(np.hstack([rows, rows[:, one] * rows[:, other]]))
    weights = _direction(*features)
    products = np.zeros((k, k))
    products[one, other] = weights[k:]

    def score(outputs: np.ndarray) -> np.ndarray:
        rows = scaled(outputs)
        with np.errstate(over="ignore", invalid="ignore"):
            return rows @ weights[:k] + ((rows @ products) * rows).sum(axis=1)

    return score


def _finite(outputs: np.ndarray) -> np.ndarray:
    return np.clip(np.nan_to_num(outputs, nan=0.0), -1e300, 1e300)


def _direction(present: np.ndarray, absent: np.ndarray) -> np.ndarray:
    """Return Fisher's direction for two samples (runs, p), by singular values: (p,).

    A covariance would square the spread of a direction, and rounding would hide small ones.
    """
    if min(len(present), len(absent)) < present.shape[1] / 2:
        return np.zeros(present.shape[1])
    within = np.concatenate([present - present.mean(axis=0), absent - absent.mean(axis=0)])
    unit = within.std(axis=0)
    unit[unit == 0] = 1.0
    apart = (present.mean(axis=0) - absent.mean(axis=0)) / unit
    _, sizes, directions = np.linalg.svd(within / unit, full_matrices=False)
    variance = sizes**2 / len(within) + MIN_DEVIATION**2
    return (directions.T @ (directions @ apart / variance)) / unit
