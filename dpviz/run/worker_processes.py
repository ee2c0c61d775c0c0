"""Where a sweep runs: begun in the server, handed to a process of its own once it turns out to be
long, so that one person's heavy work does not slow another's page. Work on an upload is a process's
from the start, with caps on memory, time and disk.

A process keeps its data and code between sweeps. Results go into the store that all share.
"""

from __future__ import annotations

import contextlib
import dataclasses
import os
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from dpviz import data
from dpviz.data import untrusted_files, uploads
from dpviz.data.download import data_dir
from dpviz.machine import sandbox
from dpviz.machine.fair_queue import FairTurns
from dpviz.machine.files import cache_dir
from dpviz.machine.sandbox import Caps, Sandbox
from dpviz.run import experiment
from dpviz.run.experiment import Found, Progress
from dpviz.types import DataConfig, DpvizError, Result, RunSpec

Specs = tuple[RunSpec, ...]
Value = TypeVar("Value")

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

    def __init__(self, workers: int = WORKERS, nice: int = NICE) -> None:
        """workers: processes at most, each started when it is first needed; nice: how far they step
        back.
        """
        self._free = [Worker(nice) for _ in range(workers)]
        self._here, self._there = FairTurns(HERE), FairTurns(workers)

    def sweep(self, specs: Specs, progress: Progress) -> list[Result]:
        """As ``experiment.sweep``; what was done before the hand-over is read from the store."""
        if not _of_uploads(specs):
            with self._here.turn(progress), contextlib.suppress(_HandOver):
                if _large(specs, progress) and _missing(specs, progress):
                    raise _HandOver
                return experiment.sweep(specs, progress=_watched(progress, len(set(specs))))
        return self._elsewhere(specs, progress)

    def behind(self, specs: Specs, progress: Progress) -> list[Result]:
        """``experiment.sweep`` in a process from the start, however short it is."""
        return self._elsewhere(specs, progress)

    def _elsewhere(self, specs: Specs, progress: Progress) -> list[Result]:
        """The same in a process; of an upload with caps, and only where something is missing."""
        own = _of_uploads(specs)
        if own and not _missing(specs, progress):
            return experiment.sweep(specs, progress)
        return self._there_asked(experiment.sweep, (specs,), progress, caps() if own else None)

    def together(self, specs: Specs, first: int, progress: Progress, found: Found) -> bool:
        """``experiment.sweep`` in the server, with some of the results before the others; False
        where it turns out to be long, or is not for the server: then those results alone are there.
        """
        reported: set[RunSpec] = set()

        def tell(results: dict[RunSpec, Result]) -> None:
            reported.update(results)
            found(results)

        if not _of_uploads(specs):
            with self._here.turn(progress), contextlib.suppress(_HandOver):
                if not _large(specs, progress):
                    watched = _watched(progress, len(specs), first)
                    experiment.sweep(specs, watched, first=first, found=tell)
                    return True
        waited = tuple(spec for spec in specs[:first] if spec not in reported)
        if waited:
            tell(dict(zip(waited, self._elsewhere(waited, progress), strict=True)))
        return False

    def look(
        self, do: Callable[..., Value], material: DataConfig, *settings: Any, progress: Progress
    ) -> Value:
        """``do(material, *settings, progress)``, of an upload in a process with caps."""
        arguments = (material, *settings)
        if not _own(material):
            return do(*arguments, progress)
        return self._there_asked(do, arguments, progress, caps())

    def warm(self, path: Path) -> None:
        """Begin to read an upload in a process, which is then ready for work on it."""
        thread = threading.Thread(target=self._warmed, args=(str(path),), daemon=True)
        thread.start()

    def _warmed(self, path: str) -> None:
        brief = dataclasses.replace(caps(), seconds=untrusted_files.SECONDS)
        with contextlib.suppress(DpvizError):  # who works on it is told
            self._there_asked(_read, (path,), lambda what, done, total: None, brief)

    def _there_asked(
        self, do: Callable[..., Value], arguments: tuple, progress: Progress, caps: Caps | None
    ) -> Value:
        def ask(progress: Progress) -> Value:
            worker = self._free.pop()
            try:
                return worker.ask(do, arguments, progress, caps)
            finally:
                self._free.append(worker)

        return self._there.had(ask, progress)


def _of_uploads(specs: Specs) -> bool:
    return any(map(_own, specs))


def _own(material: Any) -> bool:
    """Whether the data of a spec, or of what has one, are an upload."""
    return uploads.is_upload(Path(material.dataset))


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
    dataset = experiment.prepared(specs[0], progress)
    n, d = dataset.x.shape
    return max(n, d, dataset.classes) * max(d, dataset.classes) > LARGE


def _watched(progress: Progress, cells: int, first: int = 0) -> Progress:
    """``progress`` that ends the sweep here once it is known to be long; embedding before it, told
    in other numbers, stays. The ``first`` cells, for which somebody waits, are looked at alone, and
    later: they are of all methods, and the first of them tell little of the others.
    """
    began: dict[int, tuple[int, float]] = {}

    def report(what: str, done: int, total: int) -> None:
        progress(what, done, total)
        if total != cells:
            return
        goal, now = first if done < first else total, time.perf_counter()
        previous, start = began.setdefault(goal, (done, now))
        share, seconds = done - previous, now - start
        patience = LEFT if done < first else LONG
        if share and seconds > patience and seconds / share * (goal - done) > LEFT:
            raise _HandOver

    return report


class Worker:
    """One process, or none until it is needed; one piece of work at a time."""

    def __init__(self, nice: int = NICE) -> None:
        """Starts nothing yet."""
        self.process = Sandbox(f"{__name__}:answer", ENDED, nice)

    def ask(
        self,
        do: Callable[..., Value],
        arguments: tuple,
        progress: Progress,
        caps: Caps | None = None,
    ) -> Value:
        """``do(*arguments, progress)``, a function of a module's, in the process.

        Raises:
            DpvizError, Cancelled, RuntimeError: as ``Sandbox.ask``; batches that were done stay
                stored.
        """
        name = f"{do.__module__}:{do.__qualname__}"
        places = str(cache_dir()), str(data_dir())
        return self.process.ask((places, name, arguments), progress, caps)

    def close(self) -> None:
        """End the process, if there is one."""
        self.process.close()


def caps() -> Caps:
    """What work on an upload may take on this machine."""
    memory = sandbox.share(MEMORY, WORKERS)
    instead = "what was finished is kept; ask for less, or bring fewer records or classes"
    return Caps(memory, SECONDS, FILE, "The work on this upload", instead)


def answer(question: tuple[tuple[str, str], str, tuple], progress: Progress) -> Any:
    """Inside the process: work on the data sets of the asker's data folder, whose results go into
    the asker's cache folder.
    """
    (os.environ["DPVIZ_CACHE"], place), name, arguments = question
    if str(data_dir()) != place:
        os.environ["DPVIZ_DATA"] = place
        data.clear()
    return sandbox.function(name)(*arguments, progress)


def _read(path: str, progress: Progress) -> None:
    data.load(path, None, progress=progress)
