"""Tuning with equal effort: same trials, public data alone, honest words."""

import dataclasses

import numpy as np
import pytest

from dpviz import methods
from dpviz.cli import main
from dpviz.data import loading, preparation
from dpviz.experiments import experiment, fair_selection, fair_tuning, tuned_settings
from dpviz.experiments.fair_tuning import FairSearch
from dpviz.types import Budget, DpvizError, RunSpec
from tests.kit.toys import content, labelled_content, toy_data

NAMES = np.array(["a", "b", "c", "d"])


@pytest.fixture
def file(tmp_path):
    (tmp_path / "own.npz").write_bytes(labelled_content(class_names=NAMES))
    return str(tmp_path / "own.npz")


def search(file, **change):
    return FairSearch(file, None, **({"methods": ("dppl-mean",), "largest": 20} | change))


@pytest.mark.parametrize("key", fair_tuning.METHODS)
def test_every_method_has_equal_trials(key):
    method = methods.get(key)
    points = [tuple(method.check(params).items()) for params in fair_tuning.grid(method)]
    assert len(set(points)) == len(points) == fair_tuning.SETTINGS_PER_PREPARATION
    assert tuple(method.check({}).items()) in points


def test_method_without_own_grid_has_equal_trials():
    points = fair_tuning.grid(methods.get("auto-clip"))
    assert len(points) == fair_tuning.SETTINGS_PER_PREPARATION and points[0] == {}
    assert all(methods.get("auto-clip").check(params) for params in points)


def test_rehearsal_reads_only_public_records():
    data = toy_data(public=160)
    asked = FairSearch("toy", None, largest=30)
    made = fair_tuning.rehearsal(data, asked, 0)
    public = {row.tobytes() for row in data.x_public}
    for rows in (made.x, made.x_test, made.public):
        assert {row.tobytes() for row in rows} <= public


def test_rehearsal_parts_share_no_record():
    made = fair_tuning.rehearsal(toy_data(public=160), FairSearch("toy", None, largest=30), 0)
    parts = [{row.tobytes() for row in rows} for rows in (made.x, made.x_test, made.public)]
    assert not (parts[0] & parts[1] or parts[0] & parts[2] or parts[1] & parts[2])
    assert made.counts == (30,) * 4


def test_private_records_do_not_affect_result(tmp_path):
    data, found = toy_data(), []
    for name, x in (("a", data.x[:160]), ("b", data.x[:160][::-1] * 2)):
        path = tmp_path / f"{name}.npz"
        path.write_bytes(labelled_content(X_train=x, X_test=data.x_test * 0 + 1))
        found.append(fair_tuning.run(search(str(path))))
    assert found[0].tuned == found[1].tuned and found[0].features == found[1].features


def test_tuned_setting_beats_a_bad_default(file, monkeypatch):
    grid = ({"k_pool": 12}, {}, *({"k_pool": k} for k in range(2, 12)))
    monkeypatch.setitem(fair_tuning.GRIDS, "dppl-mean", grid)
    found = fair_tuning.run(search(file))
    assert found.tuned[0].score >= found.tuned[0].default_score
    assert found.trials == 24 and found.records == 120


def test_public_set_without_labels_is_refused(tmp_path):
    (tmp_path / "own.npz").write_bytes(content())
    with pytest.raises(DpvizError, match="labels of at least 2 classes, got 0"):
        fair_tuning.run(search(str(tmp_path / "own.npz")))


def test_other_public_classes_can_serve_for_tuning():
    data = toy_data(public=160)
    names = tuple(f"other {c}" for c in range(data.classes))
    other = dataclasses.replace(data, public_names=names)
    made = fair_tuning.rehearsal(other, FairSearch("toy", None, largest=30), 0)
    public = {row.tobytes() for row in data.x_public}
    assert {row.tobytes() for row in (*made.x, *made.x_test)} <= public
    assert sorted(made.class_names) == [f"public class {c}" for c in range(data.classes)]
    assert len(made.labelled_public[1]) == np.count_nonzero(made.y_public >= 0) > 0


def test_splits_draw_new_classes_of_larger_public_sets():
    data = toy_data(public=160)
    labels = np.arange(len(data.x_public)) % 20
    many = dataclasses.replace(
        data, y_public=labels, public_names=tuple(f"other {c}" for c in range(20))
    )
    asked = FairSearch("toy", None, largest=30)
    made = [fair_tuning.rehearsal(many, asked, split) for split in range(2)]
    assert made[0].class_names != made[1].class_names
    assert [one.classes for one in made] == [data.classes] * 2


def test_largest_class_is_estimated_from_test_set(file):
    full = loading.load(file, None)
    tested = np.bincount(full.y_test).max()
    made = fair_tuning.rehearsal(full, search(file, largest=None, ir=5), 0)
    assert max(made.counts) == fair_tuning.LARGEST_PER_TEST * tested


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"largest": 0}, "between 1 and 100,000"),
        ({"methods": ()}, "Select a private method"),
        ({"seed": -1}, "3999"),
    ],
)
def test_invalid_search_is_refused(change, words):
    with pytest.raises(DpvizError, match=words):
        search("x.npz", **change)


def test_imbalance_is_applied_to_rehearsal(file):
    full = loading.load(file, None)
    whole = fair_tuning.rehearsal(full, search(file, ir=5), 0)
    kept = fair_tuning.long_tail(whole, 5)
    assert max(kept.counts) >= 3 * min(kept.counts)


def test_command_prints_settings_and_trials(file, capsys):
    assert main(["tune", "--dataset", file, "--fairly", "--method", "dppl-mean"]) == 0
    printed = capsys.readouterr().out
    assert "24 trials per method" in printed and "dppl-mean:" in printed


def test_command_without_method_is_refused(file, capsys):
    assert main(["tune", "--dataset", file]) != 0
    assert "`tune` needs --method" in capsys.readouterr().err


# ------------------------------------------------------------------------------ the package's table


def test_stored_rows_name_existing_settings():
    assert {row.dataset for row in tuned_settings.rows()} >= {"mnist5k", "clothes", "etf"}
    for row in tuned_settings.rows():
        assert set(row.methods) == set(fair_tuning.METHODS) and row.trials == fair_tuning.TRIALS
        for key in row.methods:
            params = dict(row.params(key))
            assert methods.get(key).check(params)
            assert params in [
                fair_tuning.changed_params(methods.get(key), point)
                for point in fair_tuning.GRIDS[key]
            ]


def test_card_names_public_data_only_for_tuned_settings():
    row = next(row for row in tuned_settings.rows() if row.dataset == "etf")
    key = next(key for key in row.methods if row.params(key))
    features = preparation.centering("", "yes" if row.centered else "no")
    facts = {"dataset": "etf:n=100", "features": features}
    spec = RunSpec(**facts | {"dataset": "etf"}, encoder=None, method=key, budget=Budget(1.0))
    tuned = dataclasses.replace(spec, params=row.params(key))
    assert "no private data were read" in tuned_settings.origin(tuned)
    assert not tuned_settings.origin(spec)
    assert not tuned_settings.origin(dataclasses.replace(tuned, dataset="etf:n=100"))
    assert "no private data were read" in experiment.planned(tuned).guarantee.defaults


# ------------------------------------------------------------------------------- private selection


def test_private_selection_costs_at_most_epsilon(tmp_path):
    (tmp_path / "own.npz").write_bytes(content())
    asked = search(str(tmp_path / "own.npz"))
    (study,) = fair_selection.studies(asked, 1.0)
    assert 0.9 < fair_selection.price(study) <= 1.0 and study.budget.value < 1.0
    assert study.sampler == "random" and study.count == "geometric"
