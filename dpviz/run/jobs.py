"""The one door to long work: who asks, who leaves, what is shared, what is ended.

A job runs on a thread of its own and outlives the page that began it. Whoever asks for the same
shares it; it ends when the last who waits for it has left, and what was done by then is kept.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any

from dpviz.caches import KeyedCache
from dpviz.machine.fair_queue import WHOSE, FairTurns, Progress
from dpviz.types import Cancelled, DpvizError

Group = tuple[Any, ...]
"""Specs, or other settings with a ``method``, that are worked on together: a line of a chart."""
Near = Callable[[Any], float]
"""How far a spec lies from what is looked at; those at 0 are wanted first."""
Together = Callable[[Group, int, Progress, Callable[[Mapping[Any, Any]], None]], bool]
"""together(specs, first, progress, found): work on specs of many groups, so many before the others,
and give what there is to ``found`` as it comes; False if they are to be worked on by groups.
"""
WAITING = "Waiting for its turn"
AWAY = 5.0
"""Seconds after which a job that all have left without a word ends."""
AT_ONCE = 20
"""Jobs of one visitor that go on or wait: a page in a tab has one."""
TOO_MANY = (
    f"{AT_ONCE} pages of yours are computing already; wait for one of them, or stop or close it."
)

RESULTS = 20_000
"""Results of one kind of work in memory."""

log = logging.getLogger(__name__)


def no_private_runs(result: Any) -> tuple[()]:
    """Return nothing: the result is a private view, or no private record was read."""
    return ()


class Work:
    """One kind of long work, with its last results in memory."""

    def __init__(
        self,
        do: Callable[[Group, Progress], list],
        kept: int = 400,
        at_once: int = 2,
        together: Together | None = None,
        private_runs: Callable[[Any], Iterable[Any]] | None = None,
    ) -> None:
        """do: gives the results of a group; kept: groups in memory, fewer where results are long as
        the data; at_once: jobs side by side, each of which may use all cores; together: works on
        all groups, where some of the results are wanted first; private_runs: specs, noisy votes and
        studies that a result shows, for the session ledger. None if they are not known, so that the
        ledger has no bound.
        """
        self.do, self.together, self.private_runs = do, together, private_runs
        self.results: KeyedCache[list] = KeyedCache(__name__, kept, RESULTS, len)
        self.turns = FairTurns(at_once)


class Job:
    """Groups that are worked on one after another, or those specs first that are looked at.

    Attributes:
        groups: what was asked for; done: results by group; some: results by spec, of groups that
            are not whole yet; errors: sentences by group; stage: what is going on, with done and
            total; cells: specs that are worked on together, which ``total`` may count; ahead: set
            when what was wanted first is there; finished: when nothing more will come.
    """

    def __init__(self, groups: Sequence[Group], done: dict[Group, list] | None = None) -> None:
        self.groups = tuple(groups)
        self.done = done or {}
        self.some: dict[Any, Any] = {}
        self.cells = 0
        self.errors: dict[Group, str] = {}
        self.stage = (WAITING, 0, 0)
        self.started = time.perf_counter()
        self.ahead, self.finished = threading.Event(), threading.Event()
        self.stopped = False
        self.alone: float | None = None  # since when nobody who waits for it was there

    @property
    def complete(self) -> bool:
        """True when every group has its results."""
        return len(self.done) == len(self.groups)

    def there(self, group: Group) -> list:
        """The results of a group as far as they are there, in its order."""
        if group in self.done:
            return self.done[group]
        return [self.some[spec] for spec in group if spec in self.some]

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

    def ask(
        self, person: str, groups: Sequence[Group], work: Work, near: Near | None = None
    ) -> Job:
        """The job for these groups, joined, answered from memory or begun; the person leaves the
        former one. One too many of a visitor's is refused, in the job's errors.

        Args:
            near: what is wanted first, where the job begins with it.
        """
        with self._lock:
            former = self._wanted.pop(person, None)
            job = self._running.get((work, tuple(groups)))
            if job is None or job.stopped:
                job = self._begin(work, groups, self._busy(person), near)
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
            return {
                self._visitor(person)
                for person, person_job in self._wanted.items()
                if person_job is job
            }

    def _begin(self, work: Work, groups: Sequence[Group], busy: bool, near: Near | None) -> Job:
        job = glance(groups, work)
        if busy:
            job.errors = dict.fromkeys(job.missing, TOO_MANY)
        elif not job.complete:
            job.finished.clear()
            job.ahead.clear()
            self._running[work, job.groups] = job
            threading.Thread(target=self._run, args=(work, job, near), daemon=True).start()
        return job

    def _run(self, work: Work, job: Job, near: Near | None) -> None:
        progress = partial(self._progress, job)
        try:
            WHOSE.set(partial(self._people, job))
            work.turns.had(lambda report: _do(work, job, near, report), progress)
        except Cancelled:
            pass
        finally:
            with self._lock:
                if self._running.get((work, job.groups)) is job:
                    del self._running[work, job.groups]
                self._wanted = {person: j for person, j in self._wanted.items() if j is not job}
            job.finished.set()
            job.ahead.set()

    def _progress(self, job: Job, stage: str, done: int, total: int) -> None:
        """What the work tells.

        Raises:
            Cancelled: once nobody waits for the job any more.
        """
        with self._lock:
            people = [person for person, person_job in self._wanted.items() if person_job is job]
        if any(map(self._there, people)):
            job.alone = None
        elif job.alone is None:
            job.alone = time.monotonic()
        if job.stopped or (job.alone and time.monotonic() - job.alone > AWAY):
            job.stopped = True
            raise Cancelled
        job.stage = (stage, done, total)


def glance(groups: Sequence[Group], work: Work) -> Job:
    """A finished job with what is in memory of these groups; nothing is begun."""
    recalled = {group: work.results.get(group) for group in groups}
    job = Job(
        groups, {group: results for group, results in recalled.items() if results is not None}
    )
    job.finished.set()
    job.ahead.set()
    return job


def _do(work: Work, job: Job, near: Near | None, progress: Progress) -> None:
    if near and work.together:
        _run_together(work, job, near, progress)
    for group in job.missing:
        _run_group(work, job, group, progress)
        if near and _ahead(job, near):
            job.ahead.set()


def _run_together(work: Work, job: Job, near: Near, progress: Progress) -> None:
    """All groups as one; what is left of them where that cannot be is for ``_one``."""
    specs = sorted({spec: None for group in job.missing for spec in group}, key=near)
    first = sum(near(spec) == 0 for spec in specs)
    job.cells = len(specs)

    def on_results(results: Mapping[Any, Any]) -> None:
        job.some |= results
        for group in job.missing:
            if all(spec in job.some for spec in group):
                job.done[group] = [job.some[spec] for spec in group]
                work.results.put(group, job.done[group])
        if all(spec in job.some for spec in specs[:first]):
            job.ahead.set()

    try:
        assert work.together is not None
        work.together(tuple(specs), first, progress, on_results)
    except DpvizError:  # of which group, ``_one`` finds out
        pass
    except Cancelled:
        raise
    except Exception:
        log.exception("work on %d specs together failed", len(specs))
    job.cells = 0


def _ahead(job: Job, near: Near) -> bool:
    """Whether what is wanted first is there, or refused."""
    reported = (*job.done, *job.errors)
    waiting = {spec for group in job.missing for spec in group if near(spec) == 0}
    return waiting <= {spec for group in reported for spec in group} | set(job.some)


def _run_group(work: Work, job: Job, group: Group, progress: Progress) -> None:
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
