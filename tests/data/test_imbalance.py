"""The papers' long-tailed protocol."""

import dataclasses

import numpy as np
import pytest

from dpviz import data
from dpviz.data.imbalance import (
    class_order,
    class_sizes,
    first_of_each,
    kept_sizes,
    long_tail,
    minority_classes,
    sampling_text,
    split_again,
)
from dpviz.experiments import experiment
from dpviz.types import Budget, DataConfig, DpvizError, RunSpec, reached_ratio
from tests.kit.toys import toy_data


def test_class_sizes_match_the_paper():
    sizes = class_sizes(5000, 10, 100)
    assert sorted(sizes, reverse=True) == [5000, 2997, 1797, 1077, 646, 387, 232, 139, 83, 50]
    assert sizes.tolist() == [387, 232, 5000, 139, 1077, 1797, 646, 50, 2997, 83]


@pytest.mark.parametrize("ratio, total", [(10, 19629), (50, 12655), (100, 10899)])
def test_totals_match_paper_for_100_classes(ratio, total):
    assert class_sizes(500, 100, ratio).sum() == total


def test_first_records_per_class_kept_test_set_unchanged():
    full = dataclasses.replace(toy_data(), rows=np.arange(160))
    tailed = long_tail(full, 8)
    assert max(tailed.counts) == 8 * min(tailed.counts) == 40
    assert tailed.x_test is full.x_test
    for c, size in enumerate(tailed.counts):
        assert tailed.rows[tailed.y == c].tolist() == np.flatnonzero(full.y == c)[:size].tolist()
    assert np.array_equal(tailed.x, full.x[tailed.rows])
    assert tailed.fingerprint != full.fingerprint


def test_ratio_one_keeps_every_record():
    full = toy_data()
    assert np.array_equal(long_tail(full, 1).x, full.x)


@pytest.mark.parametrize("ratio", [0.5, 0, -3, float("nan"), "steep"])
def test_invalid_ratio_is_refused_with_message(ratio):
    with pytest.raises(DpvizError, match=r"Imbalance ratio .* 1.*\.$"):
        long_tail(toy_data(), ratio)


def test_excessive_ratio_keeps_one_record_per_class():
    tailed = long_tail(toy_data(), 500)
    assert min(tailed.counts) == 1 and reached_ratio(tailed.counts) == 40, "as much as there is"
    assert min(long_tail(toy_data(), 79).counts) == 1


UNEQUAL = (300, 250, 210, 80, 120, 500, 333, 90, 600, 249)


@pytest.mark.parametrize("draw", [0, 1, 7])
@pytest.mark.parametrize("ratio", [10, 20, 50, 100, 500])
def test_nominal_ratio_is_reached_with_unequal_classes(ratio, draw):
    remaining = kept_sizes(UNEQUAL, ratio, draw)
    assert (remaining <= UNEQUAL).all() and remaining.min() >= 1
    half = 0.5 / remaining.min()  # whole records
    assert reached_ratio(remaining.tolist()) == pytest.approx(ratio, rel=half + 0.01)


def test_largest_sizes_within_the_records_are_kept():
    old = np.minimum(class_sizes(600, 10, 10), UNEQUAL)
    assert reached_ratio(old.tolist()) < 8, "the sizes that were cut off before"
    remaining = kept_sizes(UNEQUAL, 10)
    extra = np.sort(np.round(class_sizes(int(remaining.max()) + 1, 10, 10)))
    assert (extra > np.sort(UNEQUAL)).any(), "one record more in the largest class does not fit"
    assert sorted(remaining) == sorted(class_sizes(int(remaining.max()), 10, 10))


@pytest.mark.parametrize("counts", [(400,) * 10, (5000,) * 10, (500,) * 100])
def test_balanced_sets_keep_the_sizes_of_the_paper(counts):
    for ratio in (10, 50, 100):
        expected = class_sizes(counts[0], len(counts), ratio)
        assert kept_sizes(counts, ratio).tolist() == expected.tolist()


