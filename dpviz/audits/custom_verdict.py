"""Results of an audit of a custom function, and their sentences."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal

import numpy as np

from dpviz import formatting
from dpviz.audits import bounds, trade_off_audit
from dpviz.audits.custom_releases import Facts
from dpviz.audits.trade_off_audit import InterimResult
from dpviz.formatting import number_up
from dpviz.text import audit as text
from dpviz.text.template import render_text
from dpviz.types import Guarantee

NOT_BROKEN, BROKEN, NOT_NOTICED = 0, 3, 4
"""Exit statuses: claim not broken and variant caught; claim broken; variant not caught."""
STOPPED_EARLY = text.NOTES["stopped"]
SIGNS = {"pure": "ε", "approx": "ε", "zcdp": "ρ", "gdp": "μ"}
Bounded = tuple[float, float, float]
"""A share, and its bounds."""


@dataclass(frozen=True)
class PartResult:
    """Result of one part of an audit: the function or a faulty variant.

    Attributes:
        shown, at_most: bounds of the best test in the unit of the claim: rho, mu, or epsilon at its
            delta; the upper bound does not cover other tests; likely: estimate from its rates.
        converted: epsilon at delta that a claim of ``shown`` converts to, likewise
            converted_at_most and converted_likely. For rho and mu, the spent epsilon may be
            smaller.
        broken: whether a test makes fewer errors than the claim allows.
        runs: counted releases per data set; 0 if there was no time.
        alarms, misses: false positive and false negative rate of that test, with bounds; allowed:
            smallest false negative rate that the claim allows at the upper bound of ``alarms``.
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
    def from_interim(cls, interim: InterimResult, claim: Guarantee) -> PartResult:
        """Return the result of the test that breaks the claim, or else of the best test."""
        i = interim.best if interim.breaks is None else interim.breaks
        shares = ((interim.alarms, interim.alarms_within), (interim.misses, interim.misses_within))
        alarms, misses = (
            (float(rate[i]), float(within[i][0]), float(within[i][1])) for rate, within in shares
        )
        (allowed,) = trade_off_audit.allowed_misses(claim, np.array([alarms[2]]))
        by, j = bounds.shown_by(claim)[0], interim.best
        (low, high), (least, most) = interim.alarms_within[j], 1 - interim.misses_within[j][::-1]
        rates = (least, high), (most, low), (1 - interim.misses[j], interim.alarms[j])
        shown, at_most, likely = (max(by(float(true), float(false)), 0.0) for true, false in rates)
        return cls(
            shown=shown,
            at_most=at_most,
            likely=likely,
            converted=interim.shown,
            converted_at_most=interim.at_most,
            converted_likely=interim.likely,
            broken=interim.broken,
            runs=interim.runs,
            alarms=alarms,
            misses=misses,
            allowed=float(allowed),
        )


