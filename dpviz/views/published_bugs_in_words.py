"""What is said of a mistake seen in the wild once it was made again and audited, in both voices."""

from __future__ import annotations

import math
from collections.abc import Mapping

from dpviz.audit.published_bugs import PUBLISHED_BUGS, READ, STATES, PublishedBug
from dpviz.audit.trade_off_audit import ERROR, LEARN, InterimResult, allowed_misses, claimed
from dpviz.formatting import number, percent_down, percent_up

BUGS_INTRO = (
    "Twelve mistakes in code that anyone can look up, our own first. Most are mended, and each says"
    " when: they are here because one learns from them. Each is made again in a few lines of our"
    " own, beside the same lines mended. **Choose one, and both are audited now.**"
)
FINE_PRINT = (
    f"Codes and issues were read in {READ}, in stored copies: “open” means open there, and any may"
    " have been mended since. No project's code was run or copied. Promises are round and the"
    " neighbours are made up to show the mistake, so the figures say what such a mistake does, and"
    " nothing of what a project's users or published results lost."
)
NOT_AUDITED = "not yet: choose it above"


def bug_verdict(
    found: PublishedBug, wrong: InterimResult, mended: InterimResult
) -> tuple[str, str]:
    """What both audits show, precisely and plainly."""
    promised = number(claimed(found.claim))
    delta = "" if found.claim.notion == "pure" else f" at δ = {number(found.claim.delta)}"
    precise = (
        f"{found.project}, made again: {_broken_text(wrong)}, at least ε = {_lower_bound(wrong)}{delta}"
        f" after {wrong.runs:,} releases of each of two neighbours, where {promised} is promised."
        f" Mended: {_broken_text(mended)}, at least ε = {_lower_bound(mended)}."
    )
    also = "catches the mended lines too" if mended.broken else "has nothing against them"
    plain = f"{_caught_text(found, wrong)} Once the lines are mended, the same audit {also}."
    return precise, plain


def _broken_text(look: InterimResult) -> str:
    return "**broken**" if look.broken else "**not broken**"


def _lower_bound(look: InterimResult) -> str:
    """Rounded down, so that what is printed holds as well."""
    return number(math.floor(100 * look.shown) / 100)


def _caught_text(found: PublishedBug, look: InterimResult) -> str:
    results = f"{2 * look.runs:,} results, half from each of two neighbouring data sets"
    if look.breaks is None:
        return f"**Not caught**, in {results}."
    alarms, misses = (
        float(within[look.breaks, 1]) for within in (look.alarms_within, look.misses_within)
    )
    (allowed,) = allowed_misses(found.claim, [alarms])
    return (
        f"**Caught.** In {results}, a simple guess was wrong at most {percent_up(misses, 2)}"
        " times in 100"
        f" about one of the two and {percent_up(alarms, 2)} about the other; the promise says it"
        f" must be wrong at least {percent_down(float(allowed), 2)} times about the first."
    )


def bug_caption(found: PublishedBug, wrong: InterimResult, seconds: float) -> str:
    """How the numbers came about."""
    return (
        f"Made now: {wrong.runs:,} releases of each of two neighbours, after {LEARN:,} of each to"
        f" choose the tests from, with the mistake and without, in {seconds:.1f} s. Neighbours:"
        f" {found.apart} ({found.claim.adjacency}). A promise that is kept is called broken with a"
        f" chance of at most {number(ERROR)} in each audit."
    )


def narrow_verdict(found: PublishedBug, look: InterimResult) -> str:
    """What who looks too narrowly sees."""
    assert found.narrow is not None
    words = "caught as well" if look.broken else "**not caught**"
    return (
        f"Looked at {found.narrow[0]}, the same mistake is {words}: at least ε ="
        f" {_lower_bound(look)} is shown. An audit has to look at all of a release."
    )


def bug_rows(audited: Mapping[str, tuple[InterimResult, InterimResult]]) -> list[dict[str, str]]:
    """A table of all in Markdown, with what was audited here so far."""
    return [
        {
            "project": f"[{found.project}]({found.address})" if found.address else found.project,
            "mistake, and what became of it": f"{found.mistake} *{STATES[found.state]}*",
            "our audit of it, made again": _result_text(found, audited.get(key)),
        }
        for key, found in PUBLISHED_BUGS.items()
    ]


def _result_text(found: PublishedBug, looks: tuple[InterimResult, InterimResult] | None) -> str:
    if looks is None:
        return NOT_AUDITED
    wrong, mended = (_lower_bound(look) for look in looks)
    promised = number(claimed(found.claim))
    return f"at least ε = {wrong} where {promised} is promised; mended, at least {mended}"
