"""Who is next where many wait for a few: nobody's third job comes before another's first, and
nobody's second goes on while another waits for a first.
"""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, TypeVar

from dpviz.types import Cancelled

Progress = Callable[[str, int, int], None]
Value = TypeVar("Value")
Whose = Callable[[], Collection[str]]
"""The visitors that a job is for, at the time of asking: some may join it, and some leave."""
WHOSE: ContextVar[Whose] = ContextVar("whose", default=lambda: ())
"""Of the work that goes on in this thread."""
BEAT = 0.2
"""Seconds between two looks at whether one who waits is still wanted."""


class Ticket:
    """One job that waits for a turn, or has it."""

    def __init__(self, whose: Whose) -> None:
        """whose: the visitors it is for."""
        self.whose = whose

    def people(self) -> Collection[str]:
        """The visitors it is for, nobody's own counting as one's."""
        return self.whose() or ("",)


class FairTurns:
    """A few turns. Next is the visitor who has the fewest of them, then who has had one longest
    ago or never, then who came first.
    """

    def __init__(self, at_once: int) -> None:
        """at_once: turns that may be had side by side."""
        self._at_once = at_once
        self._waiting: list[Ticket] = []
        self._had: dict[Ticket, str] = {}
        self._last: Counter[str] = Counter()
        self._change = threading.Condition()

    def had(self, work: Callable[[Progress], Value], progress: Progress) -> Value:
        """``work(progress)`` with a turn. A visitor who has several gives the last back, at the
        next word of its work, when one who has none waits; the work begins again with the next
        turn, and does not do anew what it has kept.

        Raises:
            Cancelled: if ``progress`` asks for it.
        """
        while True:
            with self.turn(progress) as ticket:
                preempted = False

                def report(*stage: Any, ticket: Ticket = ticket) -> None:
                    nonlocal preempted
                    progress(*stage)
                    preempted = preempted or self._wanted_back(ticket)
                    if preempted:
                        raise Cancelled

                try:
                    return work(report)
                except Cancelled:
                    if not preempted:
                        raise

    @contextmanager
    def turn(self, progress: Progress, whose: Whose | None = None) -> Iterator[Ticket]:
        """Hold a turn; ``progress`` is told meanwhile how many are before this one.

        Args:
            whose: for whom; by default for whom this thread works.

        Raises:
            Cancelled: if ``progress`` asks for it.
        """
        ticket = self.ask(whose or WHOSE.get())
        try:
            while not self.taken(ticket, BEAT):
                ahead = self.ahead(ticket)
                progress(f"Waiting: {f'{ahead} before you' if ahead else 'you are next'}", 0, 0)
            yield ticket
        finally:
            self.leave(ticket)

    def ask(self, whose: Whose) -> Ticket:
        """Begin to wait."""
        ticket = Ticket(whose)
        with self._change:
            self._waiting.append(ticket)
        return ticket

    def taken(self, ticket: Ticket, patience: float = 0.0) -> bool:
        """Whether it is the ticket's turn within ``patience`` seconds; it then has it."""
        with self._change:
            if not self._change.wait_for(lambda: self._is_next(ticket), patience):
                return False
            [(_, visitor)] = self._order(1)
            self._waiting.remove(ticket)
            self._had[ticket] = visitor
            self._last[visitor] = 1 + max(self._last.values(), default=0)
            self._change.notify_all()
            return True

    def leave(self, ticket: Ticket) -> None:
        """Give the turn back, or wait no longer."""
        with self._change:
            self._had.pop(ticket, None)
            if ticket in self._waiting:
                self._waiting.remove(ticket)
            if not (self._had or self._waiting):
                self._last.clear()
            self._change.notify_all()

    def ahead(self, ticket: Ticket) -> int:
        """How many who wait will have their turn before this one."""
        with self._change:
            return [t for t, _ in self._order(len(self._waiting))].index(ticket)

    def _wanted_back(self, ticket: Ticket) -> bool:
        """Whether all turns are had, this is the last of several of its visitor's, and one who has
        none waits.
        """
        with self._change:
            having = set(self._had.values())
            tickets = [t for t, visitor in self._had.items() if visitor == self._had[ticket]]
            return (
                len(self._had) == self._at_once
                and len(tickets) > 1
                and tickets[-1] is ticket
                and any(having.isdisjoint(waits.people()) for waits in self._waiting)
            )

    def _is_next(self, ticket: Ticket) -> bool:
        return len(self._had) < self._at_once and self._order(1)[0][0] is ticket

    def _order(self, most: int) -> list[tuple[Ticket, str]]:
        """The next who will have a turn, each with the visitor for whose sake."""
        had, last = Counter(self._had.values()), self._last.copy()
        order: list[tuple[Ticket, str]] = []
        waiting = [(ticket, visitor) for ticket in self._waiting for visitor in ticket.people()]
        while waiting and len(order) < most:
            ticket, visitor = min(waiting, key=lambda pair: (had[pair[1]], last[pair[1]]))
            order.append((ticket, visitor))
            had[visitor] += 1
            last[visitor] = 1 + max(last.values(), default=0)
            waiting = [pair for pair in waiting if pair[0] is not ticket]
        return order
