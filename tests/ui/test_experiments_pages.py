"""Sweeps, Tuning and the ledger of a session without a browser."""

import dataclasses
import io
import json
import math
import re
import time

import pytest

from dpviz.audits import method_checks
from dpviz.data import uploads
from dpviz.experiments import (
    experiment,
    method_verdicts,
    optuna_storage,
    release_file,
    sweep_files,
    sweep_process,
    tuning,
    tuning_again,
)
from dpviz.experiments.jobs import Work
from dpviz.experiments.method_verdicts import Verdict
from dpviz.formatting import METRICS, number_up
from dpviz.text import export as export_text
from dpviz.text import maps
from dpviz.text import optuna_storage as storage_text
from dpviz.text import run_table as table_text
from dpviz.text import session as session_text
from dpviz.text import sweeps as text
from dpviz.text import tuning as tuning_text
from dpviz.text.tuning_costs import APPLIES
from dpviz.types import Budget, DpvizError, RunSpec
from dpviz.ui.live import session_cost
from dpviz.ui.sweeps import answer, run_rows
from dpviz.ui.tuning import storage as storage_tab
from dpviz.ui.widgets import method_check
from tests.kit.seen import APP, html, opened, page
from tests.kit.storages import storage
from tests.kit.sweeps import ran, toml
from tests.kit.tiles import bodies, finding, tiles
from tests.kit.toys import HOSTILE

pytestmark = pytest.mark.slow


def at_page(name, **link):
    return opened(APP, link, f"pages/{name}.py", 90)


def words(at):
    return " ".join([m.value for m in at.markdown] + [c.value for c in at.caption])


def scores(*keys):
    """Titles of axes of accuracy."""
    return [f"{METRICS[key]}, %" for key in keys]


def test_no_sweep_has_its_own_message(own):
    assert text.ANSWERS["none"].fill(True) in words(at_page("sweeps", data=own))


def test_finished_sweep_opens_from_store(own, tmp_path, monkeypatch):
    ran(own, tmp_path)
    monkeypatch.setattr(experiment, "compute", lambda *a: pytest.fail("opening computes nothing"))
    at = at_page("sweeps", data=own, m="dppl-mean")
    assert tiles(at)[text.TILES["runs"]] == ("24 of 24", text.STATES["finished"])
    assert "At 1-zCDP and IR 1, DPPL-Mean" in words(at).replace("\\", "")
    figure = json.loads(at.get("plotly_chart")[0].proto.spec)
    assert len(figure["frames"]) == 2, "two budgets; the method without noise lies across"
    before = words(at)
    at.selectbox(key="sir").set_value("4").run()
    assert "and IR 4, DPPL-Mean" in words(at).replace("\\", "") != before
    at.selectbox(key="set.dppl-mean").set_value(at.selectbox(key="set.dppl-mean").options[1]).run()
    assert not at.exception
    at.segmented_control(key="voice-toggle").set_value("plain").run()
    assert not at.exception and re.search(r"recognizes \*\*\d+ of 100", words(at))
    assert "DPPL-Mean" in finding(at)


def test_sweep_settings_are_compared_as_map_or_lines(own, tmp_path):
    ran(own, tmp_path)
    at = at_page("sweeps", data=own, tab="settings")
    said = words(at).replace("\\", "")
    assert "The accuracy of DPPL-Mean" in said and maps.COMPARED["fact"].fill(True) in said
    assert maps.COMPARED["same"].fill(True, fixed="1-zCDP").replace("\\", "") in said
    kinds = lambda: json.loads(at.get("plotly_chart")[1].proto.spec)["data"]
    assert kinds()[0]["type"] == "heatmap"
    at.selectbox(key="ccol").set_value("").run()
    assert {"clip 0.5", "clip 1"} <= {trace.get("name") for trace in kinds()}
    said = words(at).replace("\\", "")
    assert not at.exception and "ρ 1**" in said
    assert "DPPL-Mean has the highest accuracy on" in said and "of the 1 other setting" in said
    small = json.loads(at_page("sweeps", data=own, tab="panels").get("plotly_chart")[1].proto.spec)
    titles = [note["text"] for note in small["layout"]["annotations"][:2]]
    assert titles == ["<b>IR 1</b>", "<b>IR 4</b>"], "side by side over what the sweep varies"


