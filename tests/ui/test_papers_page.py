"""The page of the papers' claims: counted, listed, chosen, each with its views and its command."""

import dataclasses
import html
import re
from types import SimpleNamespace

import pytest

from dpviz import papers
from dpviz.papers import listed as listed_rows
from dpviz.papers import verdicts
from dpviz.papers.model import (
    CANNOT_TELL,
    DOES_NOT,
    HOLDS,
    NOT_MET,
    THEORY,
    Claim,
    Link,
    Verdict,
    theory,
)
from dpviz.text import papers as text
from dpviz.text.template import render
from dpviz.ui.frame import link_notes
from dpviz.ui.papers.controls import ClaimFilter
from dpviz.views import papers_page
from dpviz.views.papers_page import STARS
from tests.kit import seen
from tests.kit.seen import APP, opened, sentence

pytestmark = pytest.mark.shared_cache

CLAIMS = (
    Claim(
        "mixed-f1",
        "mixed",
        "Figure 1",
        "Public data help <b>.",
        links=(Link("Starts", "mixed-privacy?eps=3"),),
        check=lambda ground: Verdict(HOLDS, "3 < 4."),
    ),
    Claim(
        "mixed-p2",
        "mixed",
        "Proposition 2",
        "Rho is T squared.",
        why_not="there is nothing to see but `rho.py`.",
        check=theory(lambda: Verdict(DOES_NOT, "It is T.")),
    ),
    Claim(
        "mixed-f9",
        "mixed",
        "Figure 9",
        "A sketch.",
        links=(Link("as printed, once the data are there", "trade-off?data=cifar100"),),
    ),
)
FOUND = {
    ("mixed-f1", "mnist5k"): verdicts.TimedVerdict("mixed-f1", "mnist5k", HOLDS, "3 < 4.", 60.0),
    ("mixed-p2", "theory"): verdicts.TimedVerdict("mixed-p2", "theory", DOES_NOT, "It is T.", 0.1),
}


@pytest.fixture
def few(monkeypatch):
    monkeypatch.setattr(papers, "claims", lambda paper=None: CLAIMS)
    monkeypatch.setattr(verdicts, "stored", lambda path=None: (FOUND, {"dpviz": "0.3.0"}))


def shown_tiles(at):
    """Values of the tiles by label."""
    found = re.findall(r'dp-label">([^<]+?)(?: <button.*?)?</p><strong>(.*?)<', seen.html(at))
    return {html.unescape(label): value for label, value in found}


def listed(at):
    return " ".join(h.proto.body for h in at.get("html") if "<ul" in h.proto.body[:5])


def test_claims_are_counted_listed_and_selected(few):
    at = opened(APP, {"paper": "mixed"}, "pages/papers.py")
    assert sentence(at, text.ANSWERS["data"].fill(True, holds=1, fails=0, open=0))
    tiles = shown_tiles(at)
    assert tiles[text.AGREE] == "1" and tiles[text.DISAGREE] == tiles[text.OPEN] == "0"
    assert tiles[text.THEORY] == "0" and "of 1; 1 fail" in seen.html(at)
    folds = {fold.label: fold.proto.expanded for fold in at.expander}
    assert folds["**Measured on data** (1)"] and not folds["**Theorems and formulas** (1)"]
    live = render(text.LIVE, live=1, claims=3)
    assert any(c.value == live for c in at.caption), "data that is not here is not live"
    assert "shown, not tested" in listed(at) and "but <code>rho.py</code>." in listed(at)
    assert "Public data help &lt;b&gt;." in listed(
        at
    ) and "dpviz papers --claim mixed-f1" in listed(at)
    assert 'href="mixed-privacy?eps=3&amp;claim=mixed-f1' in listed(
        at
    ) and "No live view: there is nothing" in listed(at)
    at.selectbox(key="on").set_value("theory").run()
    assert sentence(at, text.ANSWERS["theory"].fill(True, holds=0, done=1))
    assert "3 &lt; 4" not in listed(at)
    at.selectbox(key="verdict").set_value("holds").run()
    assert not listed(at) and at.info[0].value == text.NO_MATCH


def test_list_exports_as_table_with_commands(few):
    at = opened(APP, {"paper": "mixed", "on": "mnist5k", "tab": "table"}, "pages/papers.py")
    names = {title: name for name, title in text.COLUMNS.items()}
    rows = at.dataframe[0].value.rename(columns=names).to_dict("records")
    assert [row["outcome"] for row in rows] == [HOLDS, "", "shown, not tested"]
    assert rows[0]["because"] == "3 < 4." and rows[0]["link"] == "mixed-privacy?eps=3"
    assert at.code[-1].value == "python -m dpviz papers --paper mixed --dataset mnist5k"


def test_class_examples_include_true_false_and_misprint():
    claims = {claim.key: claim for claim in papers.claims()}
    found, _ = verdicts.stored()
    outcomes = [{found[key, g].outcome for g in claims[key].grounds} for key in STARS]
    assert outcomes == [{HOLDS, NOT_MET}, {HOLDS, NOT_MET}, {DOES_NOT}]
    assert all(listed_rows.live([claims[key]]) for key in STARS)
    assert [claims[key].grounds == (THEORY,) for key in STARS] == [False, False, True]


