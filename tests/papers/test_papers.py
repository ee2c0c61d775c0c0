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
DOCS = Path(__file__).parents[2] / "docs" / "papers"
PAGES = {p.stem.replace("_", "-") for p in Path(__file__).parents[2].joinpath("pages").iterdir()}


def test_every_claim_has_unique_key_and_text():
    assert len({claim.key for claim in ALL}) == len(ALL)
    assert all(claim.says.endswith(".") and claim.place for claim in ALL)
    for paper in PAPERS:
        assert all(claim.paper == paper for claim in papers.claims(paper))


@pytest.mark.parametrize("claim", ALL, ids=lambda claim: claim.key)
def test_claim_links_to_existing_pages(claim):
    for link in claim.links:
        assert urlsplit(link.address).path in PAGES, link


def test_claim_without_link_states_reason():
    with pytest.raises(DpvizError, match="no reason"):
        Claim("x", "mixed", "Figure 0", "Nothing.")
    with pytest.raises(DpvizError, match="of no paper"):
        Claim("x", "other", "Figure 0", "Nothing.", why_not="it is not there")
    with pytest.raises(DpvizError, match="with a reason"):
        Verdict("maybe", "so it seems")


def test_verdicts_are_stored_beside_others(tmp_path):
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
    result = list(verdicts.judge(verdicts.tries([claim], [THEORY]), lambda *_: None))
    verdicts.keep([verdicts.TimedVerdict("y", "clothes", DOES_NOT, "No.", 0.0)], path)
    verdicts.keep(result, path)
    remaining, made_with = verdicts.stored(path)
    assert (
        remaining["x-1", THEORY].verdict == Verdict(HOLDS, "1 < 2.")
        and ("y", "clothes") in remaining
    )
    pages = listed.pages([claim], remaining, made_with)
    page = pages["mixed.md"]
    assert "<b>Theorem 0</b>: One is less than | two. <i>theory: holds</i>" in page
    assert "- **theory: holds.** 1 < 2." in page and "`mixed-privacy?eps=1` (here)" in page
    assert "Theorems and formulas: 1 runs; holds: 1." in page and "Measured on data:" not in page
    assert all(f"\n- {rule}\n" in pages["index.md"] for rule in verdicts.RULES)
    assert "1 hold, 0 do not, 0 undecided" in pages["mixed.svg"]
    path.write_text('{"verdicts": [1]}')
    with pytest.raises(DpvizError, match="Create it again"):
        verdicts.stored(path)


def test_refused_claim_is_marked_untested():
    def refuses(ground):
        raise DpvizError(f"{ground.dataset} has too few records.")

    claim = Claim("x", "mixed", "T", "A.", why_not="a test", check=refuses)
    (attempts,) = verdicts.judge([(claim, "clothes")], lambda *_: None)
    assert attempts.outcome == NOT_TRIED and "clothes has too few records." in attempts.because


def test_multi_row_run_counts_once_untested_separately():
    outcomes = lambda key, ground, outcome, because: verdicts.TimedVerdict(
        key, ground, outcome, because, 0.0
    )
    rows = [
        outcomes("a", "clothes", HOLDS, "So."),
        outcomes("b", "clothes", HOLDS, "So."),
        outcomes("c", "mnist5k", HOLDS, "So."),
        outcomes("d", "clothes", DOES_NOT, "No."),
        outcomes("e", "clothes", NOT_TRIED, "Without."),
    ]
    empty = dict.fromkeys(OUTCOMES, 0)
    assert verdicts.counts(rows) == empty | {HOLDS: 3, DOES_NOT: 1, NOT_TRIED: 1}
    runs = verdicts.runs(rows)
    assert [len(again) for again in runs] == [2, 1, 1, 1]
    assert verdicts.counts(again[0] for again in runs)[HOLDS] == 2
    stands = verdicts.stands_on(rows)
    assert (stands["a", "clothes"], stands["c", "mnist5k"]) == (2, 1)
    claims = [
        Claim(key, "mixed", "Theorem 0", "A.", why_not="a test", check=lambda ground: None)
        for key in "abcde"
    ]
    page = listed.pages(claims, {(first.claim, first.ground): first for first in rows}, {})[
        "mixed.md"
    ]
    assert "Measured on data: 3 runs; holds: 2, does not hold: 1, not tested here: 1." in page
    assert page.count("This run decides 2 claims.") == 1
    assert page.count("**clothes: holds.** Same run as “Theorem 0”.") == 1


