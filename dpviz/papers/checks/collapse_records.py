"""Tries of what "Neural Collapse Meets Differential Privacy" says of records needed, of dimension
and of perturbations: exact searches beside printed formulas, whose O(.) leaves the constant open.
"""

from __future__ import annotations

import math
from collections.abc import Callable

from dpviz.diagnostics import collapse_draws, collapse_exact, collapse_theory
from dpviz.diagnostics.collapse_theory import TABLE, Setting
from dpviz.lazy_imports import special
from dpviz.papers.checks.collapse_bounds import seen
from dpviz.papers.model import DOES_NOT, HOLDS, Check, Verdict, theory

PLACES = (16, 64, 256, 1024, 4096, 16384)
GAMMA, RHO = 1e-3, 0.005
STEADY = 3.0
"""A ratio of needed to printed records that moves less than this over PLACES is one constant."""
AT = f"for an error of {GAMMA:g} at ρ = {RHO:g}"


def _needed(case: str, shift: Callable[[int], float], rho: float = RHO) -> list[int | None]:
    return [collapse_exact.needed(case, GAMMA, p, shift(p), rho) for p in PLACES]


def _row(values: list) -> str:
    return ", ".join("none" if v is None else f"{v:,.3g}" for v in values)


def same_course(key: str, beta: float) -> Check:
    """Whether needed records stay below one constant times what Table 1 prints, and follow it."""

    def check() -> Verdict:
        needed = _needed(TABLE[key].case, lambda p: beta)
        printed = [TABLE[key].printed(GAMMA, p, beta, RHO) for p in PLACES]
        ratios = [n / q for n, q in zip(needed, printed, strict=True) if n]
        if len(ratios) < len(PLACES):
            return Verdict(DOES_NOT, f"At β = {beta:g} some p need more than any number {AT}.")
        grows = max(ratios) / ratios[0]
        if grows >= STEADY:
            said = f"At β = {beta:g} needed over printed grows {grows:.2g} times from p = 16 on."
            return Verdict(DOES_NOT, said)
        tight = "and follow it" if max(ratios) / min(ratios) < STEADY else "and grow more slowly"
        return Verdict(
            HOLDS,
            f"At β = {beta:g}, p = 16 to 16,384, {_row(list(needed))} records are needed {AT};"
            f" {ratios[0]:.2g} to {ratios[-1]:.2g} times those printed, so they stay below one"
            f" constant times it {tight}.",
        )

    return theory(check)


def half_threshold() -> Verdict:
    """beta <= p^(-1/2) is dimension-free for NoisyGD."""
    needed = [n for n in _needed("signs", lambda p: p**-0.5) if n]
    free = len(needed) == len(PLACES) and max(needed) <= needed[0]
    beyond = _needed("signs", lambda p: p**-0.25)
    return Verdict(
        HOLDS if free else DOES_NOT,
        f"Along β = p^(−1/2), p = 16 to 16,384, {_row(list(needed))} records are needed {AT}; along"
        f" p^(−1/4) {_row(list(beyond))}.",
    )


def quarter_threshold() -> Verdict:
    """beta <= p^(-1/4) is enough for GD with independent coordinates, and not for NoisyGD."""
    shift = lambda p: p**-0.25
    quiet, noisy = _needed("signs", shift, math.inf), _needed("signs", shift)
    ends = [quiet[0], quiet[-1], noisy[0], noisy[-1]]
    holds = all(ends) and quiet[-1] <= quiet[0] and noisy[-1] > 3 * noisy[0]  # type: ignore
    return Verdict(
        HOLDS if holds else DOES_NOT,
        f"Along β = p^(−1/4), p = 16 to 16,384: {_row(list(quiet))} records without noise,"
        f" {_row(list(noisy))} with it, {AT}.",
    )


