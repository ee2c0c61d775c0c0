"""What takes too much dies alone, with a sentence; the next work has a new process."""

import dataclasses
import os
import resource
import signal
import subprocess
import sys
import threading
import time

import pytest

from dpviz.machine import notes, sandbox, scratch
from dpviz.machine.sandbox import Caps, Sandbox, WorkEnded
from dpviz.types import Cancelled

CAPS = Caps(2**28, 60, 2**23, "This work", "ask for less")


def silent(*stage):
    return None


@pytest.fixture
def greedy():
    one = Sandbox("tests.kit.greedy:act", "It ended.")
    yield one
    one.close()


@pytest.fixture(scope="module")
def beside():
    one = Sandbox("tests.kit.greedy:act", "It ended.")
    yield one
    one.close()


@pytest.mark.parametrize(
    "what, sentence, caps",
    [
        ("memory", "needed more than 0.25 GiB of memory", {}),
        ("time", "took longer than 1 seconds", {"seconds": 1}),
        ("disk", "wrote more than 0.00781 GiB to disk", {}),
        ("crash", "crashed, possibly for lack of memory", {}),
    ],
)
def test_work_above_its_caps_ends_alone(what, sentence, caps, greedy, beside, tmp_path):
    started, ended, found = threading.Event(), threading.Event(), []

    def until(*stage):
        started.set()
        if ended.is_set():
            raise Cancelled

    def another():
        with pytest.raises(Cancelled):
            beside.run(("wait", ""), until)
        found.append("stopped, not killed")

    other = threading.Thread(target=another)
    other.start()
    assert started.wait(20)
    with pytest.raises(
        WorkEnded, match=f"This work {sentence}( and was stopped)?. To avoid this, ask for less."
    ):
        greedy.run((what, str(tmp_path)), silent, dataclasses.replace(CAPS, **caps))
    assert greedy.run(("little", ""), silent, CAPS)[0] == "little"
    ended.set()
    other.join(20)
    assert found == ["stopped, not killed"]


def test_process_is_reused_with_the_caps_of_each_question(greedy):
    _, first = greedy.run(("little", ""), silent, dataclasses.replace(CAPS, seconds=5))
    _, second = greedy.run(("little", ""), silent)
    assert first == second != os.getpid()
    limits = resource.prlimit(first, resource.RLIMIT_DATA)
    assert limits[0] == resource.getrlimit(resource.RLIMIT_DATA)[0]


def test_silent_work_ends_when_cancelled(greedy, monkeypatch):
    monkeypatch.setattr(sandbox, "PATIENCE", 0.1)
    _, pid = greedy.run(("little", ""), silent)
    heard = []

    def leave(what, done, total):
        heard.append(what)
        if heard.count("time") > 1:  # the second time it is the clock that asks
            raise Cancelled

    with pytest.raises(Cancelled):
        greedy.run(("time", ""), leave, CAPS)
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


def test_cancel_after_the_end_of_the_work_counts(greedy):
    def leave(what, done, total):
        time.sleep(0.2)  # a little work is long over then
        raise Cancelled

    with pytest.raises(Cancelled):
        greedy.run(("little", ""), leave, CAPS)
    assert greedy.run(("little", ""), silent, CAPS)[0] == "little"


def test_leftovers_of_killed_processes_are_removed(tmp_path):
    code = (
        "import os, sys, time; from pathlib import Path; from dpviz.machine import scratch\n"
        "with scratch.folder(Path(sys.argv[1])) as folder:\n"
        "    (folder / 'half').write_bytes(bytes(9)); print(flush=True); time.sleep(60)"
    )
    process = subprocess.Popen([sys.executable, "-c", code, tmp_path], stdout=subprocess.PIPE)
    process.stdout.readline()
    (tmp_path / "kept.npz").touch()
    (tmp_path / ".in-work").touch()
    old = tmp_path / ".pictures-0.zip.left"
    old.touch()
    os.utime(old, (time.time() - 100,) * 2)
    with scratch.folder(tmp_path) as mine:
        scratch.sweep(tmp_path)
        held = [path for path in tmp_path.glob(f"{scratch.PREFIX}*") if path != mine]
        assert mine.exists() and (held[0] / "half").exists() and not old.exists()
        process.kill()
        process.wait()
        scratch.sweep(tmp_path)
        assert mine.exists() and not held[0].exists()
    assert sorted(path.name for path in tmp_path.iterdir()) == [".in-work", "kept.npz"]


def test_notes_of_another_thread_reach_the_caller(beside, monkeypatch):
    heard = []
    monkeypatch.setattr(notes, "listeners", [heard.append])
    assert beside.run(("note", ""), silent)[0] == "note"
    assert [int(sentence.split()[0]) for sentence in heard] == list(range(60))


PARENT = """
import threading, os
from dpviz.machine.sandbox import Sandbox
one = Sandbox("tests.kit.greedy:act", "It ended.")
work = threading.Thread(target=one.run, args=(("time", ""), lambda *stage: None), daemon=True)
work.start()
while one._process is None:
    pass
print(one._process.pid, flush=True)
work.join()
"""


@pytest.mark.skipif(os.name != "posix", reason="needs POSIX process ids")
def test_busy_process_ends_with_its_parent():
    parent = subprocess.Popen([sys.executable, "-c", PARENT], stdout=subprocess.PIPE, text=True)
    child = int(parent.stdout.readline())
    time.sleep(0.5)  # the work has begun
    parent.kill()
    parent.wait()
    parent.stdout.close()  # the child has the other end, too
    end = time.monotonic() + 5
    while time.monotonic() < end and _alive(child):
        time.sleep(0.05)
    alive = _alive(child)
    if alive:
        os.kill(child, signal.SIGKILL)
    assert not alive


def _alive(pid):
    """Whether a process runs; one that ended and was not waited for does not."""
    state = subprocess.run(["ps", "-o", "state=", "-p", str(pid)], capture_output=True, text=True)
    return state.stdout.strip() not in ("", "Z")
