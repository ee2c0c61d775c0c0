"""Ensembles: shards that a record alone decides, batched training, votes and what keeps them."""

import dataclasses

import numpy as np
import pytest
import torch
from sklearn.linear_model import Ridge

from dpviz.methods.parts import ensembles, teachers
from dpviz.types import DpvizError, unit_rows
from tests.kit.toys import toy_data

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def own():
    return toy_data()


def without(data, row):
    """The neighbour that lacks one record; with ``rows``, records keep their own numbers."""
    rows = None if data.rows is None else np.delete(data.rows, row)
    return dataclasses.replace(
        data,
        x=np.delete(data.x, row, 0),
        y=np.delete(data.y, row),
        rows=rows,
        fingerprint=f"without {row}",
    )


def moved(data, row, kind="linear", count=30):
    """How many teachers' ballots change when a record leaves."""

    def ballots(some):
        seen = []

        def keep(picks, classes):
            seen.append(picks)
            return original(picks, classes)

        original, ensembles.count = ensembles.count, keep
        try:
            teachers._count(some, teachers.Ensemble(kind, count), teachers._silent)
        finally:
            ensembles.count = original
        return seen[0]

    return int((ballots(data) != ballots(without(data, row))).any(axis=1).sum())


@pytest.mark.parametrize("kind", ["linear", "fc1", "fc2", "scratch", "random-map"])
@pytest.mark.parametrize("numbered", [True, False])
def test_a_record_moves_one_teacher_at_most(kind, numbered, own):
    data = dataclasses.replace(own, rows=np.arange(1000, 1160)) if numbered else own
    assert all(moved(data, row, kind) <= 1 for row in (0, 77, 159))


def test_shards_by_position_would_move_many(own, monkeypatch):
    monkeypatch.setattr(
        ensembles, "shards", lambda data, count, seed: np.arange(len(data.y)) % count
    )
    assert moved(own, 0) > 5


def test_every_record_has_one_teacher_and_seeds_draw_anew(own):
    owner = ensembles.shards(own, 30, 0)
    assert (
        owner.min() >= 0
        and owner.max() < 30
        and np.array_equal(owner, ensembles.shards(own, 30, 0))
    )
    assert not np.array_equal(owner, ensembles.shards(own, 30, 1))
    rows = np.arange(100_000)
    sizes = np.bincount(
        ensembles.shards(dataclasses.replace(own, rows=rows), 100, 0), minlength=100
    )
    assert abs(sizes - 1000).max() < 6 * 1000**0.5  # fails for a fair hash once in some 10^6


@pytest.mark.parametrize("per_class", [3, 40])  # fewer records than numbers, and more
def test_the_batched_ridge_is_one_ridge_a_shard(per_class):
    data = toy_data(per_class=per_class)
    x = torch.from_numpy(unit_rows(data.x))
    owner = ensembles.shards(data, 3, 0)
    score = ensembles.ridge(ensembles.blocks(owner, data.y, 3, 4)[0], x)(
        torch.from_numpy(unit_rows(data.x_test))
    )
    for teacher in range(3):
        some = np.column_stack([x[owner == teacher], np.ones((owner == teacher).sum())])
        one_hot = np.eye(4)[data.y[owner == teacher]] - 0.25
        alone = Ridge(alpha=ensembles.PENALTY, fit_intercept=False).fit(some, one_hot)
        expected = alone.predict(np.column_stack([unit_rows(data.x_test), np.ones(100)]))
        assert score[teacher].numpy() == pytest.approx(expected, abs=2e-4)


def test_votes_count_every_teacher_and_blind_teachers_favour_no_class(own):
    found = teachers.votes(own, "linear", 1000)
    assert (
        (found.counts.sum(axis=1) == 1000).all() and found.sizes.sum() == 160 and found.unused == 0
    )
    made = ensembles.blocks(
        np.array([0, 0, 8, 8]), np.array([2, 3, 1, 1]), 9, 4
    )  # the last has one class, those between nothing
    picks = ensembles.ballots(
        lambda block: lambda asked: torch.zeros(9, len(asked), 4),
        made,
        torch.zeros(8, 1),
        lambda *a: None,
    )
    assert (picks[0] == 0).all() and (ensembles.count(picks[1:], 4) == 2).all()


def test_votes_are_kept_in_memory_and_on_disk(own):
    first = teachers.votes(own, "linear", 20)
    assert teachers.votes(own, "linear", 20) is first
    teachers._counted.cache_clear()
    again = teachers.votes(own, "linear", 20)
    assert again is not first and all(
        np.array_equal(getattr(first, f), getattr(again, f)) for f in teachers._FIELDS
    )
    assert not np.array_equal(teachers.votes(own, "linear", 20, seed=1).counts, first.counts)


def test_teachers_are_good_on_easy_data_and_a_random_mapping_is_not(own):
    for kind in ("linear", "fc1", "fc2", "scratch"):
        found = teachers.votes(own, kind, 8)
        assert (
            found.counts.argmax(axis=1) == found.truth
        ).mean() > 0.9 and found.right.mean() > 0.8
    found = teachers.votes(own, "random-map", 8)
    assert (found.counts.max(axis=1) == 8).all(), "nothing is trained, so all teachers agree"


def test_queries_of_other_classes_are_told_apart(own):
    names = ("class 0", "class 1", "something", "else")
    foreign = dataclasses.replace(own, public_names=names, fingerprint="foreign")
    every, named = (teachers.votes(foreign, "linear", 8, pool=pool) for pool in teachers.POOLS)
    assert (
        set(every.truth) == {-1, 0, 1}
        and set(named.truth) == {0, 1}
        and len(named.rows) < len(every.rows)
    )


@pytest.mark.parametrize(
    "change, kind, says",
    [
        ({"head": None}, "fc1", "come without"),
        ({}, "prompt", "pictures"),
        ({"x_public": None}, "linear", "public"),
        ({}, "guess", "use one of"),
    ],
)
def test_what_cannot_work_is_said(change, kind, says, own):
    with pytest.raises(DpvizError, match=says):
        teachers.votes(dataclasses.replace(own, fingerprint=f"without {kind}", **change), kind, 8)
