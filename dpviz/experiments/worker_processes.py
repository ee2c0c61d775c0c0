"""Where a sweep runs: in the server, or in a worker process if it is long.

A sweep starts in the server and moves to a worker process once its remaining time is known to be
long, so that it does not slow other pages. Work on an upload, and all work in public mode, runs in
a worker process from the start, with caps on memory, time and disk. Workers keep data and code
between sweeps. All share one store of results.
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
from dpviz.experiments import experiment
from dpviz.experiments.experiment import OnResults
from dpviz.machine import public_mode, sandbox
from dpviz.machine.executor import SandboxPool
from dpviz.machine.fair_queue import FairQueue, Progress, no_progress
from dpviz.machine.files import cache_dir
from dpviz.machine.sandbox import Caps
from dpviz.text import public_mode as public_text
from dpviz.types import DataConfig, DpvizError, Result, RunSpec

Specs = tuple[RunSpec, ...]
Value = TypeVar("Value")

MIN_ELAPSED, MAX_REMAINING = 1.0, 4.0
"""A sweep moves to a worker after this many seconds if more than this many seconds remain."""
MAX_NUMBERS = 12_000_000
"""Numbers in the largest table of a fit, above which a sweep starts in a worker: one fit may take
minutes, and only a process can be ended.
"""
WORKERS, SERVER_SWEEPS = 2, 2
"""Sweeps at once in workers, and in the server."""
MEMORY = 8 * 2**30
"""Bytes that work on an upload may allocate, at most its share of the machine."""
SECONDS = 1800
"""Seconds that one sweep of an upload may take; finished results are kept."""
FILE = 2**31 + 2**28
"""Bytes of a file that work on an upload may write."""
NICE = 10
"""Nice value of a worker, so that pages get the cores first."""
CRASH_MESSAGE = "The worker process ended unexpectedly. Finished results are stored. Try again."


class _LongError(Exception):
    """The sweep is too long for the server."""


class Pool:
    """Worker processes that all pages share, and a queue for sweeps in the server."""

    def __init__(self, workers: int = WORKERS, nice: int = NICE, uses_server: bool = True) -> None:
        """Define the pool.

        Args:
            workers: processes at most, each started when it is first needed; nice: of them;
                uses_server: short work, and work without caps, runs in the server.
        """
        self.uses_server = uses_server
        self.workers = SandboxPool(workers, f"{__name__}:answer", CRASH_MESSAGE, nice)
        self._server_queue = FairQueue(SERVER_SWEEPS)

    def sweep(self, specs: Specs, progress: Progress) -> list[Result]:
        """As ``experiment.sweep``; a worker reads from the store what the server has finished."""
        if self.uses_server and not _any_capped(specs):
            with self._server_queue.slot(progress), contextlib.suppress(_LongError):
                if _is_large(specs, progress) and _any_missing(specs, progress):
                    raise _LongError
                return experiment.sweep(specs, progress=_time_limited(progress, len(set(specs))))
        return self.sweep_in_worker(specs, progress)

    def sweep_in_worker(self, specs: Specs, progress: Progress) -> list[Result]:
        """As ``experiment.sweep``, in a worker; of an upload with caps if any is missing."""
        is_capped = _any_capped(specs)
        if is_capped and not _any_missing(specs, progress):
            return experiment.sweep(specs, progress)
        return self.call_in_worker(
            experiment.sweep, (specs,), progress, caps() if is_capped else None
        )

    def sweep_together(
        self, specs: Specs, first: int, progress: Progress, on_results: OnResults
    ) -> bool:
        """As ``experiment.sweep`` in the server, with the ``first`` results before the others.

        Returns:
            False for long sweeps and for uploads: only the first results were computed.
        """
        reported: set[RunSpec] = set()

        def report(results: dict[RunSpec, Result]) -> None:
            reported.update(results)
            on_results(results)

        if self.uses_server and not _any_capped(specs):
            with self._server_queue.slot(progress), contextlib.suppress(_LongError):
                if not _is_large(specs, progress):
                    limited = _time_limited(progress, len(specs), first)
                    experiment.sweep(specs, limited, first=first, on_results=report)
                    return True
        missing = tuple(spec for spec in specs[:first] if spec not in reported)
        if missing:
            report(dict(zip(missing, self.sweep_in_worker(missing, progress), strict=True)))
        return False

    def call(
        self,
        work: Callable[..., Value],
        config: DataConfig,
        *settings: Any,
        progress: Progress,
    ) -> Value:
        """Return ``work(config, *settings, progress)``; of an upload in a worker with caps."""
        arguments, is_capped = (config, *settings), _is_capped(config)
        if self.uses_server and not is_capped:
            return work(*arguments, progress)
        return self.call_in_worker(work, arguments, progress, caps() if is_capped else None)

    def warm(self, path: Path) -> None:
        """Start to read an upload in a worker, which is then ready for work on it."""
        read_caps = dataclasses.replace(caps(), seconds=untrusted_files.SECONDS)

        def read() -> None:
            with contextlib.suppress(DpvizError):  # work on the upload reports the error
                self.call_in_worker(_read, (str(path),), no_progress, read_caps)

        threading.Thread(target=read, daemon=True).start()

    def call_in_worker(
        self,
        work: Callable[..., Value],
        arguments: tuple,
        progress: Progress,
        caps: Caps | None = None,
    ) -> Value:
        """Return ``work(*arguments, progress)``, a function of a module, computed in a worker.

        Raises:
            DpvizError, Cancelled, RuntimeError: as ``Sandbox.run``; finished batches stay stored.
        """
        folders = str(cache_dir()), str(data_dir())
        question = folders, f"{work.__module__}:{work.__qualname__}", arguments
        return self.workers.run(question, progress, caps)


def _any_capped(specs: Specs) -> bool:
    return any(map(_is_capped, specs))


def _is_capped(config: Any) -> bool:
    """Return whether work is capped: the data are an upload, or the mode is public."""
    return public_mode.is_on() or uploads.is_upload(Path(config.dataset))


def _any_missing(specs: Specs, progress: Progress) -> bool:
    """Return whether any result has to be computed."""
    experiment.prepared(specs[0], progress)  # raises for data that cannot be read
    try:
        return len(experiment.stored(specs)) < len(specs)
    except DpvizError:  # the store cannot be read
        return True


def _is_large(specs: Specs, progress: Progress) -> bool:
    """Return whether a fit may need a large table: records or classes by coordinates or classes, or
    the square of either.
    """
    dataset = experiment.prepared(specs[0], progress)
    n, d = dataset.x.shape
    return max(n, d, dataset.classes) * max(d, dataset.classes) > MAX_NUMBERS


def _time_limited(progress: Progress, cells: int, first: int = 0) -> Progress:
    """Return ``progress`` that raises ``_LongError`` once the sweep is known to be long.

    Embedding, which reports other totals, may take longer. The time of the ``first`` cells is
    estimated by itself and after more seconds: they are of all methods, so that the time of some
    says little about the others.
    """
    starts: dict[int, tuple[int, float]] = {}

    def report(stage: str, done: int, total: int) -> None:
        progress(stage, done, total)
        if total != cells:
            return
        goal, now = first if done < first else total, time.perf_counter()
        start_done, start_time = starts.setdefault(goal, (done, now))
        finished, seconds = done - start_done, now - start_time
        min_elapsed = MAX_REMAINING if done < first else MIN_ELAPSED
        if not finished or seconds <= min_elapsed:
            return
        if seconds / finished * (goal - done) > MAX_REMAINING:
            raise _LongError

    return report


def caps() -> Caps:
    """Return the caps of work on an upload, or in public mode, on this machine."""
    if public_mode.is_on():
        memory = sandbox.memory_share(public_mode.JOB_MEMORY, WORKERS)
        limits = memory, public_mode.JOB_SECONDS, public_mode.JOB_FILE
        return Caps(*limits, public_text.COMPUTING, public_text.ADVICE)
    memory = sandbox.memory_share(MEMORY, WORKERS)
    advice = "use fewer records or classes; finished results are stored"
    return Caps(memory, SECONDS, FILE, "Computing with this upload", advice)


def answer(question: tuple[tuple[str, str], str, tuple], progress: Progress) -> Any:
    """Call a function inside a worker, with the cache and data folders of the server."""
    (os.environ["DPVIZ_CACHE"], data_folder), name, arguments = question
    if str(data_dir()) != data_folder:
        os.environ["DPVIZ_DATA"] = data_folder
        data.clear()
    return sandbox.function(name)(*arguments, progress)


def _read(path: str, progress: Progress) -> None:
    data.load(path, None, progress=progress)
