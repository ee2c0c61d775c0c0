"""Where a sweep runs: begun in the server, handed to a process of its own once it turns out to be
long.
"""

from __future__ import annotations

import queue
import threading
import time

from dpviz.run import experiment
from dpviz.run.worker import Worker
from dpviz.types import Result, RunSpec

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
PATIENCE = 0.2
"""Seconds between two looks at whether one who waits still wants to."""


class _HandOver(Exception):
    """Enough seen: this is long."""


class Hands:
    """Workers shared by all who wait, with a queue before them."""

    def __init__(self, workers: int = WORKERS) -> None:
        """workers: processes at most, each started when it is first needed."""
        self._free: queue.LifoQueue[Worker] = queue.LifoQueue()
        for _ in range(workers):
            self._free.put(Worker())
        self._waiting = 0
        self._here = threading.Semaphore(HERE)

    def sweep(self, specs: tuple[RunSpec, ...], progress: experiment.Progress) -> list[Result]:
        """As ``experiment.sweep``; what was computed before the hand-over is read from the store."""
        while not self._here.acquire(timeout=PATIENCE):
            progress("Waiting for its turn", 0, 0)
        try:
            if _large(specs, progress):
                raise _HandOver
            return experiment.sweep(specs, progress=_watched(progress, len(set(specs))))
        except _HandOver:
            pass
        finally:
            self._here.release()
        return self._elsewhere(specs, progress)

    def _elsewhere(self, specs: tuple[RunSpec, ...], progress: experiment.Progress) -> list[Result]:
        worker = self._take(progress)
        try:
            return worker.sweep(specs, progress)
        finally:
            self._free.put(worker)

    def _take(self, progress: experiment.Progress) -> Worker:
        ahead = self._waiting
        self._waiting += 1
        try:
            while True:
                try:
                    return self._free.get(timeout=PATIENCE)
                except queue.Empty:
                    progress(
                        f"Waiting: {ahead} before you" if ahead else "Waiting: you are next", 0, 0
                    )
        finally:
            self._waiting -= 1


def _large(specs: tuple[RunSpec, ...], progress: experiment.Progress) -> bool:
    """Whether there is something to compute, on much data."""
    return experiment.prepared(specs[0], progress).x.size > LARGE and len(
        experiment.stored(specs)
    ) < len(specs)


def _watched(progress: experiment.Progress, cells: int) -> experiment.Progress:
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