def test_sweep_results_have_a_row_per_setting(own, tmp_path):
    ran(own, tmp_path)
    frame = at_page("sweeps", data=own).dataframe[0].value
    assert len(frame) == 12 and set(frame[table_text.COLUMNS["method"]]) > {"DPPL-Mean"}
    assert set(frame[table_text.COLUMNS["settings"]]) == {"clip 0.5", "clip 1", table_text.DEFAULTS}
    assert set(frame[table_text.COLUMNS["runs"]]) == {2} and text.LABELS["ir"] in frame.columns
    private = frame[frame[table_text.COLUMNS["method"]] == "DPPL-Mean"]
    assert private[table_text.COLUMNS["guess"]].between(50, 100).all()
    assert all(link.startswith("trade-off?") and own in link for link in frame[table_text.OPEN])


def test_run_table_filters_groups_and_chooses_columns(own, tmp_path):
    ran(own, tmp_path)
    at = at_page("sweeps", data=own, rg="budget", rc="method,budget,epsilon")
    frame = at.dataframe[0].value
    assert table_text.CAPTIONS["best"] in words(at) and set(frame["Best of"]) == {4}
    assert list(frame.columns)[3:] == ["Method", "Budget ρ", "ε at δ = 1e-5"] and len(frame) == 2
    at = at_page("sweeps", data=own, rf="method:Class mean (not private),ir:4")
    assert not at.exception and "2 rows of 12. Select" in words(at)
    frame = at.dataframe[0].value
    assert set(frame[table_text.COLUMNS["method"]]) == {"Class mean (not private)"}
    nothing = at_page("sweeps", data=own, rf="method:DPPL-Mean,settings:defaults")
    assert table_text.NO_ROWS in words(nothing) and not nothing.exception


def test_two_selected_rows_are_compared_and_tagged(own, tmp_path, monkeypatch):
    ran(own, tmp_path)
    select = run_rows._select
    monkeypatch.setattr(
        run_rows, "_select", lambda table, rows, *a: select(table, rows, *a) or rows[:2]
    )
    at = at_page("sweeps", data=own)
    settings, scores = (frame.value for frame in at.dataframe[1:3])
    assert list(settings[table_text.DIFFERENCE_COLUMNS["name"]]) == ["Budget ρ"]
    assert len(scores) == 4 and table_text.GUESS in set(scores.iloc[:, 0])
    at.text_input(key="sweeps-tag-text").set_value(HOSTILE)
    [submit] = [button for button in at.button if button.label == table_text.SET_TAG]
    submit.click().run()
    tags = list(at.dataframe[0].value[table_text.COLUMNS["tag"]])
    assert not at.exception and tags == [HOSTILE[:40]] * 2 + [""] * 10


def test_two_sweeps_are_joined_side_by_side(own, tmp_path):
    ran(own, tmp_path)
    at = at_page("sweeps", data=own, tab="two")
    assert table_text.NO_SECOND in words(at)
    ran(own, tmp_path, HOSTILE, text=toml(own).replace("seeds = 2", "seeds = 3"))
    at = at_page("sweeps", data=own, tab="two")
    frame = at.dataframe[0].value
    assert not at.exception and len(frame) == 12 and "12 shared settings" in words(at)
    assert not re.search(r"(?<!\\)<img", words(at)) and "a sweep" in words(at)
    other = toml(own).replace("[0.1, 1]", "[7]").replace("[methods.class-mean]", "")
    ran(own, tmp_path, "other", text=other)
    at = at_page("sweeps", data=own, tab="two")
    assert table_text.NO_PAIRS in words(at) and not at.exception


