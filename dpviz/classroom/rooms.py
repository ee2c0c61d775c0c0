"""Rooms, in memory alone: who has a seat, what is asked, who answered what, until it is over.

A seat is a random token that a phone holds; there are no names. Whoever comes twice with one token
has one seat, and whoever comes back has the old one. A room ends with its teacher, whose page says
every now and then that it is still there.
"""

from __future__ import annotations

import secrets
import threading
import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

from dpviz.classroom.questions import SERVER, Choice, Curve, Number, Private, Question
from dpviz.types import DpvizError

LETTERS = "ABCDEFGHJKMNPQRSTUVWXYZ"
"""Without I, L and O, which look like others."""
LENGTH = 5
MOST_SEATS, MOST_CLASSES = 200, 3
UNTOUCHED = 600.0
"""Seconds without a sign of the teacher after which a room ends."""
WAITING, ASKED, CLOSED, REVEALED, ENDED = "waiting", "asked", "closed", "revealed", "ended"
KNOWN_LATER = {"right", "truth", "then"}
"""Fields of a question that may be told after it was asked."""
OVER = "This room has ended; open another."


@dataclass(frozen=True)
class Snapshot:
    """What a room is at a moment, for the teacher's screen.

    Attributes:
        code: of five letters; phase: "waiting", "asked", "closed", "revealed" or "ended";
        number: of the question, counted from 1; question: what is asked, if anything;
        joined: seats; connected: seats whose phone listens at this moment; answered: seats;
        tally: answers for each option of a ``Choice``, (yes, no) as recorded by the coins of a
            ``Private``; numbers: of a ``Number``; curves: of a ``Curve``; each sorted, so that
            their order tells nobody who came when;
        words: said with the reveal; spent: the epsilon of each private question so far.

    For a ``Private`` that goes to the server all three are empty: see ``private_yes_count``.
    """

    code: str
    phase: str
    number: int
    question: Question | None
    joined: int
    connected: int
    answered: int
    tally: tuple[int, ...] = ()
    numbers: tuple[float, ...] = ()
    curves: tuple[tuple[int, ...], ...] = ()
    words: str = ""
    spent: tuple[float, ...] = ()


