"""Audits of the methods themselves: each is run many times on two worst-case neighbours."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from dpviz import methods
from dpviz.audit import event_audits
from dpviz.audit.bounds import lower_bound
from dpviz.audit.event_audits import EventAudit
from dpviz.audit.trade_off_audit import claimed
from dpviz.types import AuditCase, Dataset, EventCase, Guarantee, Method, Plan

RUNS = 20_000
QUICK_RUNS = 1_500
ALL = "the release"


@dataclass(frozen=True)
class Audit:
    """One row of the table: ``claimed`` and ``audited`` are epsilon at the claim's delta (0 for
    pure).

    Attributes:
        event: the draw that is looked at, or ALL for the release as a whole; twin: how the twin
            breaks the claim.
    """

    method: str
    params: Mapping[str, Any]
    notion: str
    adjacency: str
    claimed: float
    audited: float
    twin_audited: float
    runs: int
    event: str = ALL
    twin: str = "half the noise"

    @property
    def holds(self) -> bool:
        """The audit stays under the claim."""
        return self.audited <= self.claimed

    @property
    def twin_caught(self) -> bool:
        """The twin is seen to break the claim."""
        return self.twin_audited > self.claimed


def private_methods() -> list[str]:
    """The keys of the methods that are audited."""
    return [key for key, method in methods.METHODS.items() if method.private]


def audit(key: str, runs: int = RUNS) -> list[Audit]:
    """Audit a private method on each of its cases, and each of its events."""
    method = methods.get(key)
    return [*of_method(method, runs), *of_events(method, runs)]


def of_method(method: Method, runs: int) -> list[Audit]:
    """Audit a method, in the table or not, on each of its cases."""
    cases = method.cases() if method.cases else []
    return [_of_case(method, case, int(runs * case.share)) for case in cases]


def of_events(method: Method, runs: int) -> list[Audit]:
    """Audit every event of a method by itself, under each of its twins."""
    rows = []
    for case in method.event_cases() if method.event_cases else []:
        plan = method.plan(case.without_record.sizes, case.budget, method.check(case.params))
        affordable = int(runs * case.share)
        audits = event_audits.of_plan(method, case, plan, affordable)
        rows += event_rows(method, case, plan, audits, affordable)
    return rows


def event_rows(
    method: Method, case: EventCase, plan: Plan, found: Iterable[EventAudit], runs: int
) -> list[Audit]:
    """The rows of what was ``found`` of a case's events under a plan."""
    facts = method.key, dict(case.params)
    neighbours = plan.guarantee.adjacency
    return [
        Audit(
            *facts,
            one.notion,
            neighbours,
            *(one.claimed, one.audited, one.twin_audited),
            runs,
            one.event,
            one.twin,
        )
        for one in found
    ]


def _of_case(method: Method, case: AuditCase, runs: int) -> Audit:
    plan = method.plan(case.without_record.sizes, case.budget, method.check(case.params))
    claim = plan.guarantee
    audited, faulty = (spent_epsilon(method, case, p, claim, runs) for p in (plan, case.twin(plan)))
    return Audit(
        method.key,
        dict(case.params),
        claim.notion,
        claim.adjacency,
        claimed(claim),
        audited,
        faulty,
        runs,
    )


def spent_epsilon(
    method: Method, case: AuditCase, plan: Plan, claim: Guarantee, runs: int
) -> float:
    """Epsilon that the runs show to be spent, in the claim's own notion."""

    def statistics(data: Dataset, first: int) -> np.ndarray:
        releases = method.fit(data, [plan], list(range(first, first + runs))).releases[0]
        return np.array([case.statistic(release, data) for release in releases])

    return lower_bound(
        statistics(case.with_record, 0), statistics(case.without_record, runs), claim
    )
