"""Ensembles: shards that a record alone decides, batched training, votes and what keeps them."""

import dataclasses
import io

import numpy as np
import pytest
import torch
from sklearn.linear_model import Ridge

from dpviz.data.readers import uploaded_features
from dpviz.machine.threads import one_numeric_thread
from dpviz.methods.components import ensembles, teachers
from dpviz.types import DpvizError, unit_rows
from tests.kit.toys import packed, toy_data

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def own():
    return toy_data()


def without(data, row):
    """The neighbour that lacks one record, as a loader would number it."""
    rows = None if data.rows is None else np.arange(len(data.y) - 1)
    x, y = np.delete(data.x, row, 0), np.delete(data.y, row)
    return dataclasses.replace(data, x=x, y=y, rows=rows, fingerprint=f"without {row}")


def reordered(data):
    order = np.random.default_rng(0).permutation(len(data.y))
    return dataclasses.replace(data, x=data.x[order], y=data.y[order], fingerprint="reordered")


KINDS = ["linear", "fc1", "fc2", "scratch", "random-map"]
TEACHERS = 30


def scores(data, kind, count=TEACHERS):
    """Every teacher's scores of every query, (teachers, q, C), and the votes."""
    asked = teachers.Ensemble(kind, count)
    seen, original = {}, ensembles.ballots

    def listened(train, made, inputs, progress):
        for block in made:
            found = train(block)(inputs).numpy()
            seen.update(
                zip(
                    block.first + np.flatnonzero(block.has_records),
                    found[block.has_records],
                    strict=True,
                )
            )
        return original(train, made, inputs, progress)

    with pytest.MonkeyPatch.context() as patch, one_numeric_thread():
        patch.setattr(ensembles, "ballots", listened)
        votes = teachers._count(data, asked, teachers._silent)
    return np.stack([seen[teacher] for teacher in range(count)]), votes.counts


def moved(data, other, kind="linear", count=TEACHERS):
    """How many teachers' scores differ in any bit, and by how much any query's votes in L1."""
    (one, votes), (two, others) = scores(data, kind, count), scores(other, kind, count)
    return int((one != two).any(axis=(1, 2)).sum()), int(np.abs(votes - others).sum(axis=1).max())


@pytest.fixture(params=["uploaded", "a part of a larger set"])
def numbered(request):
    """Data as loaders hand it on: uploads bring no numbers, and what imbalance keeps has some."""
    data = uneven()
    if request.param == "uploaded":
        names = ("X_train", "y_train", "X_test", "y_test", "X_public", "y_public")
        parts = data.x, data.y, data.x_test, data.y_test, data.x_public, data.y_public
        file = io.BytesIO(packed(dict(zip(names, parts, strict=True))))
        return dataclasses.replace(uploaded_features.read_npz(file, "own.npz"), head=data.head)
    return dataclasses.replace(data, rows=np.arange(len(data.y)))


def uneven():
    """Shards of sizes on both sides of a power of two."""
    return toy_data(per_class=130)


@pytest.mark.parametrize("kind", KINDS)
def test_record_moves_at_most_one_teacher(kind, numbered):
    for row in (0, 257, len(numbered.y) - 1):
        teacher, votes = moved(numbered, without(numbered, row), kind)
        assert teacher <= 1 and votes <= 2


@pytest.mark.parametrize("kind", ["linear", "scratch"])
def test_teacher_changing_blocks_keeps_other_teachers_bits(kind):
    data = uneven()
    owner = ensembles.shards(data, TEACHERS, 0)
    teacher = np.flatnonzero(np.bincount(owner) == ensembles.MIN_BLOCK + 1)[0]
    row = np.flatnonzero(owner == teacher)[0]
    assert moved(data, without(data, row), kind)[0] == 1


def test_large_teacher_learns_same_alone():
    data = uneven()
    owner, content = ensembles.shards(data, 3, 0), ensembles.marks(data.x, data.y)
    x, found = torch.tensor(data.x), []
    for alone in (np.inf, 256):
        made = ensembles.blocks(owner, data.y, content, 3, data.classes, own_block_room=alone)
        seen = [block.gather(x, lambda some: some) for block in made]
        with one_numeric_thread(), torch.no_grad():
            models = [ensembles.two_layers(b, s, 8, 0) for b, s in zip(made, seen, strict=True)]
            found.append(torch.cat([model(x[:300]) for model in models]))
        assert [len(block.has_records) for block in made] == ([3] if alone > 256 else [1, 1, 1])
    assert torch.equal(*found)


@pytest.mark.parametrize("kind", KINDS)
def test_record_order_does_not_change_votes(kind):
    assert moved(uneven(), reordered(uneven()), kind) == (0, 0)


def test_removing_record_keeps_other_teacher_assignments(numbered):
    owner = ensembles.shards(numbered, 100, 0)
    for row in (0, 257, len(numbered.y) - 1):
        assert np.array_equal(
            np.delete(owner, row), ensembles.shards(without(numbered, row), 100, 0)
        )


