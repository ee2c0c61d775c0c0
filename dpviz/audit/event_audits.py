"""An audit of every event by itself: does it hide what it claims to hide?

A whole method's release may hide that one of its noises is missing. So each draw is looked at as
the strongest adversary sees it, in the transcript of the noisy outputs, by the statistic that tells
two neighbours apart best for any Gaussian noise: Fisher's discriminant with the covariance that
a quarter of the runs show. Noise that is too small, shared between classes or missing in a
coordinate makes that covariance small in a direction, and the discriminant finds the direction.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Iterator, Mapping
from types import MappingProxyType

import numpy as np

from dpviz import mechanisms, privacy
from dpviz.audit import distinguisher
from dpviz.audit.bounds import lower_bound
from dpviz.mechanisms import Transcript, UnitNoise
from dpviz.mechanisms.noise_recorder import Spoil
from dpviz.types import Draw, EventCase, Exponential, Gaussian, Guarantee, Method, Plan


@dataclasses.dataclass(frozen=True)
class EventAudit:
    """One event under one twin; figures are epsilon at the claim's delta, or pure."""

    event: str
    twin: str
    notion: str
    claimed: float
    audited: float
    twin_audited: float


def of_plan(
    method: Method,
    case: EventCase,
    plan: Plan,
    runs: int,
    spoiled: bool = True,
    weaker: Mapping[str, Plan] = MappingProxyType({}),
) -> Iterator[EventAudit]:
    """Every event that a case moves, with each of its twins.

    Events are spoiled in the same runs: each is told by its own outputs alone.

    Args:
        spoiled: whether their noise is spoiled in the ways of ``twins``; weaker: by the twin's
            name plans of the same events that keep less, and are held against the claim of
            ``plan``.
    """
    claims = {name: _claim(plan.draws[name], plan.guarantee.delta) for name in case.events}

    def spent(tables: Tables, name: str) -> float:
        return _spent_epsilon(tables, name, plan.draws[name], claims[name][0], runs)

    whole = _observed(method, case, plan, runs)
    honest = {name: spent(whole, name) for name in case.events}

    def rows(twin: str, names: Iterable[str], tables: Tables) -> Iterator[EventAudit]:
        for name in names:
            claim, claimed = claims[name]
            yield EventAudit(name, twin, claim.notion, claimed, honest[name], spent(tables, name))

    events = {name: plan.draws[name] for name in case.events}
    for twin, spoils in faulty_variants(whole, events, runs).items() if spoiled else ():
        yield from rows(twin, spoils, _observed(method, case, plan, runs, _neighbors_of(spoils)))
    for twin, without_record in weaker.items():
        yield from rows(twin, case.events, _observed(method, case, without_record, runs))


def _claim(event: Draw, delta: float) -> tuple[Guarantee, float]:
    """What an event alone promises, and its epsilon."""
    alone = privacy.guarantee({"event": event}, delta, adjacency="", public="", source="")
    pure = isinstance(event, Exponential)
    return alone, alone.value if pure else alone.epsilon_delta


Tables = tuple[Transcript, Transcript]
"""What runs on ``with_record`` and on ``without_record`` put out."""


def _observed(
    method: Method, case: EventCase, plan: Plan, runs: int, spoil: Spoil | None = None
) -> Tables:
    transcripts = []
    for data, first in ((case.with_record, 0), (case.without_record, runs)):
        with mechanisms.watched(plan.draws, spoil) as transcript:
            method.fit(data, [plan], list(range(first, first + runs)))
        transcripts.append(transcript)
    return transcripts[0], transcripts[1]


def _spent_epsilon(tables: Tables, name: str, event: Draw, claim: Guarantee, runs: int) -> float:
    """Epsilon that the outputs of an event show to be spent; the statistic is learned on a quarter
    of the runs and tried on the others.
    """
    with_record, without_record = (
        table.table(name, list(range(first, first + runs)))
        for table, first in zip(tables, (0, runs), strict=True)
    )
    learn = slice(None, runs // 4)
    statistic = distinguisher.odds if isinstance(event, Exponential) else distinguisher.discriminant
    score = statistic(with_record[learn], without_record[learn])
    return lower_bound(score(with_record[runs // 4 :]), score(without_record[runs // 4 :]), claim)


# -------------------------------------------------------------------------------------------- twins


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
    missing = [name for name in several if isinstance(events[name], Gaussian)]
    variants: dict[str, dict[str, Change]] = {
        "half the noise": dict.fromkeys(events, _halved),
        "one noise for all": {name: _shared(list(several[name])) for name in several},
        "no noise in one coordinate": {
            n: _missing(*_largest_move(tables, n, runs)) for n in missing
        },
    }
    return {way: changes for way, changes in variants.items() if changes}


def _neighbors_of(changes: Mapping[str, Change]) -> Spoil:
    return lambda event, noise: changes[event](noise) if event in changes else noise


def _halved(noise: UnitNoise) -> UnitNoise:
    assert noise.values is not None
    return dataclasses.replace(noise, values=noise.values / 2)


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
        return dataclasses.replace(noise, values=values)

    return spoil


def _largest_move(tables: Tables, name: str, runs: int) -> tuple[str, int]:
    """The draw and the place in it that the neighbours move most."""
    means = [
        table.table(name, list(range(first, first + runs))).mean(axis=0)
        for table, first in zip(tables, (0, runs), strict=True)
    ]
    place = int(np.argmax(np.abs(means[0] - means[1])))
    for label, size in _labels(tables[0], name).items():
        if place < size:
            return label, place
        place -= size
    raise AssertionError("a place outside the table")


def _missing(label: str, place: int) -> Change:
    def spoil(noise: UnitNoise) -> UnitNoise:
        if noise.label != label:
            return noise
        assert noise.values is not None
        values = np.array(noise.values)
        values.ravel()[place] = 0
        return dataclasses.replace(noise, values=values)

    return spoil
