"""What the closer looks of the page "Break it" say: an audit in one run, and one of a function of
one's own.
"""

from __future__ import annotations

import math

from dpviz.audit import CONFIDENCE, QUICK_RUNS
from dpviz.audit.one_run import SIGNIFICANCE, OneRunAudit
from dpviz.formatting import number, rounded

PLAINLY = (
    "The audit of this page makes thousands of results. Training something large even twice may"
    " cost weeks; so here **one** result is made, from data into which a coin has let each of many"
    " made-up records or not. Whoever guesses all those coins from the one result too well has"
    " shown that too much gets through."
)
PRECISELY = (
    "One release with m canaries, each in by a fair coin: how many coins a threshold on their"
    " scores guesses right bounds ε (Steinke, Nasr & Jagielski 2023, with their term for δ; for"
    " Gaussian noise Mahloujifar, Melis & Chaudhuri 2024). Beside it the bound of many runs on two"
    " neighbours, and what is promised."
)


NO_METHOD = (
    "A count alone is too little to hide canaries in; choose a mistake in one of the methods."
)


def one_run(found: OneRunAudit, title: str) -> str:
    """What one release has shown, against many and against the promise."""
    if not found.points:
        return ""
    last = found.points[-1]
    many = (
        f"; **{_bound_text(found.many.epsilon)}** by {found.many.runs:,} releases of each of"
        f" two neighbours, in {found.many.seconds:.1f} s"
        if found.many
        else ""
    )
    shows = (
        f"{title} shows at least **ε = {_bound_text(found.shown)}** of the"
        f" {rounded(found.claimed, 3)} promised in one release with {last.canaries:,}"
        f" canaries, in {last.seconds:.1f} s{many}."
    )
    if found.noise_divisor == 1:
        return f"Without any mistake {shows}"
    caught = "Caught" if found.caught else "Not caught"
    return f"{caught}: with 1/{found.noise_divisor:g} of its noise {shows}"


def _bound_text(value: float) -> str:
    """A lower bound, rounded down."""
    return number(math.floor(100 * value) / 100)


def caption(found: OneRunAudit) -> str:
    """How the numbers came about, and how sure they are."""
    return (
        f"Made now. ε at δ = {number(found.delta)}; neighbours: {found.adjacency}. The verdict goes"
        f" by the release with most canaries, wrong with a chance of at most {SIGNIFICANCE:g}, and"
        f" by many runs ({QUICK_RUNS:,} a side or what the method affords), wrong with"
        f" {1 - CONFIDENCE:.3g}. One run shows less: it sees half the noise seldom, a quarter of it"
        " mostly."
    )


YOUR_OWN = (
    "Any function `(data, seed) → numbers` can be audited like this, in a shell, against what it"
    " claims. It runs in a process of its own on your machine, never on this server. A mean of ages"
    " that is clipped too late:"
)
FUNCTION = """import numpy as np

OLDEST, PEOPLE = 100, 50


def clipped_after(ages, seed):
    noise = np.random.default_rng(seed).laplace(scale=OLDEST / PEOPLE)
    return np.clip(ages.sum() / PEOPLE, 0, OLDEST) + noise


def neighbours():
    others = np.full(PEOPLE - 1, 40.0)
    return np.append(others, 14_600.0), others
"""
COMMAND = (
    "dpviz audit --release-function ages:clipped_after --neighbours ages:neighbours --epsilon 1"
)
LIMITS = (
    "It exits with 3 where the claim is broken, with 4 where half the noise would not have been"
    " noticed either, so that it can stand in a build. What it can and cannot say:"
    " docs/audit-your-own.md."
)
