"""A damaged, locked, full or forbidden store: the right numbers all the same, a sentence, and a
store that works again.
"""

import dataclasses
import math
import multiprocessing
import os
import sqlite3
import sys
import time
from unittest.mock import Mock

import numpy as np
import pytest

from dpviz import data as data_package
from dpviz.experiments import experiment, store, store_file
from dpviz.machine import files, notes
from dpviz.machine.files import cache_dir
from dpviz.types import Budget, DataConfig, DpvizError
from tests.kit.full_disk import full_disk
from tests.kit.toys import toy_data

WAIT, MOST = store_file.LOCK_WAIT, store_file.MAX_TOTAL_WAIT
FLIPS = int(os.environ.get("DPVIZ_FLIPS", 200))
WANTED = experiment.specs(
    DataConfig("toy", None), "dppl-mean", [Budget(b) for b in (0.5, 4)], range(6)
)


@pytest.fixture(autouse=True)
def toy_set(monkeypatch):
    toy = toy_data()
    monkeypatch.setattr(data_package, "load", lambda *a, **k: toy)


@pytest.fixture
def said(monkeypatch):
    """The notes of a test."""
    heard = []
    monkeypatch.setattr(notes, "listeners", [heard.append])
    monkeypatch.setattr(notes, "_last_times", {})
    monkeypatch.setattr(
        store_file, "_waits", {r: {"left": math.inf, "at": -math.inf} for r in (True, False)}
    )
    monkeypatch.setattr(store_file, "LOCK_WAIT", 0.05)
    monkeypatch.setattr(store_file, "MAX_TOTAL_WAIT", 0.1)
    return heard


@pytest.fixture
def right(said):
    """The numbers as they are, and a store that holds them."""
    return numbers(experiment.sweep(WANTED))


def numbers(results):
    """All of a result but how it came about."""
    return [dataclasses.replace(r, origin="", seconds=0.0) for r in results]


def place():
    return cache_dir() / store_file.FILE_NAME


def origins():
    return {r.origin for r in experiment.sweep(WANTED)}


def edited(change, *values):
    connection = sqlite3.connect(place())
    connection.execute(change, values)
    connection.commit()
    connection.close()


def zeroed(content):
    return content[:4096] + bytes(4096) + content[8192:]


def noise(content):
    return content[:4096] + np.random.default_rng(0).bytes(200) + content[4296:]


