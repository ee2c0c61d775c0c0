"""Calls of a stranger's function: releases in order, each made once, with seeds of their own; here,
or in a process of its own with caps.
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

from dpviz.audit import custom_releases, custom_verdict
from dpviz.audit.custom_releases import Facts, NamedNeighbors, Source
from dpviz.audit.distinguisher import Score
from dpviz.machine.sandbox import Caps, Sandbox
from dpviz.types import Cancelled, DpvizError

FOUR = 4
"""Releases that the twin hands out as one."""
STREAMS, EACH = 3, 2**20
"""Of one start: the function, its twin, a twin of one's own; and numbers of releases of each."""
STARTS = 2**32 // (STREAMS * EACH)
STAGES = ("Releases", "Releases of the twin, four as one", "Releases of your twin")
PROBED = 8
"""Seeds of each data set that are tried before the audit."""
AT_ONCE = 1.0
"""Seconds of releases that are asked for at once."""
HELD = 2**24
"""Numbers of releases that are held at once while they are scored."""
WAIT = 120
"""Seconds that one answer may take, with the start of the process and what it imports."""
MEMORY = 4 * 2**30
FILE = 2**30
ENDED = "The process that called the function ended; see that it runs by itself."

Progress = Callable[[str, int, int], None]


class Enough(Exception):
    """No more releases: the time is up, or whoever asked has stopped."""


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
        self._first = (start * STREAMS + stream) * EACH
        self._stage, self._progress, self._most = STAGES[stream], progress, most
        self._held: dict[int, np.ndarray] = {}
        self.notes: list[str] = []

    def probe(self) -> Facts:
        """A few calls, with seeds that the audit has as well."""
        self.facts = self._asked("probe", self._seeds(0, PROBED))
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
                raise Enough
            for part, rows in zip(
                parts, self._asked("make", self.facts, seeds, AT_ONCE), strict=True
            ):
                part.append(rows)
            self.made += 2 * len(parts[0][-1])
        self._held[first] = np.concatenate(parts[0])
        return np.concatenate(parts[1])

    def scores(self, score: Score, with_record: bool, first: int, runs: int) -> np.ndarray:
        """Scores (runs, k) of the same, made few at a time where there are many numbers."""
        if with_record:
            step = max(FOUR, HELD // self.facts.columns)
            sides: tuple[list, list] = ([], [])
            for at in range(first, first + runs, step):
                own = self.rows(True, at, min(step, first + runs - at))
                for side, rows in zip(sides, (self.rows(False, at, 0), own), strict=True):
                    side.append(score(rows))
            self._held[first] = np.concatenate(sides[0])
            return np.concatenate(sides[1])
        return self._held.pop(first)

    def look_at(self, present: np.ndarray, absent: np.ndarray) -> None:
        """Note what whoever reads the audit should know of these rows."""
        self.notes = list(custom_verdict.noticed(self.facts, present, absent))

    def _seeds(self, first: int, runs: int) -> tuple[list[int], list[int]]:
        at = [self._first + 2 * i for i in range(first, first + runs)]
        return [seed_of(i) for i in at], [seed_of(i + 1) for i in at]

    def _asked(self, what: str, *rest: Any) -> Any:
        def tell() -> None:
            self._progress(self._stage, self.made // 2, self._most)

        return self._ask((what, self._source, *rest), tell)


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
        wait = max(1, min(WAIT, round(seconds)))
        self._caps = Caps(
            MEMORY,
            wait,
            FILE,
            f"Calling {name}",
            "see that it runs by itself, or give it less to do",
        )

    def __call__(self, question: tuple, tell: Callable[[], None]) -> Any:
        if self.stopped:
            raise Enough
        try:
            tell()
            if self._process is None:
                return custom_releases.answer(question)
            return self._process.run(question, lambda *stage: tell(), self._caps)
        except (Cancelled, KeyboardInterrupt) as stop:
            self.stopped = True
            raise Enough from stop


@contextmanager
def open_calls(
    function: Callable | str,
    neighbours: NamedNeighbors | tuple[Any, Any],
    twin: Callable | str | None,
    seconds: float,
) -> Iterator[tuple[Ask, list[Source]]]:
    """Whom to ask, and of what: in a process of its own, where all is named."""
    folder = str(Path.cwd())
    functions = [function] if twin is None else [function, twin]
    sources = [Source(uuid.uuid4().hex, each, neighbours, folder) for each in functions]
    apart = isinstance(function, str) and not callable(twin)
    if apart:
        try:
            pickle.dumps(neighbours)
        except Exception as error:
            raise DpvizError(
                f"The two data sets cannot be handed to another process: {error}; give the function"
                " itself, not its name."
            ) from error
    process = Sandbox(f"{custom_releases.__name__}:act", ENDED) if apart else None
    try:
        yield Ask(process, seconds, name_of(function)), sources
    finally:
        if process:
            process.close()
        for source in sources:
            custom_releases.forget(source)


def name_of(function: Callable | str) -> str:
    """What a function is called."""
    return function if isinstance(function, str) else getattr(function, "__name__", "the function")
