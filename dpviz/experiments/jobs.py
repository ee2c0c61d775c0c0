"""Jobs: long work for pages, shared, queued and stopped.

A job runs in a thread of its own and outlives the page that began it. Requests for the same groups
share a job. It stops when the last client has left; finished groups stay in memory.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any

from dpviz.caches import KeyedCache
from dpviz.machine import public_mode
from dpviz.machine.fair_queue import VISITORS, FairQueue, Progress
from dpviz.text import public_mode as public_text
from dpviz.text.template import render_text
from dpviz.types import Cancelled, DpvizError

Group = tuple[Any, ...]
"""Specs, or other settings with a ``method``, that are worked on together: a line of a chart."""
Distance = Callable[[Any], float]
"""Distance of a spec from the current settings; specs at 0 run first."""
RunTogether = Callable[[Group, int, Progress, Callable[[Mapping[Any, Any]], None]], bool]
"""run_together(specs, first, progress, on_results): run specs of many groups, the ``first`` ones
before the others, and call ``on_results`` with each part; False if groups have to run one by one.
"""
#: First word of the stages of a job that waits for its turn.
WAITING = "Waiting"
WAITING_STAGE, STARTING_STAGE = f"{WAITING} in the queue", "Starting the computation"
MAX_ABSENCE = 5.0
"""Seconds after which a job stops whose clients have all disconnected."""
MAX_JOBS = 20
"""Unfinished jobs of one visitor: a page in a tab has one."""
TOO_MANY = f"Limit of {MAX_JOBS} running computations reached. Wait for one to finish, or stop one."

MAX_RESULTS = 20_000
"""Results of one kind of work in memory."""

log = logging.getLogger(__name__)


def no_private_runs(result: Any) -> tuple[()]:
    """Return nothing: the result is a private view, or no private record was read."""
    return ()


RunGroup = Callable[[Group, Progress], list]
"""Returns the results of a group; reports its progress."""


class Work:
    """One kind of long work, with its last results in memory."""

    def __init__(
        self,
        run_group: RunGroup,
        max_groups: int = 400,
        max_running: int = 2,
        run_together: RunTogether | None = None,
        private_runs: Callable[[Any], Iterable[Any]] | None = None,
        feature: str = "",
        run_idle: RunGroup | None = None,
    ) -> None:
        """Define the work.

        Args:
            run_group: returns the results of a group; max_groups: in memory; max_running: jobs at
                once, each of which may use all cores; run_together: runs all groups, where some
                results are needed first; private_runs: specs, noisy votes and studies that a result
                shows, for the session ledger. None if they are not known: the ledger then has no
                bound. feature: key of ``text.public_mode.CLOSED``, for work that public mode
                refuses. run_idle: as ``run_group``, at the lowest priority, for results that nobody
                has asked for yet; None where the work is not done ahead.
        """
        self.run_group, self.run_together, self.run_idle = run_group, run_together, run_idle
        self.private_runs, self.feature = private_runs, feature
        self.results: KeyedCache[list] = KeyedCache(__name__, max_groups, MAX_RESULTS, len)
        self.queue = FairQueue(max_running)


class Job:
    """Groups that run one after another, or all together with the first specs first.

    Attributes:
        groups: requested; done: results by group; partial: results by spec, of groups that are not
            complete yet; errors: messages by group; stage: current stage with done and total;
            cells: specs that run together, which ``total`` may count; first_ready: set when the
            results of the first specs are ready; finished: set when no more results will come.
    """

    def __init__(self, groups: Sequence[Group], done: dict[Group, list] | None = None) -> None:
        self.groups = tuple(groups)
        self.done = done or {}
        self.partial: dict[Any, Any] = {}
        self.cells = 0
        self.errors: dict[Group, str] = {}
        self.stage = (WAITING_STAGE, 0, 0)
        self.started = time.perf_counter()
        self.first_ready, self.finished = threading.Event(), threading.Event()
        self.stopped = False
        self.computing_since = self.started  # without the time in a queue
        self.abandoned_at: float | None = None  # since when no client is connected

    @property
    def complete(self) -> bool:
        """True when every group has its results."""
        return len(self.done) == len(self.groups)

    def results_of(self, group: Group) -> list:
        """Return the results of a group that are ready, in its order."""
        if group in self.done:
            return self.done[group]
        return [self.partial[spec] for spec in group if spec in self.partial]

    @property
    def missing(self) -> list[Group]:
        """Groups with neither results nor an error yet."""
        return [g for g in self.groups if g not in self.done and g not in self.errors]


class Jobs:
    """All jobs of a process. A client has one job at a time; a visitor has one client for each page
    and tab.
    """

    def __init__(
        self,
        is_connected: Callable[[str], bool] = lambda client: True,
        visitor: Callable[[str], str] = lambda client: client,
    ) -> None:
        """is_connected: whether a client still listens; visitor: the visitor of a client."""
        self._is_connected, self._visitor = is_connected, visitor
        self._running: dict[tuple[Work, tuple[Group, ...]], Job] = {}
        self._jobs_by_client: dict[str, Job] = {}
        self._too_long: KeyedCache[float] = KeyedCache(__name__, public_mode.MAX_TOO_LONG)
        self._lock = threading.Lock()

    def ask(
        self, client: str, groups: Sequence[Group], work: Work, near: Distance | None = None
    ) -> Job:
        """Return the job for these groups: joined, answered from memory or started. The client
        leaves its previous job. A job above ``MAX_JOBS`` is refused, in its errors.

        Args:
            near: distance of a spec, if a job that starts runs the nearest specs first.
        """
        with self._lock:
            previous = self._jobs_by_client.pop(client, None)
            job = self._running.get((work, tuple(groups)))
            if job is None or job.stopped:
                job = self._start(work, groups, self._refusal(client, groups, work), near)
            if not job.finished.is_set():
                self._jobs_by_client[client] = job
            self._stop_unused(previous)
            return job

    @property
    def is_working(self) -> bool:
        """Whether any job runs or waits."""
        return bool(self._running)

    def leave(self, client: str) -> None:
        """The client waits no longer; others may."""
        self.leave_all(lambda other: other == client)

    def leave_all(self, has_left: Callable[[str], bool]) -> None:
        """These clients wait no longer."""
        with self._lock:
            for client in filter(has_left, list(self._jobs_by_client)):
                self._stop_unused(self._jobs_by_client.pop(client))

    def _stop_unused(self, job: Job | None) -> None:
        if job is not None and job not in self._jobs_by_client.values():
            job.stopped = True

    def _refusal(self, client: str, groups: Sequence[Group], work: Work) -> str:
        """Return why this client can start no job of this work; empty if it can."""
        visitor, is_public = self._visitor(client), public_mode.is_on()
        own_jobs = sum(self._visitor(other) == visitor for other in self._jobs_by_client)
        if is_public and work.feature:
            return public_text.CLOSED[work.feature]
        ended = self._too_long.get((work, tuple(groups)))
        if is_public and ended and time.monotonic() - ended < public_mode.RETRY_SECONDS:
            return render_text(public_text.TOO_LONG, seconds=public_mode.JOB_SECONDS)
        if is_public and own_jobs >= public_mode.MAX_JOBS:
            return render_text(public_text.TOO_MANY, limit=public_mode.MAX_JOBS)
        if is_public and len(self._running) >= public_mode.MAX_JOBS_IN_ALL:
            return public_text.FULL
        return TOO_MANY if own_jobs >= MAX_JOBS else ""

    def _clients(self, job: Job) -> list[str]:
        with self._lock:
            return [client for client, own_job in self._jobs_by_client.items() if own_job is job]

    def _visitors(self, job: Job) -> set[str]:
        return set(map(self._visitor, self._clients(job)))

    def _start(
        self, work: Work, groups: Sequence[Group], refusal: str, near: Distance | None
    ) -> Job:
        job = results_in_memory(groups, work)
        if refusal:
            job.errors = dict.fromkeys(job.missing, refusal)
        elif not job.complete:
            job.finished.clear()
            job.first_ready.clear()
            self._running[work, job.groups] = job
            threading.Thread(target=self._run, args=(work, job, near), daemon=True).start()
        return job

    def _run(self, work: Work, job: Job, near: Distance | None) -> None:
        progress = partial(self._progress, work, job)
        try:
            VISITORS.set(partial(self._visitors, job))
            work.queue.run(lambda report: _run_groups(work, job, near, report), progress)
        except Cancelled:
            pass
        finally:
            with self._lock:
                if self._running.get((work, job.groups)) is job:
                    del self._running[work, job.groups]
                for client in [c for c, j in self._jobs_by_client.items() if j is job]:
                    del self._jobs_by_client[client]
            job.finished.set()
            job.first_ready.set()

    def _progress(self, work: Work, job: Job, stage: str, done: int, total: int) -> None:
        """Note the stage of a job.

        Raises:
            Cancelled: once no client waits for the job, or public mode's time is over.
        """
        if any(map(self._is_connected, self._clients(job))):
            job.abandoned_at = None
        elif job.abandoned_at is None:
            job.abandoned_at = time.monotonic()
        if job.stopped or (job.abandoned_at and time.monotonic() - job.abandoned_at > MAX_ABSENCE):
            job.stopped = True
            raise Cancelled
        if stage.startswith(WAITING):
            job.computing_since = time.perf_counter()
        elif (
            public_mode.is_on()
            and time.perf_counter() - job.computing_since > public_mode.JOB_SECONDS
        ):
            words = render_text(public_text.TOO_LONG, seconds=public_mode.JOB_SECONDS)
            job.errors |= dict.fromkeys(job.missing, words)
            self._too_long.put((work, job.groups), time.monotonic())
            raise Cancelled
        job.stage = (stage, done, total)


def results_in_memory(groups: Sequence[Group], work: Work) -> Job:
    """Return a finished job with the results that are in memory; nothing starts."""
    recalled = {group: work.results.get(group) for group in groups}
    job = Job(
        groups, {group: results for group, results in recalled.items() if results is not None}
    )
    job.finished.set()
    job.first_ready.set()
    return job


def _run_groups(work: Work, job: Job, near: Distance | None, progress: Progress) -> None:
    progress(STARTING_STAGE, 0, 0)
    if near and work.run_together:
        _run_together(work, job, near, progress)
    for group in job.missing:
        _run_group(work, job, group, progress)
        if near and _is_first_ready(job, near):
            job.first_ready.set()


def _run_together(work: Work, job: Job, near: Distance, progress: Progress) -> None:
    """Run all groups together; if that fails, ``_run_group`` runs the missing ones."""
    specs = sorted({spec: None for group in job.missing for spec in group}, key=near)
    first = sum(near(spec) == 0 for spec in specs)
    job.cells = len(specs)

    def on_results(results: Mapping[Any, Any]) -> None:
        job.partial |= results
        for group in job.missing:
            if all(spec in job.partial for spec in group):
                job.done[group] = [job.partial[spec] for spec in group]
                work.results.put(group, job.done[group])
        if all(spec in job.partial for spec in specs[:first]):
            job.first_ready.set()

    try:
        assert work.run_together is not None
        work.run_together(tuple(specs), first, progress, on_results)
    except DpvizError:  # ``_run_group`` finds out of which group
        pass
    except Cancelled:
        raise
    except Exception:
        log.exception("work on %d specs together failed", len(specs))
    job.cells = 0


def _is_first_ready(job: Job, near: Distance) -> bool:
    """Return whether all first specs have a result or an error."""
    finished = {spec for group in (*job.done, *job.errors) for spec in group}
    first = {spec for group in job.missing for spec in group if near(spec) == 0}
    return first <= finished | set(job.partial)


def _run_group(work: Work, job: Job, group: Group, progress: Progress) -> None:
    progress(*job.stage)
    try:
        job.done[group] = results = work.run_group(group, progress)
    except DpvizError as error:
        job.errors[group] = str(error)
    except Cancelled:
        raise
    except Exception:
        log.exception("work on %s failed", group[0].method)
        job.errors[group] = f"Unexpected error in {group[0].method}. See the server log."
    else:
        work.results.put(group, results)
