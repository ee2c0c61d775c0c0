"""Plans whose promise is made to a person, of whom several records may be in.

A person with at most k records moves an event at most k times as far as one record does, whichever
classes the records are in: a Gaussian release hides k records in k mu, an exponential one in k
epsilon. So a plan for persons is one for records at a smaller budget, whose events are then
counted with k times their sensitivity. Where whole persons are bounded at once, k does not matter.

A promise of bounded range is kept. All records of a person who is added move each class's monotone
utility the same way, by k_c times the sensitivity at most: that class's log ratios lie in one
interval of length k_c epsilon. The classes draw without seeing each other's choices, so the log
ratios of all choices are sums, in one interval of length k epsilon at most, which is the promise.

Source: Dong, Roth & Su 2019, Theorem 2.14 (groups in GDP); Bun & Steinke 2016, Proposition 1.9
(groups in zCDP: k^2 rho); Dong, Durfee & Rogers 2020 (bounded range).
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable

from dpviz.privacy.compose import ADD_REMOVE, REPLACE_IN_CLASS, check, guarantee, scaled_event
from dpviz.privacy.convert import bounded_range_rho, exponential_epsilon_for, mu_for, rho_for
from dpviz.privacy.sampled import sampled_gaussian
from dpviz.types import Budget, DpvizError, Event, Exponential, Gaussian, Guarantee, Plan

ADD_REMOVE_PERSON = "add or remove one person with all their records"
REPLACE_PERSON = "replace one person by another with the same number of kept records in each class"
OF_PERSONS = {ADD_REMOVE: ADD_REMOVE_PERSON, REPLACE_IN_CLASS: REPLACE_PERSON}
"""Neighbours where a promise is to a person. Whoever is replaced within each class is replaced
record by record. With at most K records of each person, those that are kept decide: persons with
equal counts in each class may differ in what is kept.
"""


def for_persons(
    make: Callable[[Budget], Plan], budget: Budget, records_per_person: int, record_ratio: int = 0
) -> Plan:
    """A plan that promises ``budget`` to each person of whom at most ``records_per_person``
    records are in.

    Args:
        make: plans for records; record_ratio: 0, or how many times as far as a person one record
            alone moves an event at most, where a person moves each event of these plans no further
            than they claim for a record, whatever ``records_per_person`` is.

    Raises:
        DpvizError: as ``make``, or if the plan costs a person more than the budget.
    """
    reach, plan = 1 if record_ratio else records_per_person, make(budget)
    if reach > 1 and budget.private and plan.events:
        of_record = _of_record(plan, budget, reach)
        plan = make(of_record)
        for _ in range(TRIES):
            if _keeps(to_person(plan, records_per_person), budget):
                break
            # a group costs some more than zCDP's reach^2 where the cost is no multiple of it
            of_record = dataclasses.replace(of_record, value=0.95 * of_record.value)
            plan = make(of_record)
    person_plan = to_person(plan, records_per_person, record_ratio)
    check(person_plan, budget)
    return person_plan


TRIES = 200
"""Of smaller budgets for a record, until all of a person's records keep theirs."""


def _keeps(plan: Plan, budget: Budget) -> bool:
    try:
        check(plan, budget)
    except DpvizError:
        return False
    return True


def to_person(plan: Plan, records_per_person: int, record_ratio: int = 0) -> Plan:
    """A plan for records as it is for a person: the same noise, with what it costs whoever moves
    the events as far as a person does.

    Args:
        records_per_person, record_ratio: as for ``for_persons``.
    """
    reach = 1 if record_ratio else records_per_person
    claimed, events = plan.guarantee, _scaled_events(plan, reach)
    cost, of_record = _cost(plan, reach), _cost(plan, record_ratio or 1)
    person_guarantee = dataclasses.replace(
        claimed,
        notion=cost.notion,
        value=cost.value,
        epsilon_delta=cost.epsilon_delta,
        rho=cost.rho,
        adjacency=OF_PERSONS.get(claimed.adjacency, claimed.adjacency),
        of_record=of_record.epsilon_delta,
        bounded_range=claimed.bounded_range and not record_ratio,
        sampled=cost.sampled,
    )
    ratio = record_ratio or 1 / records_per_person
    return dataclasses.replace(
        plan,
        events=events,
        guarantee=person_guarantee,
        records_per_person=records_per_person,
        record_sensitivity_ratio=ratio,
    )


def _scaled_events(plan: Plan, reach: int) -> dict[str, Event]:
    return {name: scaled_event(event, reach) for name, event in plan.events.items()}


def _cost(plan: Plan, reach: int) -> Guarantee:
    """What a plan for records promises to whoever moves its events ``reach`` times as far."""
    claimed = plan.guarantee
    if reach == 1 or not plan.events:
        return claimed
    return guarantee(_scaled_events(plan, reach), claimed.delta, adjacency="", public="", source="")


def _of_record(plan: Plan, budget: Budget, reach: int) -> Budget:
    """What each of ``reach`` records may be promised so that together they are promised ``budget``:
    all of it where a plan has one kind of noise, else what zCDP allows. Of sampled releases the rho
    that has the same noise.
    """
    draws = plan.draws.values()
    if plan.guarantee.sampled and budget.axis == "approx":
        (event,) = draws
        sampled = scaled_event(event, reach)
        assert isinstance(sampled, Gaussian)
        noise = sampled_gaussian(sampled.sensitivity, budget, sampled.times, sampled.rate).sigma
        rho = sampled.times * (event.sensitivity / noise) ** 2 / 2
    elif all(isinstance(event, Gaussian) for event in draws):
        rho = (mu_for(budget) / reach) ** 2 / 2
    elif len(plan.events) == 1 and all(isinstance(event, Exponential) for event in draws):
        rho = bounded_range_rho(exponential_epsilon_for(budget) / reach)
    else:
        rho = rho_for(budget) / reach**2
    return Budget(rho, "zcdp", budget.delta)
