"""Controls of the page "Papers": which paper, tried on what, with what outcome, which words."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import streamlit as st

from dpviz.papers.model import OUTCOMES, PAPERS, Claim
from dpviz.papers.verdicts import StoredVerdicts
from dpviz.ui.widgets.choices import segments
from dpviz.views.papers_page import GROUNDS

ALL_VALUES = "all"
WORD_PATTERN = r"(?<!\w){}(?!(?<=\d)[\d.]*\d)"
"""Where words are found: from the beginning of a word, and a number at their end is whole."""


@dataclass(frozen=True)
class ClaimFilter:
    """Which claims are listed.

    Attributes:
        paper: a key of PAPERS, or ALL; grounds: on what they were tried; outcome: of OUTCOMES, or
            ALL; words: each stands in the claim, as ``AT_A_WORD`` finds it.
    """

    paper: str
    grounds: tuple[str, ...]
    outcome: str
    words: tuple[str, ...]

    def lists(self, claim: Claim, results: StoredVerdicts) -> bool:
        """True where a claim is listed."""
        text = f"{claim.key} {claim.place} {claim.says}".lower()
        outcomes = {
            verdict.outcome for g in self.grounds if (verdict := results.get((claim.key, g)))
        }
        return (
            self.paper in (ALL_VALUES, claim.paper)
            and self.outcome in (ALL_VALUES, *outcomes)
            and all(re.search(WORD_PATTERN.format(re.escape(word)), text) for word in self.words)
        )


def ground_choice() -> tuple[str, ...]:
    """On what the claims that are counted were tried."""
    titles = {ALL_VALUES: "Everything"} | {
        key: title.capitalize() for key, title in GROUNDS.items()
    }
    chosen = segments("Tried on", titles, ALL_VALUES, "on")
    return tuple(GROUNDS) if chosen == ALL_VALUES else (chosen,)


def filter_controls(grounds: Sequence[str]) -> ClaimFilter:
    """The controls above the list."""
    titles = {key: paper.short for key, paper in PAPERS.items()} | {ALL_VALUES: "All papers"}
    paper = segments("Paper", titles, next(iter(PAPERS)), "paper", label_visibility="collapsed")
    outcomes = {ALL_VALUES: "Any verdict"} | {name: name.capitalize() for name in OUTCOMES}
    outcome = (
        segments("What came of it", outcomes, ALL_VALUES, "verdict") if grounds else ALL_VALUES
    )
    words = st.text_input(
        "Find", key="find", bind="query-params", max_chars=60, placeholder="Figure 2, encoder …"
    )
    wanted = tuple(word.strip() for word in words.lower().split(",") if word.strip())
    return ClaimFilter(paper, tuple(grounds), outcome, wanted)
