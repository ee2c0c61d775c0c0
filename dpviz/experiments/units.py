"""Unit of privacy of a run, a record or a person, as texts of a guarantee."""

from __future__ import annotations

import numpy as np

from dpviz import methods
from dpviz.data import persons
from dpviz.text import guarantee_cards as cards
from dpviz.text.template import render_text
from dpviz.types import Dataset, Plan, RunSpec

#: Kinds of records, one and many.
PLURALS = cards.PLURALS
#: Why a release for persons needs a public bound on the records per person.
UNRELEASABLE = cards.UNRELEASABLE


def unit(plan: Plan, spec: RunSpec, record: str) -> str:
    """Return the unit of privacy: one ``record``, or one person with some records."""
    if spec.unit == "picture":
        return render_text(cards.UNIT["record"], record=record)
    if spec.per_person:
        kept = cards.UNIT["person_one_kept" if spec.per_person == 1 else "person_kept"]
        return render_text(kept, records=_count_text(spec.per_person, record))
    if _at_once(spec):
        return render_text(cards.UNIT["person_all"], records=PLURALS[record])
    bound = _count_text(plan.records_per_person, record)
    return render_text(cards.UNIT["person_observed"], records=bound)


def protected(data: Dataset, unit: str) -> int:
    """Return the number of protected units: private records, or persons."""
    if unit == "picture":
        return len(data.y)
    return len(np.unique(persons.numbered(data)))


def assumed(plan: Plan, spec: RunSpec, record: str) -> list[str]:
    """Return the public data of a guarantee beside the public data of its method.

    Nothing here depends on private records, except where the text says so.
    """
    test_set = cards.TEST_SET_PERSONS if spec.unit == "person" else cards.TEST_SET
    parts = [render_text(test_set, records=PLURALS[record])]
    if read_off(spec):
        bound = _count_text(plan.records_per_person, record)
        return [render_text(cards.OBSERVED_BOUND, records=bound), *parts]
    return parts


def steps_before_guarantee(spec: RunSpec, record: str) -> str:
    """Return the steps on the records before the guarantee begins; empty if there are none."""
    if not spec.per_person:
        return ""
    if spec.unit == "person":
        return "" if _at_once(spec) else cards.BOUNDED_PERSONS
    return render_text(cards.BOUNDED_RECORDS, records=_count_text(spec.per_person, record))


def read_off(spec: RunSpec) -> bool:
    """Whether a user-level guarantee depends on the private largest number of records per
    person.
    """
    return spec.unit == "person" and not spec.per_person and not _at_once(spec)


def _at_once(spec: RunSpec) -> bool:
    """Whether the guarantee for persons does not depend on the records per person."""
    method = methods.get(spec.method)
    return not method.private or method.record_ratio(method.check(dict(spec.params))) > 0


def _count_text(number: int, record: str) -> str:
    return f"{number:,} {record if number == 1 else PLURALS[record]}"