def test_search_finds_words_with_whole_numbers():
    one = Claim("mixed-x", "mixed", "Figure 2, left", "By encoder, 72.6%.", why_not="no.")
    finds = lambda *words: ClaimFilter("all", (), "all", words).lists(one, {})
    assert finds("figure 2", "encod") and finds("72.6") and not finds("2 encoder")
    data = {
        ("mixed-x", "omniglot-60"): verdicts.TimedVerdict(
            "mixed-x", "omniglot-60", HOLDS, "AdaMix at ε 3: 1 < 2.", 1.0
        )
    }
    found = ClaimFilter("all", ("omniglot-60",), "all", ("omniglot", "ε = 3"))
    assert found.lists(one, data) and not found.lists(one, {})
    assert ClaimFilter("all", ("omniglot-60",), "all", ("adamix omniglot",)).listed([one], data)
    assert not any(map(finds, ("figure 20", "figure 1", "72", "ncoder", "6%.x")))
    twenty = Claim("mixed-y", "mixed", "Figure 20", "Two lines.", why_not="no.")
    assert not ClaimFilter("all", (), "all", ("figure 2",)).lists(twenty, {})


def test_commands_that_reproduce_figures_are_shown(few):
    at = opened(APP, {"paper": "mixed"}, "pages/papers.py")
    assert any("dpviz reproduce adamix-errors --scale small" in c.value for c in at.caption)


def test_page_opened_from_claim_shows_claim(monkeypatch):
    monkeypatch.setattr(papers, "claims", lambda paper=None: CLAIMS)
    monkeypatch.setattr(verdicts, "stored", lambda path=None: (FOUND, {}))
    notes = []
    monkeypatch.setattr(link_notes.st, "info", notes.append)
    for key in ("mixed-f1", "no-such-claim"):
        monkeypatch.setattr(link_notes.st, "query_params", {"claim": key})
        link_notes.draw_claim()
    assert len(notes) == 1 and "**AdaMix, Figure 1:** Public data help" in notes[0]
    assert "**Result here:** holds on 5,000 digits." in notes[0].replace("\\", "")


def test_summary_names_what_holds_and_places_that_fail():
    data, theory = papers_page.summaries(CLAIMS, FOUND, tuple(papers_page.GROUNDS))
    assert data == "The claims hold in **1 of 1** experiments and fail in none."
    assert theory.endswith("1 failure: Proposition 2.")


def test_summary_counts_misprints_apart_from_failures():
    misprint = dataclasses.replace(CLAIMS[1], key="mixed-p3", place="Lemma 3", slip="A sign.")
    sign = verdicts.TimedVerdict("mixed-p3", "theory", DOES_NOT, "It is minus T.", 0.1)
    found, grounds = FOUND | {("mixed-p3", "theory"): sign}, tuple(papers_page.GROUNDS)
    theory = papers_page.summaries([*CLAIMS, misprint], found, grounds)[1]
    assert theory.endswith("1 failure: Proposition 2. 1 misprint: Lemma 3.")
    alone = papers_page.summaries([CLAIMS[0], misprint], found, grounds)[1]
    assert alone.endswith("of 1 case**. 1 misprint: Lemma 3.")


def test_contradicted_claims_come_first_then_undecided_ones():
    cell = lambda *outcomes: (None, [SimpleNamespace(outcome=outcome) for outcome in outcomes])
    holds, fails, open_, none = cell(HOLDS), cell(HOLDS, DOES_NOT), cell(CANNOT_TELL), cell()
    failed, others = papers_page.in_reading_order([holds, open_, none, fails])
    assert failed == [fails] and others == [open_, holds, none]


def test_answer_names_undecided_tests_as_largest_share_only_if_they_are():
    case = lambda *counts: papers_page._data_case(papers_page.Counts(sum(counts), *counts))
    assert case(44, 13, 52) == "data, mostly open"
    assert case(52, 13, 52) == "data"
    assert case(44, 13, 0) == "data, none open"


def test_finding_counts_papers_with_more_experiments_in_favor():
    def said(theory=None, **papers):
        rows = {
            name: {HOLDS: holds, DOES_NOT: fails, NOT_MET: 1}
            for name, (holds, fails) in papers.items()
        }
        return papers_page.finding(rows, theory).replace("\u00a0", " ")

    theory = papers_page.Counts(86, 56, 26, 4, slips=6)
    failing = "; 20 of 86 theorems fail as printed"
    every = "In every paper, more tests are in favor than against"
    assert said(A=(5, 2), B=(4, 3)) == said(A=(5, 2), B=(4, 3), C=(0, 0)) == every
    assert said(theory, A=(5, 2), B=(4, 3)) == every + failing
    some = "In 1 of 2 papers, more tests are in favor than against"
    assert said(A=(5, 2), B=(3, 3)) == some
    assert said(theory, A=(5, 2), B=(3, 3)) == some + failing
    assert said(A=(5, 3)) == said(A=(5, 3), B=(0, 0)) == "A: 5 tests in favor, 3 against"
    assert said(A=(5, 0), B=(4, 0)) == "No test contradicts a claim"
    assert said(theory, A=(5, 0)) == f"No test contradicts a claim{failing}"


def test_caption_explains_why_bars_add_up_to_more_tests():
    bars = {"A": {HOLDS: 6}, "B": {DOES_NOT: 5}}
    shared = papers_page.caption(bars, papers_page.Counts(10, 5, 3, 2), theory=False)
    assert "11 tests instead of 10" in shared.replace("\u00a0", " ")
    own = papers_page.caption(bars, papers_page.Counts(11, 6, 5, 0), theory=False)
    assert own.endswith(text.CAPTION)