def test_position_based_shards_move_many_votes(own, monkeypatch):
    """Negative control, as it was: a hash of the place in the file."""

    def by_place(data, count, seed):
        places = np.arange(len(data.y), dtype=np.uint64)
        return (ensembles.mixed(places, seed) % np.uint64(count)).astype(np.int64)

    monkeypatch.setattr(ensembles, "shards", by_place)
    teacher, votes = moved(own, without(own, 0))
    assert teacher > 5 and votes > 2


def test_padding_to_largest_shard_would_change_other_teachers(monkeypatch):
    """Negative control: shapes that follow from a neighbour's records, here one more than
    numbers.
    """
    data, d = uneven(), 12
    owner = ensembles.shards(data, TEACHERS, 0)
    places = [np.flatnonzero(owner == teacher)[: d - 2] for teacher in range(TEACHERS)]
    places[3] = np.flatnonzero(owner == 3)[: d + 2]
    keep = np.concatenate(places)
    data = dataclasses.replace(data, x=data.x[keep], y=data.y[keep])
    fewer = without(data, 3 * (d - 2))
    assert moved(data, fewer)[0] == 1
    monkeypatch.setattr(
        ensembles, "_block_sizes", lambda sizes, single: np.full(len(sizes), int(sizes.max()))
    )
    assert moved(data, fewer)[0] > 1


def test_equal_content_shares_teacher_negative_zero_equals_zero():
    x, y = np.array([[0.0, 1.0], [-0.0, 1.0], [0.0, 1.0]], np.float32), np.array([0, 0, 1])
    one, other, labelled = ensembles.marks(x, y)
    assert one == other != labelled


def test_record_has_one_teacher_per_seed(own):
    owner = ensembles.shards(own, 30, 0)
    assert (
        owner.min() >= 0
        and owner.max() < 30
        and np.array_equal(owner, ensembles.shards(own, 30, 0))
    )
    assert not np.array_equal(owner, ensembles.shards(own, 30, 1))
    many = np.arange(100_000, dtype=np.float32)[:, None]
    many = dataclasses.replace(own, x=many, y=np.zeros(len(many), np.int64))
    sizes = np.bincount(ensembles.shards(many, 100, 0), minlength=100)
    assert abs(sizes - 1000).max() < 6 * 1000**0.5  # fails for a fair hash once in some 10^6


@pytest.mark.parametrize("per_class", [3, 40])  # fewer records than numbers, and more
def test_batched_ridge_matches_single_ridges(per_class):
    data = toy_data(per_class=per_class)
    x = torch.from_numpy(unit_rows(data.x))
    owner = ensembles.shards(data, 3, 0)
    asked, score = torch.from_numpy(unit_rows(data.x_test)), {}
    for block in ensembles.blocks(owner, data.y, ensembles.marks(data.x, data.y), 3, 4):
        found = ensembles.ridge(block, block.gather(x, lambda some: some))(asked)
        score.update({teacher: found[teacher] for teacher in np.flatnonzero(block.has_records)})
    for teacher in range(3):
        some = np.column_stack([x[owner == teacher], np.ones((owner == teacher).sum())])
        one_hot = np.eye(4)[data.y[owner == teacher]] - 0.25
        alone = Ridge(alpha=ensembles.PENALTY, fit_intercept=False).fit(some, one_hot)
        expected = alone.predict(np.column_stack([unit_rows(data.x_test), np.ones(100)]))
        assert score[teacher].numpy() == pytest.approx(expected, abs=2e-4)


def test_votes_count_all_teachers_blind_ones_favor_none(own):
    found = teachers.votes(own, "linear", 1000)
    assert (
        (found.counts.sum(axis=1) == 1000).all() and found.sizes.sum() == 160 and found.unused == 0
    )
    owner, labels = np.array([0, 0, 8, 8]), np.array([2, 3, 1, 1])
    # the last has one class, those between nothing
    made = ensembles.blocks(owner, labels, np.arange(4), 9, 4)
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
    teachers._votes.cache_clear()
    again = teachers.votes(own, "linear", 20)
    assert again is not first and all(
        np.array_equal(getattr(first, f), getattr(again, f)) for f in teachers._FIELDS
    )
    assert not np.array_equal(teachers.votes(own, "linear", 20, seed=1).counts, first.counts)


def test_trained_teachers_are_accurate_random_mapping_is_not(own):
    for kind in ("linear", "fc1", "fc2", "scratch"):
        found = teachers.votes(own, kind, 8)
        assert (
            found.counts.argmax(axis=1) == found.truth
        ).mean() > 0.9 and found.right.mean() > 0.8
    found = teachers.votes(own, "random-map", 8)
    assert (found.counts.max(axis=1) == 8).all(), "nothing is trained, so all teachers agree"


def test_queries_of_other_classes_differ(own):
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
        ({"head": None}, "fc1", "class scores"),
        ({}, "prompt", "need images"),
        ({"public_rows": None}, "linear", "public"),
        ({}, "guess", "Use one of"),
    ],
)
def test_impossible_teachers_are_refused_with_message(change, kind, says, own):
    with pytest.raises(DpvizError, match=says):
        teachers.votes(dataclasses.replace(own, fingerprint=f"without {kind}", **change), kind, 8)
