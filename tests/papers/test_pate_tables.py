"""The tables of docs/measured/teachers-vote.md: claims of the paper, and our questions."""

import pytest

from benchmarks import _measured, pate
from dpviz.stats import interval, signs


@pytest.fixture
def grid(monkeypatch):
    """``grid(level)``: a grid whose accuracies are what ``level`` says of a row."""

    def product(level):
        first = object.__new__(pate.Grid)
        first.rows = pate.ROWS | pate.PROMPTS
        spread = lambda name: 3 if "FreeMatch" in name else 1
        point = lambda self, name, budget: interval(
            [level(name) + s * spread(name) for s in (-0.002, 0, 0.002)]
        )
        monkeypatch.setattr(pate.Grid, "point", point)
        monkeypatch.setattr(pate.Grid, "text", lambda self, name, budget: "–")
        pairs = {**pate.CLAIMS, **pate.QUESTIONS}.values()
        outcomes = {
            (a, z, b): (first.point(z, b), first.point(a, b))
            for a, z in pairs
            for b in pate.BUDGETS
        }
        first.signs = signs(outcomes, paired=True)
        return first

    return product


def test_own_questions_are_listed_separately_and_uncounted(grid):
    text = pate.report(grid(lambda name: 0.5))
    headline = _measured.found(text)
    assert f"Of {len(pate.CLAIMS) + len(pate.ALIKE)} claims tested" in headline
    for question in pate.QUESTIONS:
        assert f"\n1. {question}: **" in text and f"- {question}" not in text
    assert "without a domain gap and at ratio 0.75" in text


@pytest.mark.parametrize(
    ("gap", "word"), [(0.0, "holds here"), (0.1, "does not hold here"), (0.03, "undecided")]
)
def test_near_equality_has_a_margin(grid, gap, word):
    free = lambda name: 0.5 + gap * (name == "Transfer-PATE, FreeMatch")
    (pair,) = pate.ALIKE.values()
    assert grid(free).alike(*pair).startswith(f"**{word}**")