def remark_rate() -> Verdict:
    """The remark's exp(-n rho / (1 + beta^2 p)) for NoisyGD."""
    s = Setting(30, 64, 0.05, 0.02)
    exact, printed = collapse_exact.error("signs", s.n, s.p, s.beta, s.rho), _remark(s)
    t = Setting(120, 64, 0.05, 0.02)
    later = collapse_exact.error("signs", t.n, t.p, t.beta, t.rho)
    return Verdict(
        DOES_NOT if printed > 2 * exact else HOLDS,
        f"At p = 64, β = 0.05, ρ = 0.02 it says {printed:.2g} with 30 records and {_remark(t):.2g}"
        f" with 120; the exact errors are {seen(exact)} and {seen(later)}: they fall with"
        " n², as in the theorem, so the remark is a loose bound and not the error.",
    )


def _remark(s: Setting) -> float:
    return math.exp(-s.n * s.rho / (1 + s.t))


def by_rho(key: str) -> Check:
    """Whether the printed number of records grows with 1/rho as the exact one does."""

    def check() -> Verdict:
        far, near, p, beta = 1e-4, 1e-2, 64, 0.05
        case = "signs" if key == "3.2" else "fixed"
        law = (
            collapse_theory.printed_records
            if key == "3.2"
            else collapse_theory.printed_records_fixed
        )
        exact = [collapse_exact.needed(case, GAMMA, p, beta, rho) or 0 for rho in (near, far)]
        printed = [law(GAMMA, p, beta, rho) for rho in (near, far)]
        grown = exact[1] / exact[0], printed[1] / printed[0]
        return Verdict(
            HOLDS if all(q >= n for n, q in zip(exact, printed, strict=True)) else DOES_NOT,
            f"As an upper bound, and no more: at p = 64, β = 0.05, error {GAMMA:g},"
            " from ρ = 0.01 to 0.0001 the records needed go"
            f" from {exact[0]} to {exact[1]}, {grown[0]:.0f} times as many (1/√ρ); those printed"
            f" from {printed[0]:.0f} to {printed[1]:,.0f}, {grown[1]:.0f} times (1/ρ). Its own"
            " error bound gives 1/√ρ.",
        )

    return theory(check)


def logarithmic() -> Verdict:
    """Records grow with the logarithm of 1/gamma at most."""
    wanted = (1e-2, 1e-4, 1e-8)
    needed = [collapse_exact.needed("signs", g, 256, 0.05, RHO) or 0 for g in wanted]
    ratio = needed[-1] / needed[0]
    return Verdict(
        HOLDS if ratio <= math.log(1 / wanted[-1]) / math.log(1 / wanted[0]) else DOES_NOT,
        f"At p = 256, β = 0.05, ρ = {RHO:g}: {_row(list(needed))} records for errors of 0.01,"
        f" 0.0001 and 1e-8, {ratio:.2g} times as many for a millionth of the error.",
    )


def table_without_noise() -> Verdict:
    """Table 1: p beta^2 log(1/gamma) for GD under any symmetric shift."""
    needed, ratios = [], []
    for p in PLACES[:4]:
        n = collapse_exact.needed("together", GAMMA, p, 0.3, math.inf) or 0
        needed.append(n)
        ratios.append(n / (p * 0.09 * math.log(1 / GAMMA)))
    grows = ratios[-1] / ratios[1]
    return Verdict(
        DOES_NOT if grows > STEADY else HOLDS,
        f"Shifts of ±0.3 in all coordinates together, p = 16 to 1,024, need {_row(needed)} records"
        f" for an error of {GAMMA:g}: over p = 64 to 1,024 {grows:.2g} times more than pβ² log(1/γ)"
        " grows. The theorem's own bound gives β⁴p².",
    )


def table_apart() -> Verdict:
    """Table 1: p beta^4 log(1/gamma) for GD with independent coordinates."""
    needed = _needed("signs", lambda p: 0.3, math.inf)
    ratios = [
        (n or 0) / (p * 0.3**4 * math.log(1 / GAMMA)) for n, p in zip(needed, PLACES, strict=True)
    ]
    steady = max(ratios[2:]) / ratios[2] < STEADY
    return Verdict(
        HOLDS if steady and all(needed) else DOES_NOT,
        f"Independent shifts of ±0.3, p = 16 to 16,384, need {_row(list(needed))} records for an"
        f" error of {GAMMA:g}; {ratios[2]:.2g} to {ratios[-1]:.2g} times pβ⁴ log(1/γ) from p = 256"
        " on.",
    )


