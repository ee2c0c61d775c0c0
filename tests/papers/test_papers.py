"""The list of claims: each is live or says why not, leads somewhere, and is tried honestly."""

import json
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from dpviz import papers
from dpviz.cli import main
from dpviz.papers import listed, verdicts
from dpviz.papers.model import (
    CANNOT_TELL,
    DOES_NOT,
    HOLDS,
    PAPERS,
    THEORY,
    Claim,
    Link,
    Verdict,
    theory,
)
from dpviz.types import DpvizError

ALL = papers.claims()
DOCS = Path(__file__).parents[2] / "docs" / "papers.md"
PAGES = {p.stem.replace("_", "-") for p in Path(__file__).parents[2].joinpath("pages").iterdir()}


def test_every_claim_has_a_key_of_its_own_and_says_something():
    assert len({claim.key for claim in ALL}) == len(ALL)
    assert all(claim.says.endswith(".") and claim.place for claim in ALL)
    for paper in PAPERS:
        assert all(claim.paper == paper for claim in papers.claims(paper))


@pytest.mark.parametrize("claim", ALL, ids=lambda claim: claim.key)
def test_a_claim_leads_to_pages_that_are_there(claim):
    for link in claim.links:
        assert urlsplit(link.address).path in PAGES, link


def test_a_claim_that_is_nowhere_live_says_why():
    with pytest.raises(DpvizError, match="no reason"):
        Claim("x", "mixed", "Figure 0", "Nothing.")
    with pytest.raises(DpvizError, match="of no paper"):
        Claim("x", "other", "Figure 0", "Nothing.", why_not="it is not there")
    with pytest.raises(DpvizError, match="with a reason"):
        Verdict("maybe", "so it seems")


def test_verdicts_are_kept_beside_others_and_told(tmp_path):
    path = tmp_path / "verdicts.json"
    claim = Claim(
        "x-1",
        "mixed",
        "Theorem 0",
        "One is less than | two.",
        links=(Link("here", "mixed-privacy?eps=1"),),
        check=theory(lambda: Verdict(HOLDS, "1 < 2.")),
    )
    assert verdicts.tries([claim], ["mnist5k"]) == []
    found = list(verdicts.judge(verdicts.tries([claim], [THEORY]), lambda *_: None))
    verdicts.keep([verdicts.Tried("y", "clothes", DOES_NOT, "No.", 0.0)], path)
    verdicts.keep(found, path)
    kept, made_with = verdicts.kept(path)
    assert kept["x-1", THEORY].verdict == Verdict(HOLDS, "1 < 2.") and ("y", "clothes") in kept
    page = listed.page([claim], kept, made_with)
    assert "One is less than \\| two." in page and "theory: **holds**. 1 < 2." in page
    assert f"holds 1 times, does not hold 0 times, {CANNOT_TELL} 0 times" in page
    path.write_text('{"verdicts": [1]}')
    with pytest.raises(DpvizError, match="make it anew"):
        verdicts.kept(path)


def test_what_is_refused_cannot_be_told():
    def refuses(ground):
        raise DpvizError(f"{ground.dataset} has too few records.")

    claim = Claim("x", "mixed", "T", "A.", why_not="a test", check=refuses)
    (tried,) = verdicts.judge([(claim, "clothes")], lambda *_: None)
    assert tried.outcome == CANNOT_TELL and "clothes has too few records." in tried.because


def test_every_try_is_kept_and_no_other():
    tries = {(claim.key, ground) for claim in ALL for ground in claim.grounds}
    kept, _ = verdicts.kept()
    assert tries - set(kept) == set(), "not tried: python -m dpviz papers --keep --claim KEY"
    assert set(kept) - tries == set(), "of no claim: take them out of verdicts.json"


def test_the_page_in_docs_is_made_of_what_is_kept():
    made = listed.page(ALL, *verdicts.kept())
    assert DOCS.read_text() == made, f"make it anew: {listed.COMMAND} (or --claim KEY)"


def test_what_does_not_hold_on_other_data_says_on_which():
    claim = next(one for one in ALL if one.key == "mixed-f1-left")
    told = lambda outcome: verdicts.in_words(
        claim, verdicts.Tried(claim.key, "clothes", outcome, "So.", 0.0)
    )
    assert "clothes (lite0-128)" in told(DOES_NOT) and claim.needs in told(DOES_NOT)
    assert told(HOLDS) == "So."


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["--paper", "sixth"], "no paper 'sixth'"),
        (["--dataset", "cifar10"], "no data set 'cifar10'"),
        (["--claim", "none"], "no claim 'none'"),
    ],
)
def test_the_command_refuses_in_a_sentence(capsys, words, says):
    assert main(["papers", *words]) == 2
    assert says in capsys.readouterr().err


def test_the_command_prints_what_it_tried(capsys, monkeypatch):
    claim = Claim(
        "x", "mixed", "T", "A.", why_not="a test", check=theory(lambda: Verdict(HOLDS, "So."))
    )
    monkeypatch.setattr(papers, "claims", lambda paper=None: (claim,) if paper == "mixed" else ())
    assert main(["papers", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)[0]["outcome"] == HOLDS
