"""What the page "Papers" lists: each claim with its verdicts, its views and its command."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import groupby
from urllib.parse import urlencode

import streamlit as st

from dpviz.formatting import plain
from dpviz.papers.figures import FIGURES
from dpviz.papers.listed import no_verdict_text, sections
from dpviz.papers.model import DOES_NOT, HOLDS, NOT_MET, NOT_TRIED, PAPERS, VACUOUS, Claim
from dpviz.papers.verdicts import (
    RULES,
    SLIP,
    StoredVerdicts,
    TimedVerdict,
    in_words,
    shown_outcome,
    stands_on,
)
from dpviz.ui.assets import asset
from dpviz.ui.frame import detail_level, link_notes
from dpviz.views.papers_page import GROUNDS, STARS

MARKS = {
    HOLDS: ("✓", "holds"),
    VACUOUS: ("○", "unknown"),
    DOES_NOT: ("✗", "fails"),
    NOT_MET: ("–", "unknown"),
    NOT_TRIED: ("–", "unknown"),
    SLIP: ("≈", "unknown"),
}
"""Sign and class of a verdict; others cannot be told."""

COMMAND = "<code>python -m dpviz papers --claim {}</code> computes it."
TEXTBOOK = "Cited result, not counted. "
Stands = Mapping[tuple[str, str], int]
"""On how many rows the run of each row stands, by the claim's key and its ground."""


def stars(claims: Sequence[Claim], results: StoredVerdicts) -> None:
    """Three claims to show to a class, each in one sentence, with what came of it and its view."""
    st.html(f"<style>{asset('papers.css')}</style>")
    by_key = {claim.key: claim for claim in claims}
    items = "".join(
        _star(by_key[key], says, results) for key, says in STARS.items() if key in by_key
    )
    if results and items:
        st.html(f'<ul class="dp-stars" aria-label="To show in class">{items}</ul>')


def _star(claim: Claim, says: str, results: StoredVerdicts) -> str:
    place = f"{PAPERS[claim.paper].short}, {claim.place}"
    chips = "".join(
        _chip(claim, verdict) for verdict in _verdict_cells(claim, results, claim.grounds)
    )
    link = claim.links[0]
    return (
        f'<li><p class="dp-why"><span aria-hidden="true">★</span> {plain(place)}</p>'
        f"<p>{plain(says)}</p><div>{chips}</div>"
        f'<a class="dp-button" href="{plain(_address(link.address, claim.key))}" target="_self"'
        f' title="{plain(link.label)}">Show this one in class</a></li>'
    )


def rules() -> None:
    """How an outcome is decided."""
    st.caption("\n".join(f"- {rule}" for rule in RULES))


def show(claims: Sequence[Claim], results: StoredVerdicts, grounds: Sequence[str]) -> None:
    """The claims under their papers, in the order in which these print them."""
    stands = stands_on(results.values())
    for key, rows in groupby(claims, key=lambda claim: claim.paper):
        paper = PAPERS[key]
        st.subheader(paper.title, anchor=False)
        st.caption(f"{paper.authors}, {paper.venue}")
        st.caption(_reproduced(key))
        for title, rows_of_section in sections(tuple(rows)).items():
            st.markdown(f"**{title}**")
            items = "".join(
                _item(claim, _verdict_cells(claim, results, grounds), stands)
                for claim in rows_of_section
            )
            st.html(f'<ul class="dp-claims">{items}</ul>')


def _reproduced(paper: str) -> str:
    """The commands that compute figures of a paper again."""
    first, *more = [figure.key for figure in FIGURES.values() if figure.paper == paper]
    others = f" Others: {', '.join(f'`{key}`' for key in more)}." if more else ""
    return f"Reproduce: `dpviz reproduce {first} --scale small`.{others}"


def _verdict_cells(
    claim: Claim, results: StoredVerdicts, grounds: Sequence[str]
) -> list[TimedVerdict]:
    return [verdict for ground in grounds if (verdict := results.get((claim.key, ground)))]


def _item(claim: Claim, verdicts: Sequence[TimedVerdict], stands: Stands) -> str:
    return (
        f'<li id="{plain(claim.key)}"><div class="dp-place">{plain(claim.place)}</div>'
        f"<div><p>{_html(claim.says)}</p>{_views(claim)}"
        f"{_evidence(claim, verdicts, stands)}</div></li>"
    )


def _views(claim: Claim) -> str:
    """Buttons that open the live views, or the reason why there is none."""
    links = "".join(
        f'<a class="dp-button dp-inline" href="{plain(_address(link.address, claim.key))}"'
        f' target="_self">{plain(link.label)}</a>'
        for link in claim.links
    )
    text = f"{'' if claim.links else 'Not live: '}{_html(claim.why_not)}"
    reason = f"<p class='dp-why'>{text}</p>" if claim.why_not else ""
    needs = (
        f"<p class='dp-why'>As printed it needs {_html(claim.needs)}.</p>" if claim.needs else ""
    )
    return f"<div class='dp-views'>{links}</div>{reason}{needs}"


def _html(words: str) -> str:
    """Words with ``code`` in them, as a row has them."""
    return re.sub("`([^`]+)`", r"<code>\1</code>", plain(words))


def _address(address: str, claim: str) -> str:
    """A view in the voice that the visitor has chosen, with the claim above the page."""
    kept = {link_notes.CLAIM: claim} | dict(detail_level.link_part())
    return f"{address}{'&' if '?' in address else '?'}{urlencode(kept)}"


def _evidence(claim: Claim, verdicts: Sequence[TimedVerdict], stands: Stands) -> str:
    """What came of trying it, with the figures a touch away."""
    if not claim.grounds:
        return f'<span class="dp-chip">{no_verdict_text(claim)}</span>' if claim.links else ""
    if not verdicts:
        return f'<p class="dp-why">{COMMAND.format(plain(claim.key))}</p>'
    chips = "".join(_chip(claim, verdict) for verdict in verdicts)
    because = "".join(
        f"<p><b>{GROUNDS[verdict.ground]}:</b>"
        f" {_html(in_words(claim, verdict, stands[claim.key, verdict.ground]))}</p>"
        for verdict in verdicts
    )
    command = COMMAND.format(plain(claim.key))
    rule = f"{TEXTBOOK if claim.textbook else ''}Rule: {claim.rule.words}"
    return (
        f'<details class="dp-small"><summary>{chips}<span class="dp-more">figures</span></summary>'
        f"{because}<p>{plain(rule)}</p><p>{command}</p></details>"
    )


def _chip(claim: Claim, verdict: TimedVerdict) -> str:
    outcome = shown_outcome(claim, verdict)
    sign, kind = MARKS.get(outcome, ("?", "unknown"))
    return (
        f'<span class="dp-chip dp-{kind}"><b aria-hidden="true">{sign}</b> '
        f"{GROUNDS[verdict.ground]}: {outcome}</span>"
    )
