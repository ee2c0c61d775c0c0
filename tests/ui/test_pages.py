"""The pages without a browser: controls are moved and the numbers that follow are read."""

import dataclasses
import json
import re
import shlex

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from dpviz.cli import main
from dpviz.data import untrusted_files, uploads
from dpviz.experiments import experiment
from dpviz.experiments.sweep_files import read_sweep
from dpviz.types import Budget, RunSpec
from dpviz.ui.live import long_work
from dpviz.ui.widgets import budget_control
from dpviz.views import origins, settings_in_words
from dpviz.views.page_config import STOPS, PageConfig
from tests.kit.own_files import with_paths
from tests.kit.seen import APP, answer, captions, markdown, page
from tests.kit.toys import content

pytestmark = [pytest.mark.slow, pytest.mark.shared_cache]


def html(at):
    return " ".join(h.proto.body for h in at.get("html"))


def spec_of(own, method, budget=1.0, seed=0, axis="approx"):
    return RunSpec(
        uploads.display_path(uploads.path(own)),
        None,
        method,
        Budget(budget, axis),
        ir=10.0,
        params=(),
        seed=seed,
    )


def test_first_view_needs_no_click(own):
    at = page(own)
    assert answer(at).startswith("At (1, 1e-5)-DP, no private method differs significantly from")
    assert "dp-tiles" in html(at) and "dp-finding" in html(at)
    assert len(at.get("plotly_chart")) == 1
    figure = json.loads(at.get("plotly_chart")[0].proto.spec)
    assert len(figure["frames"]) == len(STOPS["approx"]) and figure["layout"]["yaxis"]["range"] == [
        0,
        1,
    ]
    assert not at.error and 'href="?"' in html(at), "the way back to the first view"


def test_answer_matches_library(own):
    at = page(own, m="dppl-public", score="balanced")
    runs = [experiment.run(spec_of(own, "dppl-public", seed=s)) for s in range(5)]
    mean = 100 * np.mean([r.scores.balanced for r in runs])
    said = float(re.search(r"<strong>([\d.]+)% ", html(at))[1])
    assert said == pytest.approx(mean, abs=0.51)


def slider(at):
    """What the slider beside the budget's box shows."""
    return next(
        json.loads(part.proto.json)
        for part in at.get("bidi_component")
        if part.proto.component_name == "dpviz.budget"
    )


def test_slider_follows_budget_box_and_updates_numbers(own):
    at = page(own)
    before = answer(at)
    assert slider(at)["now"] == 1 and slider(at)["stops"] == [*STOPS["approx"]]
    at.number_input(key="eps").set_value(0.05).run()
    assert slider(at)["now"] == 0.05 and "(0.05, 1e-5)-DP" in answer(at) != before
    at.number_input(key="eps").set_value(0.7).run()
    assert slider(at)["now"] == 0.7 in slider(at)["stops"] and "(0.7, 1e-5)-DP" in answer(at)
    assert (
        len(json.loads(at.get("plotly_chart")[0].proto.spec)["frames"]) == len(STOPS["approx"]) + 1
    )


@pytest.mark.parametrize(
    ("sent", "held"),
    [(0.05, 0.05), (20, 20.0), (1e7, 1.0), (0, 1.0), (float("nan"), 1.0), ("2", 1.0), (None, 1.0)],
)
def test_box_accepts_only_valid_slider_values(sent, held, monkeypatch):
    state = {budget_control.BOX: 1.0, budget_control.SLIDER: {"budget": sent}}
    monkeypatch.setattr(budget_control.st, "session_state", state)
    budget_control.take(budget_control.SLIDER, budget_control.move)
    assert state[budget_control.BOX] == held


def test_budgets_with_same_label_have_separate_frames(own):
    at = page(own, eps="1.00001", n="1")
    figure = json.loads(at.get("plotly_chart")[0].proto.spec)
    names = [frame["name"] for frame in figure["frames"]]
    assert len(set(names)) == len(STOPS["approx"]) + 1 and {"1.0", "1.00001"} < set(names)
    assert set(names) <= set(slider(at)["names"]), "by which the chart finds where the slider is"


@pytest.mark.shared_cache(False)
def test_budget_move_computes_only_equal_leakage(own, monkeypatch):
    at = page(own)
    calls = []
    run = long_work.SWEEPS.run_group
    monkeypatch.setattr(
        long_work.SWEEPS,
        "run_group",
        lambda group, told: (calls.append(group), run(group, told))[1],
    )
    at.number_input(key="eps").set_value(0.1).run()
    at.segmented_control(key="score").set_value("overall").run()
    assert "All test images" in html(at)
    assert {spec.budget.axis for group in calls for spec in group} <= {"guess"}


def test_switching_score_changes_the_number(own):
    at = page(own)
    minority = html(at)
    at.segmented_control(key="score").set_value("balanced").run()
    assert "All classes" in html(at) != minority


def test_method_settings_affect_the_numbers(own):
    at = page(own, m="dppl-public", tab="table")
    at.slider(key="dppl-public.d_min").set_value(1.0).run()
    assert "d_min=1.0" in at.code[0].value


def test_invalid_link_falls_back(own):
    at = page(own, eps="many", ir="-4", m="nonsense", score="vibes", axis="none", delta="2", n="0")
    assert answer(at).startswith("At (1, 1e-5)-DP") and not at.error


def test_link_to_missing_upload_falls_back(own, monkeypatch):
    assert (
        uploads.selectable([], "own-" + "0" * 20) == []
        and uploads.selectable([], "own-../../x") == []
    )
    assert uploads.selectable([], own) == [own]