def test_method_settings_are_lines_across_parallel_axes(own, tmp_path):
    text = toml(own).replace("ir = [1, 4]", "ir = 4")
    ran(own, tmp_path, text=text)
    at = at_page("sweeps", data=own, tab="settings", cas="all")
    assert not at.exception and "DPPL-Mean at 1-zCDP: from **" in words(at).replace("\\", "")
    drawn = json.loads(at.get("plotly_chart")[1].proto.spec)
    ticks = list(drawn["layout"]["xaxis"]["ticktext"])
    assert ticks == ["clip", "Rare classes (%)", "All classes (%)"]
    assert any("balanced low" in frame.value.columns for frame in at.dataframe)
    assert "group" in at.dataframe[0].value.columns, "groups of settings that are level"
    before = words(at)
    at.segmented_control(key="score").set_value("overall").run()
    drawn = json.loads(at.get("plotly_chart")[1].proto.spec)
    ticks = list(drawn["layout"]["xaxis"]["ticktext"])
    assert ticks[1:] == ["All images (%)", "Rare classes (%)"]
    assert words(at) != before
    at.segmented_control(key="voice-toggle").set_value("plain").run()
    assert not at.exception and " of 100** (" in words(at)


def test_untrusted_names_stay_text(own, tmp_path):
    ran(own, tmp_path, HOSTILE)
    at = at_page("sweeps", data=own, tab="sweeps")
    labels = "".join(one.proto.text for one in at.get("progress"))
    assert r"\<img src" in labels and "[a](b)" not in labels
    assert not re.search(r"(?<!\\)<img", words(at) + labels + "".join(bodies(at)))
    sweep_files.keep(
        sweep_files.Status(
            sweep_files.key("x"),
            HOSTILE,
            "x",
            HOSTILE,
            "failed",
            HOSTILE,
            started=time.time(),
            beat=time.time(),
        )
    )
    at = at_page("sweeps", data=own)
    labels = "".join(one.proto.text for one in at.get("progress"))
    assert not re.search(r"(?<!\\)<img", words(at) + labels + " ".join(e.value for e in at.error))


def running(own, silent):
    """Keep the status of a sweep that last gave a sign of life ``silent`` seconds ago."""
    now = time.time()
    key = sweep_files.key("x")
    state = ("here", "running", "", 3, 24, now, now - silent)
    sweep_files.keep(sweep_files.Status(key, "x", toml(own), *state))


def test_running_and_interrupted_sweeps_are_marked(own):
    running(own, silent=0)
    progress = lambda at: "".join(one.proto.text for one in at.get("progress"))
    assert "running: 3 of 24 runs" in progress(at_page("sweeps", data=own))
    running(own, silent=99)
    assert text.STATES["broken off"] in progress(at_page("sweeps", data=own))


@pytest.mark.parametrize(
    "change, says",
    [
        (lambda t: t.replace("seeds = 2", "seeds = 900"), "between 1 and 5,000 cells"),
        (lambda t: "x" * 30_000, "at most 20,000 characters"),
        (lambda t: t.replace("dataset", "data"), "Unknown keys"),
        (
            lambda t: 'dataset = "/etc/secret.npz"\nbudgets = [1]\nmethods = ["dppl-mean"]',
            "is not available on this page",
        ),
        (
            lambda t: (
                'dataset = "cache/uploads/../../x.npz"\nbudgets = [1]\nmethods = ["dppl-mean"]'
            ),
            "is not available on this page",
        ),
        (
            lambda t: (
                'dataset = "mnist5k"\nencoder = "../w.pt"\nbudgets = [1]\nmethods = ["dppl-mean"]'
            ),
            "Encoder .* is not available",
        ),
    ],
)
def test_invalid_sweep_is_refused_before_start(own, change, says):
    with pytest.raises(DpvizError, match=says):
        sweep_process.begin(change(toml(own)).encode(), "x.toml", "a")
    with pytest.raises(DpvizError, match="must be UTF-8 text"):
        sweep_process.begin(b"\xff", "x.toml", "a")
    assert not sweep_files.statuses()


