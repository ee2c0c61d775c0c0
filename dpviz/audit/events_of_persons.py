"""An audit of every event by itself where the promise is to persons.

The record that moves an event furthest is given to one person several times over. In one class,
among as many of every other record, that moves an event as far as its plan claims, so that each way
of spoiling its noise must be caught. In one class after another it must stay under the claim too.
Both have the twin that knows of no persons.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator

import numpy as np

from dpviz.audit import audited_methods, event_audits, sensitivity
from dpviz.audit.audited_methods import Audit
from dpviz.audit.user_level import (
    FAULTY_VARIANT,
    RECORDS,
    given_to_person,
    keys,
    of_person,
    of_record,
)
from dpviz.methods.components.worst_neighbours import ADDED
from dpviz.types import Dataset, EventCase, Gaussian, Method

SEVERAL = "in several classes"


def audit(method: Method, runs: int) -> list[Audit]:
    """Audit every event of a method's plan for persons, under each of its twins."""
    return [row for case in cases(method) for row in audited(method, case, runs)]


def cases(method: Method) -> list[EventCase]:
    """The method's own for persons, else those for records with the record that differs given to
    one person; in each form that bounds whole persons as well.
    """
    if method.person_event_cases is not None:
        return method.person_event_cases()
    every = method.event_cases() if method.event_cases else []
    own = [case for case in every if _moves_a_record(case)]
    forms = [form for form in sensitivity.forms(method) if method.by_person(method.check(form))]
    own += [
        dataclasses.replace(case, params={**case.params, **form}) for form in forms for case in own
    ]
    return [made for case in own for made in (_in_one(case), _in_several(method, case))]


def _moves_a_record(case: EventCase) -> bool:
    """Whether private records differ; public ones are protected one by one."""
    return sorted(keys(case.with_record)) != sorted(keys(case.without_record))


def _in_one(case: EventCase) -> EventCase:
    return dataclasses.replace(
        case,
        with_record=_of_as_many(case.with_record, case.without_record),
        without_record=_of_as_many(case.without_record, case.with_record),
    )


def _of_as_many(data: Dataset, other: Dataset) -> Dataset:
    """``given_to_person`` among as many of each other record, of somebody else each: what sums
    and their noise are in units of what whoever is protected moves them.
    """
    data = given_to_person(data, other)
    others = np.flatnonzero(data.persons != ADDED)
    rows = np.concatenate([np.arange(len(data.x)), *[others] * (RECORDS - 1)])
    with_record = data.of_records(rows, f"{RECORDS} of each")
    persons = np.where(with_record.persons == ADDED, ADDED, np.arange(len(rows)))
    return dataclasses.replace(with_record, persons=persons)


def _in_several(method: Method, case: EventCase) -> EventCase:
    """The person's records in one class after another; where noise is added to a sum, which records
    of different classes move different ways, every second one is turned round.
    """
    draws = of_record(method, case.without_record, case.budget, case.params).draws
    summed = any(isinstance(draws[name], Gaussian) for name in case.events)
    turned = -1 if summed and not case.alike else 1

    def given(data: Dataset, other: Dataset) -> Dataset:
        data = given_to_person(data, other)
        x, y = data.x.copy(), data.y.copy()
        for turn, row in enumerate(np.flatnonzero(data.persons == ADDED)):
            x[row] *= turned**turn
            y[row] = (y[row] + turn) % data.classes
        return dataclasses.replace(data, x=x, y=y, fingerprint=f"{data.fingerprint} in turn")

    return dataclasses.replace(
        case,
        with_record=given(case.with_record, case.without_record),
        without_record=given(case.without_record, case.with_record),
    )


def audited(method: Method, case: EventCase, runs: int) -> Iterator[Audit]:
    """Every event of one of the ``cases``, and its twins."""
    plan, weaker = (
        make(method, case.without_record, case.budget, case.params)
        for make in (of_person, of_record)
    )
    affordable, several = int(runs * case.share), _has_several(case)
    audits = event_audits.of_plan(
        method, case, plan, affordable, not several, {FAULTY_VARIANT: weaker}
    )
    for row in audited_methods.event_rows(method, case, plan, audits, affordable):
        yield (
            dataclasses.replace(row, adjacency=f"{row.adjacency}, {SEVERAL}") if several else row
        )


def _has_several(case: EventCase) -> bool:
    """Whether whoever is in ``with_record`` alone has records in several classes."""
    assert case.with_record.persons is not None
    return len(np.unique(case.with_record.y[case.with_record.persons == ADDED])) > 1
