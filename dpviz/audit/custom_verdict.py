"""What an audit of somebody's own function found, and how it is said."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal

import numpy as np

from dpviz import formatting
from dpviz.audit import bounds, trade_off_audit
from dpviz.audit.custom_releases import Facts
from dpviz.audit.trade_off_audit import InterimResult
from dpviz.types import Guarantee

KEPT, BROKEN, BLIND = 0, 3, 4
"""Exit statuses: nothing found by an audit that would have; the claim is broken; this audit could
not have noticed."""
FOUR = "its twin (four releases handed out as one)"
EARLY = "it was stopped, or its time was up, before all releases were made"
SIGNS = {"pure": "ε", "approx": "ε", "zcdp": "ρ", "gdp": "μ"}
Bounded = tuple[float, float, float]
"""A share, and its bounds."""


@dataclass(frozen=True)
class PartResult:
    """What one of the audit's parts shows.

    Attributes:
        shown: what its best test shows at least, in the claim's own unit: rho, mu, or epsilon at
            the claim's delta; at_most: what the same test shows at most, which says nothing of
            other tests; likely: what its shares show.
        converted: epsilon, at its delta, that a claim of ``shown`` would be worth, and so
            converted_at_most and converted_likely; of rho and mu these bound no epsilon that is
            spent, since noise may be of another kind.
        broken: whether a test makes fewer errors than the claim allows.
        runs: releases of each data set that were counted; 0 where there was no time.
        alarms, misses: how often that test takes the second data set for the first, and the other
            way round, with bounds; allowed: the fewest misses, at the upper bound of the alarms,
            that the claim allows any test.
    """

    shown: float = 0.0
    at_most: float = float("inf")
    likely: float = 0.0
    converted: float = 0.0
    converted_at_most: float = float("inf")
    converted_likely: float = 0.0
    broken: bool = False
    runs: int = 0
    alarms: Bounded = (0.0, 0.0, 1.0)
    misses: Bounded = (1.0, 0.0, 1.0)
    allowed: float = 1.0

    @classmethod
    def of(cls, look: InterimResult, claim: Guarantee) -> PartResult:
        """The test that breaks the claim, or else shows most."""
        i = look.best if look.breaks is None else look.breaks
        shares = ((look.alarms, look.alarms_within), (look.misses, look.misses_within))
        alarms, misses = (
            (float(rate[i]), float(within[i][0]), float(within[i][1])) for rate, within in shares
        )
        (allowed,) = trade_off_audit.allowed_misses(claim, np.array([alarms[2]]))
        by, j = bounds.shown_by(claim)[0], look.best
        (low, high), (least, most) = look.alarms_within[j], 1 - look.misses_within[j][::-1]
        rates = (least, high), (most, low), (1 - look.misses[j], look.alarms[j])
        shown, at_most, likely = (max(by(float(true), float(false)), 0.0) for true, false in rates)
        return cls(
            shown=shown,
            at_most=at_most,
            likely=likely,
            converted=look.shown,
            converted_at_most=look.at_most,
            converted_likely=look.likely,
            broken=look.broken,
            runs=look.runs,
            alarms=alarms,
            misses=misses,
            allowed=float(allowed),
        )


@dataclass(frozen=True)
class FunctionAudit:
    """The audit of one function.

    Attributes:
        name: of the function; claim: what is promised; converted: epsilon of it at its delta.
        function: what its own releases show; twin: what four of them show that are handed out as
            one; own_twin: what a twin of one's own shows, or None.
        error: chance that any interval of any test at any look of any part is wrong; tests, looks:
            of a part, at most.
        releases: calls of the function and its twins, by which figures came about; seconds.
        notes: what else was noticed, in words.
    """

    name: str
    claim: Guarantee
    converted: float
    function: PartResult
    twin: PartResult
    own_twin: PartResult | None
    error: float
    tests: int
    looks: int
    releases: int
    seconds: float
    notes: tuple[str, ...] = ()

    @property
    def claimed(self) -> float:
        """What is claimed, in the claim's own unit."""
        return float(self.claim.value)

    @property
    def sign(self) -> str:
        """Of the claim's own unit: ε, ρ or μ."""
        return SIGNS[self.claim.notion]

    @property
    def broken(self) -> bool:
        """The claim is seen not to be kept."""
        return self.function.broken

    @property
    def noticed(self) -> bool:
        """Every twin is caught, so that the audit would have noticed such a mistake."""
        return self.twin.broken and (self.own_twin is None or self.own_twin.broken)

    @property
    def status(self) -> int:
        """KEPT, BROKEN or BLIND."""
        return BROKEN if self.broken else KEPT if self.noticed else BLIND

    @property
    def verdict(self) -> str:
        """One or two sentences; never that a function is safe."""
        if self.broken:
            test = self.function
            return (
                f"Broken: {self.name} does not keep {claim_in_words(self.claim)} on"
                f" {self.claim.adjacency}. A test that takes the second for the first in at most"
                f" {formatting.percent_up(test.alarms[2], 2)}% of releases misses the first in at"
                " most"
                f" {formatting.percent_up(test.misses[2], 2)}%; the claim allows no test fewer than"
                f" {formatting.percent_down(test.allowed, 2)}%."
            )
        shows = (
            f"at least {self.sign} = {down(self.function.shown)} of the {self.claimed:g} claimed"
        )
        if self.sign != "ε":
            shows += (
                f" (a promise of that converts to ε {down(self.function.converted)} at δ"
                f" {self.claim.delta:g}; the ε spent may be less)"
            )
        if self.noticed:
            return (
                f"Not broken here: on {self.claim.adjacency} the releases show {shows}, and the"
                f" same audit caught {self._twins}. Other neighbours may show more: this is no"
                " proof."
            )
        missed = (
            "the twin given" if self.twin.broken else f"{FOUR}, and might not notice half the noise"
        )
        return (
            f"Nothing to go by: the releases show {shows}, but on {self.claim.adjacency} this audit"
            f" did not notice {missed}. Give neighbours that the function tells apart more, more"
            " releases, or a claim with nothing to spare."
        )

    @property
    def _twins(self) -> str:
        four = f"{FOUR}, as telling as half the noise where that is Gaussian"
        return four if self.own_twin is None else f"{four}, and the twin given"

    @property
    def certainty(self) -> str:
        """How sure the figures are, in a sentence."""
        parts = 2 if self.own_twin is None else 3
        return (
            f"The chance that any of these figures is wrong is at most {self.error:g}, shared by"
            f" the function and its {'twins' if parts > 2 else 'twin'}, {self.looks} looks, up to"
            f" {self.tests} tests on both tails (so both ways round), and both errors of each"
            " (Clopper and Pearson's intervals)."
        )


