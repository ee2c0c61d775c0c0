"""Audit of a custom function ``(data, seed) -> numbers`` against its claim.

The audit calls the function with many seeds on two data sets in turn. It trains scores on some
releases and counts tests on all others (``trade_off_audit``), on both tails, until a test breaks
the claim or the limit is reached.

The noise inside the function cannot be changed. So its faulty variant returns COMBINED_RELEASES
releases of other seeds as one, under the same claim. By composition they spend twice mu, or four
times epsilon: the mean of four Gaussian releases has half the noise. An audit that misses this
variant may miss half the noise, and reports no result.

All interim results, tests and variants share one error probability.

Source: Dwork & Roth 2014, Section 3.5 (composition); Dong, Roth & Su 2019 (mu of several releases).
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from dpviz.audits import (
    custom_verdict,
    digit_scores,
    distinguisher,
    product_scores,
    trade_off_audit,
)
from dpviz.audits.custom_calls import (
    COMBINED_RELEASES,
    STARTS,
    NoMoreReleases,
    Progress,
    Releases,
    name_of,
    open_calls,
)
from dpviz.audits.custom_releases import NamedNeighbors
from dpviz.audits.custom_verdict import FunctionAudit, PartResult
from dpviz.audits.trade_off_audit import ERROR, LEARNING_RUNS
from dpviz.privacy import claimed_guarantee
from dpviz.text import audit as text
from dpviz.types import Cancelled, DpvizError, Guarantee, check_range
from dpviz.types.checks import check_whole

DEFAULT_RELEASES, MIN_RELEASES = 20_000, 500
MAX_RELEASES = 100_000
"""Releases of each data set that are counted: at most by default, at least, and at most."""
MAX_LEARNED = 3_000
"""Releases of each data set that are learned from, where they hold many numbers."""
INTERIM_RESULTS = 12
DEFAULT_SECONDS = 600.0
RAREST_LOG_ODDS = 6.0
"""Log-odds of the rarest tests, beside those of every audit."""
SURE_SHARE = 0.01
"""Share of the chance of error for scores of products and digits: what they find is nearly sure."""
MAX_LEVELS, END_LEVELS = 120, 8
"""Values of a score up to which its outermost are tests, and how many at each end."""
TWO_DATA_SETS = text.TWO_DATA_SETS


@dataclass(frozen=True)
class Options:
    """Options of an audit, as of ``release_function``."""

    twin: Callable | str | None = None
    error: float = ERROR
    most: int = DEFAULT_RELEASES
    seconds: float = DEFAULT_SECONDS
    start: int = 0
    progress: Progress = lambda *stage: None

    def checked(self) -> Options:
        """Return the options as numbers.

        Raises:
            DpvizError: for a number out of range.
        """
        return replace(
            self,
            most=check_whole("Number of releases", self.most, MIN_RELEASES, MAX_RELEASES),
            seconds=check_range("Time limit in seconds", self.seconds, 0, 86_400, open_low=True),
            error=check_range("Error probability", self.error, 0, 0.5, open_low=True),
            start=check_whole("`start`", self.start, 0, STARTS - 1),
        )


def release_function(
    function: Callable[[Any, int], Any] | str,
    more: Any,
    less: Any,
    *,
    epsilon: float | None = None,
    delta: float | None = None,
    rho: float | None = None,
    mu: float | None = None,
    neighbours_are: str = TWO_DATA_SETS,
    twin: Callable[[Any, int], Any] | str | None = None,
    error: float = ERROR,
    most: int = DEFAULT_RELEASES,
    seconds: float = DEFAULT_SECONDS,
    start: int = 0,
    progress: Progress = lambda *stage: None,
) -> FunctionAudit:
    """Audit a custom function on two custom neighbors.

    Args:
        function: ``function(data, seed)``, which returns one release: numbers, texts, or lists,
            arrays and dicts of both, at most 4,096; seeds are in [0, 2^32). A function runs in this
            process without limits; a ``module:name`` in a separate process with limits.
        more, less: two neighboring data sets, as different as the claim allows.
        epsilon, delta, rho, mu: the claim: epsilon alone is pure, with delta (epsilon, delta)-DP;
            or rho of zCDP; or mu of GDP.
        neighbours_are: difference of the data sets, as text.
        twin: faulty version of the function, which the audit should catch as well.
        error: probability in (0, 0.5] that any figure of the audit is wrong.
        most: releases per data set, MIN_RELEASES to MAX_RELEASES; seconds: > 0, time limit.
        start: 0 to STARTS - 1, selects the seeds.
        progress: called with (stage, done, total); may raise ``Cancelled``, which ends the audit
            with the results so far.

    Raises:
        DpvizError: For a claim or number out of range, and for a function that fails, exceeds its
            limits, or returns an unsupported value.
        Cancelled: If stopped before the first result.
    """
    claim = claimed_guarantee(neighbours_are, epsilon=epsilon, delta=delta, rho=rho, mu=mu)
    options = Options(twin, error, most, seconds, start, progress)
    return audit(function, (more, less), claim, options)


def audit(
    function: Callable | str,
    neighbours: NamedNeighbors | tuple[Any, Any],
    claim: Guarantee,
    options: Options,
) -> FunctionAudit:
    """Audit a function against a guarantee; the neighbors may be names."""
    options = options.checked()
    twin, seconds, began = options.twin, options.seconds, time.monotonic()
    parts = 2 if twin is None else 3
    trial = _Trial(claim, options.error / parts, options.most)
    with open_calls(function, neighbours, twin, seconds) as (ask, sources):

        def releases(source: int, stream: int) -> Releases:
            end = began + seconds * (stream + 1) / parts
            return Releases(
                ask, sources[source], options.start, stream, end, options.progress, options.most
            )

        own, combined = releases(0, 0), releases(0, 1)
        result = trial.audit(own)
        if not result.runs:
            raise Cancelled if ask.stopped else _too_slow(own, seconds)
        combined_result, twin_result = trial.audit_combined(combined), None
        calls = own.made + combined.made
        if twin is not None:
            faulty = releases(1, 2)
            twin_result = _Trial(claim, options.error / parts, options.most).audit(faulty)
            calls += faulty.made
    results = [part for part in (result, combined_result, twin_result) if part is not None]
    stopped = [custom_verdict.STOPPED_EARLY] if any(map(trial.stopped_early, results)) else []
    return FunctionAudit(
        name_of(function),
        claim,
        trade_off_audit.claimed(claim),
        result,
        combined_result,
        twin_result,
        options.error,
        trial.tests,
        INTERIM_RESULTS,
        calls,
        time.monotonic() - began,
        (*own.notes, *stopped),
    )


class _Trial:
    """Scores and thresholds trained on the first releases and counted on others."""

    def __init__(self, claim: Guarantee, error: float, most: int) -> None:
        self._claim, self._error, self._most = claim, error, most
        self._counts = tuple(int(n) for n in np.geomspace(MIN_RELEASES / 2, most, INTERIM_RESULTS))
        self.tests = 0

    def audit(self, own: Releases) -> PartResult:
        """Audit one release after another."""
        try:
            learn = self._learn(own)
        except NoMoreReleases:
            return PartResult()

        def sample(with_record: bool, first: int, runs: int) -> np.ndarray:
            return own.scores(self._score, with_record, learn + first, runs)

        return self._count(sample, self._pilot_scores)

    def audit_combined(self, own: Releases) -> PartResult:
        """Audit several releases as one: the score of all is the sum of their scores."""
        own.facts = self._facts

        def sample(with_record: bool, first: int, runs: int) -> np.ndarray:
            scores = own.scores(
                self._score, with_record, COMBINED_RELEASES * first, COMBINED_RELEASES * runs
            )
            return scores.reshape(runs, COMBINED_RELEASES, -1).sum(axis=1)

        sums = [
            np.sum([np.roll(side, k, axis=0) for k in range(COMBINED_RELEASES)], axis=0)
            for side in self._pilot_scores
        ]
        return self._count(sample, sums)

    def stopped_early(self, part: PartResult) -> bool:
        """Whether a part ended before it had to."""
        return not part.broken and part.runs < self._most

    def _learn(self, own: Releases) -> int:
        """Learn scores from half of some releases, and how they lie on the rest; how many."""
        self._facts = own.probe()
        sizes = self._facts.sizes
        needed = min(4 * sizes, MAX_LEARNED)
        learn = min(max(LEARNING_RUNS, needed), max(self._most // 4, MIN_RELEASES))
        pilot = [own.rows(with_record, 0, learn) for with_record in (True, False)]
        own.add_notes(*pilot)
        sized = [rows[:, :sizes] for rows in pilot]
        by_size, of_products = distinguisher.all_scores(*sized), product_scores.all_scores(*sized)
        of_digits = digit_scores.all_scores(*pilot)
        sure = len(of_products) + len(of_digits)
        self._is_sure = np.repeat([False, True], [len(by_size), sure])

        def score_all(rows: np.ndarray) -> np.ndarray:
            columns = [score(rows[:, :sizes]) for score in (*by_size, *of_products)]
            columns += [score(rows) for score in of_digits]
            return np.nan_to_num(np.column_stack(columns), nan=0.0, posinf=1e300, neginf=-1e300)

        self._score = score_all
        self._pilot_scores = [score_all(rows[learn // 2 :]) for rows in pilot]
        return learn

    def _count(self, sample: trade_off_audit.Sample, pilot_scores: list[np.ndarray]) -> PartResult:
        chosen = [
            _thresholds(*pair) for pair in zip(*(side.T for side in pilot_scores), strict=True)
        ]
        number, error = sum(map(len, chosen)), self._errors([len(group) for group in chosen])
        self.tests = max(self.tests, number)

        def tests(scores: np.ndarray) -> np.ndarray:
            parts = zip(scores.T, chosen, strict=True)
            return np.column_stack([column[:, None] > group for column, group in parts])

        result = PartResult()
        try:
            for interim in trade_off_audit.count(
                sample, tests, number, self._claim, self._counts, error
            ):
                result = PartResult.from_interim(interim, self._claim)
                if interim.broken:
                    break
        except NoMoreReleases:
            pass
        return result

    def _errors(self, numbers: list[int]) -> np.ndarray:
        """Return each test's share of the chance of error, given how many tests each score has."""
        is_sure = np.repeat(self._is_sure, numbers)
        share = SURE_SHARE if is_sure.any() else 0.0
        shares = share / max(is_sure.sum(), 1), (1 - share) / (~is_sure).sum()
        return self._error * np.where(is_sure, *shares)


def _thresholds(present: np.ndarray, absent: np.ndarray) -> np.ndarray:
    """Those of every audit, and rarer ones, since a mistake may show once in hundreds; where a
    score has few values, the outermost of them too.
    """
    cuts = [trade_off_audit.thresholds(present, absent, rare) for rare in (4.0, RAREST_LOG_ODDS)]
    levels = np.unique(np.concatenate([present, absent]))
    if len(levels) <= MAX_LEVELS:
        cuts += [levels[:END_LEVELS], levels[-1 - END_LEVELS : -1]]
    return np.unique(np.concatenate(cuts))


def _too_slow(own: Releases, seconds: float) -> DpvizError:
    return DpvizError(
        f"Too few releases: {own.made} in {seconds:g} seconds. Use more time, smaller data or a"
        " faster function."
    )
