"""What a plan's events cost together: the guarantee of their composition, and the check against
the budget.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping, Sequence
from itertools import product
from typing import Any

from dpviz.privacy import objective_perturbation, sampled
from dpviz.privacy.best_guess import success_bound
from dpviz.privacy.convert import allowed_rho, bounded_range_rho, gdp_epsilon, zcdp_epsilon
from dpviz.types import (
    Budget,
    DpvizError,
    Draw,
    Event,
    Exponential,
    Gaussian,
    Guarantee,
    Minimiser,
    Parallel,
    Plan,
    Sampled,
)

ADD_REMOVE = "add or remove one record"


REPLACE_IN_CLASS = "replace one record within its class"


ENCODER_PUBLIC = "the encoder"


CLASSES_PUBLIC = "the set of classes"


def event_mu(event: Event) -> float:
    """mu of all the releases of a Gaussian event, or the largest of several in parallel; as if
    every record were in each, which bounds what sampled ones cost.
    """
    if isinstance(event, Parallel):
        return max(event_mu(part) for part in event.events)
    assert isinstance(event, Gaussian)
    return (
        math.inf if event.sigma == 0 else math.sqrt(event.times) * event.sensitivity / event.sigma
    )


def event_rho(event: Event) -> float:
    """rho of an event: mu^2/2 for Gaussian noise, that of its bounded range for the exponential
    mechanism, else the largest.
    """
    if isinstance(event, Parallel):
        return max(event_rho(part) for part in event.events)
    if isinstance(event, Exponential):
        return bounded_range_rho(event.epsilon)
    if isinstance(event, Minimiser):
        return objective_perturbation.rho(event)
    return event_mu(event) ** 2 / 2


def _gaussian_only(event: Event) -> bool:
    return all(
        isinstance(part, Gaussian)
        for part in (event.events if isinstance(event, Parallel) else (event,))
    )


def _single_event(event: Event, delta: float) -> tuple[str, float, float]:
    """Notion, value in it, and epsilon at ``delta`` of one event.

    A record is in one part of a Parallel, so whatever holds for every part holds for the whole. Of
    a person share t of the records may be in a part: that costs at most t times what all of them
    would, in rho, in pure epsilon and in the exact epsilon of Gaussian noise (which grow at least
    in proportion), and shares add up to 1, so that the dearest part bounds the whole here too.
    """
    if isinstance(event, Exponential):
        return "pure", event.epsilon, min(event.epsilon, zcdp_epsilon(event_rho(event), delta))
    if isinstance(event, Gaussian):
        return "gdp", event_mu(event), gdp_epsilon(event_mu(event), delta)
    if isinstance(event, Minimiser):
        rho = event_rho(event)
        return (
            "zcdp",
            rho,
            min(objective_perturbation.epsilon(event, delta), zcdp_epsilon(rho, delta)),
        )
    notions, values, epsilons = zip(
        *(_single_event(part, delta) for part in event.events), strict=True
    )
    if len(set(notions)) == 1:
        return notions[0], max(values), max(epsilons)
    if event.shared:  # no way to count is mixed with another
        added = max(_added(part, delta) for part in event.events)
        return "zcdp", event_rho(event), min(added, zcdp_epsilon(event_rho(event), delta))
    return "zcdp", event_rho(event), max(epsilons)


def _added(event: Gaussian | Exponential, delta: float) -> float:
    if isinstance(event, Exponential):
        return event.epsilon
    return gdp_epsilon(event_mu(event), delta)


def guarantee(
    events: Mapping[str, Event], delta: float, *, adjacency: str, public: str, source: str
) -> Guarantee:
    """What the events promise together, in the tightest notion that the project composes in.

    All Gaussian: mu-GDP. One event: its own notion; of sampled records, (epsilon, delta)-DP.
    Several, not all Gaussian: zCDP. After a choice among parallel parts, the smaller epsilon of two
    valid ways to compose. The set of classes is public under every one of them.
    """
    rho = sum(event_rho(event) for event in events.values())
    sampled_releases = _sampled(events)
    if sampled_releases is not None:
        epsilon = sampled.sampled_epsilon(sampled_releases, delta)
        notion, value = "approx", epsilon
    elif all(_gaussian_only(event) for event in events.values()):
        value = math.hypot(*(event_mu(event) for event in events.values()))
        notion, epsilon = "gdp", gdp_epsilon(value, delta)
    elif len(events) == 1:
        notion, value, epsilon = _single_event(next(iter(events.values())), delta)
    else:
        notion, value, epsilon = "zcdp", rho, zcdp_epsilon(rho, delta)
    parted = [event for event in events.values() if isinstance(event, Parallel)]
    if len(events) > 1 and parted and not any(event.shared for event in parted):
        epsilon = min(epsilon, _branch_epsilon(list(events.values()), delta))
    known = f"{CLASSES_PUBLIC}, {public}"
    return Guarantee(
        notion,
        value,
        delta,
        adjacency,
        known,
        epsilon,
        rho,
        source,
        bounded_range=adjacency == ADD_REMOVE and _one_choice(list(events.values())),
        sampled=sampled_releases,
    )


def _sampled(events: Mapping[str, Event]) -> Sampled | None:
    """The releases of sampled records, where there are no others."""
    if len(events) == 1:
        for event in events.values():
            if isinstance(event, Gaussian) and event.rate < 1:
                return sampled.releases_of(event)
    return None


def _one_choice(events: Sequence[Event]) -> bool:
    """Whether one record meets one exponential mechanism and nothing else.

    A record that is added moves every monotone utility the same way, by no more than the
    sensitivity, so the log ratios lie in one interval of length epsilon. One that is replaced may
    move them both ways. What holds for a person, who may meet several, is said in ``persons``.
    """
    if len(events) != 1:
        return False
    event = events[0]
    if isinstance(event, Parallel):
        return not event.shared and all(isinstance(part, Exponential) for part in event.events)
    return isinstance(event, Exponential)


def scaled_event(event: Event, reach: float) -> Event:
    """The event as one sees it who moves it ``reach`` times as far: the noise is the same.

    Of several records that are sampled each for itself it is as if all were in whenever one is.
    """
    if reach == 1:
        return event
    if isinstance(event, Parallel):
        return Parallel(tuple(_scaled_draw(part, reach) for part in event.events), shared=reach > 1)
    return _scaled_draw(event, reach)


def _scaled_draw(event: Any, reach: float) -> Any:
    further = dataclasses.replace(event, sensitivity=event.sensitivity * reach)
    if isinstance(further, Exponential):
        return dataclasses.replace(further, epsilon=further.epsilon * reach)
    if isinstance(further, Minimiser):
        grown = {name: getattr(event, name) * reach for name in ("largest", "trace", "corners")}
        return dataclasses.replace(further, **grown)
    if further.rate == 1:
        return further
    return dataclasses.replace(further, rate=-math.expm1(reach * math.log1p(-further.rate)))


def proved(plan: Plan) -> Guarantee:
    """What is proved of a release that exact samplers draw by this plan.

    Discrete Gaussian noise hides as much as continuous noise in zCDP; nothing is claimed of it in
    GDP, nor of sampling. The exponential mechanism is drawn as it was planned.

    Source: Canonne, Kamath & Steinke 2020, Theorem 14.
    """
    given = plan.guarantee
    if not any(isinstance(event, Gaussian) for event in plan.draws.values()):
        return given
    rho, of_record = (
        sum(event_rho(scaled_event(event, reach)) for event in plan.events.values())
        for reach in (1.0, plan.record_sensitivity_ratio)
    )
    return dataclasses.replace(
        given,
        notion="zcdp",
        value=rho,
        rho=rho,
        epsilon_delta=zcdp_epsilon(rho, given.delta),
        sampled=None,
        of_record=None if given.of_record is None else zcdp_epsilon(of_record, given.delta),
    )


def _branch_epsilon(events: Sequence[Event], delta: float) -> float:
    """Epsilon at ``delta`` where earlier outputs may choose which part of each Parallel a record
    meets.

    The outputs that lead to one choice are as likely as if that choice were fixed, so each of k
    choices may fail with delta/k on its own: the dearest choice at delta/k bounds them all.
    """
    branches = list(product(*(e.events if isinstance(e, Parallel) else (e,) for e in events)))
    return max(_fixed_epsilon(branch, delta / len(branches)) for branch in branches)


def _fixed_epsilon(events: Sequence[Draw], delta: float) -> float:
    """Epsilon at ``delta`` of events one after another: Gaussian ones exactly, pure ones added, or
    all by zCDP.
    """
    if any(isinstance(event, Minimiser) for event in events):
        return zcdp_epsilon(sum(event_rho(event) for event in events), delta)
    pure = sum(event.epsilon for event in events if isinstance(event, Exponential))
    added = pure + gdp_epsilon(
        math.hypot(*(event_mu(e) for e in events if isinstance(e, Gaussian))), delta
    )
    return (
        min(added, zcdp_epsilon(sum(event_rho(event) for event in events), delta))
        if pure
        else added
    )


def no_guarantee(budget: Budget, source: str) -> Guarantee:
    """The card of a reference that reads the private data without noise."""
    inf = math.inf
    return Guarantee(
        "pure",
        inf,
        budget.delta,
        ADD_REMOVE,
        "nothing: reads private data without noise",
        inf,
        inf,
        source,
    )


def nothing_private(method: str, params: Mapping[str, Any], budget: Budget, public: str) -> Plan:
    """The plan of a reference that reads no private record: epsilon is 0 whatever the budget."""
    planned = make_plan(
        method, params, budget, {}, source="no private record is read", public=public
    )
    return dataclasses.replace(
        planned, guarantee=dataclasses.replace(planned.guarantee, notion="pure")
    )


def make_plan(
    method: str,
    params: Mapping[str, Any],
    budget: Budget,
    events: Mapping[str, Event],
    *,
    source: str,
    public: str = ENCODER_PUBLIC,
    adjacency: str = ADD_REMOVE,
    notes: Mapping[str, Any] | None = None,
) -> Plan:
    """A plan whose guarantee is computed from its events.

    Raises:
        DpvizError: if the events cost more than ``budget``.
    """
    promise = guarantee(events, budget.delta, adjacency=adjacency, public=public, source=source)
    plan = Plan(method, dict(params), dict(events), promise, notes or {})
    check(plan, budget)
    return plan


def check(plan: Plan, budget: Budget) -> None:
    """Recompute what a plan costs and refuse one that exceeds the budget.

    Raises:
        DpvizError: with the cost and the budget.
    """
    if not budget.private or not plan.events:
        return
    old = plan.guarantee
    new = guarantee(
        plan.events, budget.delta, adjacency=old.adjacency, public=old.public, source=old.source
    )
    if budget.axis == "approx":
        cost, allowed, unit = new.epsilon_delta, budget.value, f"ε at δ={budget.delta:g}"
    elif budget.axis == "guess":
        cost, allowed, unit = 100 * success_bound(new), budget.value, "best guess"
    else:
        cost, allowed, unit = new.rho, allowed_rho(budget), "ρ"
    if not cost <= allowed:
        raise DpvizError(
            f"{plan.method} would spend {unit} = {cost:.6g}, above the budget of {allowed:.6g}; add"
            " noise."
        )
