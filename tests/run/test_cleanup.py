"""Cleanup deletes expired files of visitors, and nothing else."""

import os
import time

import pytest

from dpviz.data import uploads
from dpviz.experiments import cleanup, sweep_files, sweep_process
from dpviz.machine import ownership
from dpviz.machine.fair_queue import FairQueue
from dpviz.machine.ownership import DAY, DAYS, Ownership, excess
from dpviz.types import Budget, DpvizError
from tests.kit.sweeps import toml

A, B = "a" * 32, "b" * 32


def age(path, days):
    then = time.time() - days * DAY
    os.utime(path, (then, then))


def test_expired_uploads_are_deleted_and_a_link_is_a_use():
    names = [uploads.keep(bytes([i]), A) for i in range(3)]
    uploads.keep(bytes([2]), B)
    for name in names:
        age(ownership.folder() / A / name, DAYS + 1)
        age(uploads.path(name), DAYS + 1)
    assert uploads.selectable([], names[1]) == [names[1]]
    cleanup.clean_up()
    assert [uploads.path(name).exists() for name in names] == [False, True, True]
    assert ownership.items_of(A) == [names[1]] and ownership.items_of(B) == [names[2]]


def test_leftovers_are_deleted_and_new_files_stay():
    uploads.folder().mkdir(parents=True)
    old, new = uploads.folder() / ".own-x.npz.abc", uploads.folder() / ".own-y.npz.abc"
    unsorted = uploads.folder() / f"pictures-{'0' * 20}.unsorted"
    stranded = uploads.folder() / f"own-{'0' * 20}.npz"
    for path, days in ((old, 2), (new, 0), (unsorted, 2), (stranded, DAYS + 1)):
        path.touch()
        age(path, days)
    cleanup.clean_up()
    assert list(uploads.folder().iterdir()) == [new]


def features(name, size):
    place = uploads.features(name) / "key" / "000000000"
    place.parent.mkdir(parents=True)
    place.write_bytes(bytes(size))
    return place


def test_features_count_and_are_deleted_with_their_pictures(monkeypatch):
    first, second = (uploads.keep_unsorted(bytes([i]), A) for i in range(2))
    file = features(first, 500)
    assert uploads.size(first) == 501
    monkeypatch.setattr(uploads, "MAX_UPLOAD_BYTES", 600)
    uploads.allow_features(second, 98)
    with pytest.raises(DpvizError, match="Features of these images need .* Delete another"):
        uploads.allow_features(second, 99)
    with pytest.raises(DpvizError, match="MiB of uploads per visitor reached"):
        uploads.keep(bytes(99), A)
    uploads.keep_unsorted(bytes([1]), B)
    uploads.allow_features(second, 99)  # B keeps it too, and has room
    uploads.forget(first, A)
    assert not file.exists() and not file.parents[1].exists()
    late = features(first, 500)
    cleanup.clean_up()
    assert not late.parents[1].exists() and uploads.exists(second)


def test_features_of_expired_pictures_are_deleted():
    name = uploads.keep_unsorted(b"x", A)
    file = features(name, 1)
    age(ownership.folder() / A / name, DAYS + 1)
    cleanup.clean_up()
    assert not file.parents[1].exists() and not uploads.exists(name)


def keep_status(owner, name, days=0.0, state="finished"):
    then = time.time() - days * DAY
    key = sweep_files.key(name, owner)
    sweep_files.keep(
        sweep_files.Status(key, name, "", "", state, started=then, beat=then, owner=owner)
    )
    return key


def test_expired_sweeps_are_deleted_and_those_of_a_shell_stay(monkeypatch):
    expired, recent, shell = (
        keep_status(A, "x", DAYS + 1),
        keep_status(B, "y", 1),
        keep_status("", "z", DAYS + 1),
    )
    (sweep_files.folder() / f"{expired}.csv").touch()
    cleanup.clean_up()
    assert {s.key for s in sweep_files.statuses()} == {recent, shell}
    assert len(list(sweep_files.folder().iterdir())) == 2
    newer = [keep_status(A, str(i), 2 - i) for i in range(2)]
    monkeypatch.setattr(cleanup, "MAX_IN_ALL", 2)
    cleanup.clean_up()
    assert {s.key for s in sweep_files.statuses()} == {recent, shell, newer[1]}


