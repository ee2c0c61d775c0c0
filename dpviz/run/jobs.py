"""Long work on threads of its own: shared between people who ask for the same, cancellable, nothing
lost.

Streamlit-free on purpose: a job outlives the script run that started it.
"""

from __future__ import annotations

import logging
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Sequence

from dpviz.types import Cancelled, DpvizError, Result, RunSpec

Group = tuple[RunSpec, ...]
Sweep = Callable[..., list[Result]]
KEPT = 400
AT_ONCE = 2
"""Jobs side by side: each uses all cores, more would only slow each other down."""
AWAY = 5.0
"""Seconds between two looks at who is there; a job that nobody waits for at two of them ends."""

log = logging.getLogger(__name__)


class Job:
    """Groups of specs, done one after another.

    Attributes:
        groups: what was asked for; done: results by group; errors: sentences by group; stage: what
            is going on, with done and total; finished: set when nothing more will come.
    """

    def __init__(self, groups: Sequence[Group]) -> None:
        self.groups = tuple(groups)
        self.done: dict[Group, list[Result]] = {}
        self.errors: dict[Group, str] = {}
        self.stage = ("Waiting for its turn", 0, 0)
        self.started = time.perf_counter()
        self.finished = threading.Event()
        self.stop = threading.Event()

    @property
    def complete(self) -> bool:
        """True when every group has its results."""
        return len(self.done) == len(self.groups)

    @property
    def missing(self) -> list[Group]:
        """Groups with neither results nor an error yet."""
        return [g for g in self.groups if g not in self.done and g not in self.errors]

    def report(self, what: str, done: int, total: int) -> None:
        """The progress callback of the library.

        Raises:
            Cancelled: once ``stop`` is set.
        """
        if self.stop.is_set():
            raise Cancelled
        self.stage = (what, done, total)


class Board:
    """All jobs of this server and the last results in memory."""

    def __init__(
        self,
        sweep: Sweep,
        kept: int = KEPT,
        at_once: int = AT_ONCE,
        there: Callable[[str], bool] = lambda person: True,
    ) -> None:
        """sweep: ``experiment.sweep`` or a stand-in; kept: groups in memory, fewer where answers
        are long as the data;
        at_once: jobs side by side; there: whether a person still waits; by default all do.
        """
        self.sweep, self._most, self._there = sweep, kept, there
        self._kept: OrderedDict[Group, list[Result]] = OrderedDict()
        self._running: dict[tuple[Group, ...], Job] = {}
        self._wanted: dict[str, Job] = {}
        self._lock = threading.Lock()
        self._turn = threading.Semaphore(at_once)

    def ask(self, person: str, groups: Sequence[Group]) -> Job:
        """The job for these groups, joined, answered from memory or begun; the person's former one
        ends.

        Args:
            person: an id of who asks; one person has one job at a time.
        """
        with self._lock:
            wish = tuple(groups)
            job = self._running.get(wish)
            if job is None or job.stop.is_set():  # one on its way out is not joined
                job = self._begin(wish)
            former = self._wanted.pop(person, None)
            if not job.finished.is_set():
                self._wanted[person] = job
            if former not in (None, job) and former not in self._wanted.values():
                former.stop.set()
            return job

    def glance(self, groups: Sequence[Group]) -> Job:
        """A finished job with what is in memory of these groups; nothing is begun."""
        with self._lock:
            job = self._recall(tuple(groups))
        job.finished.set()
        return job

    def _recall(self, wish: tuple[Group, ...]) -> Job:
        job = Job(wish)
        for group in wish:
            if group in self._kept:
                self._kept.move_to_end(group)
                job.done[group] = self._kept[group]
        return job

    def _begin(self, wish: tuple[Group, ...]) -> Job:
        job = self._recall(wish)
        if job.complete:
            job.finished.set()
        else:
            self._running[wish] = job
            for target in (self._work, self._mind):
                threading.Thread(target=target, args=(job,), daemon=True).start()
        return job

    def _mind(self, job: Job) -> None:
        """End a job whose people have all gone away without a word."""
        alone = False
        while not job.finished.wait(AWAY):
            with self._lock:
                people = [person for person, wanted in self._wanted.items() if wanted is job]
            before, alone = alone, not any(map(self._there, people))
            if before and alone:
                job.stop.set()

    def _work(self, job: Job) -> None:
        try:
            with self._turn:
                for group in job.missing:
                    self._one(job, group)
        except Cancelled:
            pass
        finally:
            with self._lock:
                if self._running.get(job.groups) is job:
                    del self._running[job.groups]
                self._wanted = {who: j for who, j in self._wanted.items() if j is not job}
            job.finished.set()

    def _one(self, job: Job, group: Group) -> None:
        job.report(*job.stage)
        try:
            results = self.sweep(group, progress=job.report)
        except DpvizError as error:
            job.errors[group] = str(error)
            return
        except Cancelled:
            raise
        except Exception:
            log.exception("a sweep of %s failed", group[0].method)
            job.errors[group] = (
                f"{group[0].method} failed in a way nobody foresaw; the server's log has the"
                " details."
            )
            return
        job.done[group] = results
        with self._lock:
            self._kept[group] = results
            while len(self._kept) > self._most:
                self._kept.popitem(last=False)
