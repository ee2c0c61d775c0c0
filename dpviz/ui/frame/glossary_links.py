"""Links to the glossary: for the terms of an answer, of captions and of cards."""

from __future__ import annotations

import re
from urllib.parse import urlencode

from dpviz.content import TERMS, LazyDict
from dpviz.experiments import result_files
from dpviz.formatting import plain
from dpviz.text import glossary as text
from dpviz.text.template import render_text

TERM = {
    r"\bIR\b": "Imbalance ratio (IR)",
    r"\)-DP\b|^DP\b": "Differential privacy (DP)",
    r"zCDP": "ρ-zCDP",
    r"\bminority\b": "Rare classes",
    r"noise alone|within noise": "Not significantly different",
    r"average class|balanced": "Balanced accuracy",
    r"DPPL-Mean": "DPPL-Mean",
    r"DPPL-Public\b": "DPPL-Public",
    r"private linear probe": "Private linear probe",
    r"CoinPress": "CoinPress",
    r"AdaMix": "AdaMix",
    r"ε′": "Per-instance loss (ε′, ρ′)",
    r"\bshots\b": "Public examples",
    r"\bteachers\b": "Teachers (PATE)",
    r"\bquer(y|ies)\b": "Query",
    r"\bNC1\b": "NC1, NC2, NC3",
    r"\bβ\b": "Shift β",
    r"\bencoder\b": "Encoder",
}
"""Where a term of the glossary is meant, by what stands in an answer."""
IN_CAPTIONS = {
    r"\([^()]+\)-DP\b": "Differential privacy (DP)",
    r"\bzCDP\b": "ρ-zCDP",
    r"\bIR\b": "Imbalance ratio (IR)",
    r"\bBands\b": "Band",
    r"\bnoise seeds?\b": "Noise seed",
    r"\bwithin noise\b": "Not significantly different",
    r"\b[Mm]inority\b": "Rare classes",
    r"\bmean over classes\b": "Balanced accuracy",
    r"\bArea\b(?= ±)": "Area under the curve",
    r"\bnot private\b": "Not private",
    r"\bpublic examples\b": "Public examples",
    r"\bparagon\b": "Paragon",
    r"\bprototypes\b": "Prototype",
    r"\bqueries\b": "Query",
    r"\bpanels?\b": "Small multiples",
    r"\bstudents?\b": "Student",
    r"\bfeatures\b": "Features",
    r"ε′": "Per-instance loss (ε′, ρ′)",
    rf"\b{result_files.REPLAY}\b": "Simulated with a fixed seed",
}
"""Terms of the glossary as a caption writes them."""
ON_CARDS = {
    "as (ε, δ)-DP": "ε (epsilon)",
    "as zCDP": "ρ-zCDP",
    "neighboring data sets": "Neighboring data sets",
    "unit": "Unit of privacy",
    "in the paper": "Paper axis",
    "minority": "Rare classes",
    "the minority": "Rare classes",
    "guessing": "Chance",
    "shift β": "Shift β",
    "NC1": "NC1, NC2, NC3",
    "DPPL-Mean": "DPPL-Mean",
    "DPPL-Public": "DPPL-Public",
    "Private linear probe": "Private linear probe",
    "CoinPress": "CoinPress",
    "AdaMix": "AdaMix",
}
"""Terms of the glossary by the title of a card, or of a row on it."""
MAX_LINKS = 3
"""Links in one caption."""
MEANINGS = LazyDict(lambda: dict(row for rows in TERMS.values() for row in rows))


def terms(answer: str) -> list[str]:
    """Terms that an answer uses, in the order of ``TERM``."""
    return [term for pattern, term in TERM.items() if re.search(pattern, answer)]


def in_caption(words: str, linked: set[str]) -> str:
    """Markdown in which the first of its terms link, but for those in ``linked``, to which they are
    added. One that has links or code of its own stays as it is.
    """
    if "[" in words or "`" in words:
        return words
    used = {
        match.start(): (match, term)
        for pattern, term in IN_CAPTIONS.items()
        if term not in linked and (match := re.search(pattern, words))
    }
    for match, term in [used[start] for start in sorted(used)[:MAX_LINKS]][::-1]:
        linked.add(term)
        link = f"[{match[0]}]({address(term)})"
        words = words[: match.start()] + link + words[match.end() :]
    return words


def on_card(title: str, linked: set[str]) -> str:
    """A title as HTML, with a link if it is a term that is not in ``linked``, to which it is
    added.
    """
    term = ON_CARDS.get(title)
    if term is None or term in linked:
        return plain(title)
    linked.add(term)
    return f'<a href="{address(term)}" target="_blank">{plain(title)}</a>'


def line(answer: str) -> str:
    """Return a line of HTML with a link for each term of an answer; empty without terms."""
    links = " · ".join(map(_link, terms(answer)))
    return f'<p class="dp-below">{render_text(text.LINKS, links=links)}</p>' if links else ""


def _link(term: str) -> str:
    title = plain(MEANINGS[term])
    return f'<a href="{address(term)}" target="_blank" title="{title}">{plain(term)}</a>'


def address(term: str) -> str:
    """Where the glossary explains a term."""
    return f"./glossary?{urlencode({'word': term})}"
