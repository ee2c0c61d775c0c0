"""Audits in one run with many canaries, compared with an audit of many runs.

The method runs once on a data set that includes each canary with probability 1/2. Guesses from this
release bound its privacy loss. The same method, settings and budget are then audited by thousands
of runs on two neighbors. Seconds are those of this machine, after a warm-up release.

A bound from one run is wrong with probability SIGNIFICANCE, that of many runs with 1 - CONFIDENCE.
"""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from dpviz import methods
from dpviz.audits import audited_methods, score_bounds
from dpviz.audits.audited_methods import RUNS
from dpviz.audits.bounds import lower_bound
from dpviz.audits.canaries import design_of, settings
from dpviz.types import (
    AuditCase,
    Budget,
    Dataset,
    DpvizError,
    Guarantee,
    Method,
    Plan,
    check_range,
    less_noise,
)

COUNTS = (10, 30, 100, 300, 1_000, 3_000)
MIN_CANARIES = 2
SIGNIFICANCE = 0.05
#: Default budget; a hundred canaries give a nonzero bound.
BUDGET = Budget(8.0)
#: Runs between two progress reports.
BATCH_RUNS = 1_000
ProgressCallback = Callable[[str, int, int], None] | None
"""progress(stage, done, total); may raise ``Cancelled``."""


@dataclass(frozen=True)
class Point:
    """Bounds from one release with canaries.

    Attributes:
        canaries: number of canaries, included or not.
        approx: lower bound on epsilon at the delta of the claim, for any noise.
        gdp: the same for Gaussian loss; None for other claims.
        seconds: of data, plan, fit and both bounds.
    """

    canaries: int
    approx: float
    gdp: float | None
    seconds: float


@dataclass(frozen=True)
class ManyRuns:
    """Lower bound on epsilon from ``runs`` releases on each of two neighbors, and its seconds."""

    runs: int
    epsilon: float
    seconds: float


@dataclass(frozen=True)
class OneRunAudit:
    """Results of an audit so far.

    Attributes:
        method: key; params: every setting; budget: requested.
        notion, adjacency, delta: of the claim; delta is 0 for a pure claim.
        claimed: epsilon at that delta, the limit of all bounds.
        noise_divisor: divisor of the noise under the same claim; 1 is the method itself.
        points: by canaries; many: None before the end, or if it was not requested.
    """

    method: str
    params: Mapping[str, Any]
    budget: Budget
    notion: str
    adjacency: str
    delta: float
    claimed: float
    noise_divisor: float
    points: tuple[Point, ...] = ()
    many: ManyRuns | None = None

    @property
    def epsilon_bound(self) -> float:
        """Bound from the release with most canaries, wrong with probability SIGNIFICANCE; 0 before
        the first release.
        """
        if not self.points:
            return 0.0
        last = self.points[-1]
        return last.approx if last.gdp is None else last.gdp

    @property
    def caught(self) -> bool:
        """Whether a bound is above the claim."""
        many = 0.0 if self.many is None else self.many.epsilon
        return max(self.epsilon_bound, many) > self.claimed


