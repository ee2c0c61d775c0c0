"""The answer of the page Glossary: the terms that match a query."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import streamlit as st

from dpviz.content import FORMER_TERMS, TERMS
from dpviz.formatting import plain
from dpviz.text import glossary as text
from dpviz.text.template import Text

#: Name and definition, by subject.
Terms = Mapping[str, Sequence[tuple[str, str]]]
_FORMER = {former.lower(): term for former, term in FORMER_TERMS.items()}


def matching(query: str) -> Terms:
    """Return the terms whose name and definition contain all words; all terms for an empty query.

    The former name of a term finds that term alone, so that old links keep working.
    """
    term = _FORMER.get(query.strip().lower())
    words = query.lower().split()
    matches = {
        subject: [
            row
            for row in rows
            if (row[0] == term if term else all(w in " ".join(row).lower() for w in words))
        ]
        for subject, rows in TERMS.items()
    }
    return {subject: rows for subject, rows in matches.items() if rows}


def answer(terms: Terms, query: str) -> str:
    """Return the number of matching terms in one sentence."""
    found, total = (sum(map(len, table.values())) for table in (terms, TERMS))
    case: Text = text.ANSWERS["found" if found else "none"]
    if not query.strip():
        case = text.ANSWERS["all"]
    return case.fill(precise=False, found=found, terms=total, query=query.strip())


def show(terms: Terms, query: str) -> None:
    """Draw links to the subjects, and the subjects in their order, each with its terms by name.

    Each term opens on a click; the first term of all, and terms found by a search, are open.
    """
    first = None if query.strip() else min(next(iter(terms.values())), key=_by_name)
    if len(terms) > 1:
        links = (f'<a href="#{_anchor(subject)}">{plain(subject)}</a>' for subject in terms)
        st.html(f'<nav class="dp-jump" aria-label="{plain(text.SUBJECTS)}">{"".join(links)}</nav>')
    for subject, rows in terms.items():
        st.header(subject, anchor=_anchor(subject))
        items = (_term_html(*row, first in (None, row)) for row in sorted(rows, key=_by_name))
        st.html(f'<div class="dp-terms">{"".join(items)}</div>')


def _by_name(term: tuple[str, str]) -> str:
    return term[0].lower()


def _term_html(name: str, meaning: str, is_open: bool) -> str:
    """Return a term as HTML: its name, and its definition behind it."""
    words = plain(meaning).replace("e^ε", "e<sup>ε</sup>")
    start = "<details open>" if is_open else "<details>"
    return f"{start}<summary>{plain(name)}</summary><p>{words}</p></details>"


def _anchor(subject: str) -> str:
    return subject.lower().replace(" ", "-")
