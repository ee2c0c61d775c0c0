"""Every page that has a budget works on the axis of the attacker's best guess."""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest

from dpviz.data import uploads
from tests.kit.toys import content_of_persons
from tests.kit.whole_app import opened

pytestmark = pytest.mark.shared_cache

QUICK = {"ir": "5", "n": "2", "axis": "guess", "eps": "60"}
PAGES = {
    "trade_off": {"m": "dppl-mean,dppl-public,noisy-gd", "back": "true", "ranked": "true"},
    "grid": {"as": "grid", "m": "dppl-mean", "n": "1"},
    "dp_means": {},
    "public_prototypes": {},
    "mixed_privacy": {"adamix.max_steps": "8"},
    "who_pays": {},
    "many_pictures": {"ir": "1", "n": "1", "m": "dppl-mean,class-mean"},
    "maps": {"n": "1", "map": "ir"},
    "tuning": {"trials": "3"},
    "attackers_view": {"attacked": "dppl-mean,class-mean"},
    "break_it": {"of": "dppl-mean"},
    "neural_collapse": {"noisy-gd.steps": "10"},
    "teachers_vote": {"M": "20", "asked": "50"},
}


@pytest.mark.parametrize("name", PAGES)
def test_page_opens_at_a_best_guess(name, labelled):
    own = uploads.keep(content_of_persons(8)) if name == "many_pictures" else labelled
    at = opened(name.replace("grid", "trade_off"), {"data": own} | QUICK | PAGES[name])
    assert not at.exception
    assert not [e.value for e in at.error]


SIDEBAR = """
from dpviz.ui.frame import link_notes, page_parts
from tests.kit.sidebar import sidebar
import streamlit as st
link_notes.begin()
with page_parts.collecting() as drawn:
    view = sidebar()
    st.session_state["view"] = view
    link_notes.show(st.container(), "trade-off", link_notes.controls(), True, False)
"""


@pytest.mark.parametrize(("said", "used"), [("1", 60.0), ("100", 60.0), ("75", 75.0)])
def test_out_of_range_budget_is_clamped_with_note(said, used):
    at = AppTest.from_string(SIDEBAR, default_timeout=60)
    at.query_params |= {"axis": "guess", "eps": said, "data": "uci-digits"}
    at.run()
    assert not at.exception and at.session_state["view"].budget.value == used
    noted = any("**eps** cannot be" in i.value for i in at.info)
    assert noted == (float(said) != used)


def test_best_guess_axis_keeps_comparison_guess(labelled):
    settings = {"ir": "5", "n": "2", "eps": "1", "data": labelled, "m": "dppl-mean,dppl-public"}
    at = opened("trade_off", settings)
    budget, guess = at.session_state["budget-equal-guess"]
    assert budget.value == 1 and guess > 60
    at.segmented_control(key="axis").set_value("guess").run()
    assert at.session_state["eps"] == pytest.approx(guess, abs=0.01)
    at.segmented_control(key="axis").set_value("approx").run()
    assert at.session_state["eps"] == 1


def test_switch_at_chart_changes_axis_and_back(labelled):
    at = opened("trade_off", {"ir": "5", "n": "2", "data": labelled, "m": "dppl-mean"})
    switch = at.segmented_control(key="axis-at-chart")
    assert switch.value == "approx"
    switch.set_value("guess").run()
    assert at.session_state["axis"] == "guess" and not at.exception
    at.segmented_control(key="axis-at-chart").set_value("approx").run()
    assert at.session_state["axis"] == "approx" and at.session_state["eps"] == 1