def moved_training() -> Verdict:
    """Section 3.2.1: GD on perturbed training features errs at exp(-n^2 / beta^2)."""
    n, beta = 20, 3.0
    error = collapse_exact.error("train", n, 16, beta, math.inf)
    printed = math.exp(-(n**2) / beta**2)
    return Verdict(
        DOES_NOT if error > printed else HOLDS,
        f"With n = {n} and shifts of ±{beta:g} the exact error is {error:.2g}, printed"
        f" {printed:.2g}: signs add up to √n, so the rate is exp(−n/(2β²)); below β = 1 the error"
        " is 0. It does not depend on p, as stated.",
    )


def imbalance() -> Verdict:
    """Section 3.2.2: offset and imbalance, records by 1 / (1 - beta + 2 beta alpha)."""
    beta, alpha, quantile = 0.1, 0.9, -float(special.ndtri(GAMMA))
    kept, ratios = 1 - abs(1 - 2 * alpha) * beta, []
    for p in PLACES:
        needed = collapse_exact.longest_moved(p, beta) * quantile / math.sqrt(2 * RHO) / kept
        size = max(math.sqrt(p) * beta, 1) * math.sqrt(math.log(1 / GAMMA) / RHO)
        ratios.append(needed * (1 - beta + 2 * beta * alpha) / size)
    moved = 1 - abs(1 - 2 * alpha) * beta**2 * (1024 - 1)
    return Verdict(
        HOLDS if max(ratios) / min(ratios) < STEADY else DOES_NOT,
        f"For test records on their corners: α = 0.9, β = 0.1, p = 16 to 16,384, records needed"
        f" {AT} are {min(ratios):.2g} to {max(ratios):.2g} times those printed. Of test records"
        f" with the same offset the second class keeps {moved:.2g} of its margin at p = 1,024:"
        " wrong for any number of records.",
    )


def adversary() -> Verdict:
    """Section 3.2.2: an adversary at test time asks for p beta records."""
    rows = []
    for p in (64, 256, 1024):
        enough = lambda n, p=p: (
            collapse_draws.against_adversary(Setting(n, p, 0.05, RHO), 1000).mean <= 0.05
        )
        rows.append((p, collapse_exact.least(enough, 10**5) or 0))
    needed = [n for _, n in rows]
    bare = collapse_exact.needed("signs", 0.05, 64, 0, RHO) or 0
    extra = [(n - bare) / (p * 0.05) for p, n in rows]
    return Verdict(
        HOLDS if needed[2] < 16 * STEADY * needed[0] and extra[2] > 0 else DOES_NOT,
        f"β = 0.05 at ρ = {RHO:g}: for an error of 0.05 in 1,000 draws {_row(list(needed))} records"
        f" at p = 64, 256 and 1,024, {bare} without an adversary; at most in proportion to pβ.",
    )


def perfect(what: str) -> Check:
    """Properties of one step on perfectly collapsed features (section 3.1.1)."""

    def check() -> Verdict:
        rho, n = 0.02, 10
        low, high = (collapse_exact.error("signs", n, p, 0.0, rho) for p in (2, 16384))
        if what == "dimension":
            return Verdict(
                HOLDS if math.isclose(low, high) else DOES_NOT,
                f"n = 10, ρ = 0.02: error {low:.7f} at p = 2 and {high:.7f} at p = 16,384.",
            )
        errors = [float(special.ndtr(-k * math.sqrt(2 * rho))) for k in (10, 20, 40)]
        steep = all(e <= math.exp(-(k**2) * rho) for e, k in zip(errors, (10, 20, 40), strict=True))
        return Verdict(
            HOLDS if steep else DOES_NOT,
            f"ρ = 0.02, n = 10, 20, 40: errors {_row(errors)}, below exp(−n²ρ) each.",
        )

    return theory(check)
