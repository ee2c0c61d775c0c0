"""Nothing that the papers number is missing from the list."""

import re

import pytest

from dpviz import papers
from dpviz.papers.model import PAPERS

PRINTED = {
    "prototypes": {"Figure": (1, 2, 3, 4, 5, 6, 7, 10), "Algorithm": (1,)},
    "beyond_the_mean": {
        "Figure": range(1, 28),
        "Table": (1, 2),
        "Lemma": (1, 2, 3, 4, 5),
        "Proposition": (1,),
        "Theorem": (2,),
        "Algorithm": (1,),
        "Equation": range(1, 15),
    },
    "prompts": {
        "Figure": (1, 2),
        "Table": range(1, 22),
        "Theorem": (1, 2, 3),
    },
    "mixed": {
        "Figure": (1, 2, 3, 4),
        "Table": (1,),
        "Theorem": (3, 4),
        "Proposition": (2, 5),
        "Algorithm": (1, 2),
    },
    "collapse": {
        "Figure": (1, 2, 3, 4),
        "Table": (1,),
        "Theorem": ("3.1", "3.2", "3.3", "3.4", "4.1"),
    },
}
"""Kinds and numbers in the papers' texts; the appendix of the first paper is not published with
it.
"""
NAMED = re.compile(
    r"(Figure|Table|Lemma|Proposition|Theorem|Algorithm|Equation)s?"
    r" ((?:\d[\d.]*|, | and | to |–|-)+)"
)


def numbers(text):
    """What a place names: (kind, number) of "Figures 14–17", "Tables 2, 3 and 7", "Theorem 3.1"."""
    for kind, outcomes in NAMED.findall(text):
        for part in filter(None, re.split(", | and ", outcomes)):
            interval = re.split("–|-| to ", part.strip(". "))
            whole = (
                range(int(interval[0]), int(interval[1]) + 1) if len(interval) == 2 else interval
            )
            yield from ((kind, str(number)) for number in whole)


def test_places_are_parsed():
    text = "Figures 14–17 and 20; Tables 2, 3 and 7; Theorem 3.1, left"
    assert list(numbers(text)) == [
        *(("Figure", str(n)) for n in (14, 15, 16, 17, 20)),
        *(("Table", n) for n in "237"),
        ("Theorem", "3.1"),
    ]


@pytest.mark.parametrize("paper", PAPERS)
def test_every_figure_table_and_theorem_is_listed(paper):
    reference = {pair for claim in papers.claims(paper) for pair in numbers(claim.place)}
    wanted = {(kind, str(n)) for kind, own in PRINTED[paper].items() for n in own}
    assert wanted <= reference, sorted(wanted - reference)
