"""Noisy answers to votes: Confident-GNMax."""

from __future__ import annotations

import math

import numpy as np


def confident_gnmax(
    votes: np.ndarray,
    threshold: float,
    sigma1: float,
    sigma2: float,
    unit1: np.ndarray,
    unit2: np.ndarray,
    most: float = math.inf,
) -> tuple[np.ndarray, np.ndarray]:
    """Confident-GNMax: answer a query with its noisy winner if the winner's votes, noised, reach a
    threshold.

    At ``threshold`` -inf every query is answered (GNMax, plain noisy max) and ``sigma1`` is without
    effect.

    Args:
        votes: (q, C) votes of the teachers for each class; threshold: in votes.
        sigma1, sigma2: noise of the threshold test and of the votes, in votes; 0 is no noise.
        unit1: (q,), unit2: (q, C): standard normal noise, drawn whether used or not, so that
            nothing jumps.
        most: stop after this many answers; later queries are not asked.

    Returns:
        asked: (q,) bool; labels: (q,) int64, -1 where not asked or not answered.

    Guarantee: a record that reaches one teacher alone moves at most one vote from a class to
    another. Each asked query's test is then a Gaussian release of L2 sensitivity 1 (the top count
    moves by at most one vote), and each answered query's noisy winner follows from one of L2
    sensitivity sqrt(2): RDP alpha/(2 sigma1^2) and alpha/sigma2^2.
    Source: Papernot et al. 2018, Section 4.
    """
    passed = votes.max(axis=1) + (sigma1 * unit1 if threshold > -math.inf else 0.0) >= threshold
    asked = np.cumsum(passed) - passed < most
    return asked, np.where(asked & passed, np.argmax(votes + sigma2 * unit2, axis=1), -1)
