"""List of the page "Papers": each claim with its outcomes, views and command."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import Any
from urllib.parse import urlencode

import streamlit as st

from dpviz.formatting import plain
from dpviz.lazy_imports import pandas as pd
from dpviz.papers.figures import FIGURES
from dpviz.papers.listed import no_verdict_text, sections
from dpviz.papers.model import (
    DOES_NOT,
    HOLDS,
    NOT_MET,
    NOT_TRIED,
    PAPERS,
    THEORY,
    VACUOUS,
    Claim,
)
from dpviz.papers.verdicts import (
    RULES,
    SLIP,
    StoredVerdicts,
    TimedVerdict,
    in_words,
    shown_outcome,
    stands_on,
)
from dpviz.plots.papers import ClaimCounts
from dpviz.text import papers as text
from dpviz.text.template import render, render_text
from dpviz.ui.assets import asset
from dpviz.ui.frame import detail_level, link_notes, page_parts
from dpviz.ui.widgets import charts, export
from dpviz.views import papers_page
from dpviz.views.papers_page import GROUNDS, STARS

KEY = "papers"
#: Class of an outcome, whose mark looks like its part of the chart.
MARKS = {
    HOLDS: "holds",
    VACUOUS: "trivial",
    DOES_NOT: "fails",
    NOT_MET: "untested",
    NOT_TRIED: "untested",
    SLIP: "misprint",
}

COMMAND = "<code>python -m dpviz papers --claim {}</code>"
Stands = Mapping[tuple[str, str], int]
"""Number of claims that the run of each claim decides, by the claim's key and its ground."""


def chart(
    claims: Sequence[Claim],
    results: StoredVerdicts,
    grounds: Sequence[str],
    counts: papers_page.Counts,
    is_theory: bool = False,
    place: Any = None,
) -> None:
    """Draw the outcomes by paper, with the finding above.

    Args:
        place: where the finding is drawn.
    """
    kind_grounds = [ground for ground in grounds if (ground == THEORY) == is_theory]
    by_paper = papers_page.by_paper(claims, results, kind_grounds)
    _style()
    if is_theory:
        finding = papers_page.theory_finding(counts)
    else:
        theory = papers_page.in_theory(claims, results) if THEORY in grounds else None
        finding = papers_page.finding(by_paper, theory)
    page_parts.chart_title(finding, place)
    kind = "theorems" if is_theory else "measured"
    charts.plot(ClaimCounts.from_counts(by_paper, is_theory), f"{KEY}-{kind}")
    st.caption(papers_page.caption(by_paper, counts, is_theory))


def _counts(
    claims: Sequence[Claim], results: StoredVerdicts, grounds: Sequence[str], is_theory: bool
) -> ClaimCounts:
    kind_grounds = [ground for ground in grounds if (ground == THEORY) == is_theory]
    by_paper = papers_page.by_paper(claims, results, kind_grounds)
    return ClaimCounts.from_counts(by_paper, is_theory)


def tables(
    listed: Sequence[Claim],
    claims: Sequence[Claim],
    results: StoredVerdicts,
    grounds: Sequence[str],
) -> None:
    """Draw the listed claims and the outcomes by paper, each with its CSV."""
    frame = pd.DataFrame(papers_page.table(listed, results, grounds))
    export.show(frame.rename(columns=text.COLUMNS))
    export.csv(text.CLAIM_TABLE, frame, f"{KEY}.csv")
    titles = {"measured": text.COUNT_TABLE, "theorems": text.COUNT_TABLE_THEORY}
    for kind, title in titles.items():
        counts = _counts(claims, results, grounds, kind == "theorems")
        if counts.papers:
            export.table(counts.table(), f"{KEY}-{kind}-counts", title)


def stars(claims: Sequence[Claim], results: StoredVerdicts) -> None:
    """Draw three claims for class, each in one sentence with its outcomes and its view."""
    _style()
    by_key = {claim.key: claim for claim in claims}
    items = "".join(
        _star(by_key[key], says, results) for key, says in STARS.items() if key in by_key
    )
    if results and items:
        st.html(f'<ul class="dp-stars" aria-label="{text.STARS_LABEL}">{items}</ul>')


def _style() -> None:
    st.html(f"<style>{asset('papers.css')}</style>")


def _star(claim: Claim, says: str, results: StoredVerdicts) -> str:
    place = render_text(text.STAR_PLACE, paper=PAPERS[claim.paper].short, place=claim.place)
    chips = "".join(
        _chip(claim, verdict) for verdict in _verdict_cells(claim, results, claim.grounds)
    )
    link = claim.links[0]
    return (
        f'<li><p class="dp-why"><span aria-hidden="true">★</span> {plain(place)}</p>'
        f"<p>{plain(says)}</p><div>{chips}</div>"
        f'<a class="dp-button" href="{plain(_address(link.address, claim.key))}" target="_self"'
        f' title="{plain(link.label)}">{text.SHOW_STAR}</a></li>'
    )


def rules(unmet: int) -> None:
    """Draw how an outcome is decided.

    Args:
        unmet: number of claims whose premise the data do not meet.
    """
    lines = [*RULES, *([render(text.UNMET, unmet=unmet)] if unmet else [])]
    st.caption("\n".join(f"- {rule}" for rule in lines))


#: Claims up to which a search shows their details at once.
MAX_OPEN = 30


