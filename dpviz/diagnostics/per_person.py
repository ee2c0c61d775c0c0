"""Who pays: people who sent many records or few, whoever it is that a run makes its promise to.

A run that promises to each record tells of a person as well, by all of that person's records
together, and nothing promises how much: that is the loss of the person under it, by the formulas of
``per_instance``. It is a diagnostic as those are, computed from private records without noise.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass

import numpy as np

from dpviz.data import persons
from dpviz.diagnostics import per_instance
from dpviz.diagnostics.per_instance import QUANTILES, PerInstance
from dpviz.experiments import experiment
from dpviz.machine.threads import one_numeric_thread
from dpviz.types import RunSpec

GROUP_STARTS = (1, 2, 5, 10, 50)
"""The least number of records in each group of people."""


@dataclass(frozen=True, eq=False)
class PersonLosses:
    """What the run of a spec tells about each person, and what it gives in return.

    Attributes:
        losses: of persons, whose claim is to records where ``spec`` promises to these; right: (m,)
            float64, share of all records that a person sent which the release gets right.
    """

    spec: RunSpec
    losses: PerInstance
    right: np.ndarray


@dataclass(frozen=True)
class Group:
    """People who sent about as many records: which numbers, how many people, QUANTILES of their
    losses, and the mean of their shares that are right.
    """

    name: str
    people: int
    quantiles: tuple[float, ...]
    right: float


def losses(spec: RunSpec) -> PerInstance:
    """The loss of each person under the run of ``spec``, also where it promises to each record.

    Raises:
        DpvizError: as ``per_instance.losses_of``, or where the data do not say whose the records
            are.
    """
    if spec.unit == "person":
        return per_instance.losses_of(spec)
    data, plan = experiment.prepared(spec), experiment.planned(spec)
    # what clips persons does so only where the promise is to them
    params = {name: "group" if name == "person" else v for name, v in plan.params.items()}
    plan = dataclasses.replace(plan, params=params, records_per_person=persons.most_records(data))
    return per_instance.measure(data, plan, spec.seed)


def paid(spec: RunSpec, progress: experiment.Progress) -> PersonLosses:
    """What the run of ``spec`` tells about each person, and what it gives in return.

    Raises:
        DpvizError: as ``losses``; Cancelled: if ``progress`` asks for it.
    """
    progress("The loss of each person", 0, 2)
    person_losses = losses(spec)
    progress("The accuracy of each person", 1, 2)
    every = experiment.prepared(dataclasses.replace(spec, unit="person", per_person=0))
    assert every.persons is not None  # the spec is per person
    whose = np.unique(every.persons, return_inverse=True)[1]
    with one_numeric_thread():
        right = experiment.release(spec).predict(every.x) == every.y
    return PersonLosses(spec, person_losses, np.bincount(whose, right) / np.bincount(whose))


def by_number(found: PersonLosses) -> list[Group]:
    """People by the number of records that they sent; groups without people are left out."""
    groups = []
    for low, after in zip(GROUP_STARTS, (*GROUP_STARTS[1:], None), strict=True):
        sent = found.losses.record_counts
        inside = (sent >= low) & (sent < (after or np.inf))
        if inside.any():
            spread = np.quantile(found.losses.epsilon[inside], QUANTILES)
            right = float(found.right[inside].mean())
            name = _name(low, after)
            groups.append(Group(name, int(inside.sum()), tuple(map(float, spread)), right))
    return groups


def _name(low: int, after: int | None) -> str:
    if after is None:
        return f"{low}+"
    return f"{low}" if after == low + 1 else f"{low}–{after - 1}"
