"""Places and facts of the image map, its sheet of thumbnails, and selections of rows."""

import dataclasses

import numpy as np
import pytest

from dpviz.diagnostics import image_map, membership_attack, per_instance
from dpviz.diagnostics.mean_errors import exact_means
from dpviz.experiments import experiment
from dpviz.types import Budget, Dataset, RunSpec, unit_rows
from tests.kit.toys import toy_data

rng = np.random.default_rng


def with_rows(data, rows):
    return dataclasses.replace(data, rows=rows)


def test_places_are_two_principal_components(toy):
    made = image_map.image_map(toy)
    unit = unit_rows(toy.x).astype(np.float64)
    _, sizes, axes = np.linalg.svd(unit - unit.mean(axis=0), full_matrices=False)
    expected = (unit - unit.mean(axis=0)) @ axes[:2].T
    assert np.allclose(np.abs(made.places), np.abs(expected), atol=1e-5)
    assert made.share == pytest.approx((sizes[:2] ** 2).sum() / (sizes**2).sum())
    assert made.rows.tolist() == list(range(len(toy.y)))


def test_angle_and_nearest_class_are_of_exact_means(toy):
    made, means = image_map.image_map(toy), exact_means(toy)
    means /= np.linalg.norm(means, axis=1, keepdims=True)
    cosines = unit_rows(toy.x) @ means.T
    own = cosines[np.arange(len(toy.y)), toy.y]
    assert made.nearest.tolist() == cosines.argmax(axis=1).tolist()
    assert np.allclose(np.cos(np.radians(made.angle)), own, atol=1e-6)


def test_large_set_is_sampled_with_its_full_rows(monkeypatch, toy):
    monkeypatch.setattr(image_map, "MAX_IMAGES", 30)
    shifted = with_rows(toy, np.arange(len(toy.y)) * 7 + 3)
    made, again = image_map.image_map(shifted), image_map.image_map(shifted)
    assert len(made) == 30 and made.number == len(toy.y)
    assert (np.diff(made.rows) > 0).all() and made.rows.tolist() == again.rows.tolist()
    assert made.labels.tolist() == toy.y[(made.rows - 3) // 7].tolist()


@pytest.mark.parametrize("d", [1, 2, 5000])
def test_narrow_and_wide_features_have_places(d):
    x = rng(0).normal(size=(20, d))
    made = image_map.image_map(Dataset.from_arrays(x, np.arange(20) % 2))
    assert made.places.shape == (20, 2) and np.isfinite(made.places).all()


def test_thumbnails_are_read_in_parts_and_shrunk(monkeypatch):
    monkeypatch.setattr(image_map, "PART", 4)
    images = np.repeat(np.arange(10, dtype=np.uint8) * 20, 96 * 96 * 3).reshape(10, 96, 96, 3)
    parts = []

    def thumbnails(split, rows):
        parts.append((split, rows.tolist()))
        return images[rows]

    made = image_map.shrunk_thumbnails(thumbnails, np.arange(1, 10), 32)
    assert parts == [("train", [1, 2, 3, 4]), ("train", [5, 6, 7, 8]), ("train", [9])]
    assert made.shape == (9, 32, 32, 3) and made[:, 0, 0, 0].tolist() == list(range(20, 200, 20))


# --------------------------------------------------------------------------- selected records


def spec_of(data, method="dppl-mean"):
    return RunSpec(data.key, None, method, Budget(1.0))


@pytest.fixture
def arrays():
    data = toy_data()
    return Dataset.from_arrays(data.x, data.y, data.x_test, data.y_test)


def test_attack_on_all_records_equals_the_attack(arrays):
    spec, seeds = spec_of(arrays), range(6)
    whole = membership_attack.attack(spec, seeds)
    targets = membership_attack.target_losses(spec, seeds)
    part = membership_attack.attack_on(targets, np.ones(len(arrays.y), bool))
    assert part.number == whole.judged.number
    assert part.auc == pytest.approx(whole.auc, abs=1e-4)
    assert part.error == pytest.approx(whole.error, abs=1e-4)
    assert part.informed.right == pytest.approx(whole.everyone.right, abs=1e-3)


def test_attack_on_some_records_sees_only_these(arrays):
    targets = membership_attack.target_losses(spec_of(arrays), range(4))
    chosen = np.arange(len(arrays.y)) < 40
    part = membership_attack.attack_on(targets, chosen)
    found, inside = targets.losses[:, :40].astype(float), targets.inside[:, :40]
    assert part.number == 40
    assert part.auc == pytest.approx(membership_attack.auc(found[inside], found[~inside]))


def test_attack_without_non_members_has_no_result(arrays):
    targets = membership_attack.target_losses(spec_of(arrays), range(4))
    assert membership_attack.attack_on(targets, np.zeros(len(arrays.y), bool)) is None
    in_all = dataclasses.replace(targets, inside=np.ones_like(targets.inside))
    assert membership_attack.attack_on(in_all, np.ones(len(arrays.y), bool)) is None


def test_attack_on_records_of_persons_judges_persons():
    data = toy_data()
    persons = np.arange(len(data.y)) // 4
    held = Dataset.from_arrays(data.x, data.y, data.x_test, data.y_test, persons=persons)
    spec = dataclasses.replace(spec_of(held), unit="person", per_person=4)
    targets = membership_attack.target_losses(spec, range(6))
    prepared = experiment.prepared(spec)
    chosen = np.isin(prepared.persons, [0, 1, 2])
    assert membership_attack.attack_on(targets, chosen).number == 3


def test_losses_of_selected_records_are_those_of_owners(arrays):
    losses = per_instance.losses_of(spec_of(arrays))
    chosen = np.isin(np.arange(len(arrays.y)), [3, 5])
    assert np.flatnonzero(losses.with_records(chosen)).tolist() == [3, 5]
    owners = dataclasses.replace(losses, owners=np.arange(len(arrays.y)) // 2)
    assert np.flatnonzero(owners.with_records(chosen)).tolist() == [1, 2]
