"""Tries of the bounds of "Neural Collapse Meets Differential Privacy": exact errors of one step on
two classes beside what is printed, over stated grids.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from dpviz.diagnostics import collapse_draws, collapse_exact, collapse_theory
from dpviz.diagnostics.collapse_theory import CANNOT_TELL as UNDECIDED
from dpviz.diagnostics.collapse_theory import FAILS, THEOREMS, Setting
from dpviz.papers.checks.comparisons import outcome_of
from dpviz.papers.model import CANNOT_TELL, DOES_NOT, HOLDS, Verdict

GRID = tuple(
    Setting(n, p, beta, rho)
    for p in (4, 16, 64, 256, 1024)
    for beta in (0, 0.03, 0.1, 0.3, 0.5, 0.7)
    for n in (4, 16, 64, 256, 1024)
    for rho in (1e-3, 0.01, 0.1, 0.5)
)
DATA_GRID_TEXT = "over p = 4 to 1,024, β = 0 to 0.7 and n = 4 to 1,024 records"
GRID_TEXT = f"{DATA_GRID_TEXT}, ρ = 0.001 to 0.5"


class Trial(NamedTuple):
    """A setting, its exact or drawn error (low, high), and what is printed for it."""

    s: Setting
    low: float
    high: float
    printed: float

    @property
    def outcome(self) -> str:
        """Whether the bound holds there."""
        return collapse_theory.judged(self.printed, self.low, self.high)


def bound_verdict(
    trials: Iterable[Trial], grid_text: str, kind: str = "exact", remark: str = ""
) -> Verdict:
    """How many of the trials keep to their bound, and the largest error above one."""
    decided = [trial for trial in trials if trial.outcome != UNDECIDED]
    failing = [trial for trial in decided if trial.outcome == FAILS]
    if not decided:
        return Verdict(
            CANNOT_TELL,
            f"Nothing to compare {grid_text}: the bound is not informative in any setting.",
        )
    if not failing:
        return Verdict(
            HOLDS,
            f"The {kind} error stays below the bound in all {len(decided):,} settings where the"
            f" bound is informative, {grid_text}.{remark}",
        )
    small = sum(trial.s.t <= 1 for trial in failing)
    worst = max(failing, key=lambda trial: trial.low)
    return Verdict(
        DOES_NOT,
        f"The {kind} error is above the bound in {len(failing):,} of {len(decided):,} settings"
        f" {grid_text}, {small:,} of them with β²p ≤ 1, for example p = {worst.s.p}, β ="
        f" {worst.s.beta:g}, n = {worst.s.n}{_rho(worst.s)}: error {worst.low:.3g}, bound"
        f" {worst.printed:.3g}.{remark}",
    )


def error_text(error: float) -> str:
    """An exact error as far as it is known."""
    return f"{error:.2g}" if error > collapse_exact.TINY else "below 1e-12"


def _rho(s: Setting) -> str:
    return f", ρ = {s.rho:g}" if s.rho < math.inf else ""


def bound(key: str) -> Verdict:
    """Whether a printed bound is never below the exact error of a case it is about."""
    theorem = THEOREMS[key]
    grid = (
        GRID
        if theorem.private
        else [Setting(s.n, s.p, s.beta, math.inf) for s in GRID if s.rho == 0.1]
    )
    if key == "3.3":
        grid = [s for s in grid if s.t < 1]
    errors = ((s, theorem.error(s)) for s in grid)
    trials = [Trial(s, e, e, theorem.printed(s)) for s, e in errors]
    holds = all(t.low <= theorem.proved(t.s) + collapse_exact.TINY for t in trials)
    remark = (
        f" The printed bound leaves out {theorem.wrong}. The proved bound holds in all settings."
        if holds
        else ""
    )
    return bound_verdict(trials, GRID_TEXT if theorem.private else DATA_GRID_TEXT, remark=remark)


def zero_error() -> Verdict:
    """Theorem 3.1, first part."""
    error, edge = collapse_exact.error("signs", 3, 4, 0.5, math.inf), 1 / (1 + math.sqrt(3))
    edge_error = collapse_exact.error("signs", 3, 4, edge - 1e-6, math.inf)
    setting = (
        f"independent shifts of ±0.5 in 4 coordinates, β²p = 1, n = 3: exact error {error:.3g}"
    )
    if error > 0 and edge_error == 0:
        return Verdict(
            DOES_NOT,
            f"With {setting}. It is 0 for β ≤ 1/(1 + √(p − 1)), here {edge:.3f}, a little less than"
            " p^(−1/2): a shift along the line between the classes counts as well.",
        )
    return Verdict(HOLDS, f"With {setting}.")


def steps() -> Verdict:
    """Theorem 3.4."""
    places = ((10, 64, 0.0, 0.01), (20, 64, 0.06, 0.01), (8, 4, 0.3, 0.01), (30, 256, 0.01, 0.002))
    trials = []
    for place in places:
        for count in (1, 2, 10, 40):
            for radius in (0.01, 1.0, 3.0):
                for t in (6.0, 12.0):
                    s, schedule = Setting(*place), collapse_draws.Steps(count, radius, t)
                    interval = collapse_draws.several_steps(s, schedule, 2000).ends
                    trials.append(Trial(s, *interval, collapse_draws.printed_steps(s, schedule)))
    grid_text = (
        "over 1 to 40 steps, balls of radius 0.01 to 3, n = 8 to 30, p = 4 to 256, β = 0 to 0.3"
        f" and t = 6 and 12, 2,000 draws each, intervals of {collapse_draws.CONFIDENCE:.0%}"
    )
    return bound_verdict(trials, grid_text, "drawn")


RATE_DRAWS = 40_000
#: rho n^2 / (1 + beta^2 p)^2 at two numbers of records, between which an error falls.
SIZES = (1.0, 4.0)
RATE_PLACES = ((4, 0.0), (64, 0.0), (1024, 0.0), (1024, 0.01))
RATE_STEPS = (1, 2, 10)


def stated_rate() -> Verdict:
    """What Theorem 3.4 says its bound comes to: -log(error) grows as fast as rho n^2 / (1 + beta^2
    p)^2, whatever constant stands before it.
    """
    slopes = {k: [_slope(k, p, beta) for p, beta in RATE_PLACES] for k in RATE_STEPS}
    all_ends = [interval for line in slopes.values() for interval in line]
    slow = sum(high < 1 for _, high in all_ends)
    sure = all(low >= 1 for low, _ in all_ends)
    text = "; ".join(
        f"after {k} step{'s' * (k > 1)} {', '.join(_slope_text(*interval) for interval in line)}"
        for k, line in slopes.items()
    )
    return Verdict(
        DOES_NOT if slow else HOLDS if sure else CANNOT_TELL,
        f"Slopes of −log(error) against ρn²/(1 + β²p)², from {SIZES[0]:g} to {SIZES[1]:g} of it,"
        f" at p = 4, 64 and 1,024 with β = 0, then p = 1,024 with β = 0.01: {text}; the stated"
        f" rate needs 1 or more, for any constant, and {slow} of {len(all_ends)} are entirely"
        f" below. ρ = 0.01 a step, radius 1, t = n² + log(1/k) as printed, {RATE_DRAWS:,} draws,"
        f" between the ends of {collapse_draws.CONFIDENCE:.0%} intervals. A first step sees half"
        " of each feature, as the logistic slope at zero is ½, and its noise is scaled to the"
        " whole.",
    )


def _slope_text(low: float, high: float) -> str:
    return f"{low:.2g} to {high:.2g}" if high < math.inf else f"{low:.2g} or more"


def _slope(count: int, p: int, beta: float) -> tuple[float, float]:
    """Least and greatest slope of -log(error) between SIZES, by the intervals of both errors."""
    rho, errors, places = 0.01, [], []
    for size in SIZES:
        n = round(math.sqrt(size / rho) * (1 + beta**2 * p))
        s = Setting(n, p, beta, rho)
        schedule = collapse_draws.Steps(count, 1.0, n**2 + math.log(1 / count))
        errors.append(collapse_draws.several_steps(s, schedule, RATE_DRAWS).ends)
        places.append(rho * n**2 / (1 + s.t) ** 2)
    (low, high), (later_low, later_high) = errors
    across = places[1] - places[0]
    lowest = math.log(low / later_high) / across if low else 0.0
    return lowest, math.log(high / later_low) / across if later_low else math.inf


def below_threshold() -> Verdict:
    """The remark on Theorem 3.4: several steps, too, need beta^2 < 1/p."""
    schedule, errors = collapse_draws.Steps(10), {}
    for t in (0.5, 1.2):
        for p in (64, 1024):
            s = Setting(200, p, math.sqrt(t / (p - 1)), 0.01)
            errors[t, p] = collapse_draws.several_steps(s, schedule, 4000).ends
    holds = [high < 0.5 if t < 1 else low > 0.5 for (t, _), (low, high) in errors.items()]
    turned = [low > 0.5 if t < 1 else high < 0.5 for (t, _), (low, high) in errors.items()]
    text = ", ".join(
        f"{low:.3g} to {high:.3g} at β²(p − 1) = {t:g}, p = {p:,}"
        for (t, p), (low, high) in errors.items()
    )
    return Verdict(
        outcome_of(sum(holds), sum(turned), len(errors)),
        "Fixed shifts, 10 steps of ρ = 0.01 each in a ball of radius 1, n = 200, 4,000 draws with"
        f" their {collapse_draws.CONFIDENCE:.0%} interval: the error is {text}.",
    )


def projected() -> Verdict:
    """Theorem 4.1, its number of records."""
    at_large_rho, at_small_rho = (_projected_count(16, 0.03, rho, 0.001) for rho in (0.5, 5e-5))
    printed = collapse_exact.smallest_count(
        lambda n: collapse_theory.projected_printed(Setting(n, 16, 0.03, 1), 0.001) <= 1e-3, 10**6
    )
    is_free = (
        at_small_rho is not None and at_large_rho is not None and at_small_rho < 2 * at_large_rho
    )
    holds = [
        collapse_theory.projected_error(s, offset) <= printed_there + collapse_exact.TINY
        for s in GRID
        for offset in DIRECTION_OFFSETS
        if (printed_there := collapse_theory.projected_printed(s, offset, s.rho)) < 1
    ]
    return Verdict(
        HOLDS if is_free else DOES_NOT,
        f"The paper prints no ρ: {printed} records for an error of 0.001 at p = 16, β = 0.03, β₀ ="
        f" 0.001, its constant taken as 1; exactly {at_large_rho} are needed at ρ = 0.5 and"
        f" {at_small_rho} at ρ = 0.00005. With a factor 1/√ρ the exact error stays below the bound"
        f" with the printed G and M in {sum(holds):,} of {len(holds):,} settings where it is"
        f" informative, {GRID_TEXT}, β₀ = 0.0001 to 0.1.",
    )


#: By how much each coordinate of a public direction is off, in Theorem 4.1 with rho.
DIRECTION_OFFSETS = (1e-4, 1e-3, 0.01, 0.1)


def projected_condition() -> Verdict:
    """The remark on Theorem 4.1: beta beta0 p < 1 is enough for records not to grow with p."""
    needed = {much: _projected_along(much) for much in (0.5, 0.9, 1.0)}
    bare = [collapse_exact.needed("signs", 1e-3, p, PUBLIC_BETA, 0.005) for p in PUBLIC_PLACES]
    inside = [needed[0.5], needed[0.9]]
    free = all(all(line) and max(filter(None, line)) <= (line[0] or 0) for line in inside)
    counts_text = lambda line: ", ".join(
        "no number is enough" if n is None else f"{n:,}" for n in line
    )
    text = "; ".join(f"along ββ₀p = {much:g} {counts_text(line)}" for much, line in needed.items())
    never = [p for p, *line in zip(PUBLIC_PLACES, *needed.values(), strict=True) if None in line]
    boundary_text = ""
    if never:
        offset = 0.9 / (PUBLIC_BETA * never[0])
        boundary_text = (
            f" Some number of records is enough at every p except {', '.join(map(str, never))},"
            f" the boundary included. There β₀ is {offset:.2f} at ββ₀p = 0.9, no longer small"
            " beside 1, and shifts add up along the projection."
        )
    return Verdict(
        HOLDS if free else DOES_NOT,
        f"Exact computation, shifts of ±{PUBLIC_BETA:g} in each coordinate, p = 16 to 4,096,"
        " records needed"
        f" for an error of 0.001 at ρ = 0.005: {text}; without projection"
        f" {counts_text(bare)}.{boundary_text} The printed theorem does not give the condition,"
        " because its M also needs a small β₀p.",
    )


PUBLIC_BETA, PUBLIC_PLACES = 0.3, (16, 64, 256, 1024, 4096)


def _projected_along(much: float) -> list[int | None]:
    """Records needed after projection at beta beta0 p = ``much``, over PUBLIC_PLACES."""
    return [
        _projected_count(p, PUBLIC_BETA, 0.005, much / (PUBLIC_BETA * p)) for p in PUBLIC_PLACES
    ]


def _projected_count(p: int, beta: float, rho: float, offset: float) -> int | None:
    """Records for an error of 0.001 after projection; ``offset``: of the public direction."""
    error = lambda n: collapse_theory.projected_error(Setting(n, p, beta, rho), offset)
    return collapse_exact.smallest_count(lambda n: error(n) <= 1e-3, 10**6)


def sensitivity() -> Verdict:
    """Section 3.1.1: the longest record has length sqrt(1 + beta^2 p)."""
    p, beta = 64, 0.1
    printed, true = collapse_exact.printed_length(p, beta), collapse_exact.longest_moved(p, beta)
    across = collapse_exact.CASES["across"].longest(p, beta)
    return Verdict(
        HOLDS if true <= printed else DOES_NOT,
        f"At p = 64, β = 0.1 a record moved by +β in every coordinate has length {true:.4f},"
        f" printed {printed:.4f}: noise scaled to that gives {(true / printed) ** 2:.3f} times the"
        " guaranteed ρ. With shifts only across the line between the classes, the length is"
        f" {across:.4f}, and the claim holds. The paper's next sentence shrinks each record: see"
        " the rows on shrunk records.",
    )


def shrunk_sensitivity() -> Verdict:
    """Section 3.1.1: records shrunk to (e_1 + v) / sqrt(1 + |v|^2) have a sensitivity free of
    dimension.

    Their squared length is 1 + 2 v_1 / (1 + |v|^2), so the longest has all of its shift along e_1.
    """
    lengths = {
        (p, beta): max(
            float(np.linalg.norm(np.eye(p)[0] + v)) / math.sqrt(1 + float(v @ v))
            for v in (beta * np.eye(p)[0], np.full(p, beta))
        )
        for p in (4, 64, 1024)
        for beta in (0.1, 0.7)
    }
    free = all(
        abs(length - shrunk_length(beta)) < 1e-9 and length <= math.sqrt(2)
        for (_, beta), length in lengths.items()
    )
    return Verdict(
        HOLDS if free else DOES_NOT,
        "The longest shrunk record has length (1 + β)/√(1 + β²), at most √2:"
        f" {shrunk_length(0.1):.3f} at β = 0.1 and {shrunk_length(0.7):.3f} at β = 0.7, at p = 4,"
        " 64 and 1,024 alike. The length is not 1, because a shift along e₁ counts. Records"
        " scaled to unit length, as in dpviz, have 1.",
    )


def shrunk_bounds() -> Verdict:
    """Section 3.1.1: for shrunk records the error bounds remain the same.

    In each case of Theorem 3.2 all shifts have one length, so shrinking divides all records by one
    number. Noise is scaled to the longest record, shrunk or not.
    """
    covered, failing = 0, []
    for key in ("3.2", "3.2-apart"):
        entry = THEOREMS[key]
        for s in GRID:
            printed = entry.printed(s)
            plain = max(collapse_exact.error(case, s.n, s.p, s.beta, s.rho) for case in entry.cases)
            if collapse_theory.judged(printed, plain, plain) != collapse_theory.HOLDS:
                continue
            covered += 1
            error = max(_shrunk_error(case, s) for case in entry.cases)
            if collapse_theory.judged(printed, error, error) == FAILS:
                failing.append((error, printed, s))
    because = (
        "Noise scaled to the longest record, shrunk or not: the exact error of shrunk records"
        f" lies above Theorem 3.2's printed bounds in {len(failing)} of {covered:,} settings in"
        f" which the bounds hold for the original records, {GRID_TEXT}."
    )
    if failing:
        error, printed, s = max(failing, key=lambda entry: entry[0])
        because += (
            f" For example, p = {s.p}, β = {s.beta:g}, n = {s.n}, ρ = {s.rho:g}: error"
            f" {error:.3g}, bound {printed:.3g}."
        )
    return Verdict(DOES_NOT if failing else HOLDS, because)


def shrunk_length(beta: float) -> float:
    """Length of the longest record within beta after division by sqrt(1 + |v|^2)."""
    return (1 + beta) / math.sqrt(1 + beta**2)


def _shrunk_error(case: str, s: Setting) -> float:
    """Exact error of one step on shrunk records, noise scaled to the longest of them."""
    coordinates = s.p - 1 if case == "across" else s.p
    divided = math.sqrt(1 + coordinates * s.beta**2)
    length = (1.0 if case == "across" else shrunk_length(s.beta)) * divided
    return collapse_exact.error(case, s.n, s.p, s.beta, s.rho, length)


def simple_conversion() -> Verdict:
    """Definition 2.1's conversion from rho-zCDP to (epsilon, delta)."""
    from dpviz import privacy

    worst, loose = 0.0, []
    for rho in (1e-4, 1e-2, 0.5, 1.0, 4.0, 8.0):
        for delta in (1e-4, 1e-5, 1e-6):
            simple = rho + 2 * math.sqrt(rho * math.log(1 / delta))
            worst = max(worst, privacy.zcdp_epsilon(rho, delta) / simple)
            loose.append(simple / privacy.gdp_epsilon(math.sqrt(2 * rho), delta))
    return Verdict(
        HOLDS if worst <= 1 else DOES_NOT,
        "Over ρ = 0.0001 to 8 and δ = 1e-4 to 1e-6 a conversion that is proved for all of ρ-zCDP"
        f" (autodp) gives at most {worst:.3f} times its ε, so the claim holds. For a Gaussian"
        f" release, it is {min(loose):.3g} to {max(loose):.3g} times too large.",
    )
