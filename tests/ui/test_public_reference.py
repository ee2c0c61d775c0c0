"""Public data alone on every page that shows the accuracy of private methods."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from streamlit.testing.v1 import AppTest

from dpviz.stats import interval
from dpviz.text.method_tiles import PENDING_NOTE
from dpviz.text.mixed_privacy import TILE_PUBLIC
from dpviz.text.trade_off import TILE_LABELS
from dpviz.types import Budget
from dpviz.ui.live import long_work, public_runs
from dpviz.views import public_only
from dpviz.views.page_config import PageConfig
from tests.kit.seen import html, markdown
from tests.kit.whole_app import opened

pytestmark = pytest.mark.shared_cache

QUICK = {"ir": "5", "n": "3"}
PAGES = {
    "trade_off": {"m": "dppl-mean,dppl-public"},
    "dp_means": {},
    "public_prototypes": {},
    "mixed_privacy": {"adamix.max_steps": "8"},
    "who_pays": {},
    "maps": {"map": "ir"},
    "tuning": {"trials": "3"},
    "teachers_vote": {"M": "20", "asked": "50"},
}


@pytest.mark.parametrize("name", PAGES)
def test_answer_states_public_only_result(name, labelled):
    at = opened(name, {"data": labelled} | QUICK | PAGES[name])
    words = markdown(at).lower()
    label = TILE_PUBLIC if name == "mixed_privacy" else TILE_LABELS["public"]
    in_tile = f">{label} " in html(at)
    assert not at.error and (in_tile or "public data alone" in words)


CONTROL = """
import streamlit as st
from dpviz.ui.frame import page_parts
from tests.kit.sidebar import sidebar
with page_parts.collecting():
    st.session_state["view"] = sidebar()
"""


@pytest.mark.parametrize(
    ("data", "same", "other"),
    [
        ("uci-digits", "glyphs", "letters"),
        ("clothes", "clothes-public", "other-clothes"),
        ("omniglot-10", "omniglot-public", "omniglot-other"),
    ],
)
def test_other_classes_are_selectable_with_one_click(data, same, other):
    at = AppTest.from_string(CONTROL, default_timeout=60)
    at.query_params["data"] = data
    at.run()
    assert at.session_state["view"].public == same
    at.segmented_control(key="pub:domain").set_value("other").run()
    view = at.session_state["view"]
    assert not at.exception and view.public == other
    assert public_only.KEY not in view.methods, "no shared labels"
    domain, specs = public_only.elsewhere_group(view)
    assert domain == "same" and {spec.public for spec in specs} == {same}
    at.segmented_control(key="pub:domain").set_value("same").run()
    assert at.session_state["view"].public == same


@pytest.mark.shared_cache(False)
def test_page_is_redrawn_once_when_late_results_arrive(labelled, monkeypatch):
    seen = []
    asked = long_work.start_job

    def late(key, groups, **patience):
        job = asked(key, groups, **patience)
        seen.append(job)
        return long_work.blank(groups) if len(seen) == 1 else job

    monkeypatch.setattr(long_work, "start_job", late)
    at = opened("dp_means", {"data": labelled} | QUICK)
    assert len(seen) == 2 and f'<p class="dp-note">{PENDING_NOTE}</p>' not in html(at)
    assert f">{TILE_LABELS['public']} " in html(at)


def test_bundled_set_pages_report_other_class_accuracy(monkeypatch):
    runs = [SimpleNamespace(spec=None)]
    monkeypatch.setattr(long_work, "late_results", lambda key, group: runs)
    monkeypatch.setattr(public_runs, "accuracy", lambda found, metric: interval([0.4, 0.42]))
    view = PageConfig(
        "uci-digits", "glyphnet", budget=Budget(1.0), first_seed=0, seeds=2, methods=()
    )
    precise, plain = public_runs.other_domain_text("toy", view, "balanced")
    assert precise == "With public images of other classes, DPPL-Public reaches **41%**."
    assert plain == "With public images of other classes, DPPL-Public reaches **41%**."