def down(value: float) -> str:
    """What a figure is at least, to three places."""
    return _rounded(value, ROUND_FLOOR)


def up(value: float) -> str:
    """What a figure is at most, to three places."""
    return _rounded(value, ROUND_CEILING)


def _rounded(value: float, way: str) -> str:
    return f"{float(Context(prec=3, rounding=way).create_decimal(Decimal(value))):.3g}"


def claim_in_words(claim: Guarantee) -> str:
    """A claim, with its delta, and what it is worth in epsilon."""
    if claim.notion == "pure":
        return f"ε = {claim.value:g}"
    if claim.notion == "approx":
        return f"(ε, δ) = ({claim.value:g}, {claim.delta:g})"
    worth = f"ε {claim.epsilon_delta:.3g} at δ {claim.delta:g}"
    return f"{SIGNS[claim.notion]} = {claim.value:g} ({worth})"


def noticed(facts: Facts, with_record: np.ndarray, without_record: np.ndarray) -> Iterator[str]:
    """What else is seen of a function by what a few calls showed, and by rows (runs, k)."""
    same = [bool(np.all(_equal(rows, rows[0]))) for rows in (with_record, without_record)]
    if all(same):
        if np.all(_equal(with_record[0], without_record[0])):
            yield "it gave the same answer every time, on both data sets: they do not move it"
        else:
            yield "it gave one answer for each data set, whatever the seed: it adds no noise"
    elif any(same):
        yield "it gave the same answer every time on one of the data sets"
    if not facts.honours:
        yield "the same seed does not give the same release again, so these cannot be repeated"
    if facts.tells:
        yield "each release holds its own seed, so the audit asks what that seed gives without"
    if facts.changes:
        yield "it changes the data it is given, so each release got a copy"
    if len(np.unique(np.concatenate([with_record[:, 0], without_record[:, 0]]))) > 1:
        yield "its releases differ in shape, types or order of keys, which counts as an outcome"
    if facts.places:
        yield (
            "its long numbers, words, keys or lengths vary, so the audit reads the bits, digits and"
            " characters of each"
        )
    if facts.unread:
        yield (
            f"a release has too many long numbers, words or keys: {facts.unread:,} parts of these"
            " are not read"
        )
    if np.isnan(with_record[:, 1:]).any() or np.isnan(without_record[:, 1:]).any():
        yield "some of its numbers are nan or missing, which counts as an outcome"


def _equal(one: np.ndarray, other: np.ndarray) -> np.ndarray:
    return (one == other) | (np.isnan(one) & np.isnan(other))
