"""Work in a process of its own, with caps on memory, time and disk.

A process starts when it is first needed and keeps its imports. A pipe carries questions in, and
progress and answers out. After a crash the next question starts a new process.
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
from dpviz.machine.fair_queue import Progress
from dpviz.machine.files import ROOT
from dpviz.types import Cancelled, DpvizError

try:
    import resource
except ImportError:  # Windows, where the clock is the only cap
    resource = None  # type: ignore[assignment]

BEAT = 0.1
"""Seconds between two progress reports of silent work."""
PATIENCE = 2.0
"""Seconds that work has to end by itself after a stop; then its process ends with it."""
STOP = "stop"
#: Variable with the id of the process with which a command ends.
PARENT = "DPVIZ_PARENT"
NO_MEMORY = (
    *("can't allocate memory", "Cannot allocate memory", "can't start new thread"),
    "failed to map segment from shared object",
)
"""What PyTorch's allocator, a library that is loaded, and a thread say, each in no exception of
its own.
"""
_CHILD = (
    "import sys; from dpviz.machine import sandbox;"
    " sandbox.serve(*map(int, sys.argv[2:]), sys.argv[1])"
)
_in_sandbox = False


class WorkEnded(DpvizError):
    """Work that exceeded its caps, or whose process died."""


@dataclass(frozen=True)
class Caps:
    """Limits of one piece of work, and the error message if it exceeds them.

    Attributes:
        memory: bytes that the process may allocate (Linux only); seconds: wall-clock time of the
            caller; file: bytes of any file that it writes (Linux and macOS).
        title: of the work, the start of the message; advice: what to do, which ends it.
    """

    memory: int
    seconds: int
    file: int
    title: str
    advice: str

    def message(self, kind: str) -> str:
        """Return the message for ``memory``, ``time``, ``disk``, or anything else for a crash."""
        limit = {
            "memory": f"needed more than {self.memory / 2**30:.3g} GiB of memory and was stopped",
            "time": f"took longer than {_duration(self.seconds)} and was stopped",
            "disk": f"wrote more than {self.file / 2**30:.3g} GiB to disk and was stopped",
        }.get(kind, "crashed, possibly for lack of memory")
        return f"{self.title} {limit}. To avoid this, {self.advice}."


def memory_share(limit: int, processes: int) -> int:
    """Return the bytes that each of a few processes may allocate: at most ``limit``, and so that
    the server keeps an equal share of the machine.
    """
    if hasattr(os, "sysconf") and "SC_PHYS_PAGES" in os.sysconf_names:
        total = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
        return min(limit, total // (processes + 1))
    return limit


def is_sandbox() -> bool:
    """Return whether this process is a sandbox."""
    return _in_sandbox


class Sandbox:
    """One process, or none until it is needed; one piece of work at a time."""

    def __init__(
        self, function_name: str, crash_message: str, nice: int = 0, **environment: str
    ) -> None:
        """Start nothing yet.

        Args:
            function_name: ``module:function``, called in the process with (question, progress).
            crash_message: error message if the process dies of work without caps.
            nice: of the process; environment: further variables.
        """
        self._function_name, self._crash_message = function_name, crash_message
        self._nice, self._environment = nice, environment
        self._process: subprocess.Popen | None = None
        self._pipe: Connection | None = None

    def run(self, question: Any, progress: Progress, caps: Caps | None = None) -> Any:
        """Return the function's answer.

        Raises:
            WorkEnded: if it took more than ``caps``, or the process died.
            DpvizError: from the function.
            Cancelled: if ``progress`` asked for it, even where the work finished before.
            RuntimeError: with the traceback of the process, for any other exception.
        """
        reused = self._alive()
        kind, value = self._answer(question, progress, caps)
        if kind == "memory" and reused:  # earlier work may have left something in memory
            kind, value = self._answer(question, progress, caps)
        if kind == "done":
            return value
        if kind in ("cancelled", "error", "crash"):
            raise {"cancelled": Cancelled, "error": DpvizError, "crash": RuntimeError}[kind](value)
        raise WorkEnded(caps.message(kind) if caps else self._crash_message)

    def _answer(self, question: Any, progress: Progress, caps: Caps | None) -> tuple[str, Any]:
        pipe = self._started()
        try:
            pipe.send((caps, question))
            kind, value = self._listen(pipe, progress, caps)
        except (EOFError, OSError):
            kind, value = self._death_kind(), None
        if kind in ("memory", "disk", "time", "died"):
            self.close()
        return kind, value

    def _listen(self, pipe: Connection, progress: Progress, caps: Caps | None) -> tuple[str, Any]:
        stage, stopped = ("Starting a process", 0, 0), None
        end = time.monotonic() + caps.seconds if caps else float("inf")
        while True:
            while not pipe.poll(BEAT):
                stopped = stopped or _report_or_stop(pipe, progress, stage)
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
            stopped = stopped or _report_or_stop(pipe, progress, stage)
            if time.monotonic() > end:
                return "time", None

    def _alive(self) -> bool:
        return self._process is not None and self._process.poll() is None

    def _started(self) -> Connection:
        if not self._alive():
            self.close()
            self._pipe, other = Pipe()
            command = [
                sys.executable,
                "-c",
                _CHILD,
                self._function_name,
                str(other.fileno()),
                str(self._nice),
            ]
            path = os.pathsep.join(filter(None, (str(ROOT), os.environ.get("PYTHONPATH"))))
            environment = os.environ | {"PYTHONPATH": path} | self._environment
            self._process = subprocess.Popen(command, pass_fds=[other.fileno()], env=environment)
            other.close()
        assert self._pipe is not None
        return self._pipe

    def _death_kind(self) -> str:
        """Return why the process died."""
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


def _report_or_stop(
    pipe: Connection, progress: Progress, stage: tuple[str, int, int]
) -> float | None:
    """Report progress; if that cancels, ask the process to stop and return the time."""
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


def serve(handle: int, nice: int, function_name: str) -> None:
    """Answer questions until the other end of the pipe closes."""
    global _in_sandbox
    _in_sandbox = True
    end_with_parent()
    if hasattr(os, "nice"):
        os.nice(nice)
    pipe, work = Connection(handle), function(function_name)
    notes.listeners.append(lambda sentence: _send(pipe, ("note", sentence)))
    with contextlib.suppress(EOFError, ConnectionError):
        while True:
            request = pipe.recv()
            if request != STOP:  # a stop that came after the end of its work
                caps, question = request
                _set_limits(caps)
                _send(pipe, _result(pipe, work, question))


_send_lock = threading.Lock()


def _send(pipe: Connection, message: tuple[str, Any]) -> None:
    with _send_lock:  # a note may come from a thread that keeps results
        pipe.send(message)


def function(name: str) -> Callable:
    """Return the function that ``module:function`` names."""
    module, _, attribute = name.partition(":")
    return getattr(importlib.import_module(module), attribute)


def _set_limits(caps: Caps | None) -> None:
    if resource is None:
        return
    usage, unlimited = resource.getrusage(resource.RUSAGE_SELF), resource.RLIM_INFINITY
    cpu_seconds, cores = int(usage.ru_utime + usage.ru_stime), os.cpu_count() or 1
    limits = {resource.RLIMIT_CORE: 0}
    # a second limit on time, as the caller that watches the clock may be gone
    limits[resource.RLIMIT_CPU] = cpu_seconds + 1 + caps.seconds * cores if caps else unlimited
    limits[resource.RLIMIT_DATA] = caps.memory if caps else unlimited
    limits[resource.RLIMIT_FSIZE] = caps.file if caps else unlimited
    for kind, limit in limits.items():
        hard = resource.getrlimit(kind)[1]
        allowed = limit if hard == unlimited else hard if limit == unlimited else min(limit, hard)
        resource.setrlimit(kind, (allowed, hard))


def _result(pipe: Connection, work: Callable, question: Any) -> tuple[str, Any]:
    def progress(*stage: Any) -> None:
        _send(pipe, ("stage", stage))
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
        if kind := _exceeded_cap(error):
            return kind, None
        if isinstance(error, DpvizError):
            return "error", str(error)
        return "crash", traceback.format_exc()


def _exceeded_cap(error: BaseException) -> str:
    """Return the cap that an exception says was exceeded; "" for any other exception."""
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
