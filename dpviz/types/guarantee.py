"""What is asked for, what is drawn, and what is promised."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple


@dataclass(frozen=True)
class Gaussian:
    """``times`` adaptive Gaussian releases of L2 sensitivity ``sensitivity`` with noise sd
    ``sigma``.

    Attributes:
        rate: chance with which each record is in a release, by a coin of its own for each that
            nobody sees; 1 is every record in every release, and bounds what a lower one costs.
    """

    sensitivity: float
    sigma: float
    times: int = 1
    rate: float = 1.0


@dataclass(frozen=True)
class Exponential:
    """A draw with P proportional to exp(epsilon * u / sensitivity) for a monotone utility u:
    epsilon-DP.
    """

    sensitivity: float
    epsilon: float


@dataclass(frozen=True)
class Minimiser:
    """The point where a convex sum of records' losses plus ``ridge``/2 |w|^2 plus a Gaussian linear
    term is least, found as closely as ``distance`` says, with a little more noise on it.

    Attributes:
        sensitivity: L2 norm of one record's gradient at most, wherever it is taken.
        sigma: sd of each number of the linear term.
        ridge: > 0; a public number.
        largest, trace: of the eigenvalues of one record's Hessian: the largest and their sum, at
            most.
        corners: ln of how many points the hull has that one record's gradients lie in.
        distance: L2, at most, between what is found and the exact minimiser; blur: sd of each
            number of the noise on what is found.
    """

    sensitivity: float
    sigma: float
    ridge: float
    largest: float
    trace: float
    corners: float
    distance: float
    blur: float


Draw = Gaussian | Exponential | Minimiser
"""What draws noise once for all of the records it is given."""


@dataclass(frozen=True)
class Parallel:
    """Releases of disjoint parts of the data, such as classes: one record is in one part, so the
    dearest counts.

    Which part takes which must not depend on private records.

    Attributes:
        shared: whether whoever is protected may have records in several parts, as a person may.
    """

    events: tuple[Gaussian | Exponential, ...]
    shared: bool = False


Event = Draw | Parallel


class Sampled(NamedTuple):
    """Gaussian releases of sampled records: mu of one of them if nothing were left to chance, the
    chance that a record is in it, and how many there are.
    """

    mu: float
    rate: float
    times: int


@dataclass(frozen=True)
class Guarantee:
    """What a release promises, and under which reading.

    Attributes:
        notion: ``pure``, ``zcdp``, ``gdp`` or ``approx``; value: epsilon, rho, mu or epsilon in it.
        delta: the delta of ``epsilon_delta`` (and of ``approx``).
        adjacency: which data sets are neighbours.
        public: what is taken to be known anyway.
        epsilon_delta: epsilon at ``delta``; rho: the zCDP value. Both may be inf, never missing.
        source: paper and theorem.
        unit: who is protected, a record or a person, and what that is; starts: what was done to
            the data before the guarantee begins.
        defaults: on which data the defaults were chosen, which nobody pays for.
        of_record: epsilon at ``delta`` that the same release promises to one record, where the
            promise is to a person; None where it is to a record.
        bounded_range: whether the losses of a pure promise lie in one interval of length epsilon,
            as those of one choice by an exponential mechanism do.
        sampled: the releases of sampled records that are all that is promised about; None where
            there are others, or none.
        held_aside: training images that are treated as public before the guarantee begins.
        schedule: how many steps the budget pays for and how many are run, in one sentence; empty
            where a setting fixes them.
    """

    notion: str
    value: float
    delta: float
    adjacency: str
    public: str
    epsilon_delta: float
    rho: float
    source: str
    unit: str = "one record = one image"
    starts: str = "at the feature vectors"
    defaults: str = "may have been selected on this data, at no stated cost"
    of_record: float | None = None
    bounded_range: bool = False
    sampled: Sampled | None = None
    held_aside: int = 0
    schedule: str = ""


@dataclass(frozen=True)
class Plan:
    """What will be released, with how much noise, made from sizes and budget alone.

    Attributes:
        method: key; params: every parameter with its value.
        events: what is drawn, by name; composed one after another, each already counted once over
            the classes where they are disjoint.
        guarantee: recomputed from ``events`` by ``privacy.guarantee``.
        notes: anything more that fit needs, or that a reader wants (class choices, reasons).
        records_per_person: records that a person may have, where the promise is to a person; 0
            where it is to a record.
        record_sensitivity_ratio: how far one record moves an event at most, as a multiple of its
            sensitivity, which is what whoever is protected moves it.
    """

    method: str
    params: Mapping[str, Any]
    events: Mapping[str, Event]
    guarantee: Guarantee
    notes: Mapping[str, Any] = field(default_factory=dict)
    records_per_person: int = 0
    record_sensitivity_ratio: float = 1.0

    @property
    def draws(self) -> dict[str, Draw]:
        """Every event that draws noise, by name: the parts of a Parallel are ``name 1``, ``name
        2`` ...
        """
        found: dict[str, Draw] = {}
        for name, event in self.events.items():
            if isinstance(event, Parallel):
                found |= {f"{name} {i}": part for i, part in enumerate(event.events, start=1)}
            else:
                found[name] = event
        return found

    def gaussian(self, name: str) -> Gaussian:
        """The Gaussian event of that name."""
        event = self.events[name]
        assert isinstance(event, Gaussian)
        return event

    def exponential(self, name: str) -> Exponential:
        """The exponential event of that name."""
        event = self.events[name]
        assert isinstance(event, Exponential)
        return event

    def minimiser(self, name: str) -> Minimiser:
        """The minimiser of that name."""
        event = self.events[name]
        assert isinstance(event, Minimiser)
        return event