def test_sweep_started_on_page_runs_by_itself(own):
    key = sweep_process.begin(toml(own).encode(), f"{HOSTILE}/../../up.toml", "a")
    with pytest.raises(DpvizError, match="already running or waiting"):
        sweep_process.begin(toml(own).encode(), "y.toml", "a")
    for _ in range(600):
        status = sweep_files.load(key)
        if status.current_state != "running":
            break
        time.sleep(0.1)
    assert (status.current_state, status.done, status.total, status.name) == (
        "finished",
        24,
        24,
        "up",
    )
    found = answer.opened(status)
    assert len(found.results) == 24 and status.owner == "a" and not found.invalid


# --------------------------------------------------------------------------------------- form


def test_form_describes_sweep_and_counts_runs(own):
    at = at_page("sweeps", data=own, nm="dppl-mean,class-mean", nb="1,2.5", nr="1,4", ns="2")
    at.selectbox(key="nd").set_value(own).run()
    assert not at.exception and not at.error
    assert "2 method settings × 2 budgets × 2 data settings × 2 seeds." in words(at)
    assert "16 runs" in at.button(key="sweep-begin").label
    assert at.title[0].value == text.EMPTY_TITLE
    at.session_state["way"] = "toml"
    content = at.run().text_area(key="sweep-text").value
    assert "budgets = [1.0, 2.5]" in content and "[methods.dppl-mean]" in content


def test_form_varies_settings_within_chosen_range(own):
    link = {"nm": "dppl-public", "nb": "1", "nr": "1", "ns": "1", "nd": own}
    link |= {"nx": "dppl-public.d_min,records", "nx.records": "20,0", "nx.dppl-public.d_min.n": "5"}
    at = at_page("sweeps", data=own, **link)
    at.select_slider(key="nx.dppl-public.d_min").set_range(1.0, 1.4).run()
    assert not at.exception and "5 method settings × 1 budget × 2 data settings" in words(at)
    assert "10 runs" in at.button(key="sweep-begin").label
    assert len(sweep_files.parse(at.session_state["sweeps:form"], "")) == 10
    assert text.EXPECTED_TIME["unknown"] in words(at)
    at.session_state["way"] = "toml"
    content = at.run().text_area(key="sweep-text").value
    assert "d_min = [1.0, 1.1, 1.2, 1.3, 1.4]" in content and "records = [20, 0]" in content


def test_sweep_gets_typed_name(own, monkeypatch):
    begun = []
    monkeypatch.setattr(sweep_process, "begin", lambda *given: begun.append(given) or "0" * 20)
    at = at_page("sweeps", nm="dppl-mean", nb="1", nr="1", ns="2")
    at.text_input(key="nname").set_value("first try").run()
    at.button(key="sweep-begin").click().run()
    assert begun[0][1] == "first try.toml"


def test_example_names_methods_without_stored_runs(monkeypatch):
    specs = [RunSpec("etf", None, "dppl-mean", Budget(value), seed=0) for value in (1.0, 2.0)]
    runs = [experiment.run(spec) for spec in specs]
    captions = []
    monkeypatch.setattr(answer.page_parts, "caption", captions.append)
    answer.draw_example(runs, ("dppl-mean", "class-mean"), 4)
    assert text.EXAMPLE_MISSING.split("{")[0] in captions[0]
    assert "Class mean" in captions[0] and "DPPL-Mean" not in captions[0]


def test_form_starts_sweep_and_skips_invalid_runs(own, monkeypatch):
    begun = []
    monkeypatch.setattr(sweep_process, "begin", lambda *given: begun.append(given) or "0" * 20)
    at = at_page("sweeps", nm="dppl-mean", nb="1,7e300", nr="1", ns="2")
    assert any("2 invalid runs will be skipped" in note.value for note in at.warning)
    at.button(key="sweep-begin").click().run()
    assert not at.exception and b"[methods.dppl-mean]" in begun[0][0]


