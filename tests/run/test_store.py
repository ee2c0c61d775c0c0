"""Results on disk: equal specs meet, damage is survived, two processes get along."""

import dataclasses
import json
import math
import subprocess
from pathlib import Path

import numpy as np
import pytest

from dpviz import data as data_package
from dpviz.experiments import experiment, result_files, store
from dpviz.machine import code_fingerprint
from dpviz.machine.files import write_atomic
from dpviz.types import Budget, Cancelled, DataConfig, RunSpec


@pytest.fixture
def loaded(toy, monkeypatch):
    monkeypatch.setattr(data_package, "load", lambda *a, **k: toy)
    return toy


def spec(**change) -> RunSpec:
    return dataclasses.replace(RunSpec("toy", None, "dppl-mean", Budget(1.0)), **change)


def test_stored_result_equals_computed_one(loaded):
    first = experiment.run(spec(budget=Budget(math.inf)))
    assert (
        dataclasses.replace(experiment.run(spec(budget=Budget(math.inf))), origin="computed")
        == first
    )


def test_result_stores_hits_and_prints_none(loaded):
    wanted = spec(budget=Budget(0.3), ir=5.0)
    first, again = experiment.run(wanted), experiment.run(wanted)
    data = experiment.prepared(wanted)
    order = np.argsort(data.y_test, kind="stable")
    right = experiment.release(wanted).predict(data.x_test) == data.y_test
    for result in (first, again):
        hits = result.scores.hits
        assert np.array_equal(hits.right, right[order]) and 0 < right.sum() < len(right)
        assert hits.tested == (25,) * data.classes and hits.minority == result.minority_classes
    assert again.origin == "stored" and again.scores == first.scores
    printed = json.dumps(result_files.as_json(first)) + result_files.as_csv([first])
    assert first.scores.hits.bits not in printed and "hits" not in printed


def test_omitted_setting_matches_its_default_result(loaded):
    experiment.run(spec())
    assert experiment.run(spec(params=(("clip", "1.0"), ("k_pool", 1)))).origin == "stored"
    assert experiment.run(spec(params=(("clip", 0.5),))).origin == "computed"


@pytest.mark.parametrize(
    "change", [{"seed": 1}, {"ir": 2.0}, {"budget": Budget(2.0)}, {"budget": Budget(1.0, "zcdp")}]
)
def test_every_input_changes_the_key(loaded, change):
    experiment.run(spec())
    assert experiment.run(spec(**change)).origin == "computed"


def test_other_data_or_code_is_not_reused(toy, loaded, monkeypatch):
    experiment.run(spec())
    other = dataclasses.replace(toy, fingerprint="other")
    monkeypatch.setattr(data_package, "load", lambda *a, **k: other)
    assert experiment.run(spec()).origin == "computed"
    monkeypatch.setattr(store, "versions", lambda: {"code": "new"})
    assert experiment.run(spec()).origin == "computed"


def test_cancelled_sweep_keeps_finished_results(loaded):
    at_once = experiment.CELLS_PER_FIT
    wanted = experiment.specs(
        DataConfig("toy", None), "dppl-mean", [Budget(1.0)], range(3 * at_once)
    )

    def stop_in_the_middle(what, done, total):
        if done >= at_once:
            raise Cancelled

    with pytest.raises(Cancelled):
        experiment.sweep(wanted, progress=stop_in_the_middle)
    origins = [r.origin for r in experiment.sweep(wanted)]
    assert origins == ["stored"] * at_once + ["computed"] * 2 * at_once


@pytest.mark.slow
def test_concurrent_processes_can_write(loaded, quick_python):
    program = (
        "from tests.kit.toys import toy_data\n"
        "from dpviz import data\n"
        "from dpviz.experiments import experiment\n"
        "from dpviz.types import Budget, DataConfig\n"
        "toy = toy_data(); data.load = lambda *a, **k: toy\n"
        "toys = experiment.specs(DataConfig('toy', None), 'dppl-mean', [Budget(1.0)], range(40))\n"
        "experiment.sweep(toys)\n"
    )
    running = [
        subprocess.Popen([quick_python, "-c", program], stderr=subprocess.PIPE) for _ in range(2)
    ]
    assert [(p.communicate()[1].decode(), p.returncode) for p in running] == [("", 0)] * 2
    results = experiment.sweep(
        experiment.specs(DataConfig("toy", None), "dppl-mean", [Budget(1.0)], range(40))
    )
    assert {r.origin for r in results} == {"stored"}


