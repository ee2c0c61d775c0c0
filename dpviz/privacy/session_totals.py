"""Total privacy cost of the runs shown in one session, for each adjacency relation.

Two totals hold under different conditions.

- Plan fixed beforehand: the number of runs, their order and their noise were chosen before the
  first result. The cost is that of their composition.
- Privacy filter: runs may be chosen after seeing results, and so may the moment to stop. The costs
  in zCDP add up, and the total is a cap on the sum that was fixed before the first result.

Runs are summed under one adjacency relation. Replacing a record is one removal and one addition, so
an add-or-remove run counts with twice its sensitivity there. The reverse does not hold. A run that
takes records as public bounds nothing for a run that protects these records, so the two have
separate totals.

Runs may begin at different subsets of one data set. Their total holds for one record added to or
removed from each subset, while the other records of each subset stay the same. This is the relation
of each guarantee. It does not cover how a record changes which others are in a subset.

Source: Feldman & Zrnic 2021, "Individual Privacy Accounting via a Rényi Filter", and Whitehouse,
Ramdas, Rogers & Wu 2023, "Fully-Adaptive Composition in Differential Privacy" (filters for zCDP
without loss; Smith & Thakurta 2022 for Gaussian DP); Dong, Roth & Su 2019, Theorem 2.14, and Bun &
Steinke 2016, Proposition 1.9 (group privacy).
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from dpviz.privacy.compose import ADD_REMOVE, REPLACE_IN_CLASS, event_rho
from dpviz.privacy.composition import composed_epsilon
from dpviz.privacy.convert import PRIVATE_SIDE, zcdp_epsilon, zcdp_rho
from dpviz.privacy.persons import ADD_REMOVE_PERSON, REPLACE_PERSON
from dpviz.privacy.private_selection import OneRun, selected_epsilon
from dpviz.types import DELTA, Event, Exponential, Gaussian, Minimiser, Parallel

#: Replace-one relation in which runs of an add-or-remove relation can be restated.
REPLACES = {ADD_REMOVE: REPLACE_IN_CLASS, ADD_REMOVE_PERSON: REPLACE_PERSON}
#: Epsilon at ``DELTA`` of the session cap, unless another is chosen before the first run.
CAP_EPSILON = 10.0


#: A set of records: the name of its source, and which part of the source.
Records = tuple[str, str]


@dataclass(frozen=True)
class Scope:
    """Records that one or more runs cover.

    Attributes:
        protects: sets of which one record makes neighbors; public: sets taken as public.
        labeled: whether labeled public records are among the protected ones.
        starts: what is done to the data before the guarantee begins.
        divided: sources whose training and test records a data draw divides, with its number. What
            one draw trains on is public test data under another.
    """

    protects: frozenset[Records] = frozenset()
    public: frozenset[Records] = frozenset()
    labeled: bool = False
    starts: str = ""
    divided: frozenset[tuple[str, int]] = frozenset()

    def contests(self, other: Scope) -> bool:
        """Whether one takes records as public that the other protects."""
        ours = dict(self.divided)
        if any(ours.get(source, draw) != draw for source, draw in other.divided):
            return True
        return bool(self.protects & other.public or self.public & other.protects)

    def joined(self, other: Scope) -> Scope:
        """Scope of the runs of both."""
        sets = self.protects | other.protects, self.public | other.public
        return Scope(*sets, self.labeled or other.labeled, divided=self.divided | other.divided)


UNKNOWN_SCOPE = Scope()


@dataclass(frozen=True)
class Cost:
    """Cost of one run.

    Attributes:
        events: of its plan; adjacency: of its guarantee; scope: which records it covers.
        exact: whether discrete samplers drew the noise, which is analyzed in zCDP alone.
    """

    events: tuple[Event, ...]
    adjacency: str = ADD_REMOVE
    exact: bool = False
    scope: Scope = UNKNOWN_SCOPE


@dataclass(frozen=True)
class Selection:
    """Cost of the best of a secret number of runs.

    Attributes:
        run: guarantee of each run; mean, eta: of the number of runs, as in ``selection_price``.
        adjacency: of each run's guarantee; scope: which records each run covers.
    """

    run: OneRun
    mean: float
    eta: float
    adjacency: str = ADD_REMOVE
    scope: Scope = UNKNOWN_SCOPE


@dataclass(frozen=True)
class Total:
    """Cost of all runs whose guarantees can be stated for one adjacency relation.

    Attributes:
        adjacency: the relation; restated: whether runs of another relation are among them.
        epsilon: for a plan fixed beforehand.
        runs: how many; selections: how many more have no cost in zCDP.
        rho: sum of the runs' costs in zCDP; beyond: runs from the first that exceeds the cap on.
        scope: which records the runs cover.
    """

    adjacency: str
    restated: bool
    epsilon: float
    runs: int
    selections: int
    rho: float
    beyond: int
    scope: Scope = UNKNOWN_SCOPE

    @property
    def adaptive(self) -> bool:
        """Whether the cap bounds everything, however it was chosen."""
        return not self.beyond and not self.selections


def cap_rho(epsilon: float) -> float:
    """Session cap in zCDP whose epsilon at ``DELTA`` is ``epsilon``."""
    return zcdp_rho(epsilon, DELTA)


def totals(
    runs: Sequence[Cost], selections: Sequence[Selection], delta: float, cap: float
) -> tuple[Total, ...]:
    """Return one total for each group of runs whose guarantees can be stated as one.

    Their adjacency relations can be restated as one, and no run takes records as public that
    another run of the group protects.
    """
    every: list[Cost | Selection] = [*runs, *selections]
    groups: list[_Group] = []
    for one in every:
        relation = REPLACES.get(one.adjacency, one.adjacency)
        alike = (g for g in groups if g.relation == relation and not g.scope.contests(one.scope))
        group = next(alike, None)
        if group is None:
            group = _Group(relation)
            groups.append(group)
        group.runs.append(one)
        group.scope = group.scope.joined(one.scope)
    return tuple(_total(group.runs, group.scope, delta, cap) for group in groups)


@dataclass
class _Group:
    """Runs of one total."""

    relation: str
    runs: list[Cost | Selection] = field(default_factory=list)
    scope: Scope = UNKNOWN_SCOPE


def _total(group: Sequence[Cost | Selection], scope: Scope, delta: float, cap: float) -> Total:
    relations = {one.adjacency for one in group}
    mixed = len(relations) > 1
    target = REPLACES[min(relations & set(REPLACES))] if mixed else min(relations)
    runs = [_run(one, target) for one in group if isinstance(one, Cost)]
    selections = [_selection(one, target) for one in group if isinstance(one, Selection)]
    used, within = 0.0, 0
    for run in runs:
        used += run.rho
        within += used <= cap * (1 + PRIVATE_SIDE)
    return Total(
        adjacency=target,
        restated=mixed,
        epsilon=_planned(runs, selections, delta),
        runs=len(runs),
        selections=len(selections),
        rho=used,
        beyond=len(runs) - within,
        scope=scope,
    )


def planned_epsilon(runs: Iterable[Cost], selections: Iterable[Selection], delta: float) -> float:
    """Epsilon at ``delta`` of runs of one adjacency relation, for a plan fixed beforehand."""
    return _planned([_run(run, run.adjacency) for run in runs], list(selections), delta)


@dataclass(frozen=True)
class _Run:
    """A run under the relation of the total: events, cost in zCDP, and whether that is all."""

    events: tuple[Event, ...]
    rho: float
    zcdp: bool


def _selection(one: Selection, target: str) -> Selection:
    if one.adjacency == target:
        return one
    run = one.run
    twice = OneRun(4 * run.rho, 2 * run.pure, None if run.mu is None else 2 * run.mu)
    return dataclasses.replace(one, run=twice, adjacency=target)


def _run(one: Cost, target: str) -> _Run:
    curved = any(isinstance(event, Minimiser) for event in one.events)
    if one.adjacency == target:
        return _Run(one.events, sum(map(event_rho, one.events)), curved or one.exact)
    if curved:  # group privacy of its zCDP
        return _Run(one.events, 4 * sum(map(event_rho, one.events)), True)
    events = tuple(map(_doubled, one.events))
    return _Run(events, sum(map(event_rho, events)), one.exact)


def _doubled(event: Event) -> Event:
    """The event for one removal and one addition; sampling is not counted."""
    if isinstance(event, Parallel):
        return dataclasses.replace(event, events=tuple(map(_doubled, event.events)))  # type: ignore[arg-type]
    if isinstance(event, Exponential):
        return Exponential(2 * event.sensitivity, 2 * event.epsilon)
    assert isinstance(event, Gaussian)
    return dataclasses.replace(event, sensitivity=2 * event.sensitivity, rate=1.0)


def _planned(runs: Sequence[_Run], selections: Sequence[Selection], delta: float) -> float:
    """Each selection takes an equal share of delta, and all runs together another one."""
    share = delta / max(1, len(selections) + bool(runs))
    chosen = sum(selected_epsilon(one.run, one.mean, one.eta, share) for one in selections)
    if any(run.zcdp for run in runs):
        rho = sum(run.rho for run in runs)
        return chosen + (math.inf if math.isinf(rho) else zcdp_epsilon(rho, share))
    return chosen + composed_epsilon((event for run in runs for event in run.events), share)