def test_empty_classes_do_not_count_in_ratio():
    remaining = kept_sizes((0, 100, 100, 0, 100), 10)
    assert remaining.tolist().count(0) == 2 and reached_ratio(remaining.tolist()) == 10
    assert kept_sizes((0, 0), 10).tolist() == [0, 0] and reached_ratio((0, 0)) == 1


def test_large_class_sizes_are_computed_quickly():
    remaining = kept_sizes((10**6, 30, 5 * 10**5, 2 * 10**6), 50)
    assert reached_ratio(remaining.tolist()) == pytest.approx(50, rel=0.03)


def test_minority_is_smallest_quarter_at_every_ratio():
    assert len(minority_classes((400,) * 10)) == 3
    place = {
        ratio: minority_classes(tuple(class_sizes(400, 10, ratio))) for ratio in (1, 2, 10, 100)
    }
    assert len(set(place.values())) == 1
    sizes = class_sizes(400, 10, 100)
    assert set(place[100]) == set(np.argsort(sizes)[:3])


def test_naturally_small_classes_are_the_minority():
    assert minority_classes((5, 400, 400, 400)) == (0,)


def test_per_class_limit_takes_first_records_before_ratio():
    full = long_tail(toy_data(), 4)
    small = first_of_each(full, 12)
    assert small.counts == tuple(min(12, count) for count in full.counts)
    for c in range(full.classes):
        assert small.rows[small.y == c].tolist() == full.rows[full.y == c][:12].tolist()
    assert small.x_test is full.x_test and small.fingerprint != full.fingerprint
    assert first_of_each(full, 0) is full and first_of_each(full, 40) is full
    tailed = long_tail(first_of_each(toy_data(), 12), 4)
    assert (max(tailed.counts), min(tailed.counts)) == (12, 3)
    assert min(long_tail(first_of_each(toy_data(), 3), 50).counts) == 1


# -------------------------------------------------------------------------------------- data draws


def test_draw_zero_matches_paper_protocol():
    assert class_sizes(5000, 10, 100, 0).tolist() == class_sizes(5000, 10, 100).tolist()
    full = toy_data()
    assert long_tail(full, 8, 0).fingerprint == long_tail(full, 8).fingerprint
    assert long_tail(full, 8, 0).rows.tolist() == long_tail(full, 8).rows.tolist()
    assert split_again(full, 0) is full


def test_another_draw_has_other_classes_and_records():
    orders = {tuple(class_order(10, draw)) for draw in range(6)}
    assert len(orders) == 6
    full = dataclasses.replace(toy_data(), rows=np.arange(160))
    one, second = long_tail(full, 8, 1), long_tail(full, 8, 2)
    assert sorted(one.counts) == sorted(second.counts) == sorted(long_tail(full, 8).counts)
    assert one.counts != second.counts and one.fingerprint != second.fingerprint
    assert one.rows.tolist() == long_tail(full, 8, 1).rows.tolist(), "the same draw again"
    small, first = first_of_each(full, 12, 1), first_of_each(full, 12)
    assert small.counts == first.counts and small.rows.tolist() != first.rows.tolist()
    assert np.array_equal(small.x, full.x[small.rows])


def test_draw_is_independent_of_record_values():
    full = toy_data()
    modified = dataclasses.replace(full, x=full.x[::-1] * 3)
    first, second = (long_tail(first_of_each(d, 30, 4), 8, 4) for d in (full, modified))
    assert first.rows.tolist() == second.rows.tolist()


def test_draw_keeps_every_record_with_equal_chance():
    full = dataclasses.replace(toy_data(), rows=np.arange(160))
    remaining = sum(
        np.bincount(first_of_each(full, 10, d).rows, minlength=160) for d in range(1, 401)
    )
    # 400 draws of 10 of 40: 100 ± 8.7 each; 5 standard deviations for 160 records
    assert abs(remaining - 100).max() < 5 * 8.7


