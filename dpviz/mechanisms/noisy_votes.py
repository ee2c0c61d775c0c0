"""Noisy answers to votes: Confident-GNMax."""

from __future__ import annotations

import numpy as np

from dpviz.mechanisms.gaussian_noise import add_gaussian
from dpviz.mechanisms.randomness import UnitNoise
from dpviz.types import Gaussian

VOTE = 1.0
"""The grid of votes: they are whole numbers."""


def confident_gnmax(
    votes: np.ndarray,
    threshold: float,
    tests: tuple[Gaussian, UnitNoise] | None,
    answers: tuple[Gaussian, UnitNoise],
) -> tuple[np.ndarray, np.ndarray]:
    """Confident-GNMax: answer a query with its noisy winner if the winner's votes, noised, reach a
    threshold.

    It stops after ``answers.times`` answers. Without ``tests`` every query is answered (GNMax,
    plain noisy max) and the threshold is without effect.

    Args:
        votes: (q, C) votes of the teachers for each class; threshold: in votes.
        tests: the event of the threshold tests, and noise (q,); answers: that of the noisy votes,
            and noise (q, C). Noise belongs to a query whether it is used or not, so that nothing
            jumps.

    Returns:
        asked: (q,) bool; labels: (q,) int64, -1 where not asked or not answered.

    Guarantee: a record that reaches one teacher alone moves at most one vote from a class to
    another. Each query's test is then a Gaussian release of L2 sensitivity 1 (the top count moves
    by at most one vote), and each answered query's noisy winner follows from one of L2 sensitivity
    sqrt(2): RDP alpha/(2 sigma1^2) and alpha/sigma2^2. A query that is not answered puts no votes
    beneath its noise.
    Source: Papernot et al. 2018, Section 4.
    """
    passed = np.ones(len(votes), bool)
    if tests:
        passed = add_gaussian(votes.max(axis=1), *tests, grid=VOTE) >= threshold
    asked = np.cumsum(passed) - passed < answers[0].times
    answered = asked & passed
    noisy = add_gaussian(votes * answered[:, None], *answers, grid=VOTE)
    return asked, np.where(answered, np.argmax(noisy, axis=1), -1)
