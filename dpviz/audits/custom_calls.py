"""Calls of a custom function: releases in order, each made once, with seeds of their own; here, or
in a process of its own with caps.
"""

from __future__ import annotations

import pickle
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from dpviz.audits import custom_releases, custom_verdict
from dpviz.audits.custom_releases import Facts, NamedNeighbors, Source
from dpviz.audits.distinguisher import Score
from dpviz.machine.sandbox import Caps, Sandbox
from dpviz.text import audit as text
from dpviz.types import Cancelled, DpvizError

COMBINED_RELEASES = 4
"""Releases that the faulty variant returns as one."""
STREAMS, SEEDS_PER_STREAM = 3, 2**20
"""Of one start: the function, its variant, a given variant; and numbers of releases of each."""
STARTS = 2**32 // (STREAMS * SEEDS_PER_STREAM)
STAGES = text.STAGES
PROBE_SEEDS = 8
"""Seeds of each data set that are tried before the audit."""
BATCH_SECONDS = 1.0
"""Seconds of releases that are asked for at once."""
MAX_HELD_NUMBERS = 2**24
"""Numbers of releases that are held at once while they are scored."""
ANSWER_SECONDS = 120
"""Seconds that one answer may take, with the start of the process and what it imports."""
MEMORY_BYTES = 4 * 2**30
FILE_BYTES = 2**30
PROCESS_ENDED = "The process of the function ended. Check that the function runs on its own."

Progress = Callable[[str, int, int], None]


class NoMoreReleases(Exception):
    """No more releases: the time limit is reached, or the caller has stopped."""


class Releases:
    """Releases of one source in order, each made once."""

    def __init__(
        self,
        ask: Ask,
        source: Source,
        start: int,
        stream: int,
        until: float,
        progress: Progress,
        most: int,
    ) -> None:
        self.made, self.facts = 0, Facts(0, True, False, False)
        self._ask, self._source, self._until = ask, source, until
        self._first = (start * STREAMS + stream) * SEEDS_PER_STREAM
        self._stage, self._progress, self._most = STAGES[stream], progress, most
        self._held: dict[int, np.ndarray] = {}
        self.notes: list[str] = []

    def probe(self) -> Facts:
        """Make a few calls, with seeds that the audit also uses."""
        self.facts = self._answer("probe", self._seeds(0, PROBE_SEEDS))
        return self.facts

    def rows(self, with_record: bool, first: int, runs: int) -> np.ndarray:
        """Rows (runs, k) of one data set; those of the other, made by turns with them, are kept
        until they are asked for.
        """
        if not with_record:
            return self._held.pop(first)
        parts: tuple[list, list] = ([], [])
        while (done := sum(map(len, parts[0]))) < runs:
            seeds = self._seeds(first + done, runs - done)
            if time.monotonic() > self._until:
                raise NoMoreReleases
            for part, rows in zip(
                parts, self._answer("make", self.facts, seeds, BATCH_SECONDS), strict=True
            ):
                part.append(rows)
            self.made += 2 * len(parts[0][-1])
        self._held[first] = np.concatenate(parts[0])
        return np.concatenate(parts[1])

    def scores(self, score: Score, with_record: bool, first: int, runs: int) -> np.ndarray:
        """Scores (runs, k) of the same, made few at a time where there are many numbers."""
        if with_record:
            step = max(COMBINED_RELEASES, MAX_HELD_NUMBERS // self.facts.columns)
            sides: tuple[list, list] = ([], [])
            for start in range(first, first + runs, step):
                own = self.rows(True, start, min(step, first + runs - start))
                for side, rows in zip(sides, (self.rows(False, start, 0), own), strict=True):
                    side.append(score(rows))
            self._held[first] = np.concatenate(sides[0])
            return np.concatenate(sides[1])
        return self._held.pop(first)

    def add_notes(self, present: np.ndarray, absent: np.ndarray) -> None:
        """Note what whoever reads the audit should know of these rows."""
        self.notes = list(custom_verdict.noticed(self.facts, present, absent))

    def _seeds(self, first: int, runs: int) -> tuple[list[int], list[int]]:
        numbers = [self._first + 2 * i for i in range(first, first + runs)]
        return [seed_of(i) for i in numbers], [seed_of(i + 1) for i in numbers]

    def _answer(self, kind: str, *rest: Any) -> Any:
        def report() -> None:
            self._progress(self._stage, self.made // 2, self._most)

        return self._ask((kind, self._source, *rest), report)


def seed_of(number: int) -> int:
    """The seed, in [0, 2^32), of a release's number in [0, 2^32): another for each, in no order
    that tells the data sets apart.

    Source: the finaliser of MurmurHash3, which is one to one.
    """
    number ^= number >> 16
    number = number * 0x85EBCA6B % 2**32
    number ^= number >> 13
    number = number * 0xC2B2AE35 % 2**32
    return number ^ number >> 16


# ------------------------------------------------------------------------------------ where it runs


class Ask:
    """Questions to a process of its own, or answered here; once stopped, no more."""

    def __init__(self, process: Sandbox | None, seconds: float, name: str) -> None:
        self._process, self.stopped = process, False
        wait = max(1, min(ANSWER_SECONDS, round(seconds)))
        self._caps = Caps(
            MEMORY_BYTES,
            wait,
            FILE_BYTES,
            f"Calling {name}",
            "check that the function runs on its own, or use less data",
        )

    def __call__(self, question: tuple, report: Callable[[], None]) -> Any:
        if self.stopped:
            raise NoMoreReleases
        try:
            report()
            if self._process is None:
                return custom_releases.answer(question)
            return self._process.run(question, lambda *stage: report(), self._caps)
        except (Cancelled, KeyboardInterrupt) as stop:
            self.stopped = True
            raise NoMoreReleases from stop


@contextmanager
def open_calls(
    function: Callable | str,
    neighbours: NamedNeighbors | tuple[Any, Any],
    twin: Callable | str | None,
    seconds: float,
) -> Iterator[tuple[Ask, list[Source]]]:
    """Open the process that calls the functions; it is separate if all arguments are names."""
    folder = str(Path.cwd())
    functions = [function] if twin is None else [function, twin]
    sources = [Source(uuid.uuid4().hex, each, neighbours, folder) for each in functions]
    apart = isinstance(function, str) and not callable(twin)
    if apart:
        try:
            pickle.dumps(neighbours)
        except Exception as error:
            raise DpvizError(
                f"Cannot send the data sets to another process ({error}). Pass the function itself,"
                " not its name."
            ) from error
    process = Sandbox(f"{custom_releases.__name__}:act", PROCESS_ENDED) if apart else None
    try:
        yield Ask(process, seconds, name_of(function)), sources
    finally:
        if process:
            process.close()
        for source in sources:
            custom_releases.forget(source)


def name_of(function: Callable | str) -> str:
    """Name of a function."""
    return function if isinstance(function, str) else getattr(function, "__name__", "the function")
