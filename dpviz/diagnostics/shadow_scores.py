"""Scores of the shadow-model attacks LiRA and RMIA, from how sure each fit is of each record.

LiRA: for each record, is the target as sure of it as fits with it are, or as fits without it?

How sure the other fits are of a record is taken for a normal distribution, one of fits with it and
one of fits without it; the score is the logarithm of how much likelier the target's is under the
first. Offline, only fits without the record are known, and the score says how far above those the
target lies. Few fits tell a record's mean, but not its spread, which then is shared by all records.

RMIA: does seeing the target make a record likelier by more than it makes other people's records?

A record's ratio is its label's probability under the target against the mean of that under the
other fits. The score is the share of records that are in no fit whose ratio it beats by ``gamma``:
the test of each pair, record against population record, done for all pairs at once by sorting the
population's ratios, so that no table of records × population is ever made.

Sources: Carlini et al. 2022, "Membership Inference Attacks From First Principles", algorithm 1 and
    section VI.
    Zarifzadeh, Liu & Shokri 2024, "Low-Cost High-Power Membership Inference Attacks", equations
    2 to 5. Their ``gamma`` of 2 is for deep networks, which are made far surer of what they have
    seen; a linear rule on frozen features moves a record's probability by less than that, and at 2
    no pair would pass.
"""

from __future__ import annotations

import numpy as np

from dpviz.lazy_imports import special

#: Shadow models with a record, and as many without, from which on its own spread is used.
OWN_SPREAD = 64
#: Variance below which fits do not differ at all.
MIN_VARIANCE = 1e-12
#: Factor by which a record's ratio must exceed that of a population record.
GAMMA = 1.0
#: Smallest probability that a ratio is divided by.
MIN_PROBABILITY = 1e-300


def lira_online(sure: np.ndarray, inside: np.ndarray) -> np.ndarray:
    """How much likelier each target's value is with the record than without: (k, n) float64, the
    larger, the rather a member; 0 where too few other fits have, or lack, the record.

    Args:
        sure: (k, n) how sure each fit is; inside: (k, n) bool, who was in.
    """
    with_it, without = _other_fits(sure, inside), _other_fits(sure, ~inside)
    score = _log_density(sure, *with_it[:2]) - _log_density(sure, *without[:2])
    return np.where(with_it[2] & without[2], score, 0.0)


def lira_offline(sure: np.ndarray, inside: np.ndarray) -> np.ndarray:
    """ln of how rarely a fit without the record is as sure of it, with the sign turned: (k, n)
    float64, as ``lira_online``.
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
    return mean + middle, np.maximum(variance, MIN_VARIANCE), known


def rmia(
    sure: np.ndarray, inside: np.ndarray, population: np.ndarray, gamma: float = GAMMA
) -> np.ndarray:
    """Share of the population whose ratio each record's beats: (k, n) float64 in [0, 1], the
    larger, the rather a member.

    Args:
        sure: (k, n) ln(p / (1 - p)) under each fit; inside: (k, n) bool, who was in.
        population: (k, m) the same of records in no fit; gamma: > 0, by how much to beat it.
    """
    own, others = _log_p(sure), _log_p(population)
    p, count = np.exp(own), len(own)
    means = [_elsewhere(p, part) for part in (inside, ~inside)]
    ratio = own - np.log(np.mean(means, axis=0))
    total = np.exp(others)
    reference = (total.sum(axis=0) - total) / (count - 1)
    against = np.sort(others - np.log(np.maximum(reference, MIN_PROBABILITY)), axis=1) + np.log(
        gamma
    )
    beaten = [
        np.searchsorted(row, ratios, side="right")
        for row, ratios in zip(against, ratio, strict=True)
    ]
    return np.array(beaten) / population.shape[1]


def _log_p(sure: np.ndarray) -> np.ndarray:
    """ln p of ln(p / (1 - p))."""
    return -np.logaddexp(0.0, -sure)


def _elsewhere(p: np.ndarray, part: np.ndarray) -> np.ndarray:
    """Mean over the other fits in a part; over all others where there is none in it."""
    own, count = np.where(part, p, 0.0), part.sum(axis=0) - part
    everywhere = (p.sum(axis=0) - p) / (len(p) - 1)
    mean = (own.sum(axis=0) - own) / np.maximum(count, 1)
    return np.maximum(np.where(count > 0, mean, everywhere), MIN_PROBABILITY)
