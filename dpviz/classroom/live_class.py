"""Live classes, in memory only: seats, the current question, its answers.

A seat is a random token that a phone stores; there are no names. A phone that returns gets its old
seat. A live class ends without its teacher, whose page calls ``touch`` from time to time.
"""

from __future__ import annotations

import hmac
import secrets
import threading
import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from dpviz import mechanisms
from dpviz.classroom.questions import SERVER, Choice, Curve, Number, Private, Question, Race
from dpviz.machine import public_mode
from dpviz.types import DpvizError

LETTERS = "ABCDEFGHJKMNPQRSTUVWXYZ"
"""Letters of a code: without I, L and O, which look like others."""
CODE_LENGTH = 5
TEACHER_CODE_LENGTH, TEACHER_CODE_GROUP = 12, 4
"""Letters of the code that resumes a class, too many to guess (54 bits), and of each group in which
it is shown.
"""
MAX_SEATS, MAX_CLASSES = 200, 3
MAX_ABSENCE = 600.0
"""Seconds without a sign of the teacher after which a live class ends."""
WAITING, ASKED, CLOSED, REVEALED, ENDED = "waiting", "asked", "closed", "revealed", "ended"
LATE_FIELDS = {"right", "truth", "public", "then"}
"""Fields of a question that may be given with the reveal."""
ENDED_MESSAGE = "This live class has ended. Open another one."