class LiveClass:
    """A room. Any thread may call anything."""

    def __init__(self, code: str, owner: str, clock: Callable[[], float]) -> None:
        """code: that phones are joined by; owner: whose it is; clock: seconds, never backwards."""
        self.code, self.owner = code, owner
        self._clock, self._lock = clock, threading.RLock()
        self._phase, self._number, self._words = WAITING, 0, ""
        self._question: Question | None = None
        self._seats: dict[str, int] = {}  # phones that listen on each
        self._answers: dict[str, Any] = {}
        self._spent: list[float] = []
        self._released = False
        self._told: list[Callable[[], None]] = []
        self.touched = clock()

    @property
    def phase(self) -> str:
        """See ``Snapshot``."""
        return self._phase

    def touch(self) -> None:
        """The teacher is still there."""
        self.touched = self._clock()

    def ask(self, question: Question) -> int:
        """Ask; what was asked before, and its answers, are forgotten. Returns its number.

        Raises:
            DpvizError: where the room has ended.
        """
        with self._lock:
            self._alive()
            self._phase, self._number, self._words = ASKED, self._number + 1, ""
            self._question, self._answers, self._released = question, {}, False
            if isinstance(question, Private):
                self._spent.append(question.epsilon)
        self._tell()
        return self._number

    def close(self, number: int | None = None) -> None:
        """Take no more answers; to question ``number`` alone, where that is given.

        Raises:
            DpvizError: where nothing is asked, or the room has ended.
        """
        with self._lock:
            self._asked()
            if self._phase != ASKED or number not in (None, self._number):
                return
            self._phase = CLOSED
        self._tell()

    def reveal(self, words: str = "", number: int | None = None, **known: Any) -> None:
        """Show all phones what the room said and what is true, and these words; takes no more
        answers. It may be called again with other words.

        Args:
            number: of the question that the words are about, where another may have been asked
                since: then nothing is done.
            known: fields of the question that were not known when it was asked, of ``KNOWN_LATER``.

        Raises:
            DpvizError: where nothing is asked, or the room has ended; for another field: what was
                promised with the question stands.
        """
        if unknown := set(known) - KNOWN_LATER:
            raise DpvizError(f"{', '.join(sorted(unknown))} cannot change once it was asked.")
        with self._lock:
            self._asked()
            if number not in (None, self._number):
                return
            if known and self._question is not None:
                self._question = replace(self._question, **known)
            self._phase, self._words = REVEALED, words
        self._tell()

    def private_yes_count(self, number: int | None = None) -> int:
        """How many said yes to a private question whose true answers came here, once: for its
        release. The answers are forgotten with it.

        Args:
            number: of the question that is meant, where another may have been asked since.

        Raises:
            DpvizError: where there is no such question, it still takes answers, or it was counted.
        """
        with self._lock:
            self._asked()
            if number not in (None, self._number):
                raise DpvizError("Another question has been asked since; reveal that one.")
            if not self._hidden():
                raise DpvizError("No true answers came here; ask a private question by the server.")
            if self._phase == ASKED:
                raise DpvizError("Answers still come in; close the question before counting them.")
            if self._released:
                raise DpvizError("These answers were counted already; each count would cost again.")
            self._released = True
            yes_count = sum(self._answers.values())
            self._answers = dict.fromkeys(self._answers)  # that they answered, not what
            return yes_count

    def end(self) -> None:
        """It is over; nothing of it is kept. An ended room may be ended again."""
        with self._lock:
            self._phase, self._question, self._words = ENDED, None, ""
            self._answers, self._seats = {}, {}
        self._tell()
        self._told.clear()

    def snapshot(self) -> Snapshot:
        """What it is now."""
        with self._lock:
            shot = Snapshot(
                self.code,
                self._phase,
                self._number,
                self._question,
                joined=len(self._seats),
                connected=sum(1 for open_ in self._seats.values() if open_),
                answered=len(self._answers),
                words=self._words,
                spent=tuple(self._spent),
            )
            answers = () if self._hidden() else tuple(self._answers.values())
        return _with_counts(shot, answers)

    def join(self, seat: str | None = None) -> str:
        """A seat: the one that is shown, where this room gave it, else a new one.

        Raises:
            DpvizError: where all seats are taken, or the room has ended.
        """
        with self._lock:
            self._alive()
            if seat in self._seats:
                return str(seat)
            if len(self._seats) >= MOST_SEATS:
                raise DpvizError(
                    f"All {MOST_SEATS} seats of this room are taken; look on with a neighbour."
                )
            new = secrets.token_urlsafe(32)
            self._seats[new] = 0
            return new

    def has(self, seat: str | None) -> bool:
        """Whether this room gave the seat."""
        with self._lock:
            return seat in self._seats

    def answer(self, seat: str | None, number: int, value: Any) -> None:
        """Note what a seat says to a question; a later answer takes the place of an earlier one,
        but for a private question, where a second coin would tell more.

        Raises:
            DpvizError: without a seat, for a question that takes no answers, or for a value that
                is none.
        """
        with self._lock:
            self._alive()
            if seat not in self._seats:
                raise DpvizError("This phone has no seat in the room; join it first.")
            if self._question is None or number != self._number or self._phase != ASKED:
                raise DpvizError("This question takes no more answers; wait for the next one.")
            checked = self._question.checked(value)
            if isinstance(self._question, Private) and seat in self._answers:
                raise DpvizError(
                    "This phone has answered already, and the first answer stands: a second would"
                    " cost more privacy."
                )
            self._answers[str(seat)] = checked

    def said(self, seat: str) -> Any:
        """What a seat answered to the present question; None where it did not. What came of a
        private answer is told to nobody, but that it came: True.
        """
        with self._lock:
            if isinstance(self._question, Private):
                return seat in self._answers or None
            return self._answers.get(seat)

    def connected(self, seat: str, phones: int) -> None:
        """Note that one more phone listens on a seat (1), or one fewer (-1)."""
        with self._lock:
            if seat in self._seats:
                self._seats[seat] = max(0, self._seats[seat] + phones)

    def on_change(self, tell: Callable[[], None]) -> Callable[[], None]:
        """Have ``tell`` called at every new phase, from whichever thread; returns what ends
        that.
        """
        self._told.append(tell)

        def no_more() -> None:
            with suppress(ValueError):
                self._told.remove(tell)

        return no_more

    def _tell(self) -> None:
        """Outside the lock: who is told may ask."""
        for tell in list(self._told):
            tell()

    def _alive(self) -> None:
        if self._phase == ENDED:
            raise DpvizError(OVER)

    def _asked(self) -> None:
        self._alive()
        if self._question is None:
            raise DpvizError("Nothing is asked in this room; ask a question first.")

    def _hidden(self) -> bool:
        return isinstance(self._question, Private) and self._question.way == SERVER


