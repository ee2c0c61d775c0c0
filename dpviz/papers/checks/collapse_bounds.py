"""Tries of the bounds of "Neural Collapse Meets Differential Privacy": exact errors of one step on
two classes beside what is printed, over stated grids.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from typing import NamedTuple

from dpviz.diagnostics import collapse_draws, collapse_exact, collapse_theory
from dpviz.diagnostics.collapse_theory import CANNOT_TELL as UNTOLD
from dpviz.diagnostics.collapse_theory import FAILS, THEOREMS, Setting
from dpviz.papers.model import DOES_NOT, HOLDS, Check, Verdict, theory

GRID = tuple(
    Setting(n, p, beta, rho)
    for p in (4, 16, 64, 256, 1024)
    for beta in (0, 0.03, 0.1, 0.3, 0.5, 0.7)
    for n in (4, 16, 64, 256, 1024)
    for rho in (1e-3, 0.01, 0.1, 0.5)
)
OVER = (
    "over p = 4 to 1,024, β = 0 to 0.7, n = 4 to 1,024 records and ρ = 0.001 to 0.5"
    " (where noise is added)"
)


class Trial(NamedTuple):
    """A setting, its exact or drawn error (low, high), and what is printed for it."""

    s: Setting
    low: float
    high: float
    printed: float

    @property
    def said(self) -> str:
        """Whether the bound holds there."""
        return collapse_theory.judged(self.printed, self.low, self.high)


def told(trials: Iterable[Trial], over: str, kind: str = "exact", more: str = "") -> Verdict:
    """How many of the trials keep to their bound, and the largest error above one."""
    tried = [trial for trial in trials if trial.said != UNTOLD]
    failing = [trial for trial in tried if trial.said == FAILS]
    if not failing:
        return Verdict(
            HOLDS,
            f"The {kind} error keeps to it in all {len(tried):,} settings where it says anything,"
            f" {over}.{more}",
        )
    small = sum(trial.s.t <= 1 for trial in failing)
    worst = max(failing, key=lambda trial: trial.low)
    return Verdict(
        DOES_NOT,
        f"The {kind} error lies above it in {len(failing):,} of {len(tried):,} settings {over},"
        f" {small:,} of them with β²p ≤ 1; such as p = {worst.s.p}, β = {worst.s.beta:g}, n ="
        f" {worst.s.n}{_rho(worst.s)}: error {worst.low:.3g}, bound {worst.printed:.3g}.{more}",
    )


def seen(error: float) -> str:
    """An exact error as far as it is known."""
    return f"{error:.2g}" if error > collapse_exact.TINY else "below 1e-12"


def _rho(s: Setting) -> str:
    return f", ρ = {s.rho:g}" if s.rho < math.inf else ""


def bound(key: str) -> Check:
    """Whether a printed bound is never below the exact error of a case it is about."""

    def check() -> Verdict:
        one = THEOREMS[key]
        grid = (
            GRID
            if one.private
            else [Setting(s.n, s.p, s.beta, math.inf) for s in GRID if s.rho == 0.1]
        )
        if key == "3.3":
            grid = [s for s in grid if s.t < 1]
        errors = ((s, one.error(s)) for s in grid)
        trials = [Trial(s, e, e, one.printed(s)) for s, e in errors]
        kept = all(t.low <= one.proved(t.s) + collapse_exact.TINY for t in trials)
        more = f" It leaves out: {one.wrong}; the proved bound holds in all." if kept else ""
        return told(trials, OVER, more=more)

    return theory(check)


def zero_error() -> Verdict:
    """Theorem 3.1, first part."""
    error, edge = collapse_exact.error("signs", 3, 4, 0.5, math.inf), 1 / (1 + math.sqrt(3))
    within = collapse_exact.error("signs", 3, 4, edge - 1e-6, math.inf)
    said = f"independent shifts of ±0.5 in 4 coordinates, β²p = 1, n = 3: exact error {error:.3g}"
    if error > 0 and within == 0:
        return Verdict(
            DOES_NOT,
            f"With {said}. It is 0 for β ≤ 1/(1 + √(p − 1)), here {edge:.3f}, a little less than"
            " p^(−1/2): a shift along the line between the classes counts as well.",
        )
    return Verdict(HOLDS, f"With {said}.")


def steps() -> Verdict:
    """Theorem 3.4."""
    over = (
        "over 1 to 40 steps, balls of radius 0.01 to 3, n = 8 to 30, p = 4 to 256, β = 0 to 0.3"
        f" and t = 6 and 12, 2,000 draws each, intervals of {collapse_draws.SURE:.0%}"
    )
    return told(_step_trials(collapse_draws.printed_steps), over, "drawn")


def stated_rate() -> Verdict:
    """What Theorem 3.4 says its bound comes to."""
    over = "of those of Theorem 3.4's row"
    more = " The printed bound has a constant in the exponent that O(·) does not cover."
    return told(_step_trials(lambda s, how: collapse_draws.stated_rate(s)), over, "drawn", more)


def _step_trials(printed: Callable[[Setting, collapse_draws.Steps], float]) -> list[Trial]:
    places = ((10, 64, 0.0, 0.01), (20, 64, 0.06, 0.01), (8, 4, 0.3, 0.01), (30, 256, 0.01, 0.002))
    trials = []
    for place in places:
        for count in (1, 2, 10, 40):
            for radius in (0.01, 1.0, 3.0):
                for t in (6.0, 12.0):
                    s, how = Setting(*place), collapse_draws.Steps(count, radius, t)
                    ends = collapse_draws.several_steps(s, how, 2000).ends
                    trials.append(Trial(s, *ends, printed(s, how)))
    return trials


def projected() -> Verdict:
    """Theorem 4.1, its number of records."""
    few, many = (
        collapse_exact.least(
            lambda n, rho=rho: (
                collapse_theory.projected_error(Setting(n, 16, 0.03, rho), 0.001) <= 1e-3
            ),
            10**6,
        )
        for rho in (0.5, 5e-5)
    )
    printed = collapse_exact.least(
        lambda n: collapse_theory.projected_printed(Setting(n, 16, 0.03, 1), 0.001) <= 1e-3, 10**6
    )
    same = many is not None and few is not None and many < 2 * few
    return Verdict(
        HOLDS if same else DOES_NOT,
        f"It prints no ρ: {printed} records for an error of 0.001 at p = 16, β = 0.03, β₀ = 0.001,"
        f" its constant taken as 1; exactly {few} are needed at ρ = 0.5 and {many} at ρ = 0.00005."
        " With 1/√ρ and the least that a record keeps of its side it can be proved.",
    )


def projected_condition() -> Verdict:
    """The remark on Theorem 4.1: beta beta0 p <= 1 is enough."""
    s, beta0 = Setting(1000, 1024, 0.1, 0.01), 0.005
    printed, error = collapse_theory.projected_printed(s, beta0), collapse_theory.projected_error
    exact, proved = error(s, beta0), collapse_theory.projected_proved(s, beta0)
    said = (
        f"At p = 1,024, β = 0.1, β₀ = {beta0:g}, n = 1,000, ρ = 0.01: ββ₀p ="
        f" {s.beta * beta0 * s.p:.2g}, exact error {seen(exact)}, a proved bound {proved:.2g}"
    )
    if exact < 1e-3:
        return Verdict(
            HOLDS,
            f"{said}. The printed theorem does not give it, as its M also wants β₀p small: its"
            f" bound there is {printed:.2g}.",
        )
    return Verdict(DOES_NOT, f"{said}.")


def sensitivity() -> Verdict:
    """Section 3.1.1: the longest record has length sqrt(1 + beta^2 p)."""
    p, beta = 64, 0.1
    printed, true = collapse_exact.printed_length(p, beta), collapse_exact.longest_moved(p, beta)
    across = collapse_exact.CASES["across"].longest(p, beta)
    return Verdict(
        HOLDS if true <= printed else DOES_NOT,
        f"At p = 64, β = 0.1 a record moved by +β in every coordinate has length {true:.4f},"
        f" printed {printed:.4f}: noise scaled to that gives {(true / printed) ** 2:.3f} times the"
        f" promised ρ. Where shifts stay across the line between the classes it is"
        f" {across:.4f}, and it holds.",
    )


def simple_conversion() -> Verdict:
    """Definition 2.1's conversion from rho-zCDP to (epsilon, delta)."""
    from dpviz import privacy

    simple = 0.5 + 2 * math.sqrt(0.5 * math.log(1e5))
    gauss = privacy.gdp_epsilon(1.0, 1e-5)
    return Verdict(
        HOLDS if gauss <= simple else DOES_NOT,
        f"At ρ = 0.5 and δ = 1e-5 it gives ε = {simple:.3f}; a Gaussian release of that ρ is"
        f" ({gauss:.3f}, 1e-5)-DP exactly, so it holds and is loose.",
    )
