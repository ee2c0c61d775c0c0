"""How work is cut up for the cores."""

import itertools

import pytest

from dpviz.machine import threads


@pytest.mark.parametrize(
    ("count", "most", "cores"), list(itertools.product((1, 2, 5, 6, 13, 65), (1, 4, 5), (1, 2, 16)))
)
def test_shares_keep_the_order_and_leave_no_core_without_work(count, most, cores):
    items = list(range(count))
    with threads.at_most(cores):
        parts = threads.shares(items, most)
    sizes = [len(part) for part in parts]
    assert list(itertools.chain(*parts)) == items
    assert max(sizes) <= most and max(sizes) - min(sizes) <= 1
    assert len(parts) == count or len(parts) % cores == 0


def test_nothing_is_cut_into_nothing():
    assert threads.map_blocks(len, threads.shares([], 4)) == [0]