@dataclass(frozen=True)
class Snapshot:
    """State of a live class at one moment, for the teacher's screen.

    Attributes:
        code: of five letters; phase: "waiting", "asked", "closed", "revealed" or "ended";
        number: of the question, counted from 1; question: the current one, if any;
        joined: seats; connected: seats whose phone is connected; answered: seats with an answer;
        tally: answers for each option of a ``Choice`` and each ε of a ``Race``, (yes, no) as
            recorded by the coins of a ``Private``; numbers: of a ``Number``; curves: of a
            ``Curve``; each sorted, so that their order does not reveal who came when;
        words: shown with the reveal; spent: the epsilon of each private question so far.

    For a ``Private`` that goes to the server all three are empty: see ``release_yes_count``.
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
    """A live class. All methods are thread-safe."""

    def __init__(self, code: str, owner: str, clock: Callable[[], float]) -> None:
        """code: to join; owner: the teacher's token; clock: monotonic seconds."""
        self.code, self.owner = code, owner
        self.teacher_code = _random_code(TEACHER_CODE_LENGTH)
        self._clock, self._lock = clock, threading.RLock()
        self._phase, self._number, self._words = WAITING, 0, ""
        self._question: Question | None = None
        self._seats: dict[str, int] = {}  # open connections of each
        self._answers: dict[str, Any] = {}
        self._spent: list[float] = []
        self._is_counted = False
        self._released_count: int | None = None
        self._listeners: list[Callable[[], None]] = []
        self.last_touch = clock()

    @property
    def phase(self) -> str:
        """See ``Snapshot``."""
        return self._phase

    @property
    def shown_teacher_code(self) -> str:
        """The teacher's code in groups: ``ABCD-EFGH-JKMN``."""
        starts = range(0, TEACHER_CODE_LENGTH, TEACHER_CODE_GROUP)
        return "-".join(self.teacher_code[at : at + TEACHER_CODE_GROUP] for at in starts)

    def touch(self) -> None:
        """Note a sign of the teacher."""
        self.last_touch = self._clock()

    def ask(self, question: Question) -> int:
        """Ask a question and return its number; the previous one and its answers are deleted.

        Raises:
            DpvizError: If the class has ended.
        """
        with self._lock:
            self._check_open()
            self._phase, self._number, self._words = ASKED, self._number + 1, ""
            self._question, self._answers = question, {}
            self._is_counted, self._released_count = False, None
            if isinstance(question, Private):
                self._spent.append(question.epsilon)
        self._notify()
        return self._number

    def close(self, number: int | None = None) -> None:
        """Accept no more answers; if ``number`` is given, to that question only.

        Raises:
            DpvizError: If there is no question, or the class has ended.
        """
        with self._lock:
            self._check_question()
            if self._phase != ASKED or number not in (None, self._number):
                return
            self._phase = CLOSED
        self._notify()

    def reveal(self, words: str = "", number: int | None = None, **known: Any) -> None:
        """Show all phones the answers, the truth and ``words``, and accept no more answers. Another
        call replaces the words.

        Args:
            number: of the question that the words are about; nothing happens if another question
                was asked since.
            known: fields of ``LATE_FIELDS`` that were not known when the question was asked.

        Raises:
            DpvizError: If there is no question, the class has ended, or a field cannot change.
        """
        if unknown := set(known) - LATE_FIELDS:
            raise DpvizError(
                f"{', '.join(sorted(unknown))} cannot change once the question is open. Only"
                f" {', '.join(sorted(LATE_FIELDS))} can."
            )
        with self._lock:
            self._check_question()
            if number not in (None, self._number):
                return
            if known and self._question is not None:
                self._question = replace(self._question, **known)
            self._phase, self._words = REVEALED, words
        self._notify()

    def private_yes_count(self, number: int | None = None) -> int:
        """Count the yes answers to a private question by the server, once; delete the answers.

        Args:
            number: of the question, if another may have been asked since.

        Raises:
            DpvizError: If there is no such question, it still takes answers, or it was counted.
        """
        with self._lock:
            self._check_question()
            if number not in (None, self._number):
                raise DpvizError("A newer question was asked. Show the results of that one.")
            if not self._has_true_answers():
                raise DpvizError(
                    "There are no true answers to count. Ask a private question with way `server`."
                )
            if self._phase == ASKED:
                raise DpvizError("The question is still open. Close it before counting.")
            if self._is_counted:
                raise DpvizError(
                    "These answers have already been counted. Each count costs privacy."
                )
            self._is_counted = True
            yes_count = sum(self._answers.values())
            self._answers = dict.fromkeys(self._answers)  # that they answered, not what
            return yes_count

    def release_yes_count(self) -> int:
        """Return the noisy number of yes answers to a private question by the server.

        Later calls return the same number, since another draw would spend the budget again.

        Guarantee: epsilon-DP of the question for one person's answer being replaced by the other,
            by exact discrete noise from the system's entropy; who answered is public.

        Raises:
            DpvizError: If there is no such question, or it still takes answers.
        """
        with self._lock:
            if self._released_count is None:
                if not isinstance(self._question, Private):
                    raise DpvizError("There is no private question. Ask one first.")
                count = np.array([self.private_yes_count()])
                self._released_count = int(mechanisms.yes_counts(count, self._question.epsilon)[0])
            return self._released_count

    @property
    def released_count(self) -> int | None:
        """The released count of the current question; None before its release."""
        return self._released_count

    def end(self) -> None:
        """End the class and delete its answers; may be called again."""
        with self._lock:
            self._phase, self._question, self._words = ENDED, None, ""
            self._answers, self._seats = {}, {}
        self._notify()
        self._listeners.clear()

    def snapshot(self) -> Snapshot:
        """Return the current state."""
        with self._lock:
            snapshot = Snapshot(
                self.code,
                self._phase,
                self._number,
                self._question,
                joined=len(self._seats),
                connected=sum(1 for connections in self._seats.values() if connections),
                answered=len(self._answers),
                words=self._words,
                spent=tuple(self._spent),
            )
            answers = () if self._has_true_answers() else tuple(self._answers.values())
        return _with_counts(snapshot, answers)

    def join(self, seat: str | None = None) -> str:
        """Return ``seat`` if this class issued it, else a new seat.

        Raises:
            DpvizError: If all seats are taken, or the class has ended.
        """
        with self._lock:
            self._check_open()
            if seat in self._seats:
                return str(seat)
            if len(self._seats) >= MAX_SEATS:
                raise DpvizError(
                    f"All {MAX_SEATS} places of this class are taken. Share a phone with someone."
                )
            new_seat = secrets.token_urlsafe(32)
            self._seats[new_seat] = 0
            return new_seat

    def has_seat(self, seat: str | None) -> bool:
        """Return whether this class issued the seat."""
        with self._lock:
            return seat in self._seats

    def answer(self, seat: str | None, number: int, value: Any) -> None:
        """Note the answer of a seat. A later answer replaces it, except for a private question,
        where a second coin would spend more privacy.

        Raises:
            DpvizError: Without a seat, for a closed question, or for an invalid value.
        """
        with self._lock:
            self._check_open()
            if seat not in self._seats:
                raise DpvizError("This phone has not joined the class. Join it first.")
            if self._question is None or number != self._number or self._phase != ASKED:
                raise DpvizError("This question is closed. Wait for the next one.")
            checked = self._question.checked(value)
            if isinstance(self._question, Private) and seat in self._answers:
                raise DpvizError(
                    "This phone has already answered. A second answer would cost more privacy."
                )
            self._answers[str(seat)] = checked

    def answer_of(self, seat: str) -> Any:
        """Return a seat's answer to the current question, or None; True for any private answer."""
        with self._lock:
            if isinstance(self._question, Private):
                return seat in self._answers or None
            return self._answers.get(seat)

    def count_connection(self, seat: str, change: int) -> None:
        """Note that a connection of a seat was opened (1) or closed (-1)."""
        with self._lock:
            if seat in self._seats:
                self._seats[seat] = max(0, self._seats[seat] + change)

    def on_change(self, listener: Callable[[], None]) -> Callable[[], None]:
        """Call ``listener`` at every new phase, from any thread; return a function that ends it."""
        self._listeners.append(listener)

        def unsubscribe() -> None:
            with suppress(ValueError):
                self._listeners.remove(listener)

        return unsubscribe

    def _notify(self) -> None:
        """Call the listeners, without the lock, since they may call methods."""
        for listener in list(self._listeners):
            listener()

    def _check_open(self) -> None:
        if self._phase == ENDED:
            raise DpvizError(ENDED_MESSAGE)

    def _check_question(self) -> None:
        self._check_open()
        if self._question is None:
            raise DpvizError("There is no question yet. Ask one first.")

    def _has_true_answers(self) -> bool:
        return isinstance(self._question, Private) and self._question.way == SERVER