def test_only_sweeps_of_the_same_owner_make_room(monkeypatch):
    monkeypatch.setattr(sweep_files, "MAX_SWEEPS", 2)
    other = keep_status(B, "x", 3)
    former = [keep_status(A, str(i), 3 - i) for i in range(3)]
    with sweep_files.watched("new", "text", "here", A):
        assert {s.key for s in sweep_files.statuses()} == {
            other,
            former[2],
            sweep_files.key("text", A),
        }


def test_oldest_study_of_a_visitor_makes_room(monkeypatch, own):
    from dpviz.experiments import tuning

    monkeypatch.setattr(cleanup, "MAX_STUDIES", 1)
    data = uploads.display_path(uploads.path(own))
    searches = [
        tuning.Search(data, None, "dppl-mean", Budget(1.0), trials=1, seed=s) for s in range(3)
    ]
    places = [tuning.place(search) for search in searches]
    for place in places:
        place.parent.mkdir(exist_ok=True)
        place.touch()
    cleanup.keep_study(searches[0], [B])
    for search in searches:
        cleanup.keep_study(search, [A])
    assert [place.exists() for place in places] == [True, False, True], "the first is B's as well"


@pytest.mark.parametrize("sizes, removed", [((50, 30, 20), []), ((60, 30, 20), ["a1"])])
def test_the_oldest_item_of_the_largest_owner_is_excess(sizes, removed):
    owned = [Ownership("a", "a1", 1.0), Ownership("b", "b1", 0.0), Ownership("a", "a2", 2.0)]
    by_item = dict(zip(("a1", "b1", "a2"), sizes, strict=True))
    assert [entry.item for entry in excess(100, owned, by_item)] == removed


# ----------------------------------------------------------------------------- what may begin


@pytest.fixture
def start_sweep(monkeypatch, own):
    """Start sweeps that stay in the queue."""
    queue = FairQueue(0)
    monkeypatch.setattr(sweep_process, "QUEUE", queue)

    def start(owner, seeds):
        text = toml(own).replace("seeds = 2", f"seeds = {seeds}")
        return sweep_process.begin(text.encode(), f"{owner}.toml", owner)

    yield start
    for status in sweep_files.statuses():
        sweep_files.ask_to_stop(status.key)
    while queue._waiting:
        time.sleep(0.01)


def test_too_many_sweeps_are_refused_per_visitor(start_sweep, monkeypatch):
    for seeds in range(1, 4):
        start_sweep(A, seeds)
    with pytest.raises(DpvizError, match=r"^Limit of 3 unfinished sweeps per visitor"):
        start_sweep(A, 4)
    key = start_sweep(B, 1)
    with pytest.raises(DpvizError, match="already running or waiting"):
        start_sweep(B, 1)
    assert sweep_files.load(key).owner == B and len(sweep_files.statuses()) == 4
    monkeypatch.setattr(sweep_process, "MAX_UNFINISHED_IN_ALL", 4)
    with pytest.raises(DpvizError, match="Limit of 4 unfinished sweeps on this server"):
        start_sweep(B, 2)


def test_only_the_owner_stops_a_queued_sweep(start_sweep):
    key = start_sweep(A, 1)
    stop_file = sweep_files.folder() / f"{key}.stop"
    sweep_process.stop(key, B.__eq__)
    sweep_process.forget(key, B.__eq__)
    sweep_process.forget(key, A.__eq__)
    assert not stop_file.exists() and sweep_files.load(key).current_state == "running"
    sweep_process.stop(key, A.__eq__)
    for _ in range(1000):
        if sweep_files.load(key).current_state == "stopped":
            break
        time.sleep(0.01)
    sweep_process.forget(key, B.__eq__)
    assert sweep_files.load(key).current_state == "stopped"
    sweep_process.forget(key, A.__eq__)
    assert sweep_files.load(key) is None


def test_a_status_without_owner_is_of_a_shell():
    keep_status("", "old")
    [path] = sweep_files.folder().glob("*.json")
    path.write_text(path.read_text().replace(', "owner": ""', ""))
    assert "owner" not in path.read_text() and sweep_files.statuses()[0].owner == ""
