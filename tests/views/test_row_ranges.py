"""Selections as short texts, and what a hostile browser may send instead."""

import numpy as np
import pytest

from dpviz.types import DpvizError
from dpviz.views import row_ranges


@pytest.mark.parametrize(
    ("numbers", "ranges"), [((), ""), ((5,), "5"), ((3, 1, 2, 9), "1-3,9"), (range(5000), "0-4999")]
)
def test_ranges_are_read_back(numbers, ranges):
    assert row_ranges.to_text(numbers) == ranges
    assert row_ranges.from_text(ranges, 5000).tolist() == sorted(numbers)


def test_every_other_row_of_a_full_map_fits():
    alternate = np.arange(0, 5000, 2)
    text = row_ranges.to_text(alternate)
    assert len(text) <= row_ranges.MAX_CHARACTERS
    assert row_ranges.from_text(text, 5000).tolist() == alternate.tolist()


@pytest.mark.parametrize(
    ("hostile", "sentence"),
    [
        ("0-999999999", "names image 999,999,999, but the map has 100 images"),
        ("100", "names image 100, but"),
        ("0-" + "9" * 400, "must be ranges of numbers"),
        ("5-3", "must be ranges of numbers"),
        ("1,,2", "must be ranges of numbers"),
        ("-1", "must be ranges of numbers"),
        ("1.5", "must be ranges of numbers"),
        ("٣", "must be ranges of numbers"),
        ("<img src=x>", "must be ranges of numbers"),
        ("1," * 30_000, "has 60,000 characters; the limit is 40,000"),
        (None, "must be ranges of numbers"),
        ([1, 2], "must be ranges of numbers"),
        ({"a": 1}, "must be ranges of numbers"),
    ],
)
def test_hostile_selection_is_one_sentence(hostile, sentence):
    with pytest.raises(DpvizError, match=sentence):
        row_ranges.from_text(hostile, 100)
