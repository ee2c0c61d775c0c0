"""The claims as pages of Markdown: what each says, where it is live, what came of trying it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from itertools import groupby
from typing import Any
from urllib.parse import parse_qs, urlsplit

import dpviz
from dpviz.data import synthetic
from dpviz.encoders.encoder_table import ENCODERS as SHIPPED_ENCODERS
from dpviz.formatting import listed
from dpviz.papers.model import (
    CANNOT_TELL,
    DOES_NOT,
    ENCODERS,
    HOLDS,
    NO_ANSWER,
    PAPERS,
    THEORY,
    Claim,
)
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
from dpviz.text import papers as text

#: What a link may ask for that comes with the project, by its name in an address.
SHIPPED = {
    "data": {*ENCODERS, synthetic.KEY},
    "g.dataset": {*ENCODERS, synthetic.KEY},
    "enc": SHIPPED_ENCODERS,
    "g.encoder": SHIPPED_ENCODERS,
}
NO_VERDICT = "shown, not tested"
COMMAND = "python -m dpviz papers --stored --pages docs/papers"


def pages(
    claims: Sequence[Claim], verdicts: StoredVerdicts, made_with: Mapping[str, Any]
) -> dict[str, str]:
    """Return the files of the claims by name: an index, and a page and a badge per paper."""
    version = made_with.get("dpviz", dpviz.__version__)
    stands = stands_on(verdicts.values())
    files, rows = {}, []
    for key, group in groupby(claims, key=lambda claim: claim.paper):
        own = tuple(group)
        badge = text.PAGES["badge"].format(name=PAPERS[key].short, file=f"{key}.svg")
        head = [
            f"# {PAPERS[key].short}",
            badge,
            f"*{PAPERS[key].title}*. {PAPERS[key].authors}, {PAPERS[key].venue}.",
            summary(own, verdicts),
            text.PAGES["folds"],
            text.PAGES["made"].format(command=COMMAND, version=version),
        ]
        shown: dict[tuple[str, str, str], Claim] = {}
        for title, part in sections(own).items():
            head += [f"## {title}", *(_fold(claim, verdicts, stands, shown) for claim in part)]
        files[f"{key}.md"] = "\n\n".join(head) + "\n"
        files[f"{key}.svg"] = _badge(own, verdicts)
        rows.append(f"| [{PAPERS[key].short}]({key}.md) | {len(own)} | {badge} |")
    files["index.md"] = _index(claims, verdicts, rows, version)
    return files


def _index(
    claims: Sequence[Claim], verdicts: StoredVerdicts, rows: Sequence[str], version: str
) -> str:
    places = listed([f"`{key}` ({encoder})" for key, encoder in ENCODERS.items()])
    paragraphs = [
        f"# {text.PAGES['title']}",
        summary(claims, verdicts),
        "\n".join([text.PAGES["columns"], "| --- | ---: | --- |", *rows]),
        text.PAGES["about"].format(places=places),
        f"## {text.PAGES['rules']}",
        "\n".join(f"- {rule}" for rule in RULES),
        text.PAGES["reproduce"],
        text.PAGES["made"].format(command=COMMAND, version=version),
    ]
    return "\n\n".join(paragraphs) + "\n"


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


def _fold(
    claim: Claim,
    verdicts: StoredVerdicts,
    stands: Mapping[tuple[str, str], int],
    shown: dict[tuple[str, str, str], Claim],
) -> str:
    """Return one line per claim, and below it the evidence, the rule and the live views.

    Args:
        shown: the claim at which the page gives the evidence of a run; this adds to it.
    """
    tested = {g: found for g in claim.grounds if (found := verdicts.get((claim.key, g)))}
    outcomes = [f"{ground}: {shown_outcome(claim, found)}" for ground, found in tested.items()]
    outcome = "; ".join(outcomes) or no_verdict_text(claim) or text.PAGES["no_result"]
    if claim.textbook:
        outcome = text.PAGES["cited"].format(outcome=outcome)
    evidence = []
    for ground, found in tested.items():
        words = in_words(claim, found, stands[claim.key, ground])
        first = shown.setdefault((ground, found.outcome, words), claim)
        same = text.PAGES["same_reason" if found.outcome in NO_ANSWER else "same"]
        words = words if first is claim else same.format(place=first.place)
        evidence.append(f"**{ground}: {shown_outcome(claim, found)}.** {words}")
    if claim.check and tested:
        evidence.append(text.PAGES["rule"].format(rule=claim.rule.words))
    evidence += [
        text.PAGES["view"].format(address=link.address, label=link.label) for link in claim.links
    ]
    evidence += [claim.why_not] if claim.why_not else []
    evidence += [text.PAGES["needs"].format(needs=claim.needs)] if claim.needs else []
    evidence.append(text.PAGES["again"].format(key=claim.key))
    line = f"<b>{escape(claim.place)}</b>: {escape(claim.says)} <i>{escape(outcome)}</i>"
    items = "\n".join(f"- {item}" for item in evidence)
    return f'<details markdown="1">\n<summary>{line}</summary>\n\n{items}\n\n</details>'


def _badge(claims: Sequence[Claim], verdicts: StoredVerdicts) -> str:
    """Return an SVG badge with the numbers of runs that hold, do not hold and are undecided."""
    rows = [row for theory in (False, True) for row in verdict_counts(claims, verdicts, theory)]
    number_of = counts(group[0] for group in runs(rows))
    label = text.PAGES["badge_label"]
    value = text.PAGES["badge_value"].format(
        holds=number_of[HOLDS], fails=number_of[DOES_NOT], open=number_of[CANNOT_TELL]
    )
    left, right = 7 * len(label) + 12, 7 * len(value) + 12
    return BADGE.format(
        label=label,
        value=value,
        width=left + right,
        left=left,
        right=right,
        label_at=left / 2,
        value_at=left + right / 2,
    )


#: A badge of two boxes with a text in each.
BADGE = """\
<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="20" role="img" \
aria-label="{label}: {value}">
<title>{label}: {value}</title>
<rect width="{left}" height="20" fill="#444"/>
<rect x="{left}" width="{right}" height="20" fill="#3949ab"/>
<g fill="#fff" font-family="Verdana, DejaVu Sans, sans-serif" font-size="11" text-anchor="middle">
<text x="{label_at:g}" y="14">{label}</text>
<text x="{value_at:g}" y="14">{value}</text>
</g>
</svg>
"""
