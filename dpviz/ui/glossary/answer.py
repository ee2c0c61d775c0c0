"""The answer of the page "Glossary": the terms that go with some words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import streamlit as st

from dpviz.content import TERMS
from dpviz.formatting import literal
from dpviz.ui.widgets.cards import definition

#: Name and definition, by subject.
Terms = Mapping[str, Sequence[tuple[str, str]]]


def matching(query: str) -> Terms:
    """Terms in whose name or definition all the words appear; all terms for nothing."""
    words = query.lower().split()
    matches = {
        subject: [row for row in rows if all(w in " ".join(row).lower() for w in words)]
        for subject, rows in TERMS.items()
    }
    return {subject: rows for subject, rows in matches.items() if rows}


def answer(terms: Terms, query: str) -> str:
    """How many there are, in one sentence."""
    count, total = (sum(map(len, table.values())) for table in (terms, TERMS))
    if not query.strip():
        return f"**{total} words** that the pages use, each in a sentence or two."
    return f"**{count} of {total} words** go with “{literal(query.strip())}”."


def show(terms: Terms) -> None:
    """Subjects in their order."""
    for subject, rows in terms.items():
        st.header(subject)
        st.html(f'<div class="dp-terms">{definition(rows, linked=False)}</div>')
