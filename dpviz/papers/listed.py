"""The claims as a page of Markdown: what each says, where it is live, what came of trying it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import Any
from urllib.parse import parse_qs, urlsplit

import dpviz
from dpviz.data import synthetic
from dpviz.encoders.encoder_table import ENCODERS as SHIPPED_ENCODERS
from dpviz.papers.model import ENCODERS, NOT_TRIED, PAPERS, Claim
from dpviz.papers.verdicts import RULES, Found, counts, in_words, runs, stands_on

SHIPPED = {
    "data": {*ENCODERS, synthetic.KEY},
    "g.dataset": {*ENCODERS, synthetic.KEY},
    "enc": SHIPPED_ENCODERS,
    "g.encoder": SHIPPED_ENCODERS,
}
"""What a link may ask for that comes with the project, by its name in an address."""
NO_VERDICT = "shown, not tried"
REPRODUCE = (
    "`dpviz reproduce FIGURE` computes a figure or table again beside its printed numbers:"
    " [how](reproduce.md)."
)
COMMAND = "python -m dpviz papers --keep --page docs/papers.md"


def page(claims: Sequence[Claim], found: Found, made_with: Mapping[str, Any]) -> str:
    """Every claim, by its paper, with its verdicts."""
    head = [
        "# The five papers, claim by claim",
        "",
        summary(claims, found),
        "",
        "Every figure, table, theorem and ablation of the five papers: what it says, where it is"
        " live here, and what came of trying it on "
        + " and ".join(f"`{key}` ({encoder})" for key, encoder in ENCODERS.items())
        + ". A paper's own data and weights may answer otherwise.",
        "",
        *(f"- {rule}" for rule in RULES),
        "",
        REPRODUCE,
        "",
        f"Made by `{COMMAND}` with dpviz {made_with.get('dpviz', dpviz.__version__)}.",
    ]
    stands = stands_on(found.values())
    for key, rows in groupby(claims, key=lambda claim: claim.paper):
        paper = PAPERS[key]
        head += ["", f"## {paper.title}", "", f"{paper.authors}, {paper.venue}.", ""]
        head += ["| where | what it says | live | tried |", "| --- | --- | --- | --- |"]
        head += [_row(claim, found, stands) for claim in rows]
    return "\n".join(head) + "\n"


def live(claims: Sequence[Claim]) -> list[Claim]:
    """Those with a view of data and encoders that come with the project."""
    return [claim for claim in claims if any(_shipped(link.address) for link in claim.links)]


def _shipped(address: str) -> bool:
    asked = parse_qs(urlsplit(address).query)
    return all(
        name in known
        for key, known in SHIPPED.items()
        for names in asked.get(key, ())
        for name in names.split(",")
    )


def without(claim: Claim) -> str:
    """What stands for the verdict of a claim that has none."""
    if claim.grounds:
        return ""
    return NO_VERDICT if claim.links else "–"


def summary(claims: Sequence[Claim], found: Found) -> str:
    """How much is live, and how much holds, in one sentence."""
    begin = f"Of {len(claims)} rows {len(live(claims))} are live."
    if not found:
        return f"**{begin}** What came of trying them is not kept here; `{COMMAND}` tries them all."
    own = {claim.key for claim in claims}
    rows = [one for (key, _), one in found.items() if key in own]
    idle = counts(rows)[NOT_TRIED]
    told = counts(same[0] for same in runs(rows))
    del told[NOT_TRIED]
    said = ", ".join(f"{outcome} {count} times" for outcome, count in told.items())
    return (
        f"**{begin} In {sum(told.values())} runs, which give {len(rows) - idle} verdicts, what is"
        f" claimed {said}; {idle} times it was {NOT_TRIED}.**"
    )


def _row(claim: Claim, found: Found, stands: Mapping[tuple[str, str], int]) -> str:
    views = " · ".join(f"`{link.address}` ({link.label})" for link in claim.links)
    views = " ".join(filter(None, (views and f"{views}.", claim.why_not)))
    views += f" As printed it needs {claim.needs}." if claim.needs else ""
    tried = "<br>".join(
        f"{ground}: **{one.outcome}**. {in_words(claim, one, stands[claim.key, ground])}"
        for ground in claim.grounds
        if (one := found.get((claim.key, ground)))
    )
    tried = tried or (f"`--claim {claim.key}`" if claim.grounds else without(claim))
    cells = (claim.place, claim.says, views, tried)
    return "| " + " | ".join(cell.replace("|", "\\|").replace("\n", " ") for cell in cells) + " |"