def test_form_refuses_too_many_runs_and_bad_numbers(own):
    at = at_page("sweeps", nm="dppl-mean", nb="1,-3", nr="1", ns="2")
    assert any("not a positive number" in error.value for error in at.error)
    assert at.button(key="sweep-begin").disabled
    many = ",".join(map(str, range(1, 70)))
    at = at_page("sweeps", nm="dppl-mean", nb=many, nr="1", ns="100")
    assert any("exceed the limit" in error.value for error in at.error)


def test_skipped_runs_are_reported_after_the_sweep(own, tmp_path):
    ran(own, tmp_path, text=toml(own).replace("clip = [0.5, 1.0]", "clip = [-1, 1.0]"))
    at = at_page("sweeps", data=own, tab="sweeps")
    assert any("invalid runs skipped" in note.value for note in at.warning)
    assert tiles(at)[text.TILES["runs"]][1] == "finished, 8 skipped"


# ------------------------------------------------------------------------------------------- tuning


def wish(own, **more):
    """The study that the page asks for."""
    data = uploads.display_path(uploads.path(own))
    given = {"trials": 5, "metric": "balanced", "ir": 4.0} | more
    return tuning.Search(data, None, "dppl-public", Budget(1.0), **given)


def test_tuning_page_matches_library(own):
    at = at_page("tuning", data=own, ir="4", trials="5", m="dppl-mean")
    found = tuning.run(wish(own))
    said = words(at).replace("\u00a0", " ")
    score = f"{100 * found.trials[found.best].score:.0f}%"
    assert f"**ε = {found.costs.composed:.4g}**" in said
    assert f"ε = **{found.costs.composed:.4g}**" in said
    assert score in tiles(at)[tuning_text.TILES["winner"]][1]
    assert tuning_text.FREE.split(": ")[1] in said and "✓" not in said
    assert f"Trials and {2 * tuning_again.REPEATED_RUNS} fresh runs" in html(at)
    assert ":material/block:" in said
    at.selectbox(key="sampler").set_value("random").run()
    at.selectbox(key="count").set_value("geometric").run()
    assert APPLIES["holds"] in words(at) and not at.exception


def test_tuning_by_minority_states_no_guarantee(own):
    link = {"data": own, "ir": "4", "trials": "5", "m": "dppl-mean", "tseed": "3"}
    link |= {"sampler": "random", "count": "geometric", "score": "minority", "tab": "table"}
    at = at_page("tuning", **link)
    said = words(at)
    assert "No guarantee covers a choice by" in said
    assert APPLIES["holds"] not in said and "private view" in said
    assert "private_view.minority" in at.dataframe[0].value and not at.exception


def test_tuning_shows_only_best_under_selection_guarantee(own):
    link = {"data": own, "ir": "4", "trials": "5", "m": "dppl-mean", "tseed": "3"}
    link |= {"sampler": "random", "count": "geometric"}
    found = tuning.run(wish(own, seed=3, sampler="random", count="geometric"))
    for tab in ("prices", "slices", "table"):
        closed_page = at_page("tuning", **link, tab=tab)
        assert not closed_page.get("plotly_chart") and not closed_page.dataframe
    at = at_page("tuning", **link)
    closed = words(at).replace("\u00a0", " ")
    assert f"ε = **{number_up(found.costs.selected['geometric'])}**" in closed
    assert "secret number of trials" in closed and number_up(found.costs.composed) not in closed
    assert not at.get("plotly_chart") and not at.dataframe and "private view" not in closed
    at = at_page("tuning", **link, tab="curtain")
    opened = words(at).replace("\u00a0", " ")
    assert tuning_text.COMPOSED in opened and f"{len(found.trials)} trials" in html(at)
    assert any(one.value == tuning_text.CURTAIN for one in at.warning)
    assert at.get("plotly_chart") and len(at.dataframe[0].value) == len(found.trials)


