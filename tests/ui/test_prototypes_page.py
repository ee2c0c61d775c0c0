"""The page "Public prototypes" without a browser: controls are moved and the numbers that follow
are read.
"""

import dataclasses
import json
import re
from pathlib import Path

import numpy as np
import pytest

from dpviz.data import uploads
from dpviz.experiments import experiment
from dpviz.text.public_prototypes import TABS
from dpviz.types import Budget, RunSpec
from dpviz.ui.live import session_cost
from dpviz.ui.public_prototypes import setting_sections
from tests.kit.seen import html, opened, sentence
from tests.kit.toys import labelled_content

pytestmark = [pytest.mark.slow, pytest.mark.shared_cache]

ROOT = Path(__file__).resolve().parents[2]
PAGE = "public_prototypes.py"


@pytest.fixture
def own():
    return uploads.keep(labelled_content())


def page(own, **link):
    return opened(str(ROOT / "pages" / PAGE), {"data": own, "ir": "10", **link})


def show(at, view):
    tab = next((name for name, (_, views) in TABS.items() if view in views), view)
    if at.segmented_control(key="see-tab").value != tab:
        at.segmented_control(key="see-tab").set_value(tab).run()
    if len(TABS.get(tab, ("", ""))[1]) > 1:
        at.segmented_control(key="see").set_value(view).run()


def told(at, words):
    values = (m.value.replace("\u00a0", " ") for m in at.markdown)
    return next(value for value in values if words in value)


def test_first_view_matches_library(own):
    at = page(own, score="balanced")
    spec = RunSpec(
        uploads.display_path(uploads.path(own)), None, "dppl-public", Budget(1.0), ir=10.0
    )
    runs = [experiment.run(dataclasses.replace(spec, seed=s)) for s in range(5)]
    mean = 100 * np.mean([r.scores.balanced for r in runs])
    assert float(re.search(r"<strong>([\d.]+)%", html(at))[1]) == pytest.approx(mean, abs=0.51)
    assert re.search(r"\*\*\d+ of 20\*\* prototypes show the right class", sentence(at))
    assert "seed 4" in html(at) and "without noise" in " ".join(c.value for c in at.caption)
    assert any("private view" in m.value for m in at.markdown)
    show(at, "cost")
    assert "add or remove one record" in html(at)


def test_plain_mode_shows_single_draw_without_odds(own):
    precise, plain = html(page(own, eps="0.03")), html(page(own, eps="0.03", voice="plain"))
    signs = ("seed 0", 'class="p"', "✓")
    assert all(sign in precise for sign in signs) and not any(sign in plain for sign in signs)
    assert (
        "✗" in plain
        and re.search(r"First of \d+ runs: \d+ right, ", plain)
        and "look-alike" in plain
    )


def test_budget_and_score_range_change_the_numbers(own):
    at = page(own, see="scores")
    before = sentence(at), told(at, "The score range")
    at.number_input(key="eps").set_value(0.02).run()
    assert "(0.02, 1e-5)-DP" in sentence(at) and sentence(at) != before[0]
    at.slider(key="dppl-public.d_min").set_value(1.0).run()
    assert "The score range 1 to 1.9" in told(at, "The score range")
    show(at, "table")
    assert any("d_min=1.0" in code.value for code in at.code)


def test_budget_between_stops_gets_own_column(own):
    at = page(own, eps="0.7")
    assert ">0.7</div>" in html(at) and "(0.7, 1e-5)-DP" in sentence(at)


def test_k_control_changes_its_number(own):
    at = page(own, see="k")
    assert told(at, "With K = ").startswith("With K = 5, ")
    at.number_input(key="dppl-publick.k").set_value(20).run()
    assert told(at, "With K = ").startswith("With K = 20, ") and any(
        "k=20" in code.value for code in at.code
    )
    at.number_input(key="dppl-publick.k").set_value(500).run()
    assert "K must be at most 120" in at.error[0].value


def test_every_detail_view_gives_an_answer(own, monkeypatch):
    monkeypatch.setattr(setting_sections, "LOWS", (1.0, 1.3))
    monkeypatch.setattr(setting_sections, "HIGHS", (1.6, 1.9))
    at = page(own)
    for look, words in [
        ("window", "The best of 4 ranges"),
        ("size", "With all 120 public images"),
        ("paper", "**3.35** with the printed formula"),
    ]:
        show(at, look)
        assert not at.exception and told(at, words)
    show(at, "size")
    at.segmented_control(key="over").set_value("all").run()
    assert not at.exception and told(at, "Accuracy at (0.01, 1e-5)-DP: ")
    show(at, "set")
    assert "its own public set" in at.info[0].value


def test_view_over_all_budgets_marks_current_one(own):
    at = page(own, see="size", over="all", eps="40")
    assert told(at, "Accuracy at (40, 1e-5)-DP: ") and told(at, " with 10 public images and ")


def test_paper_selection_cost_is_compared_on_this_data(own):
    at = page(own, see="paper", eps="0.5", score="balanced", axis="zcdp")
    words = told(at, "the exact form allows")
    assert "ε = **2.06** instead of **2**" in words and "ε = **13.6** instead of **8.94**" in words
    spec = RunSpec(
        uploads.display_path(uploads.path(own)), None, "dppl-public", Budget(10, "zcdp"), ir=10.0
    )
    runs = [experiment.run(dataclasses.replace(spec, seed=s)) for s in range(5)]
    mean = 100 * np.mean([r.scores.balanced for r in runs])
    cost = next(h.proto.body for h in at.get("html") if "exact ε" in h.proto.body)
    assert f"{mean:.1f}%" in cost and "13.611" in cost and "8.944" in cost


def test_invalid_link_values_fall_back(own):
    at = page(
        own,
        eps="many",
        see="nonsense",
        of="99",
        n="0",
        **{"dppl-public.d_min": "7", "dppl-publick.k": "-1"},
    )
    assert "(1, 1e-5)-DP" in sentence(at)
    assert at.session_state["see"] == "budgets"
    show(at, "scores")
    assert "The score range 1.3 to 1.9" in told(at, "The score range")


def test_empty_score_range_gives_message(own):
    at = page(own, **{"dppl-public.d_min": "1.9", "dppl-public.d_max": "1.5"})
    assert "below d" in at.error[0].value


def test_missing_public_set_gives_message():
    at = page(uploads.keep(labelled_content(X_public=None, y_public=None)))
    assert "needs a public set" in at.error[0].value and "X" in at.error[0].value


def test_without_labels_or_images_rows_are_shown():
    at = page(uploads.keep(labelled_content(y_public=None)))
    assert "represented by one public image without a label" in sentence(at) and re.search(
        r'class="n">\d+<', html(at)
    )


def test_names_from_a_file_stay_text():
    hostile = "<img src=x onerror=alert(1)> [a](b)"
    at = page(uploads.keep(labelled_content(class_names=np.array(["ant", "bee", "cat", hostile]))))
    shown = (
        html(at) + " ".join(m.value for m in at.markdown) + " ".join(c.value for c in at.caption)
    )
    assert "<img src" not in shown and "[a](b)" not in " ".join(m.value for m in at.markdown)
    assert "<img" not in "".join(
        json.dumps(json.loads(c.proto.spec)) for c in at.get("plotly_chart")
    )


def test_charts_reusing_noise_leave_ledger_without_bound(own):
    at = page(own)
    assert not at.session_state[session_cost.LEDGER].unknown
    show(at, "k")
    assert at.session_state[session_cost.LEDGER].unknown and not at.exception