def audit(
    key: str,
    budget: Budget = BUDGET,
    counts: Sequence[int] = COUNTS,
    runs: int = RUNS,
    seed: int = 0,
    noise_divisor: float = 1.0,
    progress: ProgressCallback = None,
) -> Iterator[OneRunAudit]:
    """Yield the results of an audit after each release, and after the many runs.

    Args:
        counts: numbers of canaries, one release each; too large ones are left out.
        runs: on each of two neighbors, as of ``audit``; 0 for none.
        seed: of the inclusion of canaries and of the noise.
        noise_divisor: divides the noise, for a faulty variant that the audit must catch.
        progress: called before each step; an exception ends the audit.

    Raises:
        DpvizError: For an unknown method, a method without canaries, an infinite budget, or a
            number out of range.
    """
    method, design = methods.get(key), design_of(key)
    if not budget.private:
        raise DpvizError("An audit needs a finite budget, got inf.")
    check_range("Noise divisor", noise_divisor, 1, 1e6)
    usable = sorted({count for count in counts if count <= design.max_canaries})
    if not usable or usable[0] < MIN_CANARIES:
        raise DpvizError(
            f"Canary counts must be between {MIN_CANARIES} and {design.max_canaries:,}, got"
            f" {', '.join(map(str, counts)) or 'none'}."
        )
    case, params = settings(method)
    parts = -(-int(runs * case.share) // BATCH_RUNS) * 2
    total = len(usable) + parts

    def report_progress(what: str, done: int) -> None:
        if progress is not None:
            progress(what, done, total)

    report_progress(f"{usable[0]:,} canaries", 0)
    released(method, params, budget, usable[0], seed, noise_divisor)  # loads what is needed
    state = begin(method, params, budget, usable[0], noise_divisor)
    for done, count in enumerate(usable):
        report_progress(f"{count:,} canaries", done)
        state = dataclasses.replace(
            state, points=(*state.points, point(method, params, budget, count, seed, noise_divisor))
        )
        yield state
    if runs:
        budgeted = dataclasses.replace(case, params=params, budget=budget)
        report = lambda part: report_progress("many runs", len(usable) + part)
        many = many_runs(method, budgeted, int(runs * case.share), seed, noise_divisor, report)
        yield dataclasses.replace(state, many=many)


def begin(
    method: Method, params: Mapping[str, Any], budget: Budget, count: int, noise_divisor: float
) -> OneRunAudit:
    """Return the state before the first release."""
    canaries = design_of(method.key).make(count)
    sizes = canaries.data(canaries.tossed(0)).sizes
    claim = claim_of(methods.plan(method, sizes, budget, params))
    facts = claim.notion, claim.adjacency, delta_of(claim), audited_methods.claimed(claim)
    return OneRunAudit(method.key, params, budget, *facts, noise_divisor)


def claim_of(plan: Plan) -> Guarantee:
    """Return the claim of a plan; zCDP as epsilon at its delta, since one run bounds no rho."""
    claim = plan.guarantee
    if claim.notion != "zcdp":
        return claim
    return dataclasses.replace(claim, notion="approx", value=claim.epsilon_delta)


def delta_of(claim: Guarantee) -> float:
    """Return the delta of the bounds of a claim."""
    return 0.0 if claim.notion == "pure" else claim.delta


Scores = tuple[np.ndarray, np.ndarray]
"""Of the canaries that were in and of those that were out."""


def released(
    method: Method,
    params: Mapping[str, Any],
    budget: Budget,
    count: int,
    seed: int,
    noise_divisor: float,
) -> tuple[Scores, Guarantee]:
    """Return the scores of ``count`` canaries from one release, and its claim."""
    canaries = design_of(method.key).make(count)
    inside = canaries.tossed(seed)
    data = canaries.data(inside)
    plan = methods.plan(method, data.sizes, budget, params)
    release = method.fit(data, [less_noise(plan, noise_divisor)], [seed]).releases[0][0]
    scores = canaries.scores(release)
    return (scores[inside], scores[~inside]), claim_of(plan)


def point(
    method: Method,
    params: Mapping[str, Any],
    budget: Budget,
    count: int,
    seed: int,
    noise_divisor: float,
) -> Point:
    """Return the bounds from one release with ``count`` canaries."""
    began = time.perf_counter()
    scores, claim = released(method, params, budget, count, seed, noise_divisor)
    at = delta_of(claim), SIGNIFICANCE
    approx = score_bounds.approx_epsilon(*scores, *at)
    gdp = score_bounds.gdp_epsilon(*scores, *at) if claim.notion == "gdp" else None
    return Point(count, approx, gdp, time.perf_counter() - began)


def many_runs(
    method: Method,
    case: AuditCase,
    runs: int,
    seed: int = 0,
    noise_divisor: float = 1.0,
    report: Callable[[int], None] = lambda part: None,
) -> ManyRuns:
    """The audit of a case by ``runs`` releases from each of its neighbours, as every other audit
    here, against ``claim_of`` its plan; ``report`` is called before each part, of BATCH_RUNS runs.
    """
    began = time.perf_counter()
    plan = method.plan(case.without_record.sizes, case.budget, method.check(case.params))
    drawn, parts = less_noise(plan, noise_divisor), iter(range(2 * runs))

    def statistics(data: Dataset, side: int) -> np.ndarray:
        values: list[float] = []
        seeds = audited_methods.seeds(side, runs * seed, runs * (seed + 1))
        for start in range(0, runs, BATCH_RUNS):
            report(next(parts))
            batch = list(seeds[start : start + BATCH_RUNS])
            values += _statistics(method, case, data, drawn, batch)
        return np.array(values)

    present, absent = statistics(case.with_record, 0), statistics(case.without_record, 1)
    shown = lower_bound(present, absent, claim_of(plan))
    return ManyRuns(runs, shown, time.perf_counter() - began)


def _statistics(
    method: Method, case: AuditCase, data: Dataset, plan: Plan, seeds: list[int]
) -> list[float]:
    releases = method.fit(data, [plan], seeds).releases[0]
    return [case.statistic(release, data) for release in releases]
