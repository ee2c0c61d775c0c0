"""Controls of the page "Papers": paper, data set, outcome and search."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

import streamlit as st

from dpviz.papers.model import OUTCOMES, PAPERS, Claim
from dpviz.papers.verdicts import StoredVerdicts
from dpviz.text import papers as text
from dpviz.ui.widgets.choices import choice, requested_value
from dpviz.views import papers_page
from dpviz.views.papers_page import GROUNDS

ALL_VALUES = "all"
#: Pixels of the choice of data beside the chart's title.
GROUND_WIDTH = 260
WORD_PATTERN = r"(?<!\w){}(?!(?<=\d)[\d.]*\d)"
"""Match at the beginning of a word; a number at the end is whole."""


@dataclass(frozen=True)
class ClaimFilter:
    """Which claims are listed.

    Attributes:
        paper: a key of PAPERS, or ALL_VALUES; grounds: what they were tested on; outcome: of
            OUTCOMES, or ALL_VALUES; words: each occurs in the claim, by ``WORD_PATTERN``.
    """

    paper: str
    grounds: tuple[str, ...]
    outcome: str
    words: tuple[str, ...]

    def lists(self, claim: Claim, results: StoredVerdicts) -> bool:
        """Return whether a claim is listed."""
        verdicts = [v for g in self.grounds if (v := results.get((claim.key, g)))]
        tested = [f"{papers_page.outcome_text(claim, v)} {v.because}" for v in verdicts]
        parts = (PAPERS[claim.paper].short, claim.key, claim.place, claim.says, *tested)
        searched = _normalized(" ".join(parts))
        return (
            self.paper in (ALL_VALUES, claim.paper)
            and self.outcome in (ALL_VALUES, *(v.outcome for v in verdicts))
            and all(
                re.search(WORD_PATTERN.format(re.escape(_normalized(word))), searched)
                for word in self.words
            )
        )

    def listed(self, claims: Sequence[Claim], results: StoredVerdicts) -> list[Claim]:
        """Return the claims that are listed; without any, those with all single words."""
        listed = [claim for claim in claims if self.lists(claim, results)]
        single = tuple(word for words in self.words for word in _normalized(words).split())
        if listed or single == self.words:
            return listed
        return replace(self, words=single).listed(claims, results)


def _normalized(words: str) -> str:
    """Return words in lower case and without equals signs, so that "ε = 3" finds "ε 3"."""
    return " ".join(words.lower().replace("=", " ").split())


def ground_choice() -> tuple[str, ...]:
    """Draw what the counted claims were tested on."""
    titles = {ALL_VALUES: text.EVERYTHING} | {
        key: f"{title[0].upper()}{title[1:]}" for key, title in GROUNDS.items()
    }
    chosen = choice(
        *(st.selectbox, text.TESTED_ON, titles, ALL_VALUES, "on"),
        label_visibility="collapsed",
        width=GROUND_WIDTH,
    )
    return tuple(GROUNDS) if chosen == ALL_VALUES else (chosen,)


def filter_controls(grounds: Sequence[str]) -> ClaimFilter:
    """Draw the controls above the list."""
    titles = {key: paper.short for key, paper in PAPERS.items()} | {ALL_VALUES: text.ALL_PAPERS}
    outcomes = {ALL_VALUES: text.ANY_OUTCOME}
    outcomes |= {name: text.OUTCOMES[name].capitalize() for name in OUTCOMES}
    first = ALL_VALUES if requested_value("find", "") else next(iter(PAPERS))
    places = st.columns(3)
    with places[0]:
        paper = choice(st.selectbox, text.PAPER, titles, first, "paper")
    with places[1]:
        outcome = ALL_VALUES
        if grounds:
            outcome = choice(st.selectbox, text.OUTCOME, outcomes, ALL_VALUES, "verdict")
    with places[2]:
        words = st.text_input(
            text.SEARCH,
            key="find",
            bind="query-params",
            max_chars=60,
            placeholder=text.SEARCH_HINT,
            on_change=_search_all_papers,
        )
    wanted = tuple(word.strip() for word in words.lower().split(",") if word.strip())
    return ClaimFilter(paper, tuple(grounds), outcome, wanted)


def _search_all_papers() -> None:
    """Widen a new search to all papers."""
    if st.session_state.get("find"):
        st.session_state["paper"] = ALL_VALUES