@dataclass(frozen=True)
class FunctionAudit:
    """The audit of one function.

    Attributes:
        name: of the function; claim: guarantee; converted: its epsilon at its delta.
        function: result of the function; twin: of four releases returned as one; own_twin: of a
            given faulty variant, or None.
        error: error probability of all intervals; tests, looks: largest number of tests and interim
            results of a part.
        releases: calls of the function and its variants; seconds.
        notes: remarks on the function.
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
        """Value of the claim, in its unit."""
        return float(self.claim.value)

    @property
    def sign(self) -> str:
        """Unit of the claim: ε, ρ or μ."""
        return SIGNS[self.claim.notion]

    @property
    def broken(self) -> bool:
        """Whether a test breaks the claim."""
        return self.function.broken

    @property
    def noticed(self) -> bool:
        """Whether every faulty variant is caught."""
        return self.twin.broken and (self.own_twin is None or self.own_twin.broken)

    @property
    def status(self) -> int:
        """NOT_BROKEN, BROKEN or NOT_NOTICED."""
        return BROKEN if self.broken else NOT_BROKEN if self.noticed else NOT_NOTICED

    @property
    def verdict(self) -> str:
        """Verdict in a few sentences; never that a function is safe."""
        neighbors, part = self.claim.adjacency, self.function
        if self.broken:
            return render_text(
                text.VERDICT["broken"],
                name=self.name,
                claim=claim_in_words(self.claim),
                neighbors=neighbors,
                alarms=formatting.percent_up(part.alarms[2], 2),
                misses=formatting.percent_up(part.misses[2], 2),
                allowed=formatting.percent_down(part.allowed, 2),
            )
        fields = {"sign": self.sign, "shown": down(part.shown), "claimed": f"{self.claimed:g}"}
        fields |= {"neighbors": neighbors, "variants": self._variants}
        result = render_text(text.VERDICT["kept" if self.noticed else "missed"], **fields)
        if self.sign == "ε":
            return result
        converted = {"epsilon": down(part.converted), "delta": number_up(self.claim.delta)}
        return f"{result} {render_text(text.VERDICT['converted'], **fields, **converted)}"

    @property
    def _variants(self) -> str:
        """The caught variants if all are caught, else the missed ones."""
        if self.own_twin is None or (not self.noticed and self.own_twin.broken):
            return text.COMBINED
        if not self.noticed and self.twin.broken:
            return text.OWN_VARIANT
        return text.BOTH_VARIANTS

    @property
    def certainty(self) -> str:
        """Error probability of the figures, as text."""
        return render_text(
            text.CERTAINTY["two" if self.own_twin is None else "three"],
            error=f"{self.error:g}",
            looks=str(self.looks),
            tests=str(self.tests),
        )


def down(value: float) -> str:
    """Return a figure rounded down to three digits."""
    return _rounded(value, ROUND_FLOOR)


def up(value: float) -> str:
    """Return a figure rounded up to three digits."""
    return _rounded(value, ROUND_CEILING)


def _rounded(value: float, way: str) -> str:
    return f"{float(Context(prec=3, rounding=way).create_decimal(Decimal(value))):.3g}"


def claim_in_words(claim: Guarantee) -> str:
    """Return a claim with its delta, and the epsilon that it converts to."""
    fields = {"value": f"{claim.value:g}", "delta": number_up(claim.delta)}
    if claim.notion in text.CLAIMS:
        return render_text(text.CLAIMS[claim.notion], **fields)
    converted = {"sign": SIGNS[claim.notion], "epsilon": up(claim.epsilon_delta)}
    return render_text(text.CLAIMS["converted"], **fields, **converted)


def noticed(facts: Facts, with_record: np.ndarray, without_record: np.ndarray) -> Iterator[str]:
    """Yield remarks on a function, from a few calls and from rows (runs, k)."""
    same = [bool(np.all(_equal(rows, rows[0]))) for rows in (with_record, without_record)]
    if all(same):
        equal = bool(np.all(_equal(with_record[0], without_record[0])))
        yield text.NOTES["constant" if equal else "no_noise"]
    elif any(same):
        yield text.NOTES["one_constant"]
    if not facts.repeatable:
        yield text.NOTES["not_repeatable"]
    if facts.holds_seed:
        yield text.NOTES["holds_seed"]
    if facts.changes_data:
        yield text.NOTES["changes_data"]
    if len(np.unique(np.concatenate([with_record[:, 0], without_record[:, 0]]))) > 1:
        yield text.NOTES["shapes"]
    if facts.places:
        yield text.NOTES["places"]
    if facts.unread:
        yield render_text(text.NOTES["unread"], parts=facts.unread)
    if np.isnan(with_record[:, 1:]).any() or np.isnan(without_record[:, 1:]).any():
        yield text.NOTES["nan"]


def _equal(one: np.ndarray, other: np.ndarray) -> np.ndarray:
    return (one == other) | (np.isnan(one) & np.isnan(other))