class LiveClasses:
    """All live classes of a process."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        """clock: monotonic seconds."""
        self._clock, self._lock, self._open_lock = clock, threading.Lock(), threading.Lock()
        self._classes: dict[str, LiveClass] = {}

    def open(self, owner: str = "") -> LiveClass:
        """Open a live class; a previous one of the same owner ends.

        Raises:
            DpvizError: If ``MAX_CLASSES`` are open.
        """
        self.end_abandoned()
        with self._open_lock:
            return self._open(owner)

    def _open(self, owner: str) -> LiveClass:
        if owner and (old := self.find_by_owner(owner)):
            old.end()
        with self._lock:
            if len(self._classes) >= MAX_CLASSES:
                raise DpvizError(
                    f"{MAX_CLASSES} live classes are open, which is the limit. End one first."
                )
            code = next(code for code in iter(_random_code, "") if code not in self._classes)
            live_class = self._classes[code] = LiveClass(code, owner, self._clock)
        live_class.on_change(lambda: self._drop_ended(live_class))
        return live_class

    def resume(self, teacher_code: str, owner: str) -> LiveClass:
        """Give the class with this teacher's code to another owner, whose previous class ends.

        Codes are compared in constant time, all of them.

        Raises:
            DpvizError: For a wrong code.
        """
        typed = "".join(filter(str.isalnum, teacher_code)).upper().encode()
        with self._lock:
            same = [
                live_class
                for live_class in self._classes.values()
                if hmac.compare_digest(live_class.teacher_code.encode(), typed)
            ]
        if not same:
            raise DpvizError(
                f"No open class has this code. Type all {TEACHER_CODE_LENGTH} letters of the"
                " teacher's code."
            )
        with self._open_lock:
            if owner and (old := self.find_by_owner(owner)) not in (None, same[0]):
                old.end()
            same[0].owner = owner
            same[0].touch()
        return same[0]

    @property
    def any_open(self) -> bool:
        """Whether a class is open."""
        with self._lock:
            return bool(self._classes)

    def find(self, code: str) -> LiveClass | None:
        """Return the open class with this code."""
        with self._lock:
            return self._classes.get(code)

    def find_by_owner(self, owner: str) -> LiveClass | None:
        """Return the open class of an owner."""
        with self._lock:
            return next((c for c in self._classes.values() if c.owner == owner), None)

    def end_abandoned(self) -> None:
        """End the classes without a sign of the teacher for ``MAX_ABSENCE`` seconds."""
        now = self._clock()
        with self._lock:
            abandoned = [
                live_class
                for live_class in self._classes.values()
                if now - live_class.last_touch > MAX_ABSENCE
            ]
        for live_class in abandoned:
            live_class.end()

    def _drop_ended(self, live_class: LiveClass) -> None:
        with self._lock:
            if live_class.phase == ENDED and self._classes.get(live_class.code) is live_class:
                del self._classes[live_class.code]


def _with_counts(snapshot: Snapshot, answers: tuple[Any, ...]) -> Snapshot:
    """Return the snapshot with answers in the form of their question."""
    question = snapshot.question
    if isinstance(question, Choice | Race):
        options = question.options if isinstance(question, Choice) else question.epsilons
        option_counts = Counter(answers)
        return replace(snapshot, tally=tuple(option_counts[i] for i in range(len(options))))
    if isinstance(question, Number):
        return replace(snapshot, numbers=tuple(sorted(answers)))
    if isinstance(question, Curve):
        return replace(snapshot, curves=tuple(sorted(answers)))
    if isinstance(question, Private) and question.way != SERVER:
        return replace(snapshot, tally=(sum(answers), len(answers) - sum(answers)))
    return snapshot


def _random_code(length: int = CODE_LENGTH) -> str:
    return "".join(secrets.choice(LETTERS) for _ in range(length))


LIVE_CLASSES = LiveClasses()


def open_class(owner: str = "") -> LiveClass:
    """Open a live class of this process; owner: the teacher's token.

    Raises:
        DpvizError: in public mode.
    """
    public_mode.refuse("class")
    return LIVE_CLASSES.open(owner)
