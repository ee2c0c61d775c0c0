"""Ledger of the runs shown in one session and their privacy cost.

Each run is a release. Runs with independent noise compose (``session_totals``). Noise is a function
of the seed and of the method's noise stream. Two different runs with the same stream and seed share
their noise, and no bound holds for them. All data sets count as one, since one person may have a
record in each.
"""

from __future__ import annotations

import dataclasses
import math
from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from dpviz.privacy import session_totals
from dpviz.privacy.compose import ADD_REMOVE
from dpviz.privacy.convert import zcdp_epsilon
from dpviz.privacy.private_selection import OneRun
from dpviz.privacy.session_totals import (
    CAP_EPSILON,
    UNKNOWN_SCOPE,
    Cost,
    Scope,
    Selection,
    Total,
    planned_epsilon,
)
from dpviz.types import Event, Gaussian, Parallel, RunSpec


@dataclass(frozen=True)
class ShownRun:
    """One private run that was shown.

    Attributes:
        spec: what was asked, with budget, delta and seed; stream: of its noise, which methods may
            share; events: of its plan; release: which one it is, counted from 1, where its noise is
            the system's own and its seed says nothing; 0 for a replay.
        adjacency: of its guarantee; scope: which records it covers, and where it begins.
    """

    spec: RunSpec
    stream: str
    events: tuple[Event, ...]
    release: int = 0
    adjacency: str = ADD_REMOVE
    scope: Scope = UNKNOWN_SCOPE

    @property
    def cost(self) -> Cost:
        """Its cost; exact samplers of Gaussian noise are analyzed in zCDP alone."""
        exact = self.release > 0 and any(map(_has_gaussian, self.events))
        return Cost(self.events, self.adjacency, exact, self.scope)


def _has_gaussian(event: Event) -> bool:
    parts = event.events if isinstance(event, Parallel) else (event,)
    return any(isinstance(part, Gaussian) for part in parts)


@dataclass(frozen=True)
class Best:
    """The best of a secret number of runs, shown alone.

    Attributes:
        study: what tells it from others; spec: of its first run; stream: of their noise; seeds:
            that they may have; run: what each promises; mean, eta: of the number of runs, as in
            ``selection_price``; adjacency, scope: of each run's guarantee.
    """

    study: Hashable
    spec: RunSpec
    stream: str
    seeds: range
    run: OneRun
    mean: float
    eta: float
    adjacency: str = ADD_REMOVE
    scope: Scope = UNKNOWN_SCOPE

    @property
    def cost(self) -> Selection:
        """Its cost."""
        return Selection(self.run, self.mean, self.eta, self.adjacency, self.scope)


@dataclass(frozen=True)
class Line:
    """Runs that differ in budget and seed alone, or the best of many runs.

    Attributes:
        spec: one of them; runs: how many, 0 for the best of a secret number; budgets: how many;
            seeds: in order, empty for the best of many; fresh: epsilon of them, each with noise of
            its own; own: whether they share noise among themselves; other: a run of another line
            that has their noise; releases: whether their noise is the system's own.
        adjacency, scope: of their guarantees.
    """

    spec: RunSpec
    runs: int
    budgets: int
    seeds: tuple[int, ...]
    fresh: float
    own: bool
    other: RunSpec | None
    releases: bool = False
    adjacency: str = ADD_REMOVE
    scope: Scope = UNKNOWN_SCOPE

    @property
    def epsilon(self) -> float:
        """Of the line by itself; infinite where its runs share their noise."""
        return math.inf if self.own else self.fresh


