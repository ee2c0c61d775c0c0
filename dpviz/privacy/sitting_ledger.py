"""What one person has been shown in a sitting, and what all of it together tells about a record.

Every run shown is a release. Runs with noise of their own compose. Noise follows from a run's seed
and its method's stream alone, so two different runs of one stream at one seed share it: one sum
shown with the same noise at two scales gives the sum itself, and no bound holds. All data sets
count as one, as a person may have a record in each.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from dpviz.privacy.composition import composed_epsilon
from dpviz.privacy.selection_price import OneRun, selected_epsilon
from dpviz.types import Event, RunSpec


@dataclass(frozen=True)
class Shown:
    """One private run that was shown.

    Attributes:
        spec: what was asked, with budget, delta and seed; stream: of its noise, which methods may
            share; events: of its plan; release: which one it is, counted from 1, where its noise is
            the system's own and its seed says nothing; 0 for a replay.
    """

    spec: RunSpec
    stream: str
    events: tuple[Event, ...]
    release: int = 0


@dataclass(frozen=True)
class Best:
    """The best of a secret number of runs, shown alone.

    Attributes:
        study: what tells it from others; spec: of its first run; stream: of their noise; seeds:
            that they may have; run: what each promises; mean, eta: of the number of runs, as in
            ``selection_price``.
    """

    study: Hashable
    spec: RunSpec
    stream: str
    seeds: range
    run: OneRun
    mean: float
    eta: float


@dataclass(frozen=True)
class Line:
    """Runs that differ in budget and seed alone, or the best of many runs.

    Attributes:
        spec: one of them; runs: how many, 0 for the best of a secret number; budgets: how many;
            seeds: in order, empty for the best of many; fresh: epsilon of them, each with noise of
            its own; own: whether they share noise among themselves; other: a run of another line
            that has their noise; releases: whether their noise is the system's own.
    """

    spec: RunSpec
    runs: int
    budgets: int
    seeds: tuple[int, ...]
    fresh: float
    own: bool
    other: RunSpec | None
    releases: bool = False

    @property
    def epsilon(self) -> float:
        """Of the line by itself; infinite where its runs share their noise."""
        return math.inf if self.own else self.fresh


@dataclass(frozen=True)
class Ledger:
    """All that was shown, line by line, priced at one delta.

    Attributes:
        lines: in the order they were first shown; fresh: epsilon of everything, had every run had
            noise of its own.
    """

    lines: tuple[Line, ...]
    fresh: float

    @property
    def epsilon(self) -> float:
        """Of everything as it was drawn: infinite where any noise was shared.

        Guarantee: the runs may have been chosen in any way from what came before.
        """
        shared = any(line.own or line.other for line in self.lines)
        return math.inf if shared else self.fresh


def ledger(shown: Iterable[Shown], best: Iterable[Best], delta: float) -> Ledger:
    """The ledger at ``delta``; a run that is shown again is the same run."""
    runs, chosen = tuple(dict.fromkeys(shown)), tuple(dict.fromkeys(best))
    settings: defaultdict[tuple, list[Shown]] = defaultdict(list)
    for one in runs:
        settings[(*_alike(one.spec), one.release > 0)].append(one)
    own, other = _shared(runs, chosen)
    lines = [_line(rows, delta, own, other) for rows in settings.values()]
    for pick in chosen:
        alone = selected_epsilon(pick.run, pick.mean, pick.eta, delta)
        lines.append(Line(pick.spec, 0, 1, (), alone, False, other.get(pick)))
    return Ledger(tuple(lines), _fresh(runs, chosen, delta))


def _alike(spec: RunSpec) -> tuple:
    """What the runs of one line have in common: data, method and settings."""
    return (*spec.facts.values(), spec.method, spec.params)


def _line(
    rows: Sequence[Shown], delta: float, own: set[tuple], other: Mapping[object, RunSpec]
) -> Line:
    specs, alone = [row.spec for row in rows], _fresh(rows, (), delta)
    budgets = len({spec.budget for spec in specs})
    if rows[0].release:
        return Line(specs[0], len(rows), budgets, (), alone, False, None, True)
    key, seeds = _alike(specs[0]), tuple(sorted({spec.seed for spec in specs}))
    return Line(specs[0], len(rows), budgets, seeds, alone, key in own, other.get(key))


def _fresh(runs: Sequence[Shown], best: Sequence[Best], delta: float) -> float:
    """Epsilon at ``delta`` if noise is never shared. Each best of many takes an equal share of
    delta, and all runs together another one.
    """
    share = delta / max(1, len(best) + bool(runs))
    chosen = sum(selected_epsilon(one.run, one.mean, one.eta, share) for one in best)
    return chosen + composed_epsilon((e for one in runs for e in one.events), share)


def _shared(
    runs: Sequence[Shown], best: Sequence[Best]
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
        count = Counter(map(_alike, specs))
        own |= {key for key, times in count.items() if times > 1}
        if len(count) > 1:
            first, second = list({_alike(spec): spec for spec in specs}.items())[:2]
            other |= {key: second[1] if key == first[0] else first[1] for key in count}
    for one in best:
        for run in replays:
            if run.stream == one.stream and run.spec.seed in one.seeds:
                other |= {one: run.spec, _alike(run.spec): one.spec}
        for two in best:
            if two != one and two.stream == one.stream and two.seeds == one.seeds:
                other[one] = two.spec
    return own, other
