"""What visitors left behind goes after a while, and nothing else."""

import os
import time

import pytest

from dpviz.data import uploads
from dpviz.machine import ownership
from dpviz.machine.fair_queue import FairQueue
from dpviz.machine.ownership import DAY, DAYS, Holding, beyond
from dpviz.run import cleanup, sweep_files, sweep_process
from dpviz.types import Budget, DpvizError
from tests.kit.sweeps import toml

A, B = "a" * 32, "b" * 32


def age(path, days):
    then = time.time() - days * DAY
    os.utime(path, (then, then))


def test_what_nobody_used_for_long_goes_and_a_link_is_a_use():
    names = [uploads.keep(bytes([i]), A) for i in range(3)]
    uploads.keep(bytes([2]), B)
    for name in names:
        age(ownership.folder() / A / name, DAYS + 1)
        age(uploads.path(name), DAYS + 1)
    assert uploads.selectable([], names[1]) == [names[1]]
    cleanup.clear_away()
    assert [uploads.path(name).exists() for name in names] == [False, True, True]
    assert ownership.items_of(A) == [names[1]] and ownership.items_of(B) == [names[2]]


def test_what_was_broken_off_goes_and_what_is_being_made_stays():
    uploads.folder().mkdir(parents=True)
    old, new = uploads.folder() / ".own-x.npz.abc", uploads.folder() / ".own-y.npz.abc"
    unsorted = uploads.folder() / f"pictures-{'0' * 20}.unsorted"
    stranded = uploads.folder() / f"own-{'0' * 20}.npz"
    for path, days in ((old, 2), (new, 0), (unsorted, 2), (stranded, DAYS + 1)):
        path.touch()
        age(path, days)
    cleanup.clear_away()
    assert list(uploads.folder().iterdir()) == [new]


def features(name, size):
    place = uploads.features(name) / "key" / "000000000"
    place.parent.mkdir(parents=True)
    place.write_bytes(bytes(size))
    return place


def test_features_of_pictures_count_and_go_with_them(monkeypatch):
    one, two = (uploads.keep_unsorted(bytes([i]), A) for i in range(2))
    made = features(one, 500)
    assert uploads.size(one) == 501
    monkeypatch.setattr(uploads, "MOST_BYTES", 600)
    uploads.allow_features(two, 98)
    with pytest.raises(DpvizError, match="Features of these pictures take .* forget another"):
        uploads.allow_features(two, 99)
    with pytest.raises(DpvizError, match="Your uploads would come to more than"):
        uploads.keep(bytes(99), A)
    uploads.keep_unsorted(bytes([1]), B)
    uploads.allow_features(two, 99)  # B keeps it too, and has room
    uploads.forget(one, A)
    assert not made.exists() and not made.parents[1].exists()
    late = features(one, 500)
    cleanup.clear_away()
    assert not late.parents[1].exists() and uploads.exists(two)


def test_pictures_that_nobody_uses_take_their_features_along():
    name = uploads.keep_unsorted(b"x", A)
    made = features(name, 1)
    age(ownership.folder() / A / name, DAYS + 1)
    cleanup.clear_away()
    assert not made.parents[1].exists() and not uploads.exists(name)


def kept(who, name, days=0.0, state="finished"):
    then = time.time() - days * DAY
    key = sweep_files.key(name, who)
    sweep_files.keep(
        sweep_files.Status(key, name, "", "", state, started=then, beat=then, owner=who)
    )
    return key


def test_sweeps_of_visitors_long_gone_go_and_a_shell_s_stay(monkeypatch):
    gone, mine, shell = kept(A, "x", DAYS + 1), kept(B, "y", 1), kept("", "z", DAYS + 1)
    (sweep_files.folder() / f"{gone}.csv").touch()
    cleanup.clear_away()
    assert {s.key for s in sweep_files.statuses()} == {mine, shell}
    assert len(list(sweep_files.folder().iterdir())) == 2
    many = [kept(A, str(i), 2 - i) for i in range(2)]
    monkeypatch.setattr(cleanup, "IN_ALL", 2)
    cleanup.clear_away()
    assert {s.key for s in sweep_files.statuses()} == {mine, shell, many[1]}


