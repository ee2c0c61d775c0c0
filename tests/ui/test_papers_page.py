"""The page of the papers' claims: counted, listed, chosen, each with its views and its command."""

import pytest

from dpviz import papers
from dpviz.papers import verdicts
from dpviz.papers.model import DOES_NOT, HOLDS, Claim, Link, Verdict, theory
from dpviz.ui.papers.controls import Chosen
from tests.kit.seen import APP, opened, sentence

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
        why_not="there is nothing to see.",
        check=theory(lambda: Verdict(DOES_NOT, "It is T.")),
    ),
)
FOUND = {
    ("mixed-f1", "mnist5k"): verdicts.Tried("mixed-f1", "mnist5k", HOLDS, "3 < 4.", 60.0),
    ("mixed-p2", "theory"): verdicts.Tried("mixed-p2", "theory", DOES_NOT, "It is T.", 0.1),
}


@pytest.fixture
def few(monkeypatch):
    monkeypatch.setattr(papers, "claims", lambda paper=None: CLAIMS)
    monkeypatch.setattr(verdicts, "kept", lambda path=None: (FOUND, {"dpviz": "0.3.0"}))


def listed(at):
    return " ".join(h.proto.body for h in at.get("html") if "<ul" in h.proto.body[:5])


def test_claims_are_counted_listed_and_chosen(few):
    at = opened(APP, {"paper": "mixed"}, "pages/papers.py")
    assert not at.exception and "**1 of 2** figures" in sentence(at, "**")
    assert "Of 2 tries **1** came out as the paper says, **1** did not" in sentence(at, "**")
    assert "Public data help &lt;b&gt;." in listed(
        at
    ) and "dpviz papers --claim mixed-f1" in listed(at)
    assert 'href="mixed-privacy?eps=3' in listed(at) and "Not live: there is nothing" in listed(at)
    at.segmented_control(key="on").set_value("theory").run()
    assert "Of 1 tries **0** came out" in sentence(at, "**") and "3 &lt; 4" not in listed(at)
    at.segmented_control(key="verdict").set_value("holds").run()
    assert not listed(at) and "No claim goes with these choices" in at.info[0].value


def test_words_are_found_as_they_stand_with_whole_numbers():
    one = Claim("mixed-x", "mixed", "Figure 2, left", "By encoder, 72.6 %.", why_not="no.")
    finds = lambda *words: Chosen("all", (), "all", words).lists(one, {})
    assert finds("figure 2", "encod") and finds("72.6") and not finds("2 encoder")
    assert not any(map(finds, ("figure 20", "figure 1", "72", "ncoder", "6 %.x")))
    twenty = Claim("mixed-y", "mixed", "Figure 20", "Two lines.", why_not="no.")
    assert not Chosen("all", (), "all", ("figure 2",)).lists(twenty, {})
