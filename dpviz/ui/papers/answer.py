"""What the page "Papers" lists: each claim with its verdicts, its views and its command."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

import streamlit as st

from dpviz.papers.model import DOES_NOT, HOLDS, PAPERS, Claim
from dpviz.papers.verdicts import Found, Tried, in_words
from dpviz.ui.assets import asset
from dpviz.ui.frame import voice
from dpviz.views.papers_in_words import GROUNDS
from dpviz.words import plain

MARKS = {HOLDS: ("✓", "holds"), DOES_NOT: ("✗", "fails")}
"""Sign and class of a verdict; others cannot be told."""

COMMAND = "<code>python -m dpviz papers --claim {}</code> tries it."


def show(claims: Sequence[Claim], found: Found, grounds: Sequence[str]) -> None:
    """The claims under their papers, in the order in which these print them."""
    st.html(f"<style>{asset('papers.css')}</style>")
    for key, rows in groupby(claims, key=lambda claim: claim.paper):
        paper = PAPERS[key]
        st.subheader(paper.title, anchor=False)
        st.caption(f"{paper.authors}, {paper.venue}")
        items = "".join(_item(claim, found, grounds) for claim in rows)
        st.html(f'<ul class="dp-claims">{items}</ul>')


def _item(claim: Claim, found: Found, grounds: Sequence[str]) -> str:
    tried = [one for ground in grounds if (one := found.get((claim.key, ground)))]
    return (
        f'<li id="{plain(claim.key)}"><div class="dp-place">{plain(claim.place)}</div>'
        f"<div><p>{plain(claim.says)}</p>{_views(claim)}{_how(claim, tried)}</div></li>"
    )


def _views(claim: Claim) -> str:
    """Buttons that open the live views, or the reason why there is none."""
    links = "".join(
        f'<a class="dp-button dp-inline" href="{plain(_address(link.address))}" target="_self">'
        f"{plain(link.label)}</a>"
        for link in claim.links
    )
    said = f"{'' if claim.links else 'Not live: '}{plain(claim.why_not)}"
    why = f"<p class='dp-why'>{said}</p>" if claim.why_not else ""
    needs = (
        f"<p class='dp-why'>As printed it needs {plain(claim.needs)}.</p>" if claim.needs else ""
    )
    return f"<div class='dp-views'>{links}</div>{why}{needs}"


def _address(address: str) -> str:
    """A view in the voice that the visitor has chosen."""
    kept = "&".join(f"{key}={value}" for key, value in voice.kept().items())
    return f"{address}{'&' if '?' in address else '?'}{kept}" if kept else address


def _how(claim: Claim, tried: Sequence[Tried]) -> str:
    """What came of trying it, with the figures a touch away."""
    if not claim.grounds:
        return ""
    if not tried:
        return f'<p class="dp-why">{COMMAND.format(plain(claim.key))}</p>'
    chips = "".join(_chip(one) for one in tried)
    because = "".join(
        f"<p><b>{GROUNDS[one.ground]}:</b> {plain(in_words(claim, one))}</p>" for one in tried
    )
    command = COMMAND.format(plain(claim.key))
    return (
        f'<details class="dp-small"><summary>{chips}<span class="dp-more">figures</span></summary>'
        f"{because}<p>{command}</p></details>"
    )


def _chip(one: Tried) -> str:
    sign, kind = MARKS.get(one.outcome, ("?", "unknown"))
    return (
        f'<span class="dp-chip dp-{kind}"><b aria-hidden="true">{sign}</b> '
        f"{GROUNDS[one.ground]}: {one.outcome}</span>"
    )