def test_one_s_own_sweeps_make_room_and_no_other_s(monkeypatch):
    monkeypatch.setattr(sweep_files, "KEPT", 2)
    theirs = kept(B, "x", 3)
    former = [kept(A, str(i), 3 - i) for i in range(3)]
    with sweep_files.watched("new", "text", "here", A):
        assert {s.key for s in sweep_files.statuses()} == {
            theirs,
            former[2],
            sweep_files.key("text", A),
        }


def test_a_study_beyond_those_kept_makes_room_for_itself(monkeypatch, own):
    from dpviz.run import tuning

    monkeypatch.setattr(cleanup, "STUDIES", 1)
    data = uploads.display_path(uploads.path(own))
    wishes = [
        tuning.Search(data, None, "dppl-mean", Budget(1.0), trials=1, seed=s) for s in range(3)
    ]
    places = [tuning.place(wish) for wish in wishes]
    for place in places:
        place.parent.mkdir(exist_ok=True)
        place.touch()
    cleanup.keep_study(wishes[0], [B])
    for wish in wishes:
        cleanup.keep_study(wish, [A])
    assert [place.exists() for place in places] == [True, False, True], "the first is B's as well"


@pytest.mark.parametrize("sizes, goes", [((50, 30, 20), []), ((60, 30, 20), ["a1"])])
def test_the_oldest_of_the_largest_goes_first(sizes, goes):
    held = [Holding("a", "a1", 1.0), Holding("b", "b1", 0.0), Holding("a", "a2", 2.0)]
    named = dict(zip(("a1", "b1", "a2"), sizes, strict=True))
    assert [one.what for one in beyond(100, held, named)] == goes


# ----------------------------------------------------------------------------- what may begin


@pytest.fixture
def begun(monkeypatch, own):
    """Begins sweeps that never have their turn; with the queue in which they wait."""
    queue = FairQueue(0)
    monkeypatch.setattr(sweep_process, "QUEUE", queue)

    def begin(who, seeds):
        text = toml(own).replace("seeds = 2", f"seeds = {seeds}")
        return sweep_process.begin(text.encode(), f"{who}.toml", who)

    yield begin
    for status in sweep_files.statuses():
        sweep_files.ask_to_stop(status.key)
    while queue._waiting:
        time.sleep(0.01)


def test_one_sweep_too_many_is_refused_and_others_may_begin(begun, monkeypatch):
    for seeds in range(1, 4):
        begun(A, seeds)
    with pytest.raises(DpvizError, match=r"^3 sweeps of yours are running or waiting"):
        begun(A, 4)
    key = begun(B, 1)
    with pytest.raises(DpvizError, match="running or waiting already"):
        begun(B, 1)
    assert sweep_files.load(key).owner == B and len(sweep_files.statuses()) == 4
    monkeypatch.setattr(sweep_process, "UNFINISHED_IN_ALL", 4)
    with pytest.raises(DpvizError, match="4 sweeps are running or waiting on this server"):
        begun(B, 2)


def test_one_who_waits_may_be_stopped_by_its_owner_alone(begun):
    key = begun(A, 1)
    word = sweep_files.folder() / f"{key}.stop"
    sweep_process.stop(key, B.__eq__)
    sweep_process.forget(key, B.__eq__)
    sweep_process.forget(key, A.__eq__)
    assert not word.exists() and sweep_files.load(key).now == "running"
    sweep_process.stop(key, A.__eq__)
    for _ in range(1000):
        if sweep_files.load(key).now == "stopped":
            break
        time.sleep(0.01)
    sweep_process.forget(key, B.__eq__)
    assert sweep_files.load(key).now == "stopped"
    sweep_process.forget(key, A.__eq__)
    assert sweep_files.load(key) is None


def test_a_status_that_names_no_owner_is_a_shell_s():
    kept("", "old")
    [path] = sweep_files.folder().glob("*.json")
    path.write_text(path.read_text().replace(', "owner": ""', ""))
    assert "owner" not in path.read_text() and sweep_files.statuses()[0].owner == ""
