"""Audits of the methods themselves: whole releases, and every event by itself.

A whole release may hide that one of its noises is missing. So each draw is audited as the strongest
adversary sees it, in the transcript of the noisy outputs, by the statistic that tells two neighbors
apart best for any Gaussian noise: Fisher's discriminant with the covariance that a quarter of the
runs show. Noise that is too small, shared between classes or missing in a coordinate makes that
covariance small in a direction, and the discriminant finds the direction.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType
from typing import Any, TypeVar

import numpy as np

from dpviz import mechanisms, methods, privacy
from dpviz.audits import distinguisher
from dpviz.audits.bounds import lower_bound
from dpviz.audits.trade_off_audit import claimed
from dpviz.mechanisms import Transcript, UnitNoise
from dpviz.mechanisms.noise_recorder import Spoil
from dpviz.types import (
    AuditCase,
    Draw,
    EventCase,
    Exponential,
    Gaussian,
    Guarantee,
    Method,
    Plan,
)

RUNS = 20_000
QUICK_RUNS = 800
"""Runs of a method as it is; most faulty variants are caught with as many or fewer."""
REPEATS = (1, 2, 4)
"""Factors of the runs of an audit: the next one is tried where a faulty variant was missed."""
EARLY_REPEATS, MAX_EARLY_RUNS = (0.25, 0.5), 2_000
"""Factors with which faulty variants are tried first in an audit of at most so many runs."""
MIN_VARIANT_RUNS = 100
Case = TypeVar("Case", AuditCase, EventCase)
WHOLE_RELEASE = "the release"
HALF_NOISE = "half the noise"


@dataclass(frozen=True)
class Audit:
    """One row of the table; figures are epsilon at the claim's delta (0 for pure).

    Attributes:
        runs: of the method as it is, on each neighbor.
        event: the audited draw, or WHOLE_RELEASE.
        faulty_variant: how the faulty variant breaks the claim; variant_audited: what it shows;
            variant_runs: its runs if not ``runs``. One that breaks the claim plainly needs fewer.
    """

    method: str
    params: Mapping[str, Any]
    notion: str
    adjacency: str
    claimed: float
    audited: float
    variant_audited: float
    runs: int
    event: str = WHOLE_RELEASE
    faulty_variant: str = HALF_NOISE
    variant_runs: int | None = None

    @property
    def holds(self) -> bool:
        """Whether the audited epsilon is at most the claim."""
        return self.audited <= self.claimed

    @property
    def variant_caught(self) -> bool:
        """Whether the audit shows that the faulty variant breaks the claim."""
        return self.variant_audited > self.claimed


def private_methods() -> list[str]:
    """Keys of the audited methods."""
    return [key for key, method in methods.METHODS.items() if method.private]


def audit(key: str, runs: int = RUNS) -> list[Audit]:
    """Audit a private method on each of its cases, and each of its events."""
    method = methods.get(key)
    return [*of_method(method, runs), *of_events(method, runs)]


@dataclass(frozen=True)
class Step:
    """One attempt of an audit.

    Attributes:
        runs: of the method as it is, on each neighbor; variant_runs: of each faulty variant.
        missed: (event, variant) of the faulty variants to try; None for all.
    """

    runs: int
    variant_runs: int
    missed: frozenset[tuple[str, str]] | None = None

    @classmethod
    def single(cls, runs: int) -> Step:
        """Return an attempt with equal runs of the method and all its faulty variants."""
        return cls(runs, runs)

    def events(self, variant: str, names: Iterable[str]) -> list[str]:
        """Return the events of ``names`` for which this variant is to be tried."""
        return [name for name in names if self.missed is None or (name, variant) in self.missed]


Rows = Callable[[Step], Iterable[Audit]]


def of_cases(rows_of: Callable[[Case], Rows], cases: Iterable[Case], runs: int) -> list[Audit]:
    """Return the audits of each case, with its share of the runs; see ``until_caught``."""
    return [row for case in cases for row in until_caught(rows_of(case), int(runs * case.share))]


def until_caught(rows_of: Rows, runs: int) -> list[Audit]:
    """Return an audit's rows, with up to four times the runs while a faulty variant is missed.

    Only missed variants are tried again, and the method as it is never has fewer runs than they. A
    bound that exceeds the claim ends the audit: more runs must not hide it. An audit with half of
    RUNS or more is not repeated.
    """
    rows: dict[tuple[str, str], Audit] = {}
    missed: frozenset[tuple[str, str]] | None = None
    for variant_runs in _variant_runs(runs):
        step = Step(max(runs, variant_runs), variant_runs, missed)
        rows |= {(row.event, row.faulty_variant): row for row in rows_of(step)}
        missed = frozenset(key for key, row in rows.items() if not row.variant_caught)
        if not missed or not all(row.holds for row in rows.values()):
            break
    return list(rows.values())


def _variant_runs(runs: int) -> Iterator[int]:
    """Yield the runs with which faulty variants are tried, one after the other."""
    early = EARLY_REPEATS if runs <= MAX_EARLY_RUNS else ()
    for number in dict.fromkeys(max(MIN_VARIANT_RUNS, int(runs * part)) for part in early):
        if number < runs:
            yield number
    for repeat in REPEATS:
        yield runs * repeat
        if runs * repeat >= RUNS // 2:
            return


# ---------------------------------------------------------------------------------- whole releases


def of_method(method: Method, runs: int) -> list[Audit]:
    """Audit a method, in the table or not, on each of its cases."""

    def rows_of(case: AuditCase) -> Rows:
        plan = case_plan(method, case)
        return release_rows(method, case, (plan, case.faulty_variant(plan)))

    return of_cases(rows_of, method.cases() if method.cases else [], runs)


def case_plan(method: Method, case: AuditCase | EventCase) -> Plan:
    """Return the plan of a method with the budget and the settings of a case."""
    return method.plan(case.without_record.sizes, case.budget, method.check(case.params))


def release_rows(
    method: Method, case: AuditCase, plans: tuple[Plan, Plan], faulty_variant: str = HALF_NOISE
) -> Rows:
    """Return the audit of a case, under a plan and under a faulty variant with the same claim."""
    claim = plans[0].guarantee
    honest, variant = (_Statistics(method, case, plan) for plan in plans)
    spent = cache(lambda runs: lower_bound(*honest.samples(runs), claim))

    def rows(step: Step) -> Iterator[Audit]:
        yield Audit(
            method.key,
            dict(case.params),
            claim.notion,
            claim.adjacency,
            claimed(claim),
            spent(step.runs),
            lower_bound(*variant.samples(step.variant_runs), claim),
            step.runs,
            faulty_variant=faulty_variant,
            variant_runs=step.variant_runs,
        )

    return rows


class _Statistics:
    """Statistics of releases on two neighbors; runs that were made are not made again."""

    def __init__(self, method: Method, case: AuditCase, plan: Plan) -> None:
        self._method, self._case, self._plan = method, case, plan
        self._made: tuple[list[float], list[float]] = ([], [])

    def samples(self, runs: int) -> tuple[np.ndarray, np.ndarray]:
        """Statistics (runs,) with the record, and without it."""
        case = self._case
        for side, data in enumerate((case.with_record, case.without_record)):
            made = self._made[side]
            if new := seeds(side, len(made), runs):
                releases = self._method.fit(data, [self._plan], list(new)).releases[0]
                made += [case.statistic(release, data) for release in releases]
        present, absent = (np.array(made[:runs]) for made in self._made)
        return present, absent


def seeds(side: int, first: int, end: int) -> range:
    """Seeds of runs ``first`` to ``end`` on one of two neighbors (side 0 or 1); no two share one,
    and a run keeps its seed where more follow.
    """
    return range(2 * first + side, 2 * end + side, 2)


# ------------------------------------------------------------------------------------ single events


def of_events(method: Method, runs: int) -> list[Audit]:
    """Audit every event of a method by itself, under each of its faulty variants."""
    return of_cases(
        lambda case: event_rows(method, case, case_plan(method, case)),
        method.event_cases() if method.event_cases else [],
        runs,
    )


def event_rows(
    method: Method,
    case: EventCase,
    plan: Plan,
    is_spoiled: bool = True,
    weaker: Mapping[str, Plan] = MappingProxyType({}),
) -> Rows:
    """Return the audits of every event that a case moves, under each of its faulty variants.

    Events are spoiled in the same runs: each is judged by its own outputs alone.

    Args:
        is_spoiled: whether their noise is spoiled in the ways of ``faulty_variants``.
        weaker: by the variant's name, plans of the same events with less noise, which are held
            against the claim of ``plan``.
    """
    events = {name: plan.draws[name] for name in case.events}
    claims = {name: _claim(event, plan.guarantee.delta) for name, event in events.items()}
    honest = _Observed(method, case, plan)

    def spent(observed: _Observed, name: str, runs: int) -> float:
        return _event_epsilon(observed.tables(runs), name, events[name], claims[name][0], runs)

    audited = cache(lambda name, runs: spent(honest, name, runs))

    variants: dict[str, tuple[Iterable[str], _Observed]] = {}

    def choose_variants(runs: int) -> None:
        if is_spoiled:
            for variant, spoils in faulty_variants(honest.tables(runs), events, runs).items():
                variants[variant] = spoils, _Observed(method, case, plan, _spoil(spoils))
        for variant, weaker_plan in weaker.items():
            variants[variant] = events, _Observed(method, case, weaker_plan)

    def rows(step: Step) -> Iterator[Audit]:
        if not variants:  # later attempts add runs to those of the first
            choose_variants(step.runs)
        for variant, (possible, observed) in variants.items():
            caught = True
            for name in step.events(variant, possible):
                claim, claimed_epsilon = claims[name]
                row = Audit(
                    method.key,
                    dict(case.params),
                    claim.notion,
                    plan.guarantee.adjacency,
                    claimed_epsilon,
                    audited(name, step.runs),
                    spent(observed, name, step.variant_runs),
                    step.runs,
                    name,
                    variant,
                    step.variant_runs,
                )
                caught &= row.variant_caught
                yield row
            if caught:
                observed.forget()  # tables of many runs are large

    return rows


def _claim(event: Draw, delta: float) -> tuple[Guarantee, float]:
    """Guarantee of a single event, and its epsilon."""
    alone = privacy.guarantee({"event": event}, delta, adjacency="", public="", source="")
    pure = isinstance(event, Exponential)
    return alone, alone.value if pure else alone.epsilon_delta


Tables = tuple[Transcript, Transcript]
"""What runs on ``with_record`` and on ``without_record`` put out."""


class _Observed:
    """Transcripts of runs on two neighbors; runs that were made are not made again."""

    def __init__(
        self, method: Method, case: EventCase, plan: Plan, spoil: Spoil | None = None
    ) -> None:
        self._method, self._case, self._plan, self._spoil = method, case, plan, spoil
        self.forget()

    def forget(self) -> None:
        """Drop all runs."""
        self._made = 0
        self._tables = (Transcript(self._plan.draws), Transcript(self._plan.draws))

    def tables(self, runs: int) -> Tables:
        """Transcripts of so many runs on each neighbor, or more."""
        sets = self._case.with_record, self._case.without_record
        for side, (data, table) in enumerate(zip(sets, self._tables, strict=True)):
            if new := seeds(side, self._made, runs):
                with mechanisms.watched(self._plan.draws, self._spoil) as transcript:
                    self._method.fit(data, [self._plan], list(new))
                table.extend(transcript)
        self._made = max(self._made, runs)
        return self._tables


def _event_epsilon(tables: Tables, name: str, event: Draw, claim: Guarantee, runs: int) -> float:
    """Epsilon that the outputs of an event show to be spent; the statistic is learned on a quarter
    of the runs and tried on the others.
    """
    present, absent = _outputs(tables, name, runs)
    learned = runs // 4
    statistic = distinguisher.odds if isinstance(event, Exponential) else distinguisher.discriminant
    score = statistic(present[:learned], absent[:learned])
    return lower_bound(score(present[learned:]), score(absent[learned:]), claim)


def _outputs(tables: Tables, name: str, runs: int) -> list[np.ndarray]:
    """Noisy outputs (runs, k) of an event with the record, and without it."""
    return [table.table(name, seeds(side, 0, runs)) for side, table in enumerate(tables)]


# --------------------------------------------------------------------------------- faulty variants

Change = Callable[[UnitNoise], UnitNoise]


def faulty_variants(
    tables: Tables, events: Mapping[str, Draw], runs: int
) -> dict[str, dict[str, Change]]:
    """Ways to spoil events' noise under the same claim that their audits must catch: by the way's
    name and the event's.
    """
    several = {
        name: labels for name in events if sum((labels := _labels(tables[0], name)).values()) > 1
    }
    gaussian = [name for name in several if isinstance(events[name], Gaussian)]
    variants: dict[str, dict[str, Change]] = {
        HALF_NOISE: dict.fromkeys(events, _halved),
        "one noise draw for all": {name: _shared(list(several[name])) for name in several},
        "no noise in one coordinate": {
            name: _missing(*_largest_move(tables, name, runs)) for name in gaussian
        },
    }
    return {variant: changes for variant, changes in variants.items() if changes}


def _spoil(changes: Mapping[str, Change]) -> Spoil:
    return lambda event, noise: changes[event](noise) if event in changes else noise


def _halved(noise: UnitNoise) -> UnitNoise:
    assert noise.values is not None
    return noise.with_values(noise.values / 2)


def _labels(transcript: Transcript, name: str) -> dict[str, int]:
    """Draws of a run of the event and how many numbers each has."""
    run = next(iter(transcript.outputs[name].values()))
    return {label: run[label].size for label in sorted(run)}


def _shared(labels: list[str]) -> Change:
    """The first draw's noise for all draws of a run; within one draw, its first part's for all."""
    first: dict[object, np.ndarray] = {}

    def spoil(noise: UnitNoise) -> UnitNoise:
        assert noise.values is not None
        if len(labels) == 1:
            values = np.broadcast_to(noise.values[:1], noise.shape).copy()
        else:
            values = first.setdefault(noise.seed, noise.values)
        return noise.with_values(values)

    return spoil


def _largest_move(tables: Tables, name: str, runs: int) -> tuple[str, int]:
    """Draw and coordinate with the largest difference between the neighbors."""
    means = [outputs.mean(axis=0) for outputs in _outputs(tables, name, runs)]
    place = int(np.argmax(np.abs(means[0] - means[1])))
    for label, size in _labels(tables[0], name).items():
        if place < size:
            return label, place
        place -= size
    raise AssertionError("an index outside the table")


def _missing(label: str, place: int) -> Change:
    def spoil(noise: UnitNoise) -> UnitNoise:
        if noise.label != label:
            return noise
        assert noise.values is not None
        values = np.array(noise.values)
        values.ravel()[place] = 0
        return noise.with_values(values)

    return spoil
