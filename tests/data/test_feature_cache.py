"""The feature cache: whole, resumable, shared, and never trusted blindly."""

import os
import signal
import subprocess
import sys
import time
from contextlib import ExitStack, suppress

import numpy as np
import pytest

from dpviz.data import feature_cache as store
from dpviz.encoders import ENCODERS
from dpviz.encoders.embedding import embed
from dpviz.machine import array_files, notes
from dpviz.types import Cancelled, DpvizError
from tests.kit import gpu_stand_in
from tests.kit.full_disk import full_disk

pytestmark = pytest.mark.slow

GLYPHNET = ENCODERS["glyphnet"]
JOB = """
import os, sys, time
import numpy as np
from dpviz.data import feature_cache as store
from dpviz.machine import array_files
from dpviz.encoders import ENCODERS
store.BATCHES = 1
write = array_files.write
array_files.write = lambda *what: (time.sleep(float(sys.argv[3])), write(*what))
pixels = np.random.default_rng(0).integers(0, 256, (int(sys.argv[1]), 28, 28), np.uint8)
print(os.getpid(), flush=True)
x = store.embedded(pixels, ENCODERS["glyphnet"])
np.save(sys.argv[2], x)
"""


@pytest.fixture
def cache(tmp_path, monkeypatch):
    monkeypatch.setenv("DPVIZ_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(store, "BATCHES", 1)
    return tmp_path / "cache"


def pictures(n):
    return np.random.default_rng(0).integers(0, 256, (n, 28, 28), np.uint8)


@pytest.fixture
def job(quick_python):
    """Start a process that embeds ``n`` pictures in this cache, and prints its id before."""

    def start(n, out, cache, slow=0.0):
        words = [quick_python, "-c", JOB, str(n), str(out), str(slow)]
        environment = os.environ | {"DPVIZ_CACHE": str(cache), "PYTHONPATH": os.getcwd()}
        return subprocess.Popen(words, env=environment, stdout=subprocess.PIPE)

    return start


def kill(process, number):
    """Kill a job, whose own process has this id, and wait until it is dead."""
    for one in (number, process.pid):
        with suppress(ProcessLookupError):
            os.kill(one, signal.SIGKILL)
    process.wait()
    process.stdout.read()  # until no process has it open any more


def rewritten(before):
    """Old and new state of each file that was replaced: a rename changes the inode."""
    now = {path: path.stat() for path in before}
    return {
        path: (before[path], now[path]) for path in now if now[path].st_ino != before[path].st_ino
    }


def shards(cache):
    return sorted(
        path for path in cache.rglob("*") if path.is_file() and not path.name.startswith(".")
    )


def test_second_call_reads_without_embedding(cache, monkeypatch):
    first = store.embedded(pictures(300), GLYPHNET)
    assert len(shards(cache)) == 3
    monkeypatch.setattr("dpviz.encoders.embedding.stream", lambda *_: pytest.fail("embedded again"))
    again = store.embedded(pictures(300), GLYPHNET)
    np.testing.assert_array_equal(first, again)
    assert not again.flags.writeable


def test_changed_pixel_changes_the_key(cache):
    first, second = pictures(10), pictures(10)
    second[7, 3, 3] ^= 1
    assert store.key(first, GLYPHNET) != store.key(second, GLYPHNET)
    assert store.key(first, GLYPHNET) != store.key(first.reshape(10, 14, 56), GLYPHNET)


@pytest.mark.parametrize("harm", ["cut", "empty", "noise", "header", "another", "gone"])
def test_damaged_shard_is_recomputed_silently(cache, harm):
    whole = store.embedded(pictures(300), GLYPHNET)
    path, content = shards(cache)[1], shards(cache)[1].read_bytes()
    harms = {
        "cut": content[: len(content) // 2],
        "empty": b"",
        "noise": np.random.default_rng(1).bytes(len(content)),
        "header": b"\0" * 200 + content[200:],
        "another": shards(cache)[2].read_bytes(),
    }
    path.unlink() if harm == "gone" else path.write_bytes(harms[harm])
    np.testing.assert_array_equal(store.embedded(pictures(300), GLYPHNET), whole)
    assert path.read_bytes() == content


def test_truncated_block_is_detected(tmp_path):
    array_files.write(tmp_path / "b", np.arange(5.0))
    content = (tmp_path / "b").read_bytes()
    for end in range(len(content)):
        (tmp_path / "b").write_bytes(content[:end])
        assert array_files.read(tmp_path / "b") is None


def test_missing_block_or_folder_reads_as_none(tmp_path):
    assert array_files.read(tmp_path / "nothing") is None
    assert array_files.read(tmp_path) is None


def test_cancel_keeps_finished_shards_for_later_resume(cache):
    def stop(completed, total):
        if completed > 128:
            raise Cancelled

    with pytest.raises(Cancelled):
        store.embedded(pictures(300), GLYPHNET, stop)
    remaining = {path: path.stat().st_mtime_ns for path in shards(cache)}
    assert len(remaining) == 2
    resumed = store.embedded(pictures(300), GLYPHNET)
    assert all(path.stat().st_mtime_ns == moment for path, moment in remaining.items())
    assert len(shards(cache)) == 3 and resumed.shape == (300, 128)


def test_two_concurrent_processes_get_correct_features(cache, tmp_path, job):
    results = [job(1000, tmp_path / f"{i}.npy", cache) for i in range(2)]
    assert [process.wait(60) for process in results] == [0, 0]
    single = store.embedded(pictures(1000), GLYPHNET)
    for i in range(2):
        np.testing.assert_array_equal(np.load(tmp_path / f"{i}.npy"), single)


def test_random_kills_lose_no_written_shards(cache, tmp_path, job):
    rng, remaining = np.random.default_rng(7), {}
    for _ in range(5):
        victim = job(6400, tmp_path / "never.npy", cache, slow=0.02)
        number = int(victim.stdout.readline())
        wanted, deadline = len(remaining) + int(rng.integers(1, 7)), time.monotonic() + 300
        while len(shards(cache)) < wanted:
            assert victim.poll() is None, "the job ended before it was killed"
            assert time.monotonic() < deadline, "no file was written for 300 s"
            time.sleep(0.01)
        time.sleep(float(rng.uniform(0, 0.03)))
        kill(victim, number)
        assert rewritten(remaining) == {}
        remaining = {path: path.stat() for path in shards(cache)}
        assert wanted <= len(remaining) < 50 and not (tmp_path / "never.npy").exists()
    resumed = store.embedded(pictures(6400), GLYPHNET)
    assert rewritten(remaining) == {}
    unbroken = job(6400, tmp_path / "fresh.npy", tmp_path / "other")
    assert unbroken.wait(120) == 0
    np.testing.assert_array_equal(resumed, np.load(tmp_path / "fresh.npy"))


def test_full_disk_keeps_finished_shards_with_message(cache, monkeypatch):
    monkeypatch.setattr(store, "MAX_UNKEPT_IMAGES", 500)
    with ExitStack() as disk:

        def fill(completed, total):
            if completed == 256:
                disk.enter_context(full_disk(20_000))

        with pytest.raises(DpvizError, match="File too large.*Free disk space.*set DPVIZ_CACHE"):
            store.embedded(pictures(600), GLYPHNET, fill)
    assert len(shards(cache)) == 2 and not list(cache.rglob(".[!.]*"))
    store.embedded(pictures(600), GLYPHNET)
    assert len(shards(cache)) == 5


@pytest.mark.skipif(sys.platform != "linux", reason="nothing can be written below Linux's /proc")
def test_small_sets_work_without_writable_cache(cache, monkeypatch):
    messages, whole = [], store.embedded(pictures(300), GLYPHNET)
    monkeypatch.setattr(notes, "listeners", [messages.append])
    monkeypatch.setattr(notes, "_last_times", {})
    monkeypatch.setenv("DPVIZ_CACHE", "/proc")
    np.testing.assert_array_equal(store.embedded(pictures(300), GLYPHNET), whole)
    assert len(messages) == 1 and "recomputed each time" in messages[0]


def test_shards_that_changed_places_are_recomputed(cache):
    whole, (first, second, _) = store.embedded(pictures(300), GLYPHNET), shards(cache)
    one, other = first.read_bytes(), second.read_bytes()
    first.write_bytes(other)
    second.write_bytes(one)
    np.testing.assert_array_equal(store.embedded(pictures(300), GLYPHNET), whole)
    assert first.read_bytes() == one and second.read_bytes() == other
    elsewhere = store.embedded(255 - pictures(300), GLYPHNET)
    theirs = next(path for path in shards(cache) if path.parent != first.parent)
    theirs.write_bytes(one)
    np.testing.assert_array_equal(store.embedded(255 - pictures(300), GLYPHNET), elsewhere)


def test_unwritable_cache_folder_gives_message(tmp_path, monkeypatch):
    (tmp_path / "file").write_text("in the way")
    for folder in ("file", "file/below"):
        monkeypatch.setenv("DPVIZ_CACHE", str(tmp_path / folder))
        with pytest.raises(DpvizError, match="Cannot write to .*DPVIZ_CACHE to a writable"):
            store.embedded(pictures(5), GLYPHNET)


def test_features_round_to_half_precision_and_return_float32(cache):
    exact = embed(pictures(300), GLYPHNET)
    remaining = store.embedded(pictures(300), GLYPHNET)
    np.testing.assert_array_equal(remaining, exact.astype(np.float16).astype(np.float32))
    assert np.abs(remaining - exact).max() <= np.abs(exact).max() * 2**-11
    assert remaining.dtype == np.float32 and {
        array_files.read(path).dtype for path in shards(cache)
    } == {np.dtype(np.float16)}


def test_large_sets_stay_in_half_precision(cache, monkeypatch):
    whole = store.embedded(pictures(300), GLYPHNET)
    monkeypatch.setattr(store, "MAX_FLOAT32_BYTES", 1000)
    half = store.embedded(pictures(300), GLYPHNET)
    assert half.dtype == np.float16
    np.testing.assert_array_equal(half, whole)


def test_features_beyond_half_precision_are_refused(cache, monkeypatch):
    monkeypatch.setattr(
        "dpviz.encoders.embedding.stream",
        lambda *_: (x for x in [(range(5), np.full((5, 128), 1e6, np.float32))]),
    )
    with pytest.raises(DpvizError, match="beyond ±65,504"):
        store.embedded(pictures(5), GLYPHNET)
    assert not shards(cache)


def test_gpu_features_have_key_per_gpu_kind(cache, monkeypatch):
    names = [store.key(pictures(10), GLYPHNET)]
    for kind in ("Stand-in 1", "Stand-in 2"):
        gpu_stand_in.plug_in(monkeypatch, kind)
        names.append(store.key(pictures(10), GLYPHNET))
    assert len({*names}) == 3


def test_gpu_features_are_marked_by_content_cpu_by_key(cache, monkeypatch):
    first, second = np.ones((10, 128), np.float32), np.ones((10, 128), np.float32)
    second[3, 5] += 2**-10
    mark = lambda features: store.mark(pictures(10), GLYPHNET, lambda: features)
    assert mark(first) == mark(second) == store.key(pictures(10), GLYPHNET)
    gpu_stand_in.plug_in(monkeypatch)
    assert mark(first) == mark(first.copy()) != mark(second)


def test_progress_shows_rate_and_time_left(monkeypatch):
    clock, messages = iter([0.0, 0.5, 10.0, 20.0]), []
    monkeypatch.setattr(store.time, "monotonic", lambda: next(clock))
    report = store.paced("Embedding", lambda *step: messages.append(step))
    for completed in (1000, 1050, 2000, 3000):  # the first thousand were in the cache
        report(completed, 13000)
    assert messages == [
        ("Embedding", 1000, 13000),
        ("Embedding", 1050, 13000),
        ("Embedding (100 images per second, 2 min left)", 2000, 13000),
        ("Embedding (100 images per second, 2 min left)", 3000, 13000),
    ]
