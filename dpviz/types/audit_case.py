"""Audit cases of a method: worst-case neighbors and a faulty variant of the plan."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from dpviz.types.budget import Budget
from dpviz.types.dataset import Dataset
from dpviz.types.guarantee import Draw, Event, Exponential, Minimiser, Parallel, Plan
from dpviz.types.release import Release

#: A few thousand runs distinguish this budget from half the noise.
LARGE_BUDGET = Budget(20.0)
#: Of single events, whose mu is 2 here or a share of it. Half the noise is caught with the fewest
#: runs at mu from 1 to 2: less hides in the noise, more leaves no errors to count.
EVENT_BUDGET = Budget(10.0)


def half_the_noise(plan: Plan) -> Plan:
    """Return the plan with half its noise and the same claim."""
    return less_noise(plan, 2)


def less_noise(plan: Plan, times: float) -> Plan:
    """Return the plan with its noise divided by ``times`` and the same claim."""
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
    """Two neighbors and a statistic that distinguishes their releases.

    Attributes:
        params: settings of the method, worst case for these neighbors.
        with_record, without_record: neighboring data sets under the method's adjacency.
        statistic: ``statistic(release, data)``, larger if ``with_record`` is more likely.
        budget: claimed; share: of the usual number of runs, by the cost of a run.
        faulty_variant: plan with the same claim and less privacy; the audit must catch it.
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
    """Two neighbors that reach the claimed sensitivity of some events of a plan.

    Attributes:
        params: settings of the method.
        with_record, without_record: neighboring data sets under its adjacency, with several classes
            and at least two dimensions.
        events: names of the ``draws`` of the plan that these neighbors move.
        budget: claimed; share: of the usual number of runs, by the cost of a run.
        identical_records: whether equal records of a person move the events furthest, even in
            several classes.
    """

    params: Mapping[str, Any]
    with_record: Dataset
    without_record: Dataset
    events: tuple[str, ...]
    budget: Budget = EVENT_BUDGET
    share: float = 1.0
    identical_records: bool = False