def test_refused_setting_gives_one_message(own):
    at = page(own, m="dppl-public", **{"dppl-public.d_min": "1.9", "dppl-public.d_max": "1.5"})
    assert len(at.error) == 1 and "below d" in at.error[0].value


def test_excessive_ratio_keeps_one_record_per_class(own):
    at = page(own, ir="1000", m="dppl-mean", n="1")
    assert not at.error and "ctual imbalance ratio: 60.0" in captions(at)


def test_invalid_data_file_is_refused_with_message(own):
    at = page(uploads.keep(b"not a zip"))
    assert at.error and ".npz" in at.error[0].value.replace("\\", "")
    at = page(uploads.keep(content(X_train=np.full((240, 12), np.nan, np.float32))))
    assert at.error and "Traceback" not in at.error[0].value


@pytest.mark.shared_cache(False)
def test_upload_beyond_limits_affects_only_its_visitor(own, monkeypatch):
    greedy = uploads.keep(content(X_train=np.ones((240, 12))))
    small = dataclasses.replace(untrusted_files.FEATURES, seconds=0)
    with monkeypatch.context() as patch:
        patch.setattr(untrusted_files, "FEATURES", small)
        at = page(greedy)
    assert not at.exception and len(at.error) == 1
    assert "Reading features took longer than" in at.error[0].value
    assert not page(own).error


def test_cards_state_the_guarantee(own):
    at = page(own)
    for words in (
        "add or remove one record",
        "δ = 1e-5",
        "one record = one row of the file",
        "the rows of the file, after the long-tailed subset was selected",
        "the cost is not counted",
        "the set of classes, the encoder, the public set",
        "Algorithm 1",
    ):
        assert words in html(at)
    assert any("private view: " in m.value for m in at.markdown)


def test_paper_axis_prints_true_pure_epsilon(own):
    at = page(own, axis="paper")
    assert "ε = 1; as pure DP, ε = 2" in html(at)
    assert "the paper axis" in answer(at)


def test_names_from_a_file_stay_text(own):
    at = page(own)
    assert "<img" not in html(at)
    shown = [m.value for m in at.markdown] + [c.value for c in at.caption]
    assert not any("<img" in value for value in shown)
    assert "<img" not in "".join(chart.proto.spec for chart in at.get("plotly_chart")).replace(
        "\\u003c", "<"
    )


def test_empty_selection_shows_its_own_message(own):
    at = page(own)
    at.multiselect(key="m").set_value([]).run()
    assert not at.exception and any("Select a private method" in m.value for m in at.markdown)


def test_page_command_reproduces_the_number(own, capsys):
    at = page(own, m="dppl-public", tab="table")
    words = shlex.split(with_paths(at.code[0].value))
    assert main(words[3:]) == 0
    again = json.loads(capsys.readouterr().out)
    expected = experiment.run(spec_of(own, "dppl-public"))
    assert (
        again["accuracy"]["balanced"] == expected.scores.balanced
        and again["method"] == "dppl-public"
    )


def test_toml_settings_describe_the_drawn_sweep(tmp_path):
    view = PageConfig(
        "mnist5k",
        "glyphnet",
        public="glyphs",
        ir=50.0,
        budget=Budget(0.7),
        first_seed=3,
        seeds=2,
        methods=("dppl-public",),
        params=(("dppl-public", (("d_min", 1.0),)),),
    )
    (tmp_path / "s.toml").write_text(settings_in_words.toml(view), encoding="utf-8")
    drawn = {spec for group in view.groups() for spec in group}
    assert set(read_sweep(tmp_path / "s.toml")) == drawn


@pytest.mark.shared_cache(False)
def test_origin_states_computed_or_stored(own):
    specs = [spec_of(own, "dppl-mean")]
    assert "1 of 1 run computed" in origins.runs(experiment.sweep(specs))
    assert origins.runs(experiment.sweep(specs)).startswith("1 run loaded from cache")


# ---------------------------------------------------------------------------------------- long work


@pytest.mark.shared_cache(False)
def test_stopped_work_is_marked_and_resumes(own):
    path = uploads.display_path(uploads.path(own))
    view = PageConfig(
        path,
        None,
        public=None,
        ir=10.0,
        budget=Budget(1.0),
        first_seed=0,
        seeds=5,
        methods=("dppl-mean", "class-mean"),
    )
    at = AppTest.from_file(APP, default_timeout=60)
    at.query_params |= {"data": own, "ir": "10", "m": "dppl-mean"}
    at.session_state["trade-off:stopped"] = tuple(view.groups() + view.quiet())
    at.run()
    assert at.info[0].value.startswith("Stopped. The chart shows 0 of 3")
    at.button(key="trade-off:go").click().run()
    assert not at.info and "dp-tiles" in html(at)


def test_single_chart_ranks_methods_on_request(own):
    link = {"m": "dppl-mean,dppl-public,class-mean", "n": "2"}
    assert "has the highest accuracy" not in markdown(page(own, **link))
    at = page(own, ranked="true", **link)
    said = markdown(at)
    table = next(f.value for f in at.dataframe if "group" in f.value.columns)
    assert set(table["method"]) == {"DPPL-Mean", "DPPL-Public"}, "of private methods alone"
    alike = bool(set(table["group"][0]) & set(table["group"][1]))
    told = "but not significantly" if alike else "significantly"
    assert f"**{table['method'][0]}** has the highest accuracy, {told} above all others" in said
    assert (
        "private_view.accuracy at (1, 1e-5)-DP" in table.columns
        and "At equal attacker success (best guess" in said
    )