class LiveClasses:
    """All rooms of this process."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        """clock: seconds, never backwards."""
        self._clock, self._lock, self._opening = clock, threading.Lock(), threading.Lock()
        self._rooms: dict[str, LiveClass] = {}

    def open(self, owner: str = "") -> LiveClass:
        """A room; one that the same owner had ends.

        Raises:
            DpvizError: where there are as many as may be at once.
        """
        self.end_untouched()
        with self._opening:
            return self._open(owner)

    def _open(self, owner: str) -> LiveClass:
        if owner and (old := self.of(owner)):
            old.end()
        with self._lock:
            if len(self._rooms) >= MOST_CLASSES:
                raise DpvizError(
                    f"{MOST_CLASSES} rooms are open, the most there may be; end one of them first."
                )
            code = next(code for code in iter(_code, "") if code not in self._rooms)
            room = self._rooms[code] = LiveClass(code, owner, self._clock)
        room.on_change(lambda: self._forget_ended(room))
        return room

    def find(self, code: str) -> LiveClass | None:
        """The room of a code, if it is open."""
        with self._lock:
            return self._rooms.get(code)

    def of(self, owner: str) -> LiveClass | None:
        """The room that somebody opened, if it is open."""
        with self._lock:
            return next((room for room in self._rooms.values() if room.owner == owner), None)

    def end_untouched(self) -> None:
        """End those whose teacher has given no sign for long."""
        now = self._clock()
        with self._lock:
            old = [room for room in self._rooms.values() if now - room.touched > UNTOUCHED]
        for room in old:
            room.end()

    def _forget_ended(self, room: LiveClass) -> None:
        with self._lock:
            if room.phase == ENDED and self._rooms.get(room.code) is room:
                del self._rooms[room.code]


def _with_counts(shot: Snapshot, answers: tuple[Any, ...]) -> Snapshot:
    """With the answers as their question counts them."""
    question = shot.question
    if isinstance(question, Choice):
        option_counts = Counter(answers)
        return replace(shot, tally=tuple(option_counts[i] for i in range(len(question.options))))
    if isinstance(question, Number):
        return replace(shot, numbers=tuple(sorted(answers)))
    if isinstance(question, Curve):
        return replace(shot, curves=tuple(sorted(answers)))
    if isinstance(question, Private) and question.way != SERVER:
        return replace(shot, tally=(sum(answers), len(answers) - sum(answers)))
    return shot


def _code() -> str:
    return "".join(secrets.choice(LETTERS) for _ in range(LENGTH))


LIVE_CLASSES = LiveClasses()


def open_class(owner: str = "") -> LiveClass:
    """A room of this process; owner: a token of whose it is, one room each."""
    return LIVE_CLASSES.open(owner)
