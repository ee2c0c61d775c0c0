"""Where a sweep runs: begun in the server, handed to a process of its own once it turns out to be
long, so that one person's heavy work does not slow another's page.

A process is started when it is first needed, keeps its data and code between sweeps, and speaks
through a pipe: specs in, progress and results out. Results go into the store that both share.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
import traceback
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from dpviz.machine import notes
from dpviz.run import experiment
from dpviz.run.experiment import Progress
from dpviz.run.fair_turns import FairTurns
from dpviz.types import Cancelled, DpvizError, Result, RunSpec

Specs = tuple[RunSpec, ...]

LONG, LEFT = 1.0, 4.0
"""Seconds of computing after which a sweep is looked at, and seconds still to come from which on it
is handed over.
"""
LARGE = 12_000_000
"""Numbers in a private set's features above which it is handed over at once: one fit may take
minutes, and only a process can be ended.
"""
WORKERS, HERE = 2, 2
"""Sweeps side by side in processes of their own, and in the server."""
BEAT = 0.1
"""Seconds between two looks at whether one who waits still wants to."""
PATIENCE = 2.0
"""Seconds that a batch has to end by itself after a stop; then the process ends with it."""
NICE = 10
"""How far a process steps back where the pages want the cores as well."""
ENDED = (
    "The process that did this work ended before it was done; ask again, what was finished is kept."
)


class _HandOver(Exception):
    """Enough seen: this is long."""


class Pool:
    """Processes shared by all who wait, with a queue before them."""

    def __init__(self, workers: int = WORKERS) -> None:
        """workers: processes at most, each started when it is first needed."""
        self._free = [Worker() for _ in range(workers)]
        self._here, self._there = FairTurns(HERE), FairTurns(workers)

    def sweep(self, specs: Specs, progress: Progress) -> list[Result]:
        """As ``experiment.sweep``; what was done before the hand-over is read from the store."""
        with self._here.turn(progress):
            try:
                if _large(specs, progress):
                    raise _HandOver
                return experiment.sweep(specs, progress=_watched(progress, len(set(specs))))
            except _HandOver:
                pass
        with self._there.turn(progress):
            worker = self._free.pop()
            try:
                return worker.sweep(specs, progress)
            finally:
                self._free.append(worker)


def _large(specs: Specs, progress: Progress) -> bool:
    """Whether there is something to compute, on much data."""
    if experiment.prepared(specs[0], progress).x.size <= LARGE:
        return False
    try:
        return len(experiment.stored(specs)) < len(specs)
    except DpvizError:  # a store that cannot be read has nothing of it
        return True


def _watched(progress: Progress, cells: int) -> Progress:
    """``progress`` that ends the sweep here once it is known to be long; embedding before it, told
    in other numbers, stays.
    """
    first: list[tuple[int, float]] = []

    def report(what: str, done: int, total: int) -> None:
        progress(what, done, total)
        if total != cells:
            return
        first.append((done, time.perf_counter()))
        share, seconds = done - first[0][0], time.perf_counter() - first[0][1]
        if share and seconds > LONG and seconds / share * (total - done) > LEFT:
            raise _HandOver

    return report


# ------------------------------------------------------------------------------ one process's owner


class Worker:
    """One process, or none until it is needed; one sweep at a time."""

    def __init__(self) -> None:
        """Starts nothing yet."""
        self._process: subprocess.Popen | None = None
        self._pipe: Connection | None = None

    def sweep(self, specs: Specs, progress: Progress) -> list[Result]:
        """``experiment.sweep(specs, progress)``, in the process.

        Raises:
            DpvizError: for a setting that cannot work, or if the process ended.
            Cancelled: if ``progress`` asked for it; batches that were done stay stored.
            RuntimeError: with the process's traceback, for what nobody foresaw.
        """
        pipe = self._started()
        try:
            pipe.send(specs)
            return self._listen(pipe, progress)
        except (EOFError, OSError):
            self.close()
            raise DpvizError(ENDED) from None

    def _listen(self, pipe: Connection, progress: Progress) -> list[Result]:
        stage, stopped = ("Starting a process for this", 0, 0), None
        while True:
            while not pipe.poll(BEAT):
                stopped = stopped or _stop(pipe, progress, stage)
                if stopped and time.monotonic() - stopped > PATIENCE:
                    self.close()
                    raise Cancelled
            kind, value = pipe.recv()
            if kind == "done":
                return value
            if kind == "note":
                notes.tell(value)
                continue
            if kind != "stage":
                raise {"cancelled": Cancelled, "error": DpvizError, "crash": RuntimeError}[kind](
                    value
                )
            stage = value
            stopped = stopped or _stop(pipe, progress, stage)

    def _started(self) -> Connection:
        if self._process is None or self._process.poll() is not None:
            self.close()
            self._pipe, other = Pipe()
            command = [sys.executable, "-m", __name__, str(other.fileno())]
            self._process = subprocess.Popen(
                command, pass_fds=[other.fileno()], cwd=Path(__file__).parents[2]
            )
            other.close()
        assert self._pipe is not None
        return self._pipe

    def close(self) -> None:
        """End the process, if there is one."""
        if self._process is not None and self._pipe is not None:
            self._process.kill()
            self._process.wait()
            self._pipe.close()
        self._process = self._pipe = None


def _stop(pipe: Connection, progress: Progress, stage: tuple[str, int, int]) -> float | None:
    """Tell how far it is; the time once the process was asked to stop, which it does after its
    batch.
    """
    try:
        progress(*stage)
    except Cancelled:
        pipe.send("stop")
        return time.monotonic()
    return None


# ------------------------------------------------------------------------------- inside the process


def serve(pipe: Connection) -> None:
    """Answer sweeps until the other side is gone."""
    notes.listeners.append(lambda sentence: pipe.send(("note", sentence)))
    while True:
        try:
            specs = pipe.recv()
        except EOFError:
            return
        if specs != "stop":  # one that came after the end of its sweep
            pipe.send(_answer(pipe, specs))


def _answer(pipe: Connection, specs: Specs) -> tuple[str, Any]:
    def progress(*stage: Any) -> None:
        pipe.send(("stage", stage))
        if pipe.poll():
            pipe.recv()
            raise Cancelled

    try:
        return "done", experiment.sweep(specs, progress)
    except Cancelled:
        return "cancelled", None
    except DpvizError as error:
        return "error", str(error)
    except Exception:
        return "crash", traceback.format_exc()


if __name__ == "__main__":
    if hasattr(os, "nice"):
        os.nice(NICE)
    serve(Connection(int(sys.argv[1])))
