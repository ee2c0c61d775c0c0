"""The line below an answer: its terms, each with a link to the glossary, and on the first page that
a visitor opens the way to a lesson.
"""

from __future__ import annotations

import re
from urllib.parse import urlencode

import streamlit as st

from dpviz.ui.glossary.terms import TERMS
from dpviz.words import plain

TERM = {
    r"\bIR\b": "Imbalance ratio (IR)",
    r"\)-DP\b|^DP\b": "Differential privacy (DP)",
    r"zCDP": "ρ-zCDP",
    r"\bminority\b": "Minority",
    r"noise alone|within noise": "Within noise",
    r"average class|balanced": "Balanced accuracy",
    r"DPPL-Mean": "DPPL-Mean",
    r"DPPL-Public\b": "DPPL-Public",
    r"private linear probe": "Private linear probe",
    r"CoinPress": "CoinPress",
    r"AdaMix": "AdaMix",
    r"ε′": "Per-instance loss (ε′, ρ′)",
    r"\bshots\b": "Shots",
    r"\bteachers\b": "Teachers (PATE)",
    r"\bquer(y|ies)\b": "Query",
    r"\bNC1\b": "NC1, NC2, NC3",
    r"\bβ\b": "Shift β",
    r"\bencoder\b": "Encoder",
}
"""Where a term of the glossary is meant, by what stands in an answer."""
SAYS = {name: said for rows in TERMS.values() for name, said in rows}
FIRST = "first-page"
LESSON = '<a href="./lessons" target="_self">New here? Take a lesson →</a>'


def terms(answer: str) -> list[str]:
    """Terms that an answer uses, in the order of ``TERM``."""
    return [term for pattern, term in TERM.items() if re.search(pattern, answer)]


def below(place: st.delta_generator.DeltaGenerator, question: str, answer: str) -> None:
    """Draw the line into its place."""
    links = [_link(term) for term in terms(answer)]
    parts = [f"In the glossary: {' · '.join(links)}"] if links else []
    first = st.session_state.setdefault(FIRST, question) == question
    if first and "lesson" not in st.query_params:
        parts.insert(0, LESSON)
    if parts:
        place.html(f'<p class="dp-below">{" &nbsp; ".join(parts)}</p>')


def _link(term: str) -> str:
    address = f"./glossary?{urlencode({'word': term})}"
    return f'<a href="{address}" target="_blank" title="{plain(SAYS[term])}">{plain(term)}</a>'
