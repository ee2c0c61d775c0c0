"""An audit that shows which test breaks a promise, and may be looked at while it runs.

Releases are made on two neighbours, some of them first to learn from: a number that tells the two
apart, and TESTS thresholds for it. Each threshold is a test that says "with the record" above it.
On all later releases its two errors are counted, false alarms (type I) and misses (type II), and
bounded by Clopper and Pearson's intervals. A promise allows no test fewer misses at its false
alarms than its trade-off curve; so it is broken where a test's errors, at the upper ends of their
intervals, still lie below that curve.

All intervals of all tests at all looks share one chance of error: the audit may be stopped at any
look, and calls a promise broken that is kept with a chance of at most ERROR.

Source: Clopper & Pearson 1934; Dong, Roth & Su 2019 (trade-off functions); Nasr et al. 2023.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from dpviz import privacy
from dpviz.audit import bounds, distinguisher
from dpviz.lazy_imports import special
from dpviz.privacy import trade_off
from dpviz.types import Guarantee

ERROR = 1e-3
"""Chance that an audit calls a promise broken that is kept, however often it is looked at."""
TESTS = 15
LEARNING_RUNS = 1_000
"""Releases of each neighbour that are learned from, and not counted."""
INTERIM_COUNTS = tuple(int(round(n, -1)) for n in np.geomspace(250, 40_000, 14))
"""Releases of each neighbour that are counted at each look."""

MIN_INTERIM_RESULTS = 7
"""Looks after which an audit that has caught something need not go on; before, one sees it grow."""

Sample = Callable[[bool, int, int], np.ndarray]
"""sample(with_record, first, runs) -> (runs, k) float64, what is seen of releases ``first``,
``first`` + 1 ... on the neighbour with the record, or the one without."""


@dataclass(frozen=True, eq=False)
class InterimResult:
    """What is known after so many releases.

    Attributes:
        runs: of each neighbour, counted; alarms, misses: (TESTS,) shares, (TESTS, 2) their bounds.
        shown: epsilon that the best test shows at least, in the claim's notion at its delta, and
            what the same test shows at most; likely: what its shares show.
        best: the number of that test; broken: whether the promise is, by which test (or None).
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
        """The promise is seen not to be kept."""
        return self.breaks is not None


def watch(
    sample: Sample,
    claim: Guarantee,
    looks: tuple[int, ...] = INTERIM_COUNTS,
    learn: int = LEARNING_RUNS,
    error: float = ERROR,
) -> Iterator[InterimResult]:
    """Looks at an audit, one after another; whoever has seen enough may stop.

    Args:
        sample: makes releases; release ``i`` of a neighbour must not depend on how many are made
            with it.
        claim: what is promised; looks: at how many counted releases of each neighbour; learn: how
            many are learned from.
        error: chance that any look calls a promise broken that is kept.
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
    """Looks at what a ``number`` of tests, learned from other releases, say of these: ``tests`` of
    (runs, k) are (runs, number), true where a test finds the first neighbour.

    A test finds the second where it does not find the first, so that both ways round are tried.

    Args:
        error: chance of error of all tests together, in equal shares, or (number,) of each test.
    """
    miss = np.asarray(error if np.ndim(error) else error / number) / (4 * len(looks))
    hits, counted = np.zeros((2, number), np.int64), 0
    for runs in looks:
        for side, with_record in enumerate((True, False)):
            hits[side] += tests(sample(with_record, counted, runs - counted)).sum(axis=0)
        counted = runs
        yield _interim_result(hits, runs, claim, miss)


def thresholds(present: np.ndarray, absent: np.ndarray, rare: float = 4.0) -> np.ndarray:
    """Few, at shares of both samples from rare to frequent, the rarest with log-odds ``rare``; each
    is a test of its own.
    """
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
    """The fewest misses that a promise allows any test with these false alarms (k,): (k,). Of a
    pure promise epsilon alone counts, not that its losses lie in one range as well.
    """
    plain = dataclasses.replace(claim, bounded_range=False)
    return 1 - trade_off.sampled_true_positive_bound(plain, np.asarray(alarms, float))


def claimed(claim: Guarantee) -> float:
    """Epsilon that the bounds of a claim are held against: from rho, where that is what they bound,
    even if the card's epsilon was had a shorter way.
    """
    if claim.notion == "zcdp":
        return privacy.zcdp_epsilon(claim.rho, claim.delta)
    return claim.value if claim.notion == "pure" else claim.epsilon_delta
