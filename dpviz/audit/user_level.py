"""Audits of promises to persons: neighbours differ by a whole person, with several records.

Each method's own worst record is given to one person several times over, and the search for what
moves an event adds a person whose records are odd, in several classes and in several places. The
twin has the noise of a plan for records under the same claim, and knows of no persons: it must be
caught.
"""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from dpviz import methods, privacy
from dpviz.audit import audited_methods, sensitivity
from dpviz.audit.audited_methods import Audit
from dpviz.audit.sensitivity import BUDGET, SIZES, MeasuredSensitivity, Pair
from dpviz.machine.threads import one_numeric_thread
from dpviz.methods.components.worst_neighbours import ADDED
from dpviz.types import AuditCase, Budget, Dataset, DpvizError, Method, Plan
from dpviz.types.audit_case import LARGE_BUDGET

RECORDS = 3
"""Of the person who is in or not."""
FAULTY_VARIANT = "noise for a record"
SMALL = Budget(8.0)
"""Of cases with a large budget: a few hundred runs tell a twin that spends RECORDS times its mu."""
Params = Mapping[str, Any]
Maker = Callable[[Method, Dataset, Budget, Params], Plan]
"""A plan for data of which a method's settings are known."""


def of_person(method: Method, data: Dataset, budget: Budget, params: Params) -> Plan:
    """The plan that promises ``budget`` to persons with RECORDS records."""
    checked = method.check(params)
    return methods.plan_for_persons(method, data.sizes, budget, checked, RECORDS)


def of_record(method: Method, data: Dataset, budget: Budget, params: Params) -> Plan:
    """The plan that promises it to records."""
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
        alike = [(odd["all alike"], size % classes)] * RECORDS
        for words, records in (("several classes", several), ("one class", alike)):
            name = f"a person with {len(records)} records in {words}, {n} others, d = {d}"
            other = _joined(base, [(-x, c) for x, c in records]) if replaces else base
            yield Pair(name, _joined(base, records), other)


def _joined(data: Dataset, records: Sequence[Record]) -> Dataset:
    """With one person's records put in between the others."""
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
    """Audit a method's releases on neighbours that differ by a whole person, and the twin's."""
    return [audited(method, case, int(runs * case.share)) for case in cases(method)]


def cases(method: Method) -> list[AuditCase]:
    """The method's own for persons, else those for records with the record that differs given
    RECORDS times to one person.
    """
    if method.person_cases is not None:
        return method.person_cases()
    own = method.cases() if method.cases else []
    if not own:
        return []
    at_once = [form for form in sensitivity.forms(method) if method.by_person(method.check(form))]
    own += [dataclasses.replace(own[0], params={**own[0].params, **form}) for form in at_once]
    return [_of_person(case) for case in own]


def audited(method: Method, case: AuditCase, runs: int) -> Audit:
    """One of the ``cases``, and its twin."""
    plans = [
        make(method, case.without_record, case.budget, case.params)
        for make in (of_person, of_record)
    ]
    claim = plans[0].guarantee
    audited_epsilon, faulty = (
        audited_methods.spent_epsilon(method, case, plan, claim, runs) for plan in plans
    )
    return Audit(
        method.key,
        dict(case.params),
        claim.notion,
        claim.adjacency,
        audited_methods.claimed(claim),
        audited_epsilon,
        faulty,
        runs,
        twin=FAULTY_VARIANT,
    )


def _of_person(case: AuditCase) -> AuditCase:
    budget = SMALL if case.budget == LARGE_BUDGET else case.budget
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