def test_minority_ties_follow_class_order_of_draw():
    result = {minority_classes((400,) * 10, draw) for draw in range(6)}
    assert len(result) > 3
    for draw in (0, 3):
        sizes = class_sizes(400, 10, 100, draw)
        assert set(minority_classes((400,) * 10, draw)) == set(np.argsort(sizes)[:3])


def test_split_redraws_test_records_from_one_pool():
    full = data.load("mnist5k", "glyphnet")
    second = split_again(full, 1)
    assert second.counts == full.counts and second.classes == full.classes
    assert np.bincount(second.y_test).tolist() == np.bincount(full.y_test).tolist()
    pool, again = (np.concatenate([d.x, d.x_test]).sum(axis=1) for d in (full, second))
    assert np.allclose(np.sort(pool), np.sort(again)), "the same records"
    shared = np.isin(second.x_test.sum(axis=1), full.x_test.sum(axis=1)).mean()
    assert 0.1 < shared < 0.35, "a fifth of the pool is tested"
    assert second.public_rows is full.public_rows
    train, test = second.thumbnails("train", np.arange(3)), second.thumbnails("test", np.arange(3))
    assert train.shape[0] == test.shape[0] == 3 and not np.array_equal(train, test)


def test_thumbnails_match_redivided_records():
    full = data.load("mnist5k", "glyphnet")
    second = split_again(full, 2)
    place = {x.tobytes(): ("train", i) for i, x in enumerate(full.x)}
    place |= {x.tobytes(): ("test", i) for i, x in enumerate(full.x_test)}
    for split, rows in (("train", second.x), ("test", second.x_test)):
        was, i = place[rows[5].tobytes()]
        expected = full.thumbnails(was, np.array([i]))
        assert np.array_equal(second.thumbnails(split, np.array([5])), expected)


def test_only_single_pool_sets_are_redivided():
    for key, divided in (("mnist5k", True), ("uci-digits", True), ("clothes", False)):
        assert data.one_pool(key) == divided
    material = DataConfig("clothes", "lite0-128", ir=10, draw=3)
    one, first = experiment.prepared(material), experiment.prepared(DataConfig(*CLOTHES, ir=10))
    assert np.array_equal(one.x_test, first.x_test) and one.rows.tolist() != first.rows.tolist()


CLOTHES = ("clothes", "lite0-128")


@pytest.mark.parametrize("ratio", [10, 20, 50, 100])
def test_clothes_reach_the_nominal_ratio(ratio):
    counts = experiment.prepared(DataConfig(*CLOTHES, ir=ratio)).counts
    assert reached_ratio(counts) == pytest.approx(ratio, rel=0.5 / min(counts) + 0.01)


def test_card_states_draw_before_the_guarantee():
    assert sampling_text(0, 50, 0) == sampling_text(0, 50)
    assert "first 100 records" in sampling_text(100, 1) and "draw" not in sampling_text(0, 1, 0)
    assert sampling_text(0, 1, 3) == "", "nothing is drawn"
    text = sampling_text(100, 50, 3, split=True)
    assert all(
        w in text for w in ("data draw 3", "training and test", "100 records", "class order")
    )
    spec = RunSpec("mnist5k", "glyphnet", ir=50, draw=3, method="dppl-mean", budget=Budget(1.0))
    assert "data draw 3" in experiment.planned(spec).guarantee.starts


def test_draw_zero_keeps_the_key():
    spec = RunSpec("mnist5k", "glyphnet", ir=50, method="dppl-mean", budget=Budget(1.0))
    assert spec.digest == dataclasses.replace(spec, draw=0).digest
    assert spec.digest != dataclasses.replace(spec, draw=1).digest
    assert "draw" not in spec.non_default_fields


@pytest.mark.parametrize("draw", [-1, 10_000, 0.5, "x"])
def test_invalid_draw_is_refused_with_message(draw):
    with pytest.raises(DpvizError, match=r"Data draw .*9,?999"):
        DataConfig("mnist5k", "glyphnet", draw=draw)
