"""The papers' long-tailed protocol."""

import dataclasses

import numpy as np
import pytest

from dpviz.data.imbalance import class_sizes, first_of_each, long_tail, minority_classes
from dpviz.types import DpvizError
from tests.kit.toys import toy_data


def test_class_sizes_of_the_paper():
    sizes = class_sizes(5000, 10, 100)
    assert sorted(sizes, reverse=True) == [5000, 2997, 1797, 1077, 646, 387, 232, 139, 83, 50]
    assert sizes.tolist() == [387, 232, 5000, 139, 1077, 1797, 646, 50, 2997, 83]


@pytest.mark.parametrize("ratio, total", [(10, 19629), (50, 12655), (100, 10899)])
def test_totals_of_the_paper_for_100_classes(ratio, total):
    assert class_sizes(500, 100, ratio).sum() == total


def test_the_first_records_of_each_class_are_kept_and_the_test_set_stays():
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
def test_a_ratio_that_is_none_is_answered_with_a_sentence(ratio):
    with pytest.raises(DpvizError, match=r"Imbalance ratio .* 1.*\.$"):
        long_tail(toy_data(), ratio)


def test_a_ratio_that_empties_a_class_is_answered_with_one_that_works():
    with pytest.raises(DpvizError, match="leaves class .* use at most about 80 .private view"):
        long_tail(toy_data(), 500)
    assert min(long_tail(toy_data(), 79).counts) >= 1


def test_the_minority_is_the_smallest_quarter_rounded_up_and_the_same_at_every_ratio():
    assert len(minority_classes((400,) * 10)) == 3
    at = {ratio: minority_classes(tuple(class_sizes(400, 10, ratio))) for ratio in (1, 2, 10, 100)}
    assert len(set(at.values())) == 1
    sizes = class_sizes(400, 10, 100)
    assert set(at[100]) == set(np.argsort(sizes)[:3])


def test_classes_that_are_small_by_themselves_are_the_minority():
    assert minority_classes((5, 400, 400, 400)) == (0,)


def test_few_records_a_class_are_the_first_and_the_ratio_goes_from_there():
    full = long_tail(toy_data(), 4)
    few = first_of_each(full, 12)
    assert few.counts == tuple(min(12, count) for count in full.counts)
    for c in range(full.classes):
        assert few.rows[few.y == c].tolist() == full.rows[full.y == c][:12].tolist()
    assert few.x_test is full.x_test and few.fingerprint != full.fingerprint
    assert first_of_each(full, 0) is full and first_of_each(full, 40) is full
    tailed = long_tail(first_of_each(toy_data(), 12), 4)
    assert (max(tailed.counts), min(tailed.counts)) == (12, 3)
    with pytest.raises(
        DpvizError, match="use at most about 6 .private view: .* size of the largest"
    ):
        long_tail(first_of_each(toy_data(), 3), 50)
