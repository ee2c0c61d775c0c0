"""Events of a plan, plans and guarantees."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple


@dataclass(frozen=True)
class Gaussian:
    """``times`` adaptive Gaussian releases of L2 sensitivity ``sensitivity`` with noise sd
    ``sigma``.

    Attributes:
        rate: probability that a record is in a release (secret Poisson sampling); 1 uses all
            records, and bounds the cost of lower rates.
    """

    sensitivity: float
    sigma: float
    times: int = 1
    rate: float = 1.0


@dataclass(frozen=True)
class Exponential:
    """Exponential mechanism: probability proportional to exp(epsilon * u / sensitivity) for a
    monotone utility u; epsilon-DP.
    """

    sensitivity: float
    epsilon: float


@dataclass(frozen=True)
class Minimiser:
    """Objective perturbation: minimizer of the losses plus ``ridge``/2 |w|^2 plus a Gaussian linear
    term, computed up to ``distance``, with added noise.

    Attributes:
        sensitivity: bound on the L2 norm of one record's gradient.
        sigma: sd of each number of the linear term.
        ridge: > 0; a public number.
        largest, trace: bounds on the largest eigenvalue and on the trace of one record's Hessian.
        corners: ln of the number of points whose hull contains the gradients of one record.
        distance: bound on the L2 distance to the exact minimizer; blur: sd of each number of the
            added noise.
    """

    sensitivity: float
    sigma: float
    ridge: float
    largest: float
    trace: float
    corners: float
    distance: float
    blur: float


#: An event that draws noise once for all of its records.
Draw = Gaussian | Exponential | Minimiser


@dataclass(frozen=True)
class Parallel:
    """Parallel releases of disjoint parts of the data, such as classes: the largest cost counts.

    The division into parts must not depend on private records.

    Attributes:
        shared: whether one protected unit, such as a person, may have records in several parts.
    """

    events: tuple[Gaussian | Exponential, ...]
    shared: bool = False


Event = Draw | Parallel


class Sampled(NamedTuple):
    """Gaussian releases of Poisson-sampled records: mu of one release without sampling, sampling
    rate, and number of releases.
    """

    mu: float
    rate: float
    times: int


@dataclass(frozen=True)
class Guarantee:
    """Privacy guarantee of a release, and its meaning.

    Attributes:
        notion: ``pure``, ``zcdp``, ``gdp`` or ``approx``; value: epsilon, rho, mu or epsilon in it.
        delta: the delta of ``epsilon_delta`` (and of ``approx``).
        adjacency: definition of neighboring data sets.
        public: data that count as public.
        epsilon_delta: epsilon at ``delta``; rho: the zCDP value. Both may be inf, never missing.
        source: paper and theorem.
        unit: unit of privacy, a record or a person; starts: steps on the data before the guarantee
            begins.
        defaults: data on which the default settings were selected, which costs no budget.
        of_record: epsilon at ``delta`` of one record, if the guarantee is user-level; else None.
        bounded_range: whether the losses of a pure guarantee lie in one interval of length epsilon,
            as for one exponential mechanism.
        sampled: the releases of sampled records, if the guarantee covers nothing else; else None.
        held_aside: number of training images that are treated as public.
        schedule: steps that the budget allows and steps of the run, in one sentence; empty if a
            setting fixes them.
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
    defaults: str = "may have been selected on these data; the cost is not counted"
    of_record: float | None = None
    bounded_range: bool = False
    sampled: Sampled | None = None
    held_aside: int = 0
    schedule: str = ""


@dataclass(frozen=True)
class Plan:
    """Events of a run and their noise, made from sizes and budget only.

    Attributes:
        method: key; params: every parameter with its value.
        events: draws by name, composed sequentially; disjoint classes are already composed.
        guarantee: recomputed from ``events`` by ``privacy.guarantee``.
        notes: further values for fit and for readers.
        records_per_person: bound on the records of a person, if the guarantee is user-level; else
            0.
        record_sensitivity_ratio: bound on how far one record moves an event, as a multiple of the
            sensitivity for one protected unit.
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
        """Every event that draws noise, by name; parts of a Parallel are ``name 1``, ``name 2``
        ...
        """
        found: dict[str, Draw] = {}
        for name, event in self.events.items():
            if isinstance(event, Parallel):
                found |= {f"{name} {i}": part for i, part in enumerate(event.events, start=1)}
            else:
                found[name] = event
        return found

    def gaussian(self, name: str) -> Gaussian:
        """Return the Gaussian event with this name."""
        event = self.events[name]
        assert isinstance(event, Gaussian)
        return event

    def exponential(self, name: str) -> Exponential:
        """Return the exponential event with this name."""
        event = self.events[name]
        assert isinstance(event, Exponential)
        return event

    def minimiser(self, name: str) -> Minimiser:
        """Return the minimizer with this name."""
        event = self.events[name]
        assert isinstance(event, Minimiser)
        return event
