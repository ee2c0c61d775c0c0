"""Terms: terms by their words, each said once."""

import re
from pathlib import Path

import pytest
from scipy.stats import norm
from streamlit.testing.v1 import AppTest

from dpviz import privacy
from dpviz.content import FORMER_TERMS, TERMS
from dpviz.ui.glossary import answer

APP = str(Path(__file__).resolve().parents[2] / "app.py")


def test_terms_are_unique_and_end_with_period():
    names = [name for rows in TERMS.values() for name, _ in rows]
    assert len(names) == len(set(names))
    assert all(said.endswith(".") for rows in TERMS.values() for _, said in rows)


def test_search_matches_names_and_definitions():
    terms = answer.matching("noise Gaussian")
    assert "Gaussian mechanism" in [name for rows in terms.values() for name, _ in rows]
    assert answer.matching("  ").keys() == TERMS.keys() and not answer.matching("zebra")


def test_former_names_find_the_renamed_term():
    names = {name for rows in TERMS.values() for name, _ in rows}
    for former, term in FORMER_TERMS.items():
        assert former not in names and term in names
        assert [row[0] for rows in answer.matching(former).values() for row in rows] == [term]


def test_delta_definition_states_slack_not_exceedance_rate():
    """At (1, 1e-5) the loss of Gaussian noise exceeds 1 as much more often as the glossary says."""
    mu = privacy.gdp_mu(1.0, 1e-5)
    times = norm.sf(1 / mu - mu / 2) / 1e-5
    said = dict(TERMS["Privacy"])["δ (delta)"]
    assert f"that probability is {times:.0f} times δ" in said and "may fail" not in said


@pytest.mark.slow
def test_glossary_page_searches_and_escapes():
    at = AppTest.from_file(APP, default_timeout=60).switch_page("pages/glossary.py").run()
    assert not at.exception and "full definition" in " ".join(m.value for m in at.markdown)
    methods = next(h.proto.body for h in at.get("html") if "<summary>AdaMix<small>" in h.proto.body)
    names = [name.lower() for name in re.findall("<summary>(.*?)<", methods)]
    assert names == sorted(names)
    at.text_input(key="word").set_value("<b>clipping").run()
    assert not at.exception and "No term matches" in " ".join(m.value for m in at.markdown)
    at.text_input(key="word").set_value("clipping").run()
    shown = " ".join(h.proto.body for h in at.get("html"))
    assert (
        re.search("<details[^>]* open><summary>Clipping<small>", shown) and "Pure DP" not in shown
    )
