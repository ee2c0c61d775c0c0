"""Who is protected, a record or a person, in the words of a guarantee."""

from __future__ import annotations

import numpy as np

from dpviz import methods
from dpviz.data import persons
from dpviz.types import Dataset, Plan, RunSpec

PLURALS = {
    "image": "images",
    "row of the file": "rows of the file",
    "synthetic feature vector": "synthetic feature vectors",
}
"""What a record may be, one and many."""
UNRELEASABLE = (
    "How many records a person has at most was read off the private data, and the noise tells it;"
    " give a bound that is known to all, such as 5 (--per-person 5)."
)


def unit(plan: Plan, spec: RunSpec, record: str) -> str:
    """Who is protected: one ``record``, or one person with some of them."""
    if spec.unit == "picture":
        return f"one record = one {record}"
    if spec.per_person:
        them = "which is" if spec.per_person == 1 else "which are"
        return f"one person = at most {_count_text(spec.per_person, record)}, {them} kept"
    if _at_once(spec):
        return f"one person = all {PLURALS[record]} of that person, however many"
    bound = _count_text(plan.records_per_person, record)
    return f"one person = at most {bound}, the most that anybody here has"


def protected(data: Dataset, unit: str) -> int:
    """How many there are to whom a promise to each ``unit`` is: private records, or persons."""
    if unit == "picture":
        return len(data.y)
    return len(np.unique(persons.numbered(data)))


def assumed(plan: Plan, spec: RunSpec, record: str) -> list[str]:
    """What is taken as public beside what the method reads. Nothing here depends on private records
    unless it says so.
    """
    parts = []
    if read_off(spec):
        bound = _count_text(plan.records_per_person, record)
        parts.append(
            f"that nobody has more than {bound}: read off the private data, which the promise does"
            " not cover"
        )
    qualifier = (
        f", also those of persons with training {PLURALS[record]}" if spec.unit == "person" else ""
    )
    return [*parts, f"the test {PLURALS[record]}{qualifier}"]


def steps_before_guarantee(spec: RunSpec, record: str) -> str:
    """What was done to the records before a promise to one of them begins; empty where nothing
    was.
    """
    if not spec.per_person:
        return ""
    if spec.unit == "person":
        return (
            ""
            if _at_once(spec)
            else "; what is told of one record holds among those kept (one more may change which"
            " others of that person are in)"
        )
    return (
        f", after at most {_count_text(spec.per_person, record)} of each person were kept (one more"
        " may change which others of that person are in)"
    )


def read_off(spec: RunSpec) -> bool:
    """Whether a promise to persons rests on the largest number of records that one of them has."""
    return spec.unit == "person" and not spec.per_person and not _at_once(spec)


def _at_once(spec: RunSpec) -> bool:
    """Whether it does not matter how many records a person has."""
    method = methods.get(spec.method)
    return not method.private or method.record_ratio(method.check(dict(spec.params))) > 0


def _count_text(number: int, record: str) -> str:
    return f"{number:,} {record if number == 1 else PLURALS[record]}"