def test_stored_verdicts_match_the_checks():
    tries = {(claim.key, ground) for claim in ALL for ground in claim.grounds}
    remaining, _ = verdicts.stored()
    assert tries - set(remaining) == set(), "not tried: python -m dpviz papers --keep --claim KEY"
    assert set(remaining) - tries == set(), "of no claim: take them out of verdicts.json"


COUNTED = re.compile(
    r"[Cc]learly (?:less error|higher|lower|no more than [\w ]+) in (\d+) of (\d+)"
    r"(?: comparisons)?, (?:more|lower|higher|more than [\w ]+) in (\d+)"
)


def test_stored_outcomes_match_their_counts():
    counts = {
        first: tuple(map(int, values.groups()))
        for first in verdicts.stored()[0].values()
        if (values := COUNTED.search(first.because)) and "says nothing about" not in first.because
    }
    assert len(counts) > 30
    for first, (with_it, total, against) in counts.items():
        assert first.outcome == outcome_of(with_it, against, total), first


def test_claim_with_unmet_premise_is_not_tested(monkeypatch):
    def check(ground):
        raise AssertionError("tried")

    claim = Claim("mixed-abstract", "mixed", "Abstract", "A.", why_not="a test", check=check)
    monkeypatch.setattr(premises, "measured", lambda premise, ground: (False, f"{premise}: 10."))
    (first,) = verdicts.judge([(claim, "mnist5k")], lambda *_: None)
    assert (first.outcome, first.because) == (NOT_MET, "few-images-many-classes: 10.")


def test_premise_needs_all_conditions_significantly():
    premise = rules.premises()["few-images-many-classes"]
    classes, records, gain, share = premise.conditions
    results = {classes: (60.0, 0.0, True), records: (12.0, 0.0, True), gain: (9.0, 2.0, True)}
    results[share] = (25.0, 0.0, True)
    assert premises.decided(premise, results)[0]
    for modified in ({classes: (10.0, 0.0, True)}, {gain: (9.0, 12.0, False)}):
        met, says = premises.decided(premise, results | modified)
        assert not met and says.count("required: not met)") == 1
    says = premises.decided(premise, results)[1]
    assert "9.0 ± 2.0 points of accuracy" in says and "25% as many public images" in says


def test_premise_with_alternatives_needs_one_condition():
    premise = rules.premises()["other-or-broad-public-set"]
    broad, shared = premise.conditions
    assert premises.decided(premise, {broad: (3e4, 0.0, True), shared: (10.0, 0.0, True)})[0]
    assert not premises.decided(premise, {broad: (591.0, 0.0, True), shared: (10.0, 0.0, True)})[0]


def test_every_tested_claim_has_a_rule():
    assert {claim.key for claim in ALL if claim.check} == set(rules.keys())
    measures = {c.measure for first in rules.premises().values() for c in first.conditions}
    assert measures <= set(premises.MEASURES)


SEEDED = re.compile(r"(\d+) seeds")
DPPL = [claim for claim in ALL if claim.paper in ("prototypes", "beyond_the_mean") and claim.check]


def test_rule_seeds_match_evidence_seeds():
    remaining, values = verdicts.stored()[0], 0
    for claim in DPPL:
        for ground in claim.grounds:
            first = remaining[claim.key, ground]
            text = {int(n) for n in SEEDED.findall(first.because)}
            if first.outcome != NOT_MET and text:
                values += 1
                assert text == {claim.rule.for_ground(ground).seeds}, first
    assert values > 40


def test_stored_verdicts_use_current_imbalance_protocol():
    """Clothes have classes of several sizes, of which protocols keep other records."""
    remaining = verdicts.stored()[0]
    stored = {
        claim.key: remaining[claim.key, "clothes"] for claim in DPPL if "clothes" in claim.grounds
    }
    old = [key for key, first in stored.items() if first.sizes != verdicts.protocol_mark()]
    assert not old, "of another protocol: python -m dpviz papers --keep --claim KEY"


def test_changed_imbalance_protocol_changes_the_mark(monkeypatch):
    mark = verdicts.protocol_mark()
    kept_sizes = verdicts.kept_sizes
    monkeypatch.setattr(verdicts, "kept_sizes", lambda *args: kept_sizes(*args) + 1)
    assert verdicts.protocol_mark() != mark


