"""The list of claims: each is live or says why not, leads somewhere, and is tried honestly."""

import json
import re
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from dpviz import papers
from dpviz.cli import main
from dpviz.papers import listed, rules, verdicts
from dpviz.papers.checks import premises
from dpviz.papers.checks.comparisons import outcome_of
from dpviz.papers.model import (
    DOES_NOT,
    HOLDS,
    NOT_MET,
    NOT_TRIED,
    OUTCOMES,
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
    verdicts.keep([verdicts.TimedVerdict("y", "clothes", DOES_NOT, "No.", 0.0)], path)
    verdicts.keep(found, path)
    kept, made_with = verdicts.stored(path)
    assert kept["x-1", THEORY].verdict == Verdict(HOLDS, "1 < 2.") and ("y", "clothes") in kept
    page = listed.page([claim], kept, made_with)
    assert "One is less than \\| two." in page and "theory: **holds**. 1 < 2." in page
    assert "Theorems and formulas: 1 runs; holds: 1." in page and "Measured on data:" not in page
    assert all(f"\n- {rule}\n" in page for rule in verdicts.RULES)
    path.write_text('{"verdicts": [1]}')
    with pytest.raises(DpvizError, match="make it anew"):
        verdicts.stored(path)


def test_what_is_refused_is_not_tried():
    def refuses(ground):
        raise DpvizError(f"{ground.dataset} has too few records.")

    claim = Claim("x", "mixed", "T", "A.", why_not="a test", check=refuses)
    (tried,) = verdicts.judge([(claim, "clothes")], lambda *_: None)
    assert tried.outcome == NOT_TRIED and "clothes has too few records." in tried.because


def test_a_run_of_many_rows_is_counted_once_and_what_was_not_tried_apart():
    told = lambda key, ground, outcome, because: verdicts.TimedVerdict(
        key, ground, outcome, because, 0.0
    )
    rows = [
        told("a", "clothes", HOLDS, "So."),
        told("b", "clothes", HOLDS, "So."),
        told("c", "mnist5k", HOLDS, "So."),
        told("d", "clothes", DOES_NOT, "No."),
        told("e", "clothes", NOT_TRIED, "Without."),
    ]
    none = dict.fromkeys(OUTCOMES, 0)
    assert verdicts.counts(rows) == none | {HOLDS: 3, DOES_NOT: 1, NOT_TRIED: 1}
    runs = verdicts.runs(rows)
    assert [len(same) for same in runs] == [2, 1, 1, 1]
    assert verdicts.counts(same[0] for same in runs)[HOLDS] == 2
    stands = verdicts.stands_on(rows)
    assert (stands["a", "clothes"], stands["c", "mnist5k"]) == (2, 1)
    claims = [
        Claim(key, "mixed", "Theorem 0", "A.", why_not="a test", check=lambda ground: None)
        for key in "abcde"
    ]
    page = listed.page(claims, {(one.claim, one.ground): one for one in rows}, {})
    assert "Measured on data: 3 runs; holds: 2, does not hold: 1, not tried here: 1." in page
    assert page.count("This run is the verdict of 2 rows.") == 2


def test_every_try_is_kept_and_no_other():
    tries = {(claim.key, ground) for claim in ALL for ground in claim.grounds}
    kept, _ = verdicts.stored()
    assert tries - set(kept) == set(), "not tried: python -m dpviz papers --keep --claim KEY"
    assert set(kept) - tries == set(), "of no claim: take them out of verdicts.json"


COUNTED = re.compile(
    r"[Cc]learly (?:less error|higher|lower|no more than [\w ]+) in (\d+) of (\d+)"
    r"(?: comparisons)?, (?:more|lower|higher|more than [\w ]+) in (\d+)"
)


def test_what_is_kept_came_out_as_its_own_counts_say():
    counted = {
        one: tuple(map(int, seen.groups()))
        for one in verdicts.stored()[0].values()
        if (seen := COUNTED.search(one.because)) and "says nothing of" not in one.because
    }
    assert len(counted) > 30
    for one, (with_it, of, against) in counted.items():
        assert one.outcome == outcome_of(with_it, against, of), one


def test_claim_with_unmet_premise_is_not_tried(monkeypatch):
    def check(ground):
        raise AssertionError("tried")

    claim = Claim("mixed-abstract", "mixed", "Abstract", "A.", why_not="a test", check=check)
    monkeypatch.setattr(premises, "measured", lambda premise, ground: (False, f"{premise}: 10."))
    (one,) = verdicts.judge([(claim, "mnist5k")], lambda *_: None)
    assert (one.outcome, one.because) == (NOT_MET, "few-images-many-classes: 10.")


def test_premise_needs_all_conditions_significantly():
    premise = rules.premises()["few-images-many-classes"]
    classes, records, room, share = premise.conditions
    found = {classes: (60.0, 0.0, True), records: (12.0, 0.0, True), room: (9.0, 2.0, True)}
    found[share] = (25.0, 0.0, True)
    assert premises.decided(premise, found)[0]
    for changed in ({classes: (10.0, 0.0, True)}, {room: (9.0, 12.0, False)}):
        met, says = premises.decided(premise, found | changed)
        assert not met and says.count("(not met:") == 1
    says = premises.decided(premise, found)[1]
    assert "9.0 ± 2.0 points of accuracy" in says and "25 % as many public images" in says


def test_premise_with_alternatives_needs_one_condition():
    premise = rules.premises()["other-or-broad-public-set"]
    broad, shared = premise.conditions
    assert premises.decided(premise, {broad: (3e4, 0.0, True), shared: (10.0, 0.0, True)})[0]
    assert not premises.decided(premise, {broad: (591.0, 0.0, True), shared: (10.0, 0.0, True)})[0]


def test_every_tried_claim_has_a_rule():
    assert {claim.key for claim in ALL if claim.check} == set(rules.keys())
    measures = {c.measure for one in rules.premises().values() for c in one.conditions}
    assert measures <= set(premises.MEASURES)


SEEDED = re.compile(r"(\d+) seeds")
DPPL = [claim for claim in ALL if claim.paper in ("prototypes", "beyond_the_mean") and claim.check]


def test_seeds_of_a_rule_are_those_of_its_evidence():
    kept, seen = verdicts.stored()[0], 0
    for claim in DPPL:
        for ground in claim.grounds:
            one = kept[claim.key, ground]
            said = {int(n) for n in SEEDED.findall(one.because)}
            if one.outcome != NOT_MET and said:
                seen += 1
                assert said == {claim.rule.for_ground(ground).seeds}, one
    assert seen > 40


def test_stored_verdicts_belong_to_the_present_imbalance_protocol():
    """Clothes have classes of several sizes, of which protocols keep other records."""
    kept = verdicts.stored()[0]
    stored = {claim.key: kept[claim.key, "clothes"] for claim in DPPL if "clothes" in claim.grounds}
    old = [key for key, one in stored.items() if one.sizes != verdicts.protocol_mark()]
    assert not old, "of another protocol: python -m dpviz papers --keep --claim KEY"


def test_another_imbalance_protocol_has_another_mark(monkeypatch):
    mark = verdicts.protocol_mark()
    kept_sizes = verdicts.kept_sizes
    monkeypatch.setattr(verdicts, "kept_sizes", lambda *args: kept_sizes(*args) + 1)
    assert verdicts.protocol_mark() != mark


def test_cited_results_are_not_counted():
    book = Claim(
        "x", "mixed", "T", "A.", why_not="a test", check=theory(lambda: None), textbook=True
    )
    found = {("x", THEORY): verdicts.TimedVerdict("x", THEORY, HOLDS, "So.", 0.0)}
    assert "Theorems and formulas:" not in listed.summary([book], found)
    cited = {
        one.claim: one.outcome for one in verdicts.stored()[0].values() if one.claim in TEXTBOOK
    }
    assert {key for key, outcome in cited.items() if outcome != HOLDS} == {"prompts-release-cost"}


TEXTBOOK = {claim.key for claim in ALL if claim.textbook}


def test_slip_in_print_is_told_from_a_false_statement():
    claim = Claim(
        "x",
        "mixed",
        "T",
        "A.",
        why_not="a test",
        check=theory(lambda: None),
        slip="A ½ is missing.",
    )
    failed = verdicts.TimedVerdict("x", THEORY, DOES_NOT, "So.", 0.0)
    assert verdicts.shown_outcome(claim, failed) == verdicts.SLIP
    assert verdicts.in_words(claim, failed) == "A ½ is missing. So."
    page = listed.page([claim], {("x", THEORY): failed}, {})
    assert "does not hold: 1 (1 by a slip of a constant or sign)" in page
    held = verdicts.TimedVerdict("x", THEORY, HOLDS, "So.", 0.0)
    assert verdicts.shown_outcome(claim, held) == HOLDS
    assert verdicts.in_words(claim, held) == "So."


def test_the_page_in_docs_is_made_of_what_is_kept():
    made = listed.page(ALL, *verdicts.stored())
    assert DOCS.read_text() == made, f"make it anew: {listed.COMMAND} (or --claim KEY)"


def test_what_does_not_hold_on_other_data_says_on_which():
    claim = next(one for one in ALL if one.key == "mixed-f1-left")
    told = lambda outcome: verdicts.in_words(
        claim, verdicts.TimedVerdict(claim.key, "clothes", outcome, "So.", 0.0)
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


def test_stored_prints_what_is_kept_and_rules_what_decides(capsys, monkeypatch):
    monkeypatch.setattr(verdicts, "judged", lambda claim, ground: Verdict(DOES_NOT, "Anew."))
    assert main(["papers", "--claim", "mixed-p2"]) == 0
    assert "Anew." in capsys.readouterr().out
    assert main(["papers", "--claim", "mixed-p2", "--stored"]) == 0
    kept = verdicts.stored()[0]["mixed-p2", THEORY]
    assert kept.because in capsys.readouterr().out
    assert main(["papers", "--claim", "proto-pool", "--rules", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["proto-pool"]["seeds"] == 60
