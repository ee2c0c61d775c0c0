"""The one door to long work: who asks, who leaves, what is shared, what is ended.

A job runs on a thread of its own and outlives the page that began it. Whoever asks for the same
shares it; it ends when the last who waits for it has left, and what was done by then is kept.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from dpviz.caches import Kept
from dpviz.run.fair_turns import WHOSE, FairTurns, Progress
from dpviz.types import Cancelled, DpvizError

Group = tuple[Any, ...]
"""Specs, or other settings with a ``method``, that are worked on together: a line of a chart."""
WAITING = "Waiting for its turn"
AWAY = 5.0
"""Seconds after which a job that all have left without a word ends."""
AT_ONCE = 20
"""Jobs of one visitor that go on or wait: a page in a tab has one."""
TOO_MANY = (
    f"{AT_ONCE} pages of yours are computing already; wait for one of them, or stop or close it."
)

log = logging.getLogger(__name__)


class Work:
    """One kind of long work, with its last results in memory."""

    def __init__(
        self, do: Callable[[Group, Progress], list], kept: int = 400, at_once: int = 2
    ) -> None:
        """do: gives the results of a group; kept: groups in memory, fewer where results are long as
        the data; at_once: jobs side by side, each of which may use all cores.
        """
        self.do = do
        self.results: Kept[list] = Kept(__name__, kept)
        self.turns = FairTurns(at_once)


class Job:
    """Groups that are worked on one after another.

    Attributes:
        groups: what was asked for; done: results by group; errors: sentences by group; stage: what
            is going on, with done and total; finished: set when nothing more will come.
    """

    def __init__(self, groups: Sequence[Group], done: dict[Group, list] | None = None) -> None:
        self.groups = tuple(groups)
        self.done = done or {}
        self.errors: dict[Group, str] = {}
        self.stage = (WAITING, 0, 0)
        self.started = time.perf_counter()
        self.finished = threading.Event()
        self.stopped = False
        self.alone: float | None = None  # since when nobody who waits for it was there

    @property
    def complete(self) -> bool:
        """True when every group has its results."""
        return len(self.done) == len(self.groups)

    @property
    def missing(self) -> list[Group]:
        """Groups with neither results nor an error yet."""
        return [g for g in self.groups if g not in self.done and g not in self.errors]


class Jobs:
    """All jobs of a process. A person, who is any id, has one job at a time; a visitor may be
    several: one for each page and tab.
    """

    def __init__(
        self,
        there: Callable[[str], bool] = lambda person: True,
        visitor: Callable[[str], str] = lambda person: person,
    ) -> None:
        """there: whether a person has not gone away without a word; visitor: who that is."""
        self._there, self._visitor = there, visitor
        self._running: dict[tuple[Work, tuple[Group, ...]], Job] = {}
        self._wanted: dict[str, Job] = {}
        self._lock = threading.Lock()

    def ask(self, person: str, groups: Sequence[Group], work: Work) -> Job:
        """The job for these groups, joined, answered from memory or begun; the person leaves the
        former one. One too many of a visitor's is refused, in the job's errors.
        """
        with self._lock:
            former = self._wanted.pop(person, None)
            job = self._running.get((work, tuple(groups)))
            if job is None or job.stopped:
                job = self._begin(work, groups, self._busy(person))
            if not job.finished.is_set():
                self._wanted[person] = job
            self._end_unwanted(former)
            return job

    def leave(self, person: str) -> None:
        """The person waits no longer; others may."""
        with self._lock:
            self._end_unwanted(self._wanted.pop(person, None))

    def _end_unwanted(self, job: Job | None) -> None:
        if job is not None and job not in self._wanted.values():
            job.stopped = True

    def _busy(self, person: str) -> bool:
        mine = self._visitor(person)
        return sum(self._visitor(who) == mine for who in self._wanted) >= AT_ONCE

    def _people(self, job: Job) -> set[str]:
        with self._lock:
            return {self._visitor(who) for who, wanted in self._wanted.items() if wanted is job}

    def _begin(self, work: Work, groups: Sequence[Group], busy: bool) -> Job:
        job = glance(groups, work)
        if busy:
            job.errors = dict.fromkeys(job.missing, TOO_MANY)
        elif not job.complete:
            job.finished.clear()
            self._running[work, job.groups] = job
            threading.Thread(target=self._run, args=(work, job), daemon=True).start()
        return job

    def _run(self, work: Work, job: Job) -> None:
        progress = partial(self._progress, job)
        try:
            WHOSE.set(partial(self._people, job))
            with work.turns.turn(progress):
                for group in job.missing:
                    _one(work, job, group, progress)
        except Cancelled:
            pass
        finally:
            with self._lock:
                if self._running.get((work, job.groups)) is job:
                    del self._running[work, job.groups]
                self._wanted = {who: j for who, j in self._wanted.items() if j is not job}
            job.finished.set()

    def _progress(self, job: Job, what: str, done: int, total: int) -> None:
        """What the work tells.

        Raises:
            Cancelled: once nobody waits for the job any more.
        """
        with self._lock:
            people = [person for person, wanted in self._wanted.items() if wanted is job]
        if any(map(self._there, people)):
            job.alone = None
        elif job.alone is None:
            job.alone = time.monotonic()
        if job.stopped or (job.alone and time.monotonic() - job.alone > AWAY):
            job.stopped = True
            raise Cancelled
        job.stage = (what, done, total)


def glance(groups: Sequence[Group], work: Work) -> Job:
    """A finished job with what is in memory of these groups; nothing is begun."""
    recalled = {group: work.results.get(group) for group in groups}
    job = Job(groups, {group: found for group, found in recalled.items() if found is not None})
    job.finished.set()
    return job


def _one(work: Work, job: Job, group: Group, progress: Progress) -> None:
    progress(*job.stage)
    try:
        job.done[group] = results = work.do(group, progress)
    except DpvizError as error:
        job.errors[group] = str(error)
    except Cancelled:
        raise
    except Exception:
        log.exception("work on %s failed", group[0].method)
        job.errors[group] = (
            f"{group[0].method} failed in a way nobody foresaw; the server's log has the details."
        )
    else:
        work.results.put(group, results)