def test_interrupted_write_keeps_old_file(tmp_path):
    path = tmp_path / "file"
    path.write_bytes(b"old")

    def half(file):
        file.write(b"ne")
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_atomic(path, half)
    assert [p.name for p in tmp_path.iterdir()] == ["file"] and path.read_bytes() == b"old"


def test_batches_give_same_numbers_as_single_runs(loaded):
    cells = [(1, 0), (1, 1), (2, 0), (3, 7), (2, 1), (1, 7), (5, 2)]
    wanted = [
        spec(budget=Budget(b), seed=s, method=m)
        for m in ("dppl-mean", "class-mean")
        for b, s in cells
    ]
    single = [experiment.sweep([one], use_store=False)[0].scores for one in wanted]
    assert [r.scores for r in experiment.sweep(wanted, use_store=False)] == single
    right = experiment.release(wanted[0]).predict(loaded.x_test) == loaded.y_test
    assert right.mean() == single[0].overall


@pytest.fixture
def package(tmp_path):
    """A copy of the package's code, to be edited."""
    root = code_fingerprint.PACKAGE
    for path in (
        path for ending in code_fingerprint.HASHED_SUFFIXES for path in root.rglob(f"*{ending}")
    ):
        copy = tmp_path / "dpviz" / path.relative_to(root)
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_bytes(path.read_bytes())
    return tmp_path / "dpviz"


@pytest.mark.parametrize(
    "module", ["privacy/convert.py", "methods/dp_ls.py", "data/imbalance.py", "types/dataset.py"]
)
def test_editing_or_moving_computing_module_changes_key(package, module):
    before = code_fingerprint.digest(package)
    assert before == code_fingerprint.own()
    text = (package / module).read_text()
    (package / module).write_text(text + "# edited\n")
    assert code_fingerprint.digest(package) != before
    (package / module).write_text(text)
    assert code_fingerprint.digest(package) == before
    (package / "methods" / "deep").mkdir()
    (package / module).rename(package / "methods" / "deep" / Path(module).name)
    assert code_fingerprint.digest(package) != before


def test_files_left_out_of_the_key_exist():
    places = code_fingerprint.MOVES_NO_NUMBER
    assert [place for place in places if not (code_fingerprint.PACKAGE / place).exists()] == []


def test_new_module_changes_key_and_plot_does_not(package):
    before = code_fingerprint.digest(package)
    (package / "plots" / "accuracy_by_budget.py").write_text("# another drawing\n")
    (package / "types" / "line_style.py").write_text("# other colours\n")
    assert code_fingerprint.digest(package) == before
    (package / "content" / "glossary.toml").write_text("# other sentences\n")
    (package / "papers" / "claims" / "mixed.toml").write_text("# other sentences\n")
    assert code_fingerprint.digest(package) == before
    (package / "methods" / "settings.toml").write_text("steps = 3\n")
    assert code_fingerprint.digest(package) != before
    (package / "methods" / "settings.toml").unlink()
    (package / "somewhere").mkdir()
    (package / "somewhere" / "new.py").write_text("")
    assert code_fingerprint.digest(package) != before


def test_first_specs_come_first_with_the_same_numbers(loaded):
    wanted = [
        spec(budget=Budget(b), seed=s, method=m)
        for m in ("dppl-mean", "noisy-gd", "class-mean")
        for b in (0.5, 1.0, 2.0, 4.0)
        for s in range(3)
    ]
    here = [one for one in wanted if one.budget.value == 1.0]
    rest = [one for one in wanted if one.budget.value != 1.0]
    told = []
    found = experiment.sweep(
        here + rest,
        use_store=False,
        first=len(here),
        on_results=lambda results: told.extend(results),
    )
    assert set(told[: len(here)]) == set(here) and set(told) == set(wanted)
    plain = dict(zip(wanted, experiment.sweep(wanted, use_store=False), strict=True))
    assert [r.scores for r in found] == [plain[one].scores for one in here + rest]
