"""Work in a process of its own, with caps on memory, time and disk: what takes too much ends alone,
with a sentence.

A process is started when it is first needed, keeps its imports between two pieces of work, and
speaks through a pipe: questions in, progress and answers out. After a death the next has a new one.
"""

from __future__ import annotations

import contextlib
import errno
import importlib
import os
import signal
import subprocess
import sys
import threading
import time
import traceback
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from typing import Any

from dpviz.machine import notes
from dpviz.machine.files import ROOT
from dpviz.types import Cancelled, DpvizError

try:
    import resource
except ImportError:  # Windows, where the clock is the only cap
    resource = None  # type: ignore[assignment]

Progress = Callable[[str, int, int], None]
BEAT = 0.1
"""Seconds between two looks at whether one who waits still wants to."""
PATIENCE = 2.0
"""Seconds that work has to end by itself after a stop; then its process ends with it."""
STOP = "stop"
#: Variable with the id of the process with which a command ends.
PARENT = "DPVIZ_PARENT"
NO_MEMORY = ("can't allocate memory", "Cannot allocate memory", "can't start new thread")
"""What PyTorch's allocator, a library that is loaded, and a thread say, each in no exception of
its own.
"""
_CHILD = (
    "import sys; from dpviz.machine import sandbox;"
    " sandbox.serve(*map(int, sys.argv[2:]), sys.argv[1])"
)
_inside = False


class WorkEnded(DpvizError):
    """Work that took too much, or whose process died."""


@dataclass(frozen=True)
class Caps:
    """What one piece of work may take, and what is said when it takes more.

    Attributes:
        memory: bytes that the process may allocate, kept to by Linux alone; seconds: by the clock
            of who asks; file: bytes of any file that it writes, kept to by Linux and macOS.
        what: is ended, the beginning of a sentence; instead: what to do, its end.
    """

    memory: int
    seconds: int
    file: int
    what: str
    instead: str

    def sentence(self, kind: str) -> str:
        """What is said of a death: ``memory``, ``time``, ``disk``, or anything else for a crash."""
        why = {
            "memory": f"needed more than {self.memory / 2**30:.3g} GiB of memory",
            "time": f"took longer than {_duration(self.seconds)}",
            "disk": f"wrote more than {self.file / 2**30:.3g} GiB to disk",
        }.get(kind, "crashed its process (a lack of memory may do that)")
        return f"{self.what} {why} and was ended; {self.instead}."


