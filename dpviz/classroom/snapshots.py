"""What a room is at a moment: for the teacher's screen, and for phones once it is revealed."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import Any

from dpviz.classroom.questions import SERVER, Choice, Curve, Number, Private, Question


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


def with_counts(shot: Snapshot, said: tuple[Any, ...]) -> Snapshot:
    """With the answers as their question counts them."""
    question = shot.question
    if isinstance(question, Choice):
        found = Counter(said)
        return replace(shot, tally=tuple(found[i] for i in range(len(question.options))))
    if isinstance(question, Number):
        return replace(shot, numbers=tuple(sorted(said)))
    if isinstance(question, Curve):
        return replace(shot, curves=tuple(sorted(said)))
    if isinstance(question, Private) and question.way != SERVER:
        return replace(shot, tally=(sum(said), len(said) - sum(said)))
    return shot
