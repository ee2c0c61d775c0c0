"""Audit of a function that somebody else made, ``(data, seed) -> numbers``, against its claim.

It is called with many seeds on two data sets, by turns; what tells their releases apart is learned
from some and counted on all others (``trade_off_audit``), with tests on both tails, so that both
ways round are tried, until one breaks the promise or there are enough.

Its noise cannot be reached, so the twin is what any claim forbids: FOUR releases of other seeds
handed out as one under the same claim. By composition they spend twice mu, or four times epsilon,
as the mean of four Gaussian releases has half the noise. Where that is not seen, half the noise
might not be noticed either, and the audit says so.

All looks, all tests and all twins share one chance of error.

Source: Dwork & Roth 2014, Section 3.5 (composition); Dong, Roth & Su 2019 (mu of several releases).
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np

from dpviz.audit import (
    custom_verdict,
    digit_scores,
    distinguisher,
    product_scores,
    trade_off_audit,
)
from dpviz.audit.custom_calls import (
    FOUR,
    STARTS,
    Enough,
    Progress,
    Releases,
    name_of,
    open_calls,
)
from dpviz.audit.custom_releases import NamedNeighbors
from dpviz.audit.custom_verdict import FunctionAudit, PartResult
from dpviz.audit.trade_off_audit import ERROR, LEARN
from dpviz.privacy import claimed_guarantee
from dpviz.types import Cancelled, DpvizError, Guarantee, check_range
from dpviz.types.checks import check_whole

MOST, FEWEST = 20_000, 500
MOST_OF_ALL = 100_000
"""Releases of each data set that are counted: at most by default, at least, and at most."""
MOST_LEARNED = 3_000
"""Releases of each data set that are learned from, where they hold many numbers."""
INTERIM_RESULTS = 12
SECONDS = 600.0
RARE = 6.0
"""Log-odds of the rarest tests, beside those of every audit."""
FOR_SURE = 0.01
"""Share of the chance of error for scores of products and digits: what they find is nearly sure."""
LEVELS, ENDS = 120, 8
"""Values of a score up to which its outermost are tests, and how many at each end."""
TWO_SETS = "the two data sets given"


def release_function(
    function: Callable[[Any, int], Any] | str,
    more: Any,
    less: Any,
    *,
    epsilon: float | None = None,
    delta: float | None = None,
    rho: float | None = None,
    mu: float | None = None,
    neighbours_are: str = TWO_SETS,
    twin: Callable[[Any, int], Any] | str | None = None,
    error: float = ERROR,
    most: int = MOST,
    seconds: float = SECONDS,
    start: int = 0,
    progress: Progress = lambda *stage: None,
) -> FunctionAudit:
    """Audit a release of your own on two neighbours of your own.

    Args:
        function: ``function(data, seed)``, which makes one release: numbers, words, or lists,
            arrays and dicts of them, 4,096 at most; seeds lie in [0, 2^32). A function is called
            here, without caps; a ``module:name`` in a process of its own, with caps.
        more, less: two data sets that the claim calls neighbours, as far apart as may be.
        epsilon, delta, rho, mu: the claim: epsilon alone is pure, with delta (epsilon, delta)-DP;
            or rho of zCDP; or mu of GDP.
        neighbours_are: how the two differ, in words.
        twin: the same release made wrong, which the audit should catch beside its own twin.
        error: chance in (0, 0.5] that any figure of the audit is wrong.
        most: releases of each data set, FEWEST to MOST_OF_ALL; seconds: > 0, for all of it.
        start: 0 to STARTS - 1; another has other seeds, all reproducible.
        progress: told (stage, done, total); may raise ``Cancelled``, which ends the audit with what
            is known.

    Raises:
        DpvizError: for a claim or number out of range, and where the function fails, takes too
            much or too long, or hands out what cannot be read.
        Cancelled: if stopped before there was anything to say.
    """
    claim = claimed_guarantee(neighbours_are, epsilon=epsilon, delta=delta, rho=rho, mu=mu)
    return audit(
        function,
        (more, less),
        claim,
        twin=twin,
        error=error,
        most=most,
        seconds=seconds,
        start=start,
        progress=progress,
    )


def audit(
    function: Callable | str,
    neighbours: NamedNeighbors | tuple[Any, Any],
    claim: Guarantee,
    *,
    twin: Callable | str | None = None,
    error: float = ERROR,
    most: int = MOST,
    seconds: float = SECONDS,
    start: int = 0,
    progress: Progress = lambda *stage: None,
) -> FunctionAudit:
    """The same for a claim that is a guarantee, and neighbours that may be named."""
    most = check_whole("The number of releases", most, FEWEST, MOST_OF_ALL)
    seconds = check_range("The time in seconds", seconds, 0, 86_400, open_low=True)
    error = check_range("The chance of error", error, 0, 0.5, open_low=True)
    start = check_whole("The start", start, 0, STARTS - 1)
    began, parts = time.monotonic(), 2 if twin is None else 3
    with open_calls(function, neighbours, twin, seconds) as (ask, sources):

        def releases(which: int, stream: int) -> Releases:
            end = began + seconds * (stream + 1) / parts
            return Releases(ask, sources[which], start, stream, end, progress, most)

        trial = _Trial(claim, error / parts, most)
        own, four = releases(0, 0), releases(0, 1)
        outcome = trial.of(own)
        if not outcome.runs:
            raise Cancelled if ask.stopped else _too_slow(own, seconds)
        reused, own_twin = trial.of_four(four), None
        made = own.made + four.made
        if twin is not None:
            wrong = releases(1, 2)
            own_twin = _Trial(claim, error / parts, most).of(wrong)
            made += wrong.made
    results = [result for result in (outcome, reused, own_twin) if result is not None]
    return FunctionAudit(
        name_of(function),
        claim,
        trade_off_audit.claimed(claim),
        outcome,
        reused,
        own_twin,
        error,
        trial.tests,
        INTERIM_RESULTS,
        made,
        time.monotonic() - began,
        (*own.notes, *([custom_verdict.EARLY] if any(map(trial.early, results)) else [])),
    )


class _Trial:
    """What is learned from a function's first releases, and then counted on others: every score
    that tells them apart, and thresholds for it, each a test.
    """

    def __init__(self, claim: Guarantee, error: float, most: int) -> None:
        self._claim, self._error, self._most = claim, error, most
        self._looks = tuple(int(n) for n in np.geomspace(FEWEST / 2, most, INTERIM_RESULTS))
        self.tests = 0

    def of(self, own: Releases) -> PartResult:
        """One release after another."""
        try:
            learn = self._learn(own)
        except Enough:
            return PartResult()

        def sample(with_record: bool, first: int, runs: int) -> np.ndarray:
            return own.scores(self._every, with_record, learn + first, runs)

        return self._count(sample, self._apart)

    def of_four(self, own: Releases) -> PartResult:
        """Four releases as one: what tells them apart is the sum of what tells each."""
        own.facts = self._facts

        def sample(with_record: bool, first: int, runs: int) -> np.ndarray:
            scores = own.scores(self._every, with_record, FOUR * first, FOUR * runs)
            return scores.reshape(runs, FOUR, -1).sum(axis=1)

        sums = [
            np.sum([np.roll(side, k, axis=0) for k in range(FOUR)], axis=0) for side in self._apart
        ]
        return self._count(sample, sums)

    def early(self, found: PartResult) -> bool:
        """Whether a part ended before it had to."""
        return not found.broken and found.runs < self._most

    def _learn(self, own: Releases) -> int:
        """Learn scores from half of some releases, and how they lie on the rest; how many."""
        self._facts = own.probe()
        sizes = self._facts.sizes
        wide = min(4 * sizes, MOST_LEARNED)
        learn = min(max(LEARN, wide), max(self._most // 4, FEWEST))
        pilot = [own.rows(with_record, 0, learn) for with_record in (True, False)]
        own.look_at(*pilot)
        front = [rows[:, :sizes] for rows in pilot]
        by_size, of_products = distinguisher.all_scores(*front), product_scores.all_scores(*front)
        of_digits = digit_scores.all_scores(*pilot)
        sure = len(of_products) + len(of_digits)
        self._is_sure = np.repeat([False, True], [len(by_size), sure])

        def every(rows: np.ndarray) -> np.ndarray:
            columns = [score(rows[:, :sizes]) for score in (*by_size, *of_products)]
            columns += [score(rows) for score in of_digits]
            return np.nan_to_num(np.column_stack(columns), nan=0.0, posinf=1e300, neginf=-1e300)

        self._every = every
        self._apart = [every(rows[learn // 2 :]) for rows in pilot]
        return learn

    def _count(self, sample: trade_off_audit.Sample, apart: list[np.ndarray]) -> PartResult:
        chosen = [_thresholds(*pair) for pair in zip(*(side.T for side in apart), strict=True)]
        number, error = sum(map(len, chosen)), self._errors([len(group) for group in chosen])
        self.tests = max(self.tests, number)

        def tests(seen: np.ndarray) -> np.ndarray:
            parts = zip(seen.T, chosen, strict=True)
            return np.column_stack([column[:, None] > group for column, group in parts])

        result = PartResult()
        try:
            for look in trade_off_audit.count(
                sample, tests, number, self._claim, self._looks, error
            ):
                result = PartResult.of(look, self._claim)
                if look.broken:
                    break
        except Enough:
            pass
        return result

    def _errors(self, numbers: list[int]) -> np.ndarray:
        """Return each test's share of the chance of error, given how many tests each score has."""
        is_sure = np.repeat(self._is_sure, numbers)
        share = FOR_SURE if is_sure.any() else 0.0
        shares = share / max(is_sure.sum(), 1), (1 - share) / (~is_sure).sum()
        return self._error * np.where(is_sure, *shares)


def _thresholds(present: np.ndarray, absent: np.ndarray) -> np.ndarray:
    """Those of every audit, and rarer ones, since a mistake may show once in hundreds; where a
    score has few values, the outermost of them too.
    """
    cuts = [trade_off_audit.thresholds(present, absent, rare) for rare in (4.0, RARE)]
    levels = np.unique(np.concatenate([present, absent]))
    if len(levels) <= LEVELS:
        cuts += [levels[:ENDS], levels[-1 - ENDS : -1]]
    return np.unique(np.concatenate(cuts))


def _too_slow(own: Releases, seconds: float) -> DpvizError:
    return DpvizError(
        f"{own.made} releases were made in {seconds:g} seconds, too few to say anything; give more"
        " time, smaller data or a faster function."
    )
