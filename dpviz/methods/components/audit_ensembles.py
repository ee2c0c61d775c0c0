"""Small electorates in which one record turns one teacher, for the audits of the PATE methods.

Everything is run: shards, teachers, votes, tests, answers and student. Records fall to the teacher
they are meant for by their length: teachers look at directions alone, and the hash that names a
record's teacher at both. Teachers without records vote half for each class.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from dpviz.methods.components import ensembles
from dpviz.methods.components.worst_neighbours import ADDED, first_weights_apart, records
from dpviz.types import AuditCase, Budget, Dataset, EventCase, Head

QUERIES = 5
"""All alike: what they cost together is audited too."""
LENGTHS = 1 + np.arange(4096) / 4096
"""That a record may have."""
Record = tuple[list[float], int]
"""Its direction and its label."""
Shard = tuple[Record, ...]
"""Records of a teacher."""
UNTURNED: Shard = (([0.3, 0.95], 1), ([-0.3, -0.95], 0))
TURNED: Shard = (*UNTURNED, ([1.0, 0.0], 0))
OTHERWISE: Record = ([-1.0, 0.0], 1)
"""What turns it as well, in the other class."""
STEADY: Shard = (([1.0, 0.0], 0), ([-1.0, 0.0], 0), ([0.0, 1.0], 1))
TURNABLE = (8, 9, 10)
"""Teachers that a record each of a person would turn."""


def case() -> AuditCase:
    """One more record turns one of eleven teachers, which ends a tie of the rest, on each of the
    queries there are; the student's weights tell how many answers went which way.
    """
    public = [[1.0, 0.0]] * QUERIES
    more, less = (electorate(11, {10: shard}, public) for shard in (TURNED, UNTURNED))
    return AuditCase({"teachers": 11}, more, less, first_weights_apart)


def one_answer_case() -> AuditCase:
    """The same with a single query, which is answered untested: one answer tells as much of its
    noise as there is to tell.
    """
    more, less = (electorate(11, {10: shard}, [[1.0, 0.0]]) for shard in (TURNED, UNTURNED))
    return AuditCase({"teachers": 11, "check": "none"}, more, less, first_weights_apart)


def person_case() -> AuditCase:
    """A person turns one of eleven teachers, on each of the queries there are; were each record at
    the teacher that its own content names, they would turn three.
    """
    less = electorate(11, dict.fromkeys(TURNABLE, UNTURNED), [[1.0, 0.0]] * QUERIES)
    pair = _with_person(less, 11, [TURNED[-1]] * len(TURNABLE))
    return AuditCase({"teachers": 11}, *pair, first_weights_apart, Budget(8.0))


def _with_person(less: Dataset, teachers: int, own: Sequence[Record]) -> tuple[Dataset, Dataset]:
    """With a person whose records would fall to the TURNABLE teachers, one each, and without."""
    pairs = zip(TURNABLE, own, strict=True)
    x = np.stack([_falling_to(teacher, teachers, *record) for teacher, record in pairs])
    others = np.arange(len(less.x))
    more = dataclasses.replace(
        less,
        x=np.concatenate([less.x, x]),
        y=np.append(less.y, [label for _, label in own]),
        persons=np.append(others, [ADDED] * len(own)),
        fingerprint=f"{less.fingerprint} and a person with {own}",
    )
    return more, dataclasses.replace(less, persons=others)


def event_cases() -> list[EventCase]:
    """One more record turns one teacher on four of five queries; another teacher always votes for
    the first class, and seventy without records for each class alike.
    """
    public = [[1.0, 0.0]] * (QUERIES - 1) + [[-1.0, 0.0]]
    more, less = (electorate(72, {0: STEADY, 1: shard}, public) for shard in (TURNED, UNTURNED))
    return _in_each_form(more, less)


def person_event_cases() -> list[EventCase]:
    """A person, with records in one class and in both, turns one of seventy-two teachers on four
    of five queries; were each record at the teacher that its own content names, they would turn
    three. As many teachers always vote for the first class.
    """
    public = [[1.0, 0.0]] * (QUERIES - 1) + [[-1.0, 0.0]]
    steady = dict.fromkeys(range(len(TURNABLE)), STEADY)
    less = electorate(72, steady | dict.fromkeys(TURNABLE, UNTURNED), public)
    in_one = [TURNED[-1]] * len(TURNABLE)
    in_both = [TURNED[-1], OTHERWISE, TURNED[-1]]
    found = (_in_each_form(*_with_person(less, 72, own)) for own in (in_one, in_both))
    return [case for cases in found for case in cases]


def _in_each_form(more: Dataset, less: Dataset) -> list[EventCase]:
    """With tests before the answers, and without."""
    both, one = ("tests", "answers"), ("answers",)
    forms: list[tuple[dict[str, Any], tuple[str, ...]]] = [({}, both), ({"check": "none"}, one)]
    return [EventCase({"teachers": 72} | form, more, less, moved) for form, moved in forms]


def electorate(teachers: int, shards: Mapping[int, Shard], public: list) -> Dataset:
    """Records of which each falls to the teacher that it is meant for; an identity as the head."""
    x, y = [], []
    for teacher, shard in shards.items():
        for direction, label in shard:
            x.append(_falling_to(teacher, teachers, direction, label).tolist())
            y.append(label)
    head = Head(np.eye(2, dtype=np.float32), np.zeros(2, np.float32))
    return dataclasses.replace(records(x, y, public), head=lambda: head)


def _falling_to(teacher: int, teachers: int, direction: list[float], label: int) -> np.ndarray:
    """A record of that direction, of the first length that falls to the teacher: (2,) float32."""
    tried = records(np.outer(LENGTHS, direction).tolist(), [label] * len(LENGTHS))
    return tried.x[int(np.argmax(ensembles.shards(tried, teachers, 0) == teacher))]