def test_cited_results_are_not_counted():
    book = Claim(
        "x", "mixed", "T", "A.", why_not="a test", check=theory(lambda: None), textbook=True
    )
    results = {("x", THEORY): verdicts.TimedVerdict("x", THEORY, HOLDS, "So.", 0.0)}
    assert "Theorems and formulas:" not in listed.summary([book], results)
    cited = {
        first.claim: first.outcome
        for first in verdicts.stored()[0].values()
        if first.claim in TEXTBOOK
    }
    assert {key for key, outcome in cited.items() if outcome != HOLDS} == {"prompts-release-cost"}


TEXTBOOK = {claim.key for claim in ALL if claim.textbook}


def test_slip_in_print_differs_from_a_false_statement():
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
    page = listed.pages([claim], {("x", THEORY): failed}, {})["mixed.md"]
    assert "does not hold: 1 (1 because of a wrong constant or sign)" in page
    held_rows = verdicts.TimedVerdict("x", THEORY, HOLDS, "So.", 0.0)
    assert verdicts.shown_outcome(claim, held_rows) == HOLDS
    assert verdicts.in_words(claim, held_rows) == "So."


def test_docs_pages_match_stored_verdicts():
    product = listed.pages(ALL, *verdicts.stored())
    written = {path.name: path.read_text() for path in DOCS.iterdir()}
    assert written == product, f"Create them again: {listed.COMMAND}"


@pytest.mark.parametrize("folder", ["nowhere", "file"])
def test_pages_need_an_existing_folder(folder, tmp_path, capsys):
    (tmp_path / "file").write_text("")
    place = tmp_path / folder
    assert main(["papers", "--stored", "--claim", "mixed-t4", "--pages", str(place)]) == 2
    assert "does not exist" in capsys.readouterr().err


def test_failed_verdict_names_its_data_set():
    claim = next(first for first in ALL if first.key == "mixed-f1-left")
    outcomes = lambda outcome: verdicts.in_words(
        claim, verdicts.TimedVerdict(claim.key, "clothes", outcome, "So.", 0.0)
    )
    assert "clothes (lite0-128)" in outcomes(DOES_NOT) and claim.needs in outcomes(DOES_NOT)
    assert outcomes(HOLDS) == "So."


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["--paper", "sixth"], "Unknown paper 'sixth'"),
        (["--dataset", "cifar10"], "Unknown data set 'cifar10'"),
        (["--claim", "none"], "Unknown claim 'none'"),
    ],
)
def test_invalid_command_is_refused_with_message(capsys, words, says):
    assert main(["papers", *words]) == 2
    assert says in capsys.readouterr().err


def test_command_prints_tested_claims(capsys, monkeypatch):
    claim = Claim(
        "x", "mixed", "T", "A.", why_not="a test", check=theory(lambda: Verdict(HOLDS, "So."))
    )
    monkeypatch.setattr(papers, "claims", lambda paper=None: (claim,) if paper == "mixed" else ())
    assert main(["papers", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)[0]["outcome"] == HOLDS


def test_stored_option_prints_verdicts_rules_option_prints_criteria(capsys, monkeypatch):
    monkeypatch.setattr(verdicts, "judged", lambda claim, ground: Verdict(DOES_NOT, "Anew."))
    assert main(["papers", "--claim", "mixed-p2"]) == 0
    assert "Anew." in capsys.readouterr().out
    assert main(["papers", "--claim", "mixed-p2", "--stored"]) == 0
    remaining = verdicts.stored()[0]["mixed-p2", THEORY]
    assert remaining.because in capsys.readouterr().out
    assert main(["papers", "--claim", "proto-pool", "--rules", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["proto-pool"]["seeds"] == 60


def test_rules_option_prints_failure_and_own_premises(capsys):
    assert main(["papers", "--claim", "proto-f2-public", "--rules"]) == 0
    shown = capsys.readouterr().out
    assert "significantly lower in any comparison" in shown
    assert shown.count("Premise ") == 1 and "Premise other-or-broad-public-set: " in shown
    assert main(["papers", "--claim", "mixed-t4", "--rules"]) == 0
    assert "Premise" not in capsys.readouterr().out
