"""Studies on a full disk, in a cache that cannot be written or is deleted, and after damage."""

import os
import shutil
import sys

import pytest

from dpviz.experiments import study_files, tuning
from dpviz.machine import files, notes
from dpviz.machine.files import cache_dir
from tests.kit.full_disk import full_disk
from tests.kit.toys import content
from tests.run.test_tuning import search, told

pytestmark = pytest.mark.slow


@pytest.fixture
def file(tmp_path):
    (tmp_path / "own.npz").write_bytes(content())
    return str(tmp_path / "own.npz")


@pytest.fixture
def said(monkeypatch):
    """The notes of a test."""
    heard = []
    monkeypatch.setattr(notes, "listeners", [heard.append])
    monkeypatch.setattr(notes, "_last_times", {})
    return heard


@pytest.fixture
def whole(file, said):
    """What an unbroken study tells."""
    return told(tuning.run(search(file)))


@pytest.mark.parametrize(
    "harm",
    [
        lambda kept: b"",
        lambda kept: kept[: len(kept) // 2],
        lambda kept: kept.replace(b"0.", b"1.", 1),
        lambda kept: os.urandom(len(kept)),
        lambda kept: b'{"op_code": 0}\n',
    ],
)
def test_damaged_study_is_set_aside_and_restarted(file, whole, said, harm):
    place = tuning.place(search(file))
    place.write_bytes(harm(place.read_bytes()))
    assert told(tuning.run(search(file))) == whole
    assert len(list(place.parent.glob(f"{files.DAMAGED_PREFIX}*"))) == 1
    assert len(said) == 1 and "moved to" in said[0]
    assert told(tuning.run(search(file))) == whole and len(said) == 1


def test_study_of_other_search_is_not_reused(file, whole, said):
    other = search(file, seed=1)
    expected = told(tuning.run(other))
    shutil.copy(tuning.place(search(file)), tuning.place(other))
    assert told(tuning.run(other)) == expected != whole


def test_full_disk_does_not_fail_study(file, whole, said):
    fresh = search(file, trials=8)
    with full_disk():
        found = told(tuning.run(fresh))
    assert found[:6] == whole and len(found) == 8
    assert any("The study could not be stored" in sentence for sentence in said)
    assert told(tuning.run(fresh)) == found
    assert len(study_files.read(tuning.place(fresh))) == 8


@pytest.mark.skipif(sys.platform != "linux", reason="nothing can be written below Linux's /proc")
def test_unwritable_cache_does_not_fail_study(file, whole, said, monkeypatch):
    monkeypatch.setenv("DPVIZ_CACHE", "/proc")
    assert told(tuning.run(search(file))) == whole
    assert any("set DPVIZ_CACHE" in sentence for sentence in said)


def test_cache_deleted_during_study_does_not_fail_it(file, whole):
    def gone(what, done, total):
        if done == 3:
            shutil.rmtree(cache_dir(), ignore_errors=True)

    longer = search(file, trials=8)
    shutil.rmtree(cache_dir())
    assert told(tuning.run(longer, gone))[:6] == whole
    assert len(study_files.read(tuning.place(longer))) == 8


def test_fewer_trials_keep_all_and_a_kill_costs_two_seconds(file, whole, monkeypatch):
    tuning.run(search(file, trials=2))
    assert len(study_files.read(tuning.place(search(file)))) == 6
    monkeypatch.setattr(tuning, "BEAT", 0.0)
    counts = []

    def killed(what, done, total):
        if what.startswith("Tuning"):
            counts.append((done, len(study_files.read(tuning.place(search(file))))))

    tuning.run(search(file, trials=9), killed)
    assert all(kept == done for done, kept in counts) and counts[-1][0] == 8