WHOLE_FILE = {
    "a zeroed page": zeroed,
    "200 noise bytes": noise,
    "no database": lambda content: b"not a database at all" * 500,
    "cut in the middle": lambda content: content[: len(content) // 2],
    "only its header": lambda content: content[:100],
}
SCHEMAS = (
    "CREATE TABLE results (id INTEGER)",
    "CREATE TABLE results (key TEXT PRIMARY KEY, value TEXT NOT NULL, more TEXT NOT NULL)",
    "CREATE VIEW results AS SELECT 1 AS key, 2 AS value",
)


@pytest.mark.parametrize("damage", WHOLE_FILE)
def test_damaged_store_is_set_aside_and_recomputed(right, said, damage):
    content = WHOLE_FILE[damage](place().read_bytes())
    place().write_bytes(content)
    assert numbers(experiment.sweep(WANTED)) == right
    (kept,) = cache_dir().glob(f"{files.DAMAGED_PREFIX}*.sqlite")
    assert kept.read_bytes() == content, "never deleted silently"
    assert len(said) == 1 and str(kept) in said[0] and "recomputed" in said[0]
    assert origins() == {"stored"} and len(said) == 1


@pytest.mark.parametrize("schema", SCHEMAS)
def test_store_of_other_schema_is_set_aside(right, said, schema):
    place().unlink()
    edited(schema)
    assert numbers(experiment.sweep(WANTED)) == right
    assert len(said) == 1 and origins() == {"stored"}


def test_edited_or_moved_row_is_recomputed(right, said):
    first, second = (store.key(r.spec, r_fingerprint(r)) for r in experiment.sweep(WANTED)[:2])
    edited("UPDATE results SET value = replace(value, '\"overall\": 0.', '\"overall\": 1.')")
    assert numbers(experiment.sweep(WANTED)) == right and origins() == {"stored"}
    edited(
        "UPDATE results SET value = (SELECT value FROM results WHERE key = ?) WHERE key = ?",
        second,
        first,
    )
    again = experiment.sweep(WANTED)
    assert numbers(again) == right and [r.origin for r in again].count("computed") == 1
    for cell in (None, 7, 0.5, b"\xff", "", "{}"):
        edited("UPDATE OR IGNORE results SET value = ? WHERE key = ?", cell or 0, first)
        assert numbers(experiment.sweep(WANTED)) == right
    assert not said, "one row is no news"


def r_fingerprint(result):
    return experiment.prepared(result.spec).fingerprint


def test_bit_flips_never_give_a_wrong_number(right, said, monkeypatch):
    """The right numbers, stored or computed anew, and a store that keeps them again."""
    computed = {r.spec: r for r in experiment.sweep(WANTED, use_store=False)}
    monkeypatch.setattr(
        experiment, "compute", lambda batch, plans: [computed[spec] for spec in batch]
    )
    monkeypatch.setattr(notes, "REPEAT_SECONDS", -1.0)
    content, rng = place().read_bytes(), np.random.default_rng(3)
    header = rng.integers(0, 100, FLIPS // 4)
    anywhere = rng.integers(0, len(content), FLIPS - len(header))
    for byte in [*header, *anywhere]:
        harmed = bytearray(content)
        harmed[byte] ^= 1 << rng.integers(8)
        for part in store_file.PARTS:
            place().with_name(f"{store_file.FILE_NAME}{part}").unlink(missing_ok=True)
        place().write_bytes(harmed)
        found = experiment.sweep(WANTED)
        assert numbers(found) == right, byte
        if {r.origin for r in found} != {"stored"}:
            assert origins() == {"stored"}, f"not kept after a flip in byte {byte}"
    assert len(list(cache_dir().glob(f"{files.DAMAGED_PREFIX}*.sqlite"))) <= files.MAX_DAMAGED_FILES
    assert all("moved to" in sentence for sentence in said)


def test_truncated_log_is_tolerated(right, said):
    holding = sqlite3.connect(place())
    holding.execute("SELECT count(*) FROM results").fetchone()  # keeps the log from being merged
    more = [dataclasses.replace(spec, seed=100 + i) for i, spec in enumerate(WANTED)]
    expected = numbers(experiment.sweep(more))
    log = place().with_name(f"{store_file.FILE_NAME}-wal")
    content, main = log.read_bytes(), place().read_bytes()
    holding.close()
    for part in store_file.PARTS:
        place().with_name(f"{store_file.FILE_NAME}{part}").unlink(missing_ok=True)
    place().write_bytes(main)
    log.write_bytes(content[: len(content) * 2 // 3])
    assert (
        numbers(experiment.sweep(more)) == expected and numbers(experiment.sweep(WANTED)) == right
    )


def test_locked_store_gives_a_note_and_results(right, said):
    holder = sqlite3.connect(place())
    holder.execute("PRAGMA journal_mode=DELETE")
    holder.execute("BEGIN EXCLUSIVE")
    assert numbers(experiment.sweep(WANTED)) == right
    assert len(said) == 1 and "locked" in said[0] and store.NOT_STORED in said[0]
    with pytest.raises(DpvizError, match="locked"):
        experiment.stored(WANTED)  # nothing stored would be another answer
    holder.close()
    assert origins() == {"stored"} and not list(cache_dir().glob(f"{files.DAMAGED_PREFIX}*"))


def test_process_soon_stops_waiting_for_lock(right, said, monkeypatch):
    holder = sqlite3.connect(place())
    holder.execute("PRAGMA journal_mode=DELETE")
    holder.execute("BEGIN EXCLUSIVE")
    patience, connect = [], sqlite3.connect
    monkeypatch.setattr(
        store_file.sqlite3,
        "connect",
        lambda *a, **k: patience.append(k["timeout"]) or connect(*a, **k),
    )
    experiment.sweep(WANTED)
    experiment.sweep(WANTED)
    assert patience[0] == pytest.approx(store_file.LOCK_WAIT, rel=0.1)
    assert sum(patience) < 2.2 * store_file.MAX_TOTAL_WAIT, "once to read and once to write"
    holder.close()


def test_locked_store_delays_less_than_a_second(right, monkeypatch):
    """Also where the server waits first, and then one of its worker processes."""
    monkeypatch.setattr(store_file, "LOCK_WAIT", WAIT)
    monkeypatch.setattr(store_file, "MAX_TOTAL_WAIT", MOST)
    holder = sqlite3.connect(place())
    holder.execute("PRAGMA journal_mode=DELETE")
    holder.execute("BEGIN EXCLUSIVE")
    patience, connect = [], sqlite3.connect
    monkeypatch.setattr(
        store_file.sqlite3,
        "connect",
        lambda *a, **k: patience.append(k["timeout"]) or connect(*a, **k),
    )
    with store.keeping() as keep:
        store.recall(["a"])
        for result in right[:4]:
            keep({"a": result})
    assert patience and sum(patience) < MOST + WAIT < 1
    holder.close()


def test_long_writer_delays_sweeps_under_one_second(right, monkeypatch):
    """Readers go on beside it (WAL) and give no time to wait back to writers."""
    monkeypatch.setattr(store_file, "LOCK_WAIT", WAIT)
    monkeypatch.setattr(store_file, "MAX_TOTAL_WAIT", MOST)
    holder = sqlite3.connect(place())
    holder.execute("BEGIN EXCLUSIVE")
    begun = time.monotonic()
    for number in range(5):
        with store.keeping() as keep:
            assert store.read(["a"]) == {}
            keep({f"{number}": right[0]})
    assert time.monotonic() - begun < MOST + 0.35 < 1
    holder.close()


def test_results_are_written_after_the_lock(right, said):
    holder = sqlite3.connect(place())
    with store.keeping() as keep:
        holder.execute("BEGIN IMMEDIATE")
        keep({"first": right[0]})
        keep({"second": right[1]})
        time.sleep(0.3)
        holder.rollback()
        keep({"third": right[2]})
    assert store.read(["first", "second", "third"]).keys() == {"first", "second", "third"}
    assert not said
    holder.close()


def _write_many(number, results):
    for part in range(10):
        with store_file.waiting_longer(), store.keeping() as keep:
            for place_, result in enumerate(results):
                keep({f"{number}-{part}-{place_}": result})


def test_concurrent_sweeps_lose_no_results(right):
    start = multiprocessing.get_context("fork").Process
    some = [start(target=_write_many, args=(number, right)) for number in range(4)]
    for one in some:
        one.start()
    for one in some:
        one.join(60)
    assert not any(one.exitcode for one in some)
    keys = [f"{n}-{part}-{p}" for n in range(4) for part in range(10) for p in range(len(right))]
    assert store.read(keys).keys() == set(keys)


def test_full_disk_gives_a_note_and_results(said):
    expected = numbers(experiment.sweep(WANTED[:2]))
    with full_disk():
        whole = numbers(experiment.sweep(WANTED))
    assert whole[:2] == expected and len(whole) == len(WANTED)
    assert len(said) == 1 and "Free disk space" in said[0] and store.NOT_STORED in said[0]
    assert numbers(experiment.sweep(WANTED)) == whole and origins() == {"stored"}


@pytest.mark.skipif(sys.platform != "linux", reason="nothing can be written below Linux's /proc")
def test_read_only_cache_gives_a_note_and_results(right, said, monkeypatch):
    monkeypatch.setenv("DPVIZ_CACHE", "/proc")
    assert numbers(experiment.sweep(WANTED)) == right
    assert len(said) == 1 and "set DPVIZ_CACHE" in said[0]


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_read_only_store_is_read(right, said):
    place().chmod(0o444)
    cache_dir().chmod(0o555)
    assert origins() == {"stored"} and not said
    cache_dir().chmod(0o755)


def test_cache_deleted_under_a_server_is_rebuilt(right, said):
    for path in cache_dir().iterdir():
        path.unlink()
    cache_dir().rmdir()
    assert numbers(experiment.sweep(WANTED)) == right and origins() == {"stored"} and not said


def test_read_only_store_of_relative_cache_is_read(right, said, monkeypatch):
    folder = cache_dir()
    monkeypatch.chdir(folder.parent)
    monkeypatch.setenv("DPVIZ_CACHE", folder.name)
    monkeypatch.setattr(store_file, "_open", Mock(side_effect=sqlite3.OperationalError))
    monkeypatch.setattr(store_file, "_writable", lambda path: False)
    assert numbers(experiment.sweep(WANTED)) == right and origins() == {"stored"}
    assert cache_dir() == folder
