"""Small electorates in which one record turns one teacher, for the audits of the PATE methods.

Everything is run: shards, teachers, votes, tests, answers and student. Records fall to the teacher
they are meant for by their length: teachers look at directions alone, and the hash that names a
record's teacher at both. Teachers without records vote half for each class.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any

import numpy as np

from dpviz.methods.parts import ensembles
from dpviz.methods.parts.worst_neighbours import first_weights_apart, records
from dpviz.types import AuditCase, Budget, Dataset, EventCase, Head

QUERIES = 5
"""All alike: what they cost together is audited too."""
LENGTHS = 1 + np.arange(4096) / 4096
"""That a record may have."""
Shard = tuple[tuple[list[float], int], ...]
"""Records of a teacher: direction and label."""
UNTURNED: Shard = (([0.3, 0.95], 1), ([-0.3, -0.95], 0))
TURNED: Shard = (*UNTURNED, ([1.0, 0.0], 0))
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


def person_case() -> AuditCase:
    """A person turns one of eleven teachers, on each of the queries there are; were each record at
    the teacher that its own content names, they would turn three.
    """
    public, (direction, label) = [[1.0, 0.0]] * QUERIES, TURNED[-1]
    less = electorate(11, dict.fromkeys(TURNABLE, UNTURNED), public)
    own = np.stack([_falling_to(teacher, 11, direction, label) for teacher in TURNABLE])
    persons = np.arange(len(less.x) + len(own))
    persons[len(less.x) :] = len(less.x)
    more = dataclasses.replace(
        less,
        x=np.concatenate([less.x, own]),
        y=np.append(less.y, [label] * len(own)),
        persons=persons,
        fingerprint=f"{less.fingerprint} and a person",
    )
    less = dataclasses.replace(less, persons=persons[: len(less.x)])
    return AuditCase({"teachers": 11}, more, less, first_weights_apart, Budget(8.0))


def event_cases() -> list[EventCase]:
    """One more record turns one teacher on four of five queries; another teacher always votes for
    the first class, and seventy without records for each class alike.
    """
    public = [[1.0, 0.0]] * (QUERIES - 1) + [[-1.0, 0.0]]
    more, less = (electorate(72, {0: STEADY, 1: shard}, public) for shard in (TURNED, UNTURNED))
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
