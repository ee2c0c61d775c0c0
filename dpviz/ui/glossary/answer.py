"""The answer of the Glossary page: the terms that match a query."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

import streamlit as st

from dpviz.content import FORMER_TERMS, TERMS
from dpviz.formatting import plain
from dpviz.text import glossary as text
from dpviz.text.template import Text, render_text

#: Letters of a subject up to which it needs no links to them.
MAX_WITHOUT_LETTERS = 12
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


def subjects(terms: Terms) -> None:
    """Draw links to the subjects, where there are several."""
    if len(terms) > 1:
        links = (f'<a href="#{_anchor(subject)}">{plain(subject)}</a>' for subject in terms)
        st.html(
            f'<nav class="dp-jump" aria-label="{plain(text.SUBJECTS)}"><span>{text.JUMP}</span>'
            f"{''.join(links)}</nav>",
            width="content",
        )


def show(terms: Terms, query: str) -> None:
    """Draw the subjects in their order, each with its terms by name.

    Each term has its definition's first sentence and opens on a click; terms that a search finds
    are open.
    """
    is_open = bool(query.strip())
    if not is_open:
        _first_terms()
    for subject, rows in terms.items():
        st.header(subject, anchor=_anchor(subject))
        letters: dict[str, str] = {}
        items = []
        for name, meaning in sorted(rows, key=_by_name):
            letter = name[0].upper() if name[0].isascii() else name[0]
            anchor = "" if letter in letters else f"{_anchor(subject)}-{ord(letter)}"
            letters.setdefault(letter, anchor)
            items.append(_term_html(name, meaning, is_open, anchor, letter if anchor else ""))
        _letters(letters, subject)
        st.html(f'<div class="dp-terms">{"".join(items)}</div>')


def _first_terms() -> None:
    """Draw the terms that the others build on as cards that open their definitions below."""
    meanings = dict(row for rows in TERMS.values() for row in rows)
    st.header(text.START, anchor="start")
    cards = (
        f'<a href="#{_term_anchor(name)}">{plain(name)}'
        f"<small>{plain(_first_sentence(meanings[name]))}</small></a>"
        for name in text.FIRST_TERMS
    )
    st.html(f'<nav class="dp-first-terms" aria-label="{text.START}">{"".join(cards)}</nav>')


def _letters(anchors: Mapping[str, str], subject: str) -> None:
    """Draw links to the first term of each letter of a subject."""
    if len(anchors) > MAX_WITHOUT_LETTERS:
        label = plain(render_text(text.LETTERS, subject=subject))
        links = (f'<a href="#{anchor}">{plain(letter)}</a>' for letter, anchor in anchors.items())
        st.html(f'<nav class="dp-jump dp-letters" aria-label="{label}">{"".join(links)}</nav>')


def _by_name(term: tuple[str, str]) -> str:
    return term[0].lower()


def _term_html(name: str, meaning: str, is_open: bool, anchor: str, letter: str) -> str:
    """Return a term as HTML: its name, and its definition behind it.

    Args:
        anchor, letter: of the first term of a letter; empty for others.
    """
    words = plain(meaning).replace("e^ε", "e<sup>ε</sup>")
    target = f' id="{anchor}" data-letter="{plain(letter)}"' if anchor else ""
    opened = " open" if is_open else ""
    # within the fold, since a browser opens the fold that holds the target of a link
    place = f' id="{_term_anchor(name)}"' if name in text.FIRST_TERMS else ""
    start = f"<details{target}{opened}>"
    is_on_card = name in text.FIRST_TERMS and not is_open
    sentence = plain(text.SEE_START if is_on_card else _first_sentence(meaning))
    summary = f"<summary>{plain(name)}<small>{sentence}</small></summary>"
    return f"{start}{summary}<p{place}>{words}</p></details>"


def _first_sentence(meaning: str) -> str:
    """Return a definition up to its first stop, without a semicolon."""
    return re.split(r"(?<=[.;])\s", meaning, maxsplit=1)[0].rstrip(";")


def _anchor(subject: str) -> str:
    return subject.lower().replace(" ", "-")


def _term_anchor(name: str) -> str:
    return f"term-{text.FIRST_TERMS.index(name)}"
