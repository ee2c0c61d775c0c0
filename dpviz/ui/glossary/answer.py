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
#: Words of a definition below its term, at most, and those that end no line.
SHOWN_WORDS = 7
SMALL_WORDS = set("a an and as at by for from in is its of on one or that the to who with".split())
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

    Each term has the begin of its definition and opens on a click; terms found by a search are
    open.
    """
    is_open = bool(query.strip())
    if len(terms) > 1:
        links = (f'<a href="#{_anchor(subject)}">{plain(subject)}</a>' for subject in terms)
        st.html(f'<nav class="dp-jump" aria-label="{plain(text.SUBJECTS)}">{"".join(links)}</nav>')
    for subject, rows in terms.items():
        st.header(subject, anchor=_anchor(subject))
        items = (_term_html(*row, is_open) for row in sorted(rows, key=_by_name))
        st.html(f'<div class="dp-terms">{"".join(items)}</div>')


def _by_name(term: tuple[str, str]) -> str:
    return term[0].lower()


def _term_html(name: str, meaning: str, is_open: bool) -> str:
    """Return a term as HTML: its name, and its definition behind it."""
    words = plain(meaning).replace("e^ε", "e<sup>ε</sup>")
    start = "<details open>" if is_open else "<details>"
    summary = f"<summary>{plain(name)}<small>{plain(_begin(meaning))}</small></summary>"
    return f"{start}{summary}<p>{words}</p></details>"


def _begin(meaning: str) -> str:
    """Return the first words of a definition, which end in no small word."""
    parts = meaning.split(" ")
    shown = parts[:SHOWN_WORDS]
    while len(shown) > 2 and shown[-1].lower() in SMALL_WORDS:
        shown.pop()
    return " ".join(shown).rstrip(",;:.") + "…" if parts[SHOWN_WORDS:] else meaning


def _anchor(subject: str) -> str:
    return subject.lower().replace(" ", "-")
