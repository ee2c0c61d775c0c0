"""Fair queue for a few slots: no visitor's second job runs while another visitor's first waits."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, TypeVar

from dpviz.types import Cancelled

Progress = Callable[[str, int, int], None]
"""Reports a stage, steps done and steps in all; raises Cancelled to stop the work."""
Value = TypeVar("Value")
Visitors = Callable[[], Collection[str]]
"""Returns the visitors that a job is for at present: some may join it, and some leave."""
VISITORS: ContextVar[Visitors] = ContextVar("visitors", default=lambda: ())
"""Visitors of the work in this thread."""
BEAT = 0.2
"""Seconds between two progress reports of a job that waits."""


def no_progress(stage: str, done: int, total: int) -> None:
    """Ignore a progress report."""


class Ticket:
    """One job that waits for a slot, or has one."""

    def __init__(self, visitors: Visitors) -> None:
        """visitors: whom the job is for."""
        self._visitors = visitors

    def visitors(self) -> Collection[str]:
        """Return the visitors; a job for nobody counts as one of the visitor ""."""
        return self._visitors() or ("",)


class FairQueue:
    """A few slots. Next is the visitor with the fewest slots, then the one whose last slot is
    longest ago, then the one who came first.
    """

    def __init__(self, slots: int) -> None:
        """slots: jobs that may run at once."""
        self._slots = slots
        self._waiting: list[Ticket] = []
        self._running: dict[Ticket, str] = {}
        self._last_start: Counter[str] = Counter()
        self._change = threading.Condition()

    def run(self, work: Callable[[Progress], Value], progress: Progress) -> Value:
        """Return ``work(progress)``, computed in a slot.

        The last of a visitor's several jobs is preempted at its next report if a visitor without a
        slot waits. It starts again in its next slot, and finds stored results there.

        Raises:
            Cancelled: if ``progress`` asks for it.
        """
        while True:
            with self.slot(progress) as ticket:
                preempted = False

                def report(*stage: Any, ticket: Ticket = ticket) -> None:
                    nonlocal preempted
                    progress(*stage)
                    preempted = preempted or self._is_preempted(ticket)
                    if preempted:
                        raise Cancelled

                try:
                    return work(report)
                except Cancelled:
                    if not preempted:
                        raise

    @contextmanager
    def slot(self, progress: Progress, visitors: Visitors | None = None) -> Iterator[Ticket]:
        """Hold a slot; report the position in the queue while waiting.

        Args:
            visitors: whom the job is for; by default those of this thread.

        Raises:
            Cancelled: if ``progress`` asks for it.
        """
        ticket = self.enqueue(visitors or VISITORS.get())
        try:
            while not self.start(ticket, BEAT):
                ahead = self.position(ticket)
                progress(
                    f"Waiting: {ahead} ahead of you" if ahead else "Waiting: you are next", 0, 0
                )
            yield ticket
        finally:
            self.leave(ticket)

    def enqueue(self, visitors: Visitors) -> Ticket:
        """Begin to wait."""
        ticket = Ticket(visitors)
        with self._change:
            self._waiting.append(ticket)
        return ticket

    def start(self, ticket: Ticket, timeout: float = 0.0) -> bool:
        """Take a slot if it is the ticket's turn within ``timeout`` seconds."""
        with self._change:
            if not self._change.wait_for(lambda: self._is_next(ticket), timeout):
                return False
            [(_, visitor)] = self._order(1)
            self._waiting.remove(ticket)
            self._running[ticket] = visitor
            self._last_start[visitor] = 1 + max(self._last_start.values(), default=0)
            self._change.notify_all()
            return True

    def leave(self, ticket: Ticket) -> None:
        """Free the ticket's slot, or stop waiting."""
        with self._change:
            self._running.pop(ticket, None)
            if ticket in self._waiting:
                self._waiting.remove(ticket)
            if not (self._running or self._waiting):
                self._last_start.clear()
            self._change.notify_all()

    def position(self, ticket: Ticket) -> int:
        """Return the number of waiting jobs before this one."""
        with self._change:
            return [t for t, _ in self._order(len(self._waiting))].index(ticket)

    def _is_preempted(self, ticket: Ticket) -> bool:
        """Return whether all slots are taken, this is the last of several of its visitor, and a
        visitor without a slot waits.
        """
        with self._change:
            running = set(self._running.values())
            tickets = [
                t for t, visitor in self._running.items() if visitor == self._running[ticket]
            ]
            return (
                len(self._running) == self._slots
                and len(tickets) > 1
                and tickets[-1] is ticket
                and any(running.isdisjoint(waiting.visitors()) for waiting in self._waiting)
            )

    def _is_next(self, ticket: Ticket) -> bool:
        return len(self._running) < self._slots and self._order(1)[0][0] is ticket

    def _order(self, count: int) -> list[tuple[Ticket, str]]:
        """Return the next tickets, each with the visitor whose turn it is."""
        running, last_start = Counter(self._running.values()), self._last_start.copy()
        order: list[tuple[Ticket, str]] = []
        candidates = [
            (ticket, visitor) for ticket in self._waiting for visitor in ticket.visitors()
        ]
        while candidates and len(order) < count:
            ticket, visitor = min(
                candidates, key=lambda pair: (running[pair[1]], last_start[pair[1]])
            )
            order.append((ticket, visitor))
            running[visitor] += 1
            last_start[visitor] = 1 + max(last_start.values(), default=0)
            candidates = [pair for pair in candidates if pair[0] is not ticket]
        return order