def test_own_optuna_storage_opens_on_tuning(own):
    at = at_page("tuning", data=own, ir="4", trials="2", m="dppl-mean", tab="storage")
    assert not at.exception and len(at.dataframe[0].value) == 2, "the study of the page"
    studies = optuna_storage.parsed(
        storage("UPDATE studies SET study_name = '<b>x' WHERE study_id = 2;"), "o.db"
    )
    at.session_state[storage_tab.STUDIES] = studies
    at.run()
    at.selectbox(key=storage_tab.FIRST).set_value("first").run()
    assert "Best value: **0.25**, in trial 1. 3 trials stored." in words(at)
    assert len(at.dataframe[0].value) == 3 and storage_text.UNKNOWN_COST in words(at)
    at.selectbox(key="storage-second").set_value("<b>x").run()
    side, shared = (frame.value for frame in at.dataframe)
    assert not at.exception and list(side.columns)[1:] == ["A", "B"]
    assert list(shared["B − A"]) == [0.5] and r"\<b\>x" in words(at)


def test_studies_of_the_session_are_compared(own):
    link = {"data": own, "ir": "4", "trials": "2", "m": "dppl-mean", "tab": "storage"}
    at = at_page("tuning", **link)
    at.number_input(key="tseed").set_value(1).run()
    second = at.selectbox(key="storage-second")
    second.set_value(second.options[1]).run()
    assert not at.exception and at.dataframe[0].value["A"].iloc[1] == "2"
    assert re.search(r"A: \*\*.*seed 0\*\*\. B: \*\*.*seed 1\*\*", words(at))
    secret = at_page("tuning", **link | {"sampler": "random", "count": "geometric"})
    assert not secret.dataframe, "trials that stay secret are not listed"


@pytest.mark.parametrize("content, refused", [(storage(), False), (b"x", True)])
def test_upload_of_storage_is_read_or_refused(monkeypatch, content, refused):
    upload = io.BytesIO(content)
    upload.name = "o.db"
    state = {storage_tab.UPLOAD: upload, storage_tab.STUDIES: "earlier"}
    monkeypatch.setattr(storage_tab.st, "session_state", state)
    storage_tab._take()
    assert (storage_tab.STUDIES in state, storage_tab.REFUSAL in state) == (not refused, refused)
    assert state.get(storage_tab.FIRST) == (None if refused else "first")
    state[storage_tab.UPLOAD] = None
    storage_tab._take()
    assert storage_tab.STUDIES not in state and storage_tab.REFUSAL not in state


def test_public_demo_opens_no_storage(monkeypatch):
    monkeypatch.setenv("DPVIZ_PUBLIC", "1")
    monkeypatch.setattr(storage_tab.st, "file_uploader", lambda *a, **k: pytest.fail("an upload"))
    storage_tab.draw("tuning")


def test_invalid_tuning_data_gives_message(own):
    at = at_page("tuning", data=uploads.keep(b"not a zip"), trials="2")
    assert at.error and ".npz" in at.error[0].value.replace("\\", "")


# ------------------------------------------------------------------------------------------- ledger


TOTALS = ("**Total", "**No ", session_text.NOTHING)


def folded(at):
    """What the ledger of the sitting says, once it is opened."""
    at.session_state[session_cost.FOLD] = True
    at.run()
    assert not at.exception
    return next(c.value for c in at.sidebar.caption if c.value.startswith(TOTALS))


@pytest.mark.shared_cache
def test_ledger_is_computed_on_demand_with_every_run(own):
    at = page(own, m="dppl-public,dppl-mean", n="2")
    assert not any(c.value.startswith(TOTALS) for c in at.sidebar.caption)
    said = folded(at)
    shared = "seeds 0 to 1; no bound, since budgets share one seed"
    assert said.count(f"26 runs: 13 budgets, {shared}") == 1
    assert said.count(f"28 runs: 14 budgets, {shared}") == 1, "the probe at equal leakage as well"
    assert said.count(session_text.REPLAY) == 1
    at.slider(key="dppl-public.d_min").set_value(1.0).run()
    assert folded(at).count("26 runs") == 2
    at.slider(key="n").set_value(3).run()
    assert folded(at).count("39 runs: 13 budgets, seeds 0 to 2") == 1


