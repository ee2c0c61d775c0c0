"""Where a sweep runs: begun in the server, handed to a process of its own once it turns out to be
long, so that one person's heavy work does not slow another's page. Work on an upload is a process's
from the start, with caps on memory, time and disk.

A process keeps its data and code between sweeps. Results go into the store that all share.
"""

from __future__ import annotations

import os
import time
from pathlib import Path

from dpviz.data import uploads
from dpviz.machine.caged import Caged, Caps
from dpviz.machine.files import cache_dir
from dpviz.run import experiment
from dpviz.run.experiment import Progress
from dpviz.run.fair_turns import FairTurns
from dpviz.types import DpvizError, Result, RunSpec

Specs = tuple[RunSpec, ...]

LONG, LEFT = 1.0, 4.0
"""Seconds of computing after which a sweep is looked at, and seconds still to come from which on it
is handed over.
"""
LARGE = 12_000_000
"""Numbers in the largest table that a fit may hold, above which it is handed over at once: one fit
may take minutes, and only a process can be ended.
"""
WORKERS, HERE = 2, 2
"""Sweeps side by side in processes of their own, and in the server."""
MEMORY = 8 * 2**30
"""Bytes that work on an upload may allocate, if that is not more than its share of the machine."""
SECONDS = 1800
"""Seconds that one sweep of an upload may take; what was finished by then is kept."""
FILE = 2**31 + 2**28
"""Bytes of a file that work on an upload may write."""
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
        own = any(uploads.kept(Path(spec.dataset)) for spec in specs)
        if not own:
            with self._here.turn(progress):
                try:
                    if _large(specs, progress) and _missing(specs, progress):
                        raise _HandOver
                    return experiment.sweep(specs, progress=_watched(progress, len(set(specs))))
                except _HandOver:
                    pass
        elif not _missing(specs, progress):
            return experiment.sweep(specs, progress)
        with self._there.turn(progress):
            worker = self._free.pop()
            try:
                return worker.sweep(specs, progress, caps() if own else None)
            finally:
                self._free.append(worker)


def _missing(specs: Specs, progress: Progress) -> bool:
    """Whether there is something to compute."""
    experiment.prepared(specs[0], progress)  # data that cannot be read are refused here
    try:
        return len(experiment.stored(specs)) < len(specs)
    except DpvizError:  # a store that cannot be read has nothing of it
        return True


def _large(specs: Specs, progress: Progress) -> bool:
    """Whether a fit may hold much: records or classes by coordinates or classes, or the square of
    either.
    """
    data = experiment.prepared(specs[0], progress)
    n, d = data.x.shape
    return max(n, d, data.classes) * max(d, data.classes) > LARGE


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


class Worker:
    """One process, or none until it is needed; one sweep at a time."""

    def __init__(self) -> None:
        """Starts nothing yet."""
        self.process = Caged(f"{__name__}:answer", ENDED, NICE)

    def sweep(self, specs: Specs, progress: Progress, caps: Caps | None = None) -> list[Result]:
        """``experiment.sweep(specs, progress)``, in the process.

        Raises:
            DpvizError, Cancelled, RuntimeError: as ``Caged.ask``; batches that were done stay
                stored.
        """
        return self.process.ask((str(cache_dir()), specs), progress, caps)

    def close(self) -> None:
        """End the process, if there is one."""
        self.process.close()


def caps() -> Caps:
    """What one sweep of an upload may take on this machine: with all workers busy, the server
    keeps its share.
    """
    memory = MEMORY
    if hasattr(os, "sysconf") and "SC_PHYS_PAGES" in os.sysconf_names:
        whole = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
        memory = min(MEMORY, whole // (WORKERS + 1))
    instead = "what was finished is kept; ask for less, or bring fewer records or classes"
    return Caps(memory, SECONDS, FILE, "The work on this upload", instead)


def answer(question: tuple[str, Specs], progress: Progress) -> list[Result]:
    """Inside the process: a sweep whose results go into the asker's store."""
    os.environ["DPVIZ_CACHE"], specs = question
    return experiment.sweep(specs, progress)
