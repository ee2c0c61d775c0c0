"""How work is cut up for the cores."""

import itertools

import pytest

from dpviz.machine import threads


@pytest.mark.parametrize(
    ("count", "most", "cores"), list(itertools.product((1, 2, 5, 6, 13, 65), (1, 4, 5), (1, 2, 16)))
)
def test_shares_keep_order_and_use_every_core(count, most, cores):
    items = list(range(count))
    with threads.limited_cores(cores):
        parts = threads.shares(items, most)
    sizes = [len(part) for part in parts]
    assert list(itertools.chain(*parts)) == items
    assert max(sizes) <= most and max(sizes) - min(sizes) <= 1
    assert len(parts) == count or len(parts) % cores == 0


def test_empty_work_gives_one_empty_block():
    assert threads.map_blocks(len, threads.shares([], 4)) == [0]


@pytest.mark.parametrize(
    ("files", "cores"),
    [
        ({"cpu.max": "150000 100000\n"}, 2),
        ({"cpu.max": "max 100000\n"}, 64),
        ({"cpu/cpu.cfs_quota_us": "50000\n", "cpu/cpu.cfs_period_us": "100000\n"}, 1),
        ({"cpu/cpu.cfs_quota_us": "-1\n", "cpu/cpu.cfs_period_us": "100000\n"}, 64),
        ({}, 64),
    ],
    ids=["two", "all", "half a core", "no quota", "no control group"],
)
def test_available_cores_are_counted(monkeypatch, tmp_path, files, cores):
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    monkeypatch.setattr(threads, "GROUPS", tmp_path)
    monkeypatch.setattr("os.sched_getaffinity", lambda process: set(range(64)))
    threads._quota.cache_clear()
    assert threads.all_cores() == cores
    threads._quota.cache_clear()
