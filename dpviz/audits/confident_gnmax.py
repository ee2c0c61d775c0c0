"""Audit of Confident-GNMax itself, with faulty variants that must be caught.

The neighbors are two tables of votes in which one teacher changes its vote on every query. A
variant has half the noise on the votes or on the test under the same claim, or the noise that the
Prom-PATE paper's proof allows for it: alpha/(2 sigma2^2) an answer, and nothing for the threshold
tests.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from dpviz import mechanisms
from dpviz.audits.audited_methods import Audit
from dpviz.audits.bounds import lower_bound
from dpviz.privacy import vote_costs
from dpviz.types import DELTA, Gaussian, Guarantee

RELEASES_PER_RUN = 2
"""A run of other audits is worth so many releases, which are quick."""


@dataclass(frozen=True)
class Case:
    """Votes on one query before and after a teacher changes sides, asked ``queries`` times until
    ``max_answers`` answers.

    Attributes:
        variants: keys of FAULTY_VARIANTS that this case is made to catch.
    """

    votes: tuple[int, ...]
    neighbor_votes: tuple[int, ...]
    threshold: float
    sigma1: float
    sigma2: float
    variants: tuple[str, ...]
    queries: int = 1
    max_answers: int = 1

    @property
    def tests(self) -> bool:
        """Whether a query is tested before it is answered."""
        return self.threshold > -math.inf


FAULTY_VARIANTS: dict[str, Callable[[Case, float], tuple[float, float]]] = {
    "half the noise on the votes": lambda case, mu: (case.sigma1, case.sigma2 / 2),
    "half the noise on the test": lambda case, mu: (case.sigma1 / 2, case.sigma2),
    "the paper's calibration": lambda case, mu: (case.sigma1, math.sqrt(case.max_answers) / mu),
}
"""sigma1 and sigma2 of a variant, given the case and the mu that is claimed."""
VOTES, TEST, PAPER = FAULTY_VARIANTS
CASES = {
    "noisy max": Case((6, 5), (5, 6), -math.inf, math.inf, 0.7, (VOTES, PAPER)),
    "threshold test": Case((6, 4), (5, 5), 5.5, 0.5, 6.0, (TEST, PAPER)),
    "six queries, three answers": Case((6, 5), (5, 6), 5.0, 20.0, 1.2, (VOTES,), 6, 3),
}


def audit(runs: int) -> list[Audit]:
    """A row for each variant of each case."""
    return [row for name in CASES for row in _audit(name, CASES[name], RELEASES_PER_RUN * runs)]


def _audit(name: str, case: Case, runs: int) -> list[Audit]:
    claim = vote_costs.data_independent(
        case.queries, case.max_answers, case.sigma1, case.sigma2, DELTA
    )
    shown = _spent_epsilon(case, (case.sigma1, case.sigma2), claim, runs)
    params = {
        "case": name,
        "threshold": case.threshold,
        "sigma1": case.sigma1,
        "sigma2": case.sigma2,
    }
    rows = []
    for variant in case.variants:
        caught = _spent_epsilon(case, FAULTY_VARIANTS[variant](case, claim.value), claim, runs)
        rows.append(
            Audit(
                "confident-gnmax",
                params | {"twin": variant},
                claim.notion,
                "change the vote of one teacher",
                claim.epsilon_delta,
                shown,
                caught,
                runs,
            )
        )
    return rows


def _spent_epsilon(case: Case, sigmas: tuple[float, float], claim: Guarantee, runs: int) -> float:
    """Lower bound on epsilon from runs with this noise."""
    return lower_bound(
        _statistics(case, case.votes, sigmas, 0, runs),
        _statistics(case, case.neighbor_votes, sigmas, 1, runs),
        claim,
    )


def _statistics(
    case: Case, votes: tuple[int, ...], sigmas: tuple[float, float], seed: int, runs: int
) -> np.ndarray:
    """Answers for the first class less those for the others, and fewer refusals: (runs,)."""
    single = case.queries == 1  # runs of one query are queries of one run
    shape = (1, runs) if single else (runs, case.queries)
    most = runs if single else case.max_answers
    unit1 = mechanisms.standard_normal(seed, "audit test", shape)
    unit2 = mechanisms.standard_normal(seed, "audit votes", (*shape, len(votes)))
    table, (sigma1, sigma2) = np.tile(votes, (shape[1], 1)), sigmas
    tests, answers = Gaussian(1.0, sigma1, shape[1]), Gaussian(math.sqrt(2), sigma2, most)
    outputs = [
        mechanisms.confident_gnmax(
            table, case.threshold, (tests, u) if case.tests else None, (answers, v)
        )
        for u, v in zip(unit1, unit2, strict=True)
    ]
    answered, labels = (np.stack(part) for part in zip(*outputs, strict=True))
    if single:
        answered, labels = answered.T, labels.T
    refused = (
        (answered & (labels < 0)).sum(1) if case.sigma1 < case.sigma2 else 0
    )  # a wide test tells little
    return (labels == 0).sum(1) - (labels > 0).sum(1) - 4.0 * refused