@pytest.mark.shared_cache
@pytest.mark.parametrize("name", ["attackers_view", "who_pays"])
def test_pages_with_own_answers_are_in_ledger(own, name):
    link = {"data": own, "ir": "5", "n": "2", "attacked": "dppl-mean,noisy-gd,class-mean"}
    at = at_page(name, **link, a="dppl-mean", b="noisy-gd")
    assert re.search(r"\*\*DPPL.*1 run, seed 0; ε = 1 on its own", folded(at))


@pytest.mark.shared_cache
def test_ledger_appears_on_page_that_stops_early(own):
    at = page(own, **{"f.pca": "500"})
    assert at.error and session_text.NOTHING in folded(at)


@pytest.mark.shared_cache
def test_ledger_uses_delta_of_the_page(own):
    assert "At δ = 1e-5:" in folded(page(own, m="dppl-mean"))
    assert "At δ = 0.001:" in folded(page(own, m="dppl-mean", delta="0.001"))


def test_study_counts_as_best_until_trials_are_viewed(own):
    wish = tuning.Search(
        uploads.display_path(uploads.path(own)), None, "dppl-public", Budget(1.0), trials=4, seed=3
    )
    wish = dataclasses.replace(wish, sampler="random", count="geometric", ir=4.0)
    link = {"data": own, "ir": "4", "trials": "4", "tseed": "3", "score": "balanced"}
    link |= {"sampler": "random", "count": "geometric"}
    at = at_page("tuning", **link)
    price = number_up(tuning.costs(wish, ()).selected["geometric"])
    said = folded(at)
    assert f"plan fixed beforehand:** ε = {price} at δ = 1e-5" in said and "secret number" in said
    assert session_text.BEST_OF_MANY in said
    at.session_state["tab"] = "curtain"
    assert "secret number" not in folded(at)
    found = tuning.run(wish)
    said = folded(at)
    assert f"plan fixed beforehand:** ε = {number_up(found.costs.composed)}" in said
    assert "ε = 10 at δ = 1e-5, the session cap" in said


@pytest.mark.shared_cache
def test_session_cap_is_fixed_by_first_private_run(own):
    at = page(own, m="class-mean", n="1")
    at.session_state[session_cost.FOLD] = True
    at.run()
    box = at.number_input(key=session_cost.CAP)
    assert box.value == 10 and not box.disabled
    box.set_value(3.0).run()
    assert at.session_state[session_cost.LEDGER].cap == 3
    at.multiselect(key="m").set_value(["dppl-mean"]).run()
    at.run()
    box = at.number_input(key=session_cost.CAP)
    assert box.disabled and box.value == 3 and not at.exception


def test_session_cap_does_not_change_after_private_run(monkeypatch):
    seen = session_cost.SessionLedger(cap=3.0)
    state = {session_cost.LEDGER: seen, session_cost.CAP: 50.0}
    monkeypatch.setattr(session_cost.st, "session_state", state)
    seen.runs[RunSpec("own", None, method="dppl-mean", budget=Budget(1.0))] = None
    session_cost._take_cap()
    assert seen.cap == 3
    seen.runs.clear()
    session_cost._take_cap()
    assert seen.cap == 50


@pytest.mark.parametrize("wrong, kept", [(1e9, 100.0), (-5.0, 0.01), (math.nan, 10.0)])
def test_session_cap_stays_in_its_range(monkeypatch, wrong, kept):
    seen = session_cost.SessionLedger()
    state = {session_cost.LEDGER: seen, session_cost.CAP: wrong}
    monkeypatch.setattr(session_cost.st, "session_state", state)
    session_cost._take_cap()
    assert seen.cap == kept