def show(
    listed: Sequence[Claim],
    claims: Sequence[Claim],
    results: StoredVerdicts,
    grounds: Sequence[str],
    is_search: bool = False,
) -> None:
    """Draw the listed claims under their papers; a short search result unfolded.

    Of each paper the first section is open. Claims that failed come first, the others are folded.
    """
    is_open = is_search and len(listed) <= MAX_OPEN
    _style()
    stands = stands_on(results.values())
    for key, rows in groupby(listed, key=lambda claim: claim.paper):
        paper = PAPERS[key]
        st.subheader(paper.title, anchor=False)
        own = [claim for claim in claims if claim.paper == key]
        st.markdown("  \n".join(papers_page.summaries(own, results, grounds)))
        st.caption(f"{paper.authors}, {paper.venue}. {_reproduced(key)}")
        for place, (title, section) in enumerate(sections(tuple(rows)).items()):
            cells = [(claim, _verdict_cells(claim, results, grounds)) for claim in section]
            failed, others = papers_page.in_reading_order(cells)
            with st.expander(f"**{title}** ({len(section)})", expanded=is_open or place == 0):
                if failed:
                    st.html(_list(failed, stands, is_open))
                if others:
                    items = _list(others, stands, is_open)
                    st.html(_fold(others, items, is_search) if failed else items)


def _fold(cells: Sequence[papers_page.ClaimCell], items: str, is_open: bool) -> str:
    summary = render_text(text.REST, claims=len(cells))
    opened = " open" if is_open else ""
    return f'<details class="dp-rest"{opened}><summary>{summary}</summary>{items}</details>'


def _list(cells: Sequence[papers_page.ClaimCell], stands: Stands, is_open: bool) -> str:
    items = "".join(_item(claim, verdicts, stands, is_open) for claim, verdicts in cells)
    return f'<ul class="dp-claims">{items}</ul>'


def _reproduced(paper: str) -> str:
    """Return the commands that reproduce figures of a paper."""
    first, *more = [figure.key for figure in FIGURES.values() if figure.paper == paper]
    if not more:
        return render(text.REPRODUCE, figure=first)
    others = ", ".join(f"`{key}`" for key in more)
    return render(text.REPRODUCE_MORE, figure=first, others=others)


def _verdict_cells(
    claim: Claim, results: StoredVerdicts, grounds: Sequence[str]
) -> list[TimedVerdict]:
    return [verdict for ground in grounds if (verdict := results.get((claim.key, ground)))]


def _item(claim: Claim, verdicts: Sequence[TimedVerdict], stands: Stands, is_open: bool) -> str:
    """Return place, claim and outcomes, which unfold views, reasons and the command."""
    chips = "".join(_chip(claim, verdict) for verdict in verdicts)
    if not claim.grounds and claim.links:
        chips = f'<span class="dp-pill">{no_verdict_text(claim)}</span>'
    return (
        f'<li id="{plain(claim.key)}"><details{" open" * is_open}><summary>'
        f'<span class="dp-place">{plain(claim.place)}</span>'
        f'<span class="dp-says">{_html(claim.says)}</span><span class="dp-chips">{chips}</span>'
        f"</summary>{_views(claim)}{_evidence(claim, verdicts, stands)}</details></li>"
    )


def _views(claim: Claim) -> str:
    """Return links to the live views, or the reason why there is none."""
    links = "".join(
        f'<a class="dp-button dp-inline" href="{plain(_address(link.address, claim.key))}"'
        f' target="_self">{plain(link.label)}</a>'
        for link in claim.links
    )
    parts = [f"<div class='dp-views'>{links}</div>"]
    if claim.why_not:
        reason = claim.why_not
        words = reason if claim.links else render_text(text.NOT_LIVE, reason=reason)
        parts.append(f"<p class='dp-why'>{_html(words)}</p>")
    if claim.needs:
        needs = _html(render_text(text.NEEDS, needs=claim.needs))
        parts.append(f"<p class='dp-why'>{needs}</p>")
    return "".join(parts)


def _html(words: str) -> str:
    """Return text with ``code`` as HTML."""
    return re.sub("`([^`]+)`", r"<code>\1</code>", plain(words))


def _address(address: str, claim: str) -> str:
    """Return the address of a view at the chosen level of detail, with the claim above it."""
    kept = {link_notes.CLAIM: claim} | dict(detail_level.link_part())
    return f"{address}{'&' if '?' in address else '?'}{urlencode(kept)}"


def _evidence(claim: Claim, verdicts: Sequence[TimedVerdict], stands: Stands) -> str:
    """Return the reasons of the outcomes, the rule behind them and the command."""
    if not claim.grounds:
        return ""
    because = "".join(
        f"<p><b>{GROUNDS[verdict.ground]}:</b>"
        f" {_html(in_words(claim, verdict, stands[claim.key, verdict.ground]))}</p>"
        for verdict in verdicts
    )
    if verdicts:
        rule = render_text(text.CITED_RULE if claim.textbook else text.RULE, rule=claim.rule.words)
        because += f"<p>{plain(rule)}</p>"
    return f'{because}<p class="dp-why">{_command(claim)}</p>'


def _command(claim: Claim) -> str:
    return render_text(text.TEST_COMMAND, command=COMMAND.format(plain(claim.key)))


def _chip(claim: Claim, verdict: TimedVerdict) -> str:
    kind = MARKS.get(shown_outcome(claim, verdict), "open")
    words = plain(papers_page.outcome_text(claim, verdict))
    return f'<span class="dp-pill dp-{kind}">{words}</span>'
