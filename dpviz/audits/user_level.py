"""User-level audits: neighbors differ by one person with several records.

Each method's own worst record is given to one person several times over, and the search for what
moves an event adds a person whose records are odd, in several classes and in several places. The
faulty variant has the noise of a plan for records under the same claim: it must be caught.
"""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np

from dpviz import methods, privacy
from dpviz.audits import audited_methods, sensitivity
from dpviz.audits.audited_methods import Audit, Rows, Step
from dpviz.audits.sensitivity import BUDGET, SIZES, MeasuredSensitivity, Pair
from dpviz.machine.threads import one_numeric_thread
from dpviz.methods.components.worst_neighbours import ADDED
from dpviz.text import audit as text
from dpviz.types import AuditCase, Budget, Dataset, DpvizError, EventCase, Gaussian, Method, Plan
from dpviz.types.audit_case import LARGE_BUDGET

RECORDS = 3
"""Of the person who is in or not."""
FAULTY_VARIANT = "noise for a record"
SEVERAL_CLASSES = "in several classes"
SMALL_BUDGET = Budget(8.0)
"""Of cases with a large budget: a few hundred runs catch a variant that spends RECORDS times its
mu."""
Params = Mapping[str, Any]
Maker = Callable[[Method, Dataset, Budget, Params], Plan]
"""A plan for data of which a method's settings are known."""


def of_person(method: Method, data: Dataset, budget: Budget, params: Params) -> Plan:
    """Return the plan with ``budget`` for persons with RECORDS records."""
    checked = method.check(params)
    return methods.plan_for_persons(method, data.sizes, budget, checked, RECORDS)


def of_record(method: Method, data: Dataset, budget: Budget, params: Params) -> Plan:
    """Return the plan with ``budget`` for records."""
    return method.plan(data.sizes, budget, method.check(params))


# ------------------------------------------------------------------------------------------- search

Record = tuple[np.ndarray, int]
"""Its features (d,), and its class."""


