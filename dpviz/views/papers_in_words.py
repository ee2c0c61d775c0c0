"""What the page "Papers" says of the list of claims, in both voices."""

from __future__ import annotations

from collections.abc import Sequence

from dpviz.papers.model import CANNOT_TELL, DOES_NOT, ENCODERS, HOLDS, PAPERS, THEORY, Claim
from dpviz.papers.verdicts import Found, Tried, counts

GROUNDS = {"mnist5k": "5,000 digits", "clothes": "photographs of clothes", THEORY: "theory"}
"""On what claims are tried, as people read it."""


def tried(claims: Sequence[Claim], found: Found, grounds: Sequence[str]) -> list[Tried]:
    """The verdicts that there are of ``claims`` on ``grounds``."""
    pairs = [(claim.key, ground) for claim in claims for ground in grounds]
    return [found[pair] for pair in pairs if pair in found]


def by_paper(
    claims: Sequence[Claim], found: Found, grounds: Sequence[str]
) -> dict[str, dict[str, int]]:
    """How many of each outcome, by the paper's short name."""
    of = {key: [claim for claim in claims if claim.paper == key] for key in PAPERS}
    return {
        PAPERS[key].short: counts(tried(rows, found, grounds)) for key, rows in of.items() if rows
    }


def plain(claims: Sequence[Claim], found: Found, grounds: Sequence[str]) -> str:
    """How much can be tried here and how much of it comes true, in one sentence."""
    told = counts(tried(claims, found, grounds))
    total = sum(told.values())
    live = sum(bool(claim.links) for claim in claims)
    begin = f"**{live} of {len(claims)}** figures, tables and statements open as a live view here."
    if not total:
        return f"{begin} What came of trying them is not kept here."
    return (
        f"{begin} Of {total} tries **{told[HOLDS]}** came out as the paper says,"
        f" **{told[DOES_NOT]}** did not, and {told[CANNOT_TELL]} could not be told from luck or"
        " from these data."
    )


def precise(claims: Sequence[Claim], found: Found, grounds: Sequence[str]) -> str:
    """The same with what a verdict rests on."""
    if not grounds:
        return plain(claims, found, grounds)
    on = ", ".join(
        f"{ground} ({ENCODERS[ground]})" if ground in ENCODERS else ground for ground in grounds
    )
    return (
        f"{plain(claims, found, grounds)} Tried on {on}: a difference holds where it is told apart"
        " over seeds and test records together, a theorem where exact or simulated values keep to"
        " what is printed."
    )


def origin(found: Found, version: str) -> str:
    """How the verdicts came about."""
    if not found:
        return (
            "No verdicts are kept here: `python -m dpviz papers --keep` tries every claim and keeps"
            " them for this page, `--claim` and a claim's key tries one."
        )
    seconds = sum(one.seconds for one in found.values())
    return (
        f"Verdicts were computed before, by dpviz {version}, in {seconds / 60:.0f} minutes, and are"
        " kept with it; `python -m dpviz papers --keep` computes all of them anew, the command"
        " under each claim that one. The views that links open compute their own numbers."
    )
