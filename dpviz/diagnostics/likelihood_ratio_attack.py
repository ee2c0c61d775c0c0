"""LiRA: for each record, is the target as sure of it as fits with it are, or as fits without it?

How sure the other fits are of a record is taken for a normal distribution, one of fits with it and
one of fits without it; the score is the logarithm of how much likelier the target's is under the
first. Offline, only fits without the record are known, and the score says how far above those the
target lies. Few fits tell a record's mean, but not its spread, which then is shared by all records.

Source: Carlini et al. 2022, "Membership Inference Attacks From First Principles", algorithm 1 and
    section VI.
"""

from __future__ import annotations

import numpy as np

from dpviz.lazy_imports import special

OWN_SPREAD = 64
"""Shadow models with a record, and as many without, from which on its own spread is used."""
LEAST = 1e-12
"""Variance below which fits do not differ at all."""


def online(sure: np.ndarray, inside: np.ndarray) -> np.ndarray:
    """How much likelier each target's value is with the record than without: (k, n) float64, the
    larger, the rather a member; 0 where too few other fits have, or lack, the record.

    Args:
        sure: (k, n) how sure each fit is; inside: (k, n) bool, who was in.
    """
    with_it, without = _other_fits(sure, inside), _other_fits(sure, ~inside)
    score = _log_density(sure, *with_it[:2]) - _log_density(sure, *without[:2])
    return np.where(with_it[2] & without[2], score, 0.0)


def offline(sure: np.ndarray, inside: np.ndarray) -> np.ndarray:
    """ln of how rarely a fit without the record is as sure of it, with the sign turned: (k, n)
    float64, as ``online``.
    """
    mean, variance, known = _other_fits(sure, ~inside)
    return np.where(known, -special.log_ndtr(-(sure - mean) / np.sqrt(variance)), 0.0)


def _log_density(at: np.ndarray, mean: np.ndarray, variance: np.ndarray) -> np.ndarray:
    return -((at - mean) ** 2) / (2 * variance) - np.log(variance) / 2


def _other_fits(sure: np.ndarray, part: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Mean and variance, for each target and record, over the other fits in a part, and whether
    there are two such: (k, n) each, the variance (k, 1) where all records share it.
    """
    middle = np.median(sure, axis=0)
    own = np.where(part, sure - middle, 0.0)
    count = part.sum(axis=0) - part
    known = count >= 2
    total, squares = own.sum(axis=0) - own, (own**2).sum(axis=0) - own**2
    mean = total / np.maximum(count, 1)
    spread = np.maximum(squares - count * mean**2, 0.0)
    if np.median(count) >= OWN_SPREAD:
        variance = spread / np.maximum(count - 1, 1)
    else:
        freedom = np.where(known, count - 1, 0).sum(axis=1, keepdims=True)
        variance = (spread * known).sum(axis=1, keepdims=True) / np.maximum(freedom, 1)
    return mean + middle, np.maximum(variance, LEAST), known
