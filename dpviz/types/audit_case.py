"""What an audit of a method needs: its worst neighbours, and a faulty variant of its plan."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from dpviz.types.budget import Budget
from dpviz.types.dataset import Dataset
from dpviz.types.guarantee import Draw, Event, Exponential, Minimiser, Parallel, Plan
from dpviz.types.release import Release

LARGE_BUDGET = Budget(20.0)
"""A few thousand runs tell it from half the noise."""


def half_the_noise(plan: Plan) -> Plan:
    """The plan with half its noise and its claim unchanged."""
    return less_noise(plan, 2)


def less_noise(plan: Plan, times: float) -> Plan:
    """The plan with its noise divided by ``times`` and its claim unchanged."""
    return dataclasses.replace(
        plan, events={name: _with_less_noise(event, times) for name, event in plan.events.items()}
    )


def _with_less_noise(event: Event, times: float) -> Event:
    if isinstance(event, Parallel):
        parts = tuple(_less_alone(inner, times) for inner in event.events)
        return dataclasses.replace(event, events=parts)  # type: ignore[arg-type]
    return _less_alone(event, times)


def _less_alone(event: Draw, times: float) -> Draw:
    if isinstance(event, Exponential):
        return dataclasses.replace(event, epsilon=event.epsilon * times)
    if isinstance(event, Minimiser):
        return dataclasses.replace(event, sigma=event.sigma / times, blur=event.blur / times)
    return dataclasses.replace(event, sigma=event.sigma / times)


@dataclass(frozen=True)
class AuditCase:
    """Two neighbours and a number that tells their releases apart.

    Attributes:
        params: settings of the method that make the neighbours worst.
        with_record, without_record: neighbouring data sets under the method's adjacency.
        statistic: ``statistic(release, data)``, larger where ``with_record`` is likelier.
        budget: claimed; share: of the usual runs, fewer where they are dear and more where cheap.
        faulty_variant: a plan that claims as much and gives less; the audit must catch it.
    """

    params: Mapping[str, Any]
    with_record: Dataset
    without_record: Dataset
    statistic: Callable[[Release, Dataset], float]
    budget: Budget = LARGE_BUDGET
    share: float = 1.0
    faulty_variant: Callable[[Plan], Plan] = half_the_noise


@dataclass(frozen=True)
class EventCase:
    """Two neighbours that move some events of a plan as far as they claim.

    Attributes:
        params: settings of the method.
        with_record, without_record: neighbouring data sets under its adjacency, of several classes
            and in two dimensions or more.
        events: names among the plan's ``draws``: those that these neighbours move.
        budget: claimed; share: of the usual runs, fewer where they are dear and more where cheap.
        identical_records: whether a person's records move the events furthest where all are alike,
            though they are of several classes.
    """

    params: Mapping[str, Any]
    with_record: Dataset
    without_record: Dataset
    events: tuple[str, ...]
    budget: Budget = LARGE_BUDGET
    share: float = 1.0
    identical_records: bool = False