def neighbours(replaces: bool) -> Iterator[Pair]:
    """Pairs that differ by one person: with records in several classes, or in one and all alike.

    Args:
        replaces: the other has a person with as many records in each class instead.
    """
    for size, (n, d, classes) in enumerate(SIZES):
        rng = np.random.default_rng(size)
        base = sensitivity.sets(n, d, classes, rng)
        if replaces:  # such plans need a record in each class
            x, y = np.concatenate([base.x, base.x[:1]]), np.append(base.y, classes - 1)
            base = dataclasses.replace(base, x=x, y=y)
        base = dataclasses.replace(base, persons=np.arange(len(base.x)) // 2)
        odd = sensitivity.rows(d, rng)
        apart = ("ordinary", "huge", "an axis")[size % 3 :], ("zero", "its opposite")[: size % 3]
        several = [(odd[name], c % classes) for c, name in enumerate((*apart[0], *apart[1]))]
        alike = [(odd["equal numbers"], size % classes)] * RECORDS
        for kind, records in (("several", several), ("one", alike)):
            fields = {"records": len(records), "others": n, "dimension": d}
            name = text.SEARCH_PERSON[kind].format(**fields)
            other = _joined(base, [(-x, c) for x, c in records]) if replaces else base
            yield Pair(name, _joined(base, records), other)


def _joined(data: Dataset, records: Sequence[Record]) -> Dataset:
    """Data set with one person's records inserted between the others."""
    x, y, persons = data.x, data.y, data.persons
    assert persons is not None
    for i, (row, label) in enumerate(records):
        at = i * len(x) // max(1, len(records) - 1)
        x, y = np.insert(x, at, row, axis=0), np.insert(y, at, label)
        persons = np.insert(persons, at, len(data.x))
    return sensitivity.marked(dataclasses.replace(data, x=x, y=y, persons=persons))


def search(method: Method, make: Maker = of_person) -> list[MeasuredSensitivity]:
    """How far persons move each draw of each form of a method, under plans that ``make`` makes."""
    measurements: list[MeasuredSensitivity] = []
    with one_numeric_thread():
        for params in sensitivity.forms(method):
            replaces = sensitivity.adjacency_of(method, params) == privacy.REPLACE_IN_CLASS
            for pair in neighbours(replaces):
                try:
                    plan = make(method, pair.without_record, BUDGET, params)
                except DpvizError:
                    continue  # a choice that needs what these sets lack
                measurements += sensitivity.of_pair(method, plan, params, pair)
    return measurements


# ---------------------------------------------------------------------------------- whole releases


def audit(method: Method, runs: int) -> list[Audit]:
    """Audit releases of a method on neighbors that differ by one person."""
    return audited_methods.of_cases(partial(release_rows, method), cases(method), runs)


def cases(method: Method) -> list[AuditCase]:
    """The method's own for persons, else those for records with the record that differs given
    RECORDS times to one person.
    """
    if method.person_cases is not None:
        return method.person_cases()
    own = method.cases() if method.cases else []
    if not own:
        return []
    at_once = [
        form for form in sensitivity.forms(method) if method.record_ratio(method.check(form))
    ]
    own += [dataclasses.replace(own[0], params={**own[0].params, **form}) for form in at_once]
    return [_of_person(case) for case in own]


def release_rows(method: Method, case: AuditCase) -> Rows:
    """Return the audit of one of the ``cases`` under the plans for persons and for records."""
    return audited_methods.release_rows(method, case, _plans(method, case), FAULTY_VARIANT)


def _plans(method: Method, case: AuditCase | EventCase) -> tuple[Plan, Plan]:
    """The plans for persons and for records with the same budget."""
    facts = method, case.without_record, case.budget, case.params
    return of_person(*facts), of_record(*facts)


def _of_person(case: AuditCase) -> AuditCase:
    budget = SMALL_BUDGET if case.budget == LARGE_BUDGET else case.budget
    with_record, without_record = (
        given_to_person(case.with_record, case.without_record),
        given_to_person(case.without_record, case.with_record),
    )
    return dataclasses.replace(
        case, with_record=with_record, without_record=without_record, budget=budget
    )


def given_to_person(data: Dataset, other: Dataset, times: int = RECORDS) -> Dataset:
    """With each record that the other set lacks there so many times, all of one person; every other
    record is of somebody else.
    """
    remaining = Counter(keys(other))
    persons = np.arange(len(data.x))
    for i, key in enumerate(keys(data)):
        if remaining[key]:
            remaining[key] -= 1
        else:
            persons[i] = ADDED
    repeats = np.repeat(np.flatnonzero(persons == ADDED), times - 1)
    rows = np.concatenate([np.arange(len(data.x)), repeats])
    return dataclasses.replace(
        data,
        x=data.x[rows],
        y=data.y[rows],
        persons=persons[rows],
        fingerprint=f"{data.fingerprint} of persons",
    )


def keys(data: Dataset) -> list[tuple[bytes, int]]:
    """Content and label of each private record."""
    return [(row.tobytes(), int(label)) for row, label in zip(data.x, data.y, strict=True)]


# ------------------------------------------------------------------------------------ single events


def audit_events(method: Method, runs: int) -> list[Audit]:
    """Audit every event of a method's plan for persons, under each of its faulty variants."""
    return audited_methods.of_cases(partial(event_rows, method), event_cases(method), runs)


def event_cases(method: Method) -> list[EventCase]:
    """The method's own for persons, else those for records with the record that differs given to
    one person; in each form that bounds whole persons as well.

    In one class, among as many of every other record, the records move an event as far as its plan
    claims, so that each way of spoiling its noise must be caught. In one class after another they
    must stay under the claim too.
    """
    if method.person_event_cases is not None:
        return method.person_event_cases()
    every = method.event_cases() if method.event_cases else []
    own = [case for case in every if _moves_a_record(case)]
    forms = [form for form in sensitivity.forms(method) if method.record_ratio(method.check(form))]
    own += [
        dataclasses.replace(case, params={**case.params, **form}) for form in forms for case in own
    ]
    return [
        person_case for case in own for person_case in (_in_one(case), _in_several(method, case))
    ]


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
    turned = -1 if summed and not case.identical_records else 1

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


def event_rows(method: Method, case: EventCase) -> Rows:
    """Return the audits of every event of one of the ``event_cases``, with its faulty variants."""
    plan, weaker = _plans(method, case)
    several = _has_several(case)
    rows = audited_methods.event_rows(method, case, plan, not several, {FAULTY_VARIANT: weaker})

    def named(step: Step) -> Iterator[Audit]:
        for row in rows(step):
            adjacency = f"{row.adjacency}, {SEVERAL_CLASSES}" if several else row.adjacency
            yield dataclasses.replace(row, adjacency=adjacency)

    return named


def _has_several(case: EventCase) -> bool:
    """Whether the person who is in ``with_record`` alone has records in several classes."""
    data = case.with_record
    assert data.persons is not None
    return len(np.unique(data.y[data.persons == ADDED])) > 1