@pytest.mark.parametrize("shown", ["votes", "unknown"])
def test_session_cap_is_fixed_by_any_private_result(monkeypatch, shown):
    seen = session_cost.SessionLedger(cap=3.0)
    setattr(seen, shown, {"votes": None} if shown == "votes" else True)
    state = {session_cost.LEDGER: seen, session_cost.CAP: 50.0}
    monkeypatch.setattr(session_cost.st, "session_state", state)
    session_cost._take_cap()
    assert seen.cap == 3


@pytest.mark.shared_cache
def test_link_and_undo_do_not_change_session_cap(own):
    at = page(own, m="class-mean", n="1", **{session_cost.CAP: "50", "cap": "50"})
    at.session_state[session_cost.FOLD] = True
    at.run()
    at.number_input(key=session_cost.CAP).set_value(3.0).run()
    at.slider(key="n").set_value(2).run()
    at.multiselect(key="m").set_value(["dppl-mean"]).run()
    for name in ("undo", "undo", "redo"):
        at.button(key=name).click().run()
        assert at.session_state[session_cost.LEDGER].cap == 3
    at.session_state[session_cost.CAP] = 50.0
    at.query_params[session_cost.CAP] = "50"
    at.run()
    box = at.number_input(key=session_cost.CAP)
    assert box.disabled and box.value == 3 == at.session_state[session_cost.LEDGER].cap


@pytest.mark.shared_cache
def test_reference_runs_are_not_in_ledger(own):
    assert session_text.NOTHING in folded(page(own, m="class-mean,logistic"))


def test_release_is_recorded_in_ledger_when_drawn(own, monkeypatch):
    seen = session_cost.SessionLedger()
    monkeypatch.setattr(session_cost, "_ledger", lambda: seen)
    monkeypatch.setattr(session_cost.visitor, "visitor_name", lambda: "without other ledgers")
    monkeypatch.setattr(release_file, "release", lambda spec, verdict: b"drawn")
    spec = RunSpec(
        uploads.display_path(uploads.path(own)), None, method="dppl-mean", budget=Budget(1.0)
    )
    draw = session_cost.releasing(spec, Verdict("of a test"))
    assert not seen.releases, "not before the button is pressed"
    assert draw() == draw() == b"drawn" and seen.releases == [spec, spec]
    [line] = session_cost.priced(seen, 1e-5).lines
    assert (line.runs, line.releases) == (2, True)


def release_page(own, monkeypatch, failures):
    """The open fold of a page, whose method was not checked; and the same after the check."""
    monkeypatch.setattr(method_verdicts, "stored", lambda method: None)
    monkeypatch.setattr(method_check, "CHECKS", Work(method_check._check))
    checked = lambda method, progress: Verdict("of a test", failures)
    monkeypatch.setattr(method_checks, "verdict", checked)
    at = page(own, m="dppl-mean", n="1", table="true")
    before = words(at), labels(at)
    [button] = [one for one in at.button if one.label == method_check.BUTTON]
    button.click().run()
    assert not at.exception
    return before, (words(at), labels(at))


def labels(at):
    """Labels of the buttons that download a file."""
    return [one.proto.label for one in at.get("download_button")]


DRAW = export_text.DRAW_RELEASE


@pytest.mark.shared_cache
def test_release_requires_check_started_by_button(own, monkeypatch):
    (said, offered), (after, ready) = release_page(own, monkeypatch, ())
    assert "A release needs this check first" in said and DRAW not in offered
    assert "A release needs this check first" not in after and DRAW in ready


@pytest.mark.shared_cache
def test_method_failing_its_check_is_refused_immediately(own, monkeypatch):
    failure = "neighbors change the draw “mean” by 3, above its claimed sensitivity of 1"
    (said, offered), (after, ready) = release_page(own, monkeypatch, (failure,))
    assert failure not in said and failure in after
    assert DRAW not in offered + ready