def share(most: int, side_by_side: int) -> int:
    """Bytes that each of a few processes may allocate: with all busy, the server keeps its share
    of the machine.
    """
    if hasattr(os, "sysconf") and "SC_PHYS_PAGES" in os.sysconf_names:
        whole = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
        return min(most, whole // (side_by_side + 1))
    return most


def inside() -> bool:
    """Whether this process is one of those: what it takes too much of ends it alone."""
    return _inside


class Sandbox:
    """One process, or none until it is needed; one piece of work at a time."""

    def __init__(self, do: str, ended: str, nice: int = 0, **environment: str) -> None:
        """Starts nothing yet.

        Args:
            do: ``module:function``, called in the process with (question, progress).
            ended: what is said if the process dies of work without caps.
            nice: how far the process steps back; environment: variables of its own.
        """
        self._do, self._ended, self._nice, self._environment = do, ended, nice, environment
        self._process: subprocess.Popen | None = None
        self._pipe: Connection | None = None

    def ask(self, question: Any, progress: Progress, caps: Caps | None = None) -> Any:
        """The function's answer.

        Raises:
            Ended: if it took more than ``caps``, or the process died.
            DpvizError: what the function refused.
            Cancelled: if ``progress`` asked for it, also where the work was done sooner than it
                heard of that.
            RuntimeError: with the process's traceback, for what nobody foresaw.
        """
        used = self._alive()
        kind, value = self._answer(question, progress, caps)
        if kind == "memory" and used:  # it may hold what former work left
            kind, value = self._answer(question, progress, caps)
        if kind == "done":
            return value
        if kind in ("cancelled", "error", "crash"):
            raise {"cancelled": Cancelled, "error": DpvizError, "crash": RuntimeError}[kind](value)
        raise WorkEnded(caps.sentence(kind) if caps else self._ended)

    def _answer(self, question: Any, progress: Progress, caps: Caps | None) -> tuple[str, Any]:
        pipe = self._started()
        try:
            pipe.send((caps, question))
            kind, value = self._listen(pipe, progress, caps)
        except (EOFError, OSError):
            kind, value = self._death(), None
        if kind in ("memory", "disk", "time", "died"):
            self.close()
        return kind, value

    def _listen(self, pipe: Connection, progress: Progress, caps: Caps | None) -> tuple[str, Any]:
        stage, stopped = ("Starting a process for this", 0, 0), None
        end = time.monotonic() + caps.seconds if caps else float("inf")
        while True:
            while not pipe.poll(BEAT):
                stopped = stopped or _stop(pipe, progress, stage)
                if stopped and time.monotonic() - stopped > PATIENCE:
                    self.close()
                    raise Cancelled
                if time.monotonic() > end:
                    return "time", None
            kind, value = pipe.recv()
            if kind == "note":
                notes.publish(value)
                continue
            if kind != "stage":
                return ("cancelled", None) if stopped and kind == "done" else (kind, value)
            stage = value
            stopped = stopped or _stop(pipe, progress, stage)
            if time.monotonic() > end:
                return "time", None

    def _alive(self) -> bool:
        return self._process is not None and self._process.poll() is None

    def _started(self) -> Connection:
        if not self._alive():
            self.close()
            self._pipe, other = Pipe()
            command = [sys.executable, "-c", _CHILD, self._do, str(other.fileno()), str(self._nice)]
            path = os.pathsep.join(filter(None, (str(ROOT), os.environ.get("PYTHONPATH"))))
            environment = os.environ | {"PYTHONPATH": path} | self._environment
            self._process = subprocess.Popen(command, pass_fds=[other.fileno()], env=environment)
            other.close()
        assert self._pipe is not None
        return self._pipe

    def _death(self) -> str:
        """Of what the process died."""
        assert self._process is not None
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(PATIENCE)
        if os.name == "posix" and self._process.returncode == -signal.SIGXCPU:
            return "time"
        return "died"

    def close(self) -> None:
        """End the process, if there is one."""
        if self._process is not None and self._pipe is not None:
            self._process.kill()
            self._process.wait()
            self._pipe.close()
        self._process = self._pipe = None


def _stop(pipe: Connection, progress: Progress, stage: tuple[str, int, int]) -> float | None:
    """Tell how far it is; the time once the process was asked to stop, which it does at its next
    word.
    """
    try:
        progress(*stage)
    except Cancelled:
        pipe.send(STOP)
        return time.monotonic()
    return None


def _duration(seconds: int) -> str:
    return f"{seconds // 60} minutes" if seconds >= 120 else f"{seconds} seconds"


# ------------------------------------------------------------------------------- inside the process


def end_with_parent(parent: int | None = None) -> None:
    """Have a thread end this process soon after its parent has ended, whatever it computes.

    Args:
        parent: the parent's process id; the current parent's where none is given.
    """
    parent = os.getppid() if parent is None else parent

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(BEAT)
        os._exit(1)

    if os.name == "posix":
        threading.Thread(target=watch, daemon=True).start()


def serve(handle: int, nice: int, do: str) -> None:
    """Answer questions until the other side is gone."""
    global _inside
    _inside = True
    end_with_parent()
    if hasattr(os, "nice"):
        os.nice(nice)
    pipe, work = Connection(handle), function(do)
    notes.listeners.append(lambda sentence: _say(pipe, ("note", sentence)))
    with contextlib.suppress(EOFError, BrokenPipeError):
        while True:
            request = pipe.recv()
            if request != STOP:  # one that came after the end of its work
                caps, question = request
                _allow(caps)
                _say(pipe, _result(pipe, work, question))


_saying = threading.Lock()


def _say(pipe: Connection, message: tuple[str, Any]) -> None:
    with _saying:  # a note may come from a thread that keeps results
        pipe.send(message)


def function(name: str) -> Callable:
    """What ``module:function`` names."""
    module, _, own = name.partition(":")
    return getattr(importlib.import_module(module), own)


def _allow(caps: Caps | None) -> None:
    if resource is None:
        return
    own, unlimited = resource.getrusage(resource.RUSAGE_SELF), resource.RLIM_INFINITY
    cpu_seconds, cores = int(own.ru_utime + own.ru_stime), os.cpu_count() or 1
    limits = {resource.RLIMIT_CORE: 0}
    # whoever asked may be gone, and nobody looks at the clock
    limits[resource.RLIMIT_CPU] = cpu_seconds + 1 + caps.seconds * cores if caps else unlimited
    limits[resource.RLIMIT_DATA] = caps.memory if caps else unlimited
    limits[resource.RLIMIT_FSIZE] = caps.file if caps else unlimited
    for kind, most in limits.items():
        hard = resource.getrlimit(kind)[1]
        allowed = most if hard == unlimited else hard if most == unlimited else min(most, hard)
        resource.setrlimit(kind, (allowed, hard))


def _result(pipe: Connection, work: Callable, question: Any) -> tuple[str, Any]:
    def progress(*stage: Any) -> None:
        _say(pipe, ("stage", stage))
        if pipe.poll():
            pipe.recv()
            raise Cancelled

    try:
        return "done", work(question, progress)
    except Cancelled:
        return "cancelled", None
    except BrokenPipeError:
        raise
    except Exception as error:
        if kind := _took(error):
            return kind, None
        if isinstance(error, DpvizError):
            return "error", str(error)
        return "crash", traceback.format_exc()


def _took(error: BaseException) -> str:
    """Of what the work took too much, where that is what an exception says; else ""."""
    for cause in _causes(error):
        if isinstance(cause, MemoryError) or any(words in str(cause) for words in NO_MEMORY):
            return "memory"
        if isinstance(cause, OSError) and cause.errno == errno.EFBIG:
            return "disk"
    return ""


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__