@dataclass(frozen=True)
class Ledger:
    """All runs of a session, line by line, and their totals at one delta.

    Attributes:
        lines: in the order they were first shown; totals: as if no run shared noise, one for each
            group of runs whose guarantees can be stated as one.
        cap: on the sum of costs in zCDP, fixed before the first run; cap_epsilon: its epsilon at
            the ledger's delta.
    """

    lines: tuple[Line, ...]
    totals: tuple[Total, ...]
    cap: float
    cap_epsilon: float

    @property
    def shares_noise(self) -> bool:
        """Whether any two runs share noise, so that no bound holds."""
        return any(line.own or line.other for line in self.lines)

    @property
    def fresh(self) -> float:
        """Epsilon for a plan fixed beforehand, as if no run shared noise.

        Infinite where there is no single total.
        """
        if not self.totals:
            return 0.0
        return self.totals[0].epsilon if len(self.totals) == 1 else math.inf

    @property
    def epsilon(self) -> float:
        """Epsilon for a plan fixed beforehand; infinite where runs share noise.

        Guarantee: number and noise of the runs were chosen before the first result.
        """
        return math.inf if self.shares_noise else self.fresh


def ledger(
    shown: Iterable[ShownRun], best: Iterable[Best], delta: float, cap_epsilon: float = CAP_EPSILON
) -> Ledger:
    """Return the ledger at ``delta``; a run that is shown again is the same run.

    Args:
        cap_epsilon: session cap as epsilon at the default delta, chosen before the first run.
    """
    runs, chosen = tuple(dict.fromkeys(shown)), tuple(dict.fromkeys(best))
    settings: defaultdict[tuple, list[ShownRun]] = defaultdict(list)
    for one in runs:
        settings[(*_line_key(one.spec), one.release > 0)].append(one)
    own, other = _shared(runs, chosen)
    lines = [_line(rows, delta, own, other) for rows in settings.values()]
    for pick in chosen:
        alone = planned_epsilon((), [pick.cost], delta)
        shares = other.get(pick)
        line = Line(pick.spec, 0, 1, (), alone, False, shares)
        lines.append(dataclasses.replace(line, adjacency=pick.adjacency, scope=pick.scope))
    cap = session_totals.cap_rho(cap_epsilon)
    costs = [run.cost for run in runs], [pick.cost for pick in chosen]
    found = session_totals.totals(*costs, delta, cap)
    return Ledger(tuple(lines), found, cap, zcdp_epsilon(cap, delta))


def _line_key(spec: RunSpec) -> tuple:
    """What the runs of one line have in common: data, method and settings."""
    return (*spec.facts.values(), spec.method, spec.params)


def _line(
    rows: Sequence[ShownRun], delta: float, own: set[tuple], other: Mapping[object, RunSpec]
) -> Line:
    specs, alone = [row.spec for row in rows], planned_epsilon([r.cost for r in rows], (), delta)
    budgets = len({spec.budget for spec in specs})
    relation = rows[0].adjacency, rows[0].scope
    line = Line(specs[0], len(rows), budgets, (), alone, False, None, True, *relation)
    if rows[0].release:
        return line
    key, seeds = _line_key(specs[0]), tuple(sorted({spec.seed for spec in specs}))
    return dataclasses.replace(
        line, seeds=seeds, own=key in own, other=other.get(key), releases=False
    )


def _shared(
    runs: Sequence[ShownRun], best: Sequence[Best]
) -> tuple[set[tuple], Mapping[object, RunSpec]]:
    """Lines whose runs share noise among themselves, and by line a run of another that has its.

    Whatever data they read: who knows the records of one set gets the noise from it, and with the
    noise the other set.
    """
    noise: defaultdict[tuple[str, int], list[RunSpec]] = defaultdict(list)
    replays = [run for run in runs if not run.release]
    for run in replays:
        noise[run.stream, run.spec.seed].append(run.spec)
    own: set[tuple] = set()
    other: dict[object, RunSpec] = {}
    for specs in noise.values():
        count = Counter(map(_line_key, specs))
        own |= {key for key, times in count.items() if times > 1}
        if len(count) > 1:
            first, second = list({_line_key(spec): spec for spec in specs}.items())[:2]
            other |= {key: second[1] if key == first[0] else first[1] for key in count}
    for one in best:
        for run in replays:
            if run.stream == one.stream and run.spec.seed in one.seeds:
                other |= {one: run.spec, _line_key(run.spec): one.spec}
        for two in best:
            if two != one and two.stream == one.stream and two.seeds == one.seeds:
                other[one] = two.spec
    return own, other
