"""Audit by trade-off functions with interim results, which shows the test that breaks a claim.

The first releases on two neighbors train a score and TESTS thresholds. Each threshold is a test
that says "with the record" above the threshold. On all later releases the audit counts its false
positives (type I) and false negatives (type II), with Clopper-Pearson intervals. The trade-off
curve of a claim bounds both errors of every test. So the claim is broken if the upper ends of both
intervals are below the curve.

All intervals of all tests and interim results share one error probability. The audit may stop at
any interim result, and rejects a correct claim with probability at most ERROR.

Source: Clopper & Pearson 1934; Dong, Roth & Su 2019 (trade-off functions); Nasr et al. 2023.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from dpviz import privacy
from dpviz.audits import bounds, distinguisher
from dpviz.lazy_imports import special
from dpviz.privacy import trade_off
from dpviz.types import Guarantee

#: Probability that an audit rejects a correct claim, over all interim results.
ERROR = 1e-3
TESTS = 15
#: Releases per data set that train the score and are not counted.
LEARNING_RUNS = 1_000
INTERIM_COUNTS = tuple(int(round(n, -1)) for n in np.geomspace(250, 40_000, 14))
"""Counted releases per data set at each interim result."""

#: Interim results before an audit with a broken claim may stop.
MIN_INTERIM_RESULTS = 7

Sample = Callable[[bool, int, int], np.ndarray]
"""sample(with_record, first, runs) -> (runs, k) float64: outputs of releases ``first``,
``first`` + 1 ... on the data set with the record, or without."""


@dataclass(frozen=True, eq=False)
class InterimResult:
    """Result of an audit after some releases.

    Attributes:
        runs: counted releases per data set; alarms, misses: (TESTS,) false positive and false
            negative rates, (TESTS, 2) their bounds.
        shown, at_most: lower and upper bound on epsilon from the best test, in the notion of the
            claim at its delta; likely: estimate from its rates.
        best: index of the best test; breaks: index of the test that breaks the claim, or None.
    """

    runs: int
    alarms: np.ndarray
    misses: np.ndarray
    alarms_within: np.ndarray
    misses_within: np.ndarray
    shown: float
    at_most: float
    likely: float
    best: int
    breaks: int | None

    @property
    def broken(self) -> bool:
        """Whether a test breaks the claim."""
        return self.breaks is not None


def watch(
    sample: Sample,
    claim: Guarantee,
    looks: tuple[int, ...] = INTERIM_COUNTS,
    learn: int = LEARNING_RUNS,
    error: float = ERROR,
) -> Iterator[InterimResult]:
    """Yield the interim results of an audit; the caller may stop at any of them.

    Args:
        sample: returns releases; release ``i`` must not depend on the size of its batch.
        claim: audited guarantee; looks: counted releases per data set at each interim result;
            learn: releases per data set for training.
        error: probability of rejecting a correct claim.
    """
    pilot, other_pilot = sample(True, 0, learn), sample(False, 0, learn)
    score = distinguisher.best(pilot, other_pilot, claim)
    chosen = thresholds(score(pilot), score(other_pilot))

    def later(with_record: bool, first: int, runs: int) -> np.ndarray:
        return sample(with_record, learn + first, runs)

    def tests(seen: np.ndarray) -> np.ndarray:
        return score(seen)[:, None] > chosen

    yield from count(later, tests, len(chosen), claim, looks, error)


def count(
    sample: Sample,
    tests: Callable[[np.ndarray], np.ndarray],
    number: int,
    claim: Guarantee,
    looks: tuple[int, ...],
    error: float | np.ndarray,
) -> Iterator[InterimResult]:
    """Yield interim results of ``number`` tests trained on other releases.

    ``tests`` of (runs, k) are (runs, number), true for "with the record". Both tails of each test
    count.

    Args:
        error: error probability of all tests together, in equal shares, or (number,) of each test.
    """
    miss = np.asarray(error if np.ndim(error) else error / number) / (4 * len(looks))
    hits, counted = np.zeros((2, number), np.int64), 0
    for runs in looks:
        for side, with_record in enumerate((True, False)):
            hits[side] += tests(sample(with_record, counted, runs - counted)).sum(axis=0)
        counted = runs
        yield _interim_result(hits, runs, claim, miss)


def thresholds(present: np.ndarray, absent: np.ndarray, rare: float = 4.0) -> np.ndarray:
    """Return a few thresholds at quantiles of both samples, the rarest with log-odds ``rare``."""
    both = np.concatenate([present, absent])
    shares = special.expit(np.linspace(-rare, rare, TESTS))
    cuts = np.unique(np.quantile(both, shares, method="lower"))
    return cuts[cuts < both.max()] if cuts[0] < both.max() else cuts


def _interim_result(
    hits: np.ndarray, runs: int, claim: Guarantee, miss: np.ndarray
) -> InterimResult:
    detections, alarms = hits / runs
    (found_low, found_high), (low, high) = (bounds.interval(h, runs, miss) for h in hits)
    allowed = allowed_misses(claim, high)
    below = allowed - (1 - found_low)
    by = bounds.shown_by(claim)[0]
    over = [by(float(p), float(q)) for p, q in zip(found_low, high, strict=True)]
    best = int(np.argmax(over)) if max(over) > 0 else int(np.argmax(detections - alarms))
    worst = int(np.argmax(below))
    return InterimResult(
        runs,
        alarms,
        1 - detections,
        np.stack([low, high], axis=1),
        np.stack([1 - found_high, 1 - found_low], axis=1),
        bounds.epsilon_of(claim, found_low[best], high[best]),
        bounds.epsilon_of(claim, found_high[best], low[best]),
        bounds.epsilon_of(claim, detections[best], alarms[best]),
        best,
        worst if below[worst] > 0 else None,
    )


def allowed_misses(claim: Guarantee, alarms: np.ndarray | Sequence[float]) -> np.ndarray:
    """Return the smallest false negative rates (k,) that a claim allows at rates ``alarms`` (k,).

    Of a pure claim only epsilon counts, not the bounded range of its losses.
    """
    plain = dataclasses.replace(claim, bounded_range=False)
    return 1 - trade_off.sampled_true_positive_bound(plain, np.asarray(alarms, float))


def claimed(claim: Guarantee) -> float:
    """Return the epsilon to compare with bounds of a claim; for zCDP it is converted from rho."""
    if claim.notion == "zcdp":
        return privacy.zcdp_epsilon(claim.rho, claim.delta)
    return claim.value if claim.notion == "pure" else claim.epsilon_delta
