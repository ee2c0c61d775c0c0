"""The claims as a page of Markdown: what each says, where it is live, what came of trying it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import Any
from urllib.parse import parse_qs, urlsplit

import dpviz
from dpviz.data import synthetic
from dpviz.encoders.encoder_table import ENCODERS as SHIPPED_ENCODERS
from dpviz.formatting import listed
from dpviz.papers.model import DOES_NOT, ENCODERS, NO_ANSWER, PAPERS, THEORY, Claim
from dpviz.papers.verdicts import (
    RULES,
    StoredVerdicts,
    TimedVerdict,
    counts,
    in_words,
    runs,
    shown_outcome,
    slipped,
    stands_on,
)

#: What a link may ask for that comes with the project, by its name in an address.
SHIPPED = {
    "data": {*ENCODERS, synthetic.KEY},
    "g.dataset": {*ENCODERS, synthetic.KEY},
    "enc": SHIPPED_ENCODERS,
    "g.encoder": SHIPPED_ENCODERS,
}
NO_VERDICT = "shown, not tested"
REPRODUCE = (
    "`dpviz reproduce FIGURE` computes a figure or table again beside its printed numbers:"
    " [how](how-to/reproduce.md)."
)
COMMAND = "python -m dpviz papers --keep --page docs/papers.md"


def page(claims: Sequence[Claim], verdicts: StoredVerdicts, made_with: Mapping[str, Any]) -> str:
    """Every claim, by its paper, with its verdicts."""
    head = [
        "# The five papers, claim by claim",
        "",
        summary(claims, verdicts),
        "",
        "Every figure, table, theorem and ablation of the five papers, with a link to its live view"
        " and its test result on "
        + listed([f"`{key}` ({encoder})" for key, encoder in ENCODERS.items()])
        + ". Results on a paper's own data and weights may differ.",
        "",
        *(f"- {rule}" for rule in RULES),
        "",
        REPRODUCE,
        "",
        f"Made by `{COMMAND}` with dpviz {made_with.get('dpviz', dpviz.__version__)}.",
    ]
    stands = stands_on(verdicts.values())
    for key, rows in groupby(claims, key=lambda claim: claim.paper):
        paper = PAPERS[key]
        head += ["", f"## {paper.title}", "", f"{paper.authors}, {paper.venue}.", ""]
        for title, group in sections(tuple(rows)).items():
            head += [f"### {title}", ""] if title else []
            head += ["| Place | Claim | Live view | Result |", "| --- | --- | --- | --- |"]
            head += [*(_row(claim, verdicts, stands) for claim in group), ""]
        head.pop()
    return "\n".join(head) + "\n"


ON_DATA, ON_THEORY, NOT_TRIED_TITLE = (
    "Measured on data",
    "Theorems and formulas",
    "Shown, not tested",
)


def sections(claims: Sequence[Claim]) -> dict[str, list[Claim]]:
    """Claims that are tried on data, those that are tried without data, and the others."""
    by_title: dict[str, list[Claim]] = {ON_DATA: [], ON_THEORY: [], NOT_TRIED_TITLE: []}
    for claim in claims:
        title = ON_THEORY if claim.theoretical else ON_DATA if claim.grounds else NOT_TRIED_TITLE
        by_title[title].append(claim)
    return {title: group for title, group in by_title.items() if group}


def live(claims: Sequence[Claim]) -> list[Claim]:
    """Those with a view of data and encoders that come with the project."""
    return [claim for claim in claims if any(_shipped(link.address) for link in claim.links)]


def _shipped(address: str) -> bool:
    query = parse_qs(urlsplit(address).query)
    return all(
        name in keys
        for key, keys in SHIPPED.items()
        for names in query.get(key, ())
        for name in names.split(",")
    )


def no_verdict_text(claim: Claim) -> str:
    """What stands for the verdict of a claim that has none."""
    if claim.grounds:
        return ""
    return NO_VERDICT if claim.links else "–"


def verdict_counts(
    claims: Sequence[Claim], verdicts: StoredVerdicts, theory: bool
) -> list[TimedVerdict]:
    """The verdicts on theory, or on data, without cited results."""
    own = {claim.key for claim in claims if not claim.textbook}
    return [
        verdict
        for (key, ground), verdict in verdicts.items()
        if key in own and (ground == THEORY) == theory
    ]


SUMMED = "{what}: {runs} runs; {outcomes}."
SLIPS = "{name}: {count} ({slips} because of a wrong constant or sign)"
GROUP_TITLES = {False: "Measured on data", True: "Theorems and formulas"}


def summary(claims: Sequence[Claim], verdicts: StoredVerdicts) -> str:
    """How much is live, and how much holds, on data and in theory."""
    begin = f"{len(live(claims))} of {len(claims)} rows link to a live view."
    if not verdicts:
        return f"**{begin}** Results are missing; `{COMMAND}` computes them."
    parts = [begin]
    for theory, title in GROUP_TITLES.items():
        rows = verdict_counts(claims, verdicts, theory)
        counts_of_runs, slips = counts(group[0] for group in runs(rows)), slips_in(claims, rows)
        outcomes = ", ".join(
            SLIPS.format(name=name, count=count, slips=slips)
            if name == DOES_NOT and slips
            else f"{name}: {count}"
            for name, count in counts_of_runs.items()
            if count
        )
        count_tried = sum(n for name, n in counts_of_runs.items() if name not in NO_ANSWER)
        parts.append(
            SUMMED.format(what=title, runs=count_tried, outcomes=outcomes) if outcomes else ""
        )
    return f"**{' '.join(filter(None, parts))}**"


def slips_in(claims: Sequence[Claim], rows: Sequence[TimedVerdict]) -> int:
    """How many runs do not hold by a slip of a constant or a sign alone."""
    by_key = {claim.key: claim for claim in claims}
    return sum(slipped(by_key[group[0].claim], group[0]) for group in runs(rows))


def _row(claim: Claim, verdicts: StoredVerdicts, stands: Mapping[tuple[str, str], int]) -> str:
    views = " · ".join(f"`{link.address}` ({link.label})" for link in claim.links)
    views = " ".join(filter(None, (views and f"{views}.", claim.why_not)))
    views += f" As printed it needs {claim.needs}." if claim.needs else ""
    verdicts_cell = "<br>".join(
        f"{ground}: **{shown_outcome(claim, verdict)}**."
        f" {in_words(claim, verdict, stands[claim.key, ground])}"
        for ground in claim.grounds
        if (verdict := verdicts.get((claim.key, ground)))
    )
    if claim.check:
        verdicts_cell += f"<br>Rule: {claim.rule.words}" if verdicts_cell else ""
    verdicts_cell = (
        f"Cited result, not counted. {verdicts_cell}" if claim.textbook else verdicts_cell
    )
    verdicts_cell = verdicts_cell or (
        f"`--claim {claim.key}`" if claim.grounds else no_verdict_text(claim)
    )
    cells = (claim.place, claim.says, views, verdicts_cell)
    return "| " + " | ".join(cell.replace("|", "\\|").replace("\n", " ") for cell in cells) + " |"
