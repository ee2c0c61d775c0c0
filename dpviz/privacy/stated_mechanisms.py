"""Mechanisms that somebody states by their parameters, with the ranges that are accepted.

Sensitivities are 1: noise is stated as a multiple of the sensitivity. Neighbors differ by adding or
removing one record.

Source: Abadi et al. 2016 (DP-SGD); Dwork et al. 2006 (Laplace); McSherry & Talwar 2007
    (exponential mechanism); Papernot et al. 2018 (PATE); Dong, Roth & Su 2019, Theorem 2.14, and
    Vadhan 2017, Lemma 2.2 (groups).
"""

from __future__ import annotations

import dataclasses
import math
from dataclasses import dataclass
from typing import ClassVar

from dpviz.lazy_imports import stats
from dpviz.privacy import vote_costs
from dpviz.privacy.claims import VALUE_NAMES, claimed_guarantee
from dpviz.privacy.compose import ADD_REMOVE, event_mu, scaled_event
from dpviz.privacy.convert import PRIVATE_SIDE
from dpviz.text import calculator as text
from dpviz.text.template import render_text
from dpviz.types import DpvizError, Gaussian, check_range
from dpviz.types.budget import LARGEST_DELTA, SMALLEST_DELTA
from dpviz.types.checks import check_whole

#: Ranges of noise relative to the sensitivity, of one release's epsilon, and of counts.
NOISE, EPSILON, MAX_COUNT = (1e-6, 1e6), (1e-9, 1e6), 10_000_000
#: Most images of a person, and most whose sampling is counted one by one.
MAX_IMAGES, MAX_MIXED = 1_000, 100


@dataclass(frozen=True)
class NoisySteps:
    """Gaussian noise on a clipped sum, ``steps`` times: DP-SGD, or the Gaussian mechanism.

    Attributes:
        sigma: noise multiplier, sd of the noise over the sensitivity, in ``NOISE``.
        rate: probability that a record is in a step (secret Poisson sampling), in (0, 1].
        steps: from 1 to ``MAX_COUNT``.
    """

    kind: ClassVar[str] = "dp-sgd"
    sigma: float
    rate: float = 1.0
    steps: int = 1

    def __post_init__(self) -> None:
        _check(self, "sigma", *NOISE)
        value = check_range(text.NAMES["rate"], self.rate, 0, 1, open_low=True)
        object.__setattr__(self, "rate", value)
        _check_count(self, "steps")

    @property
    def gaussian(self) -> Gaussian:
        """The releases as an event."""
        return Gaussian(1.0, self.sigma, self.steps, self.rate)

    @property
    def mu(self) -> float:
        """mu of all steps if every record were in each; an upper bound otherwise."""
        return event_mu(self.gaussian)

    def scaled(self, images: int) -> NoisySteps:
        """The mechanism for a person with this many records."""
        if self.rate == 1 or images > MAX_MIXED:
            return dataclasses.replace(self, sigma=self.sigma / images, rate=1.0)
        return SampledGroup(self.sigma, self.rate, self.steps, images)


@dataclass(frozen=True)
class SampledGroup(NoisySteps):
    """Sampled steps as a person sees them whose records are each sampled independently.

    A step moves by as many records as were sampled, a binomial number: a mixture of Gaussians.

    Attributes:
        images: records of the person, from 2 to ``MAX_MIXED``.

    Source: Ganesh 2024, "Tight Group-Level DP Guarantees for DP-SGD with Sampling via Mixture of
        Gaussians Mechanisms".
    """

    images: int = 2

    @property
    def gaussian(self) -> Gaussian:
        """The releases as if all records were sampled whenever one is; an upper bound."""
        event = scaled_event(super().gaussian, self.images)
        assert isinstance(event, Gaussian)
        return event

    @property
    def weights(self) -> tuple[list[float], list[float]]:
        """How many records a step may have, and the probability of each; rounded up."""
        counts = list(range(self.images + 1))
        rate = min(1.0, self.rate * (1 + PRIVATE_SIDE))
        chances = stats.binom.pmf(counts, self.images, rate)
        return [float(count) for count in counts], (chances / chances.sum()).tolist()


@dataclass(frozen=True)
class LaplaceNoise:
    """Laplace noise on a sum, ``steps`` times.

    Attributes:
        scale: of the noise over the sensitivity, in ``NOISE``.
        steps: from 1 to ``MAX_COUNT``.
    """

    kind: ClassVar[str] = "laplace"
    scale: float
    steps: int = 1

    def __post_init__(self) -> None:
        _check(self, "scale", *NOISE)
        _check_count(self, "steps")

    @property
    def epsilon_each(self) -> float:
        """Epsilon of pure DP of one release."""
        return 1 / self.scale

    def scaled(self, images: int) -> LaplaceNoise:
        """The mechanism for a person with this many records."""
        return dataclasses.replace(self, scale=self.scale / images)


@dataclass(frozen=True)
class ExponentialChoice:
    """A choice by the exponential mechanism with a monotone utility, ``steps`` times.

    Attributes:
        epsilon: of pure DP of one choice, in ``EPSILON``; P is proportional to exp(epsilon u) for a
            utility u that adding a record never lowers and raises by 1 at most.
        steps: from 1 to ``MAX_COUNT``.
    """

    kind: ClassVar[str] = "exponential"
    epsilon: float
    steps: int = 1

    def __post_init__(self) -> None:
        _check(self, "epsilon", *EPSILON)
        _check_count(self, "steps")

    @property
    def epsilon_each(self) -> float:
        """Epsilon of pure DP of one choice."""
        return self.epsilon

    def scaled(self, images: int) -> ExponentialChoice:
        """The mechanism for a person with this many records."""
        return dataclasses.replace(self, epsilon=self.epsilon * images)


@dataclass(frozen=True)
class TeacherVotes:
    """Votes of teachers under Confident-GNMax, whatever the votes are.

    Attributes:
        queries: asked; answered: at most, fixed beforehand; all are answered without a test.
        sigma1: sd of the threshold test's noise in votes, inf without a test; sigma2: of the votes.
    """

    kind: ClassVar[str] = "pate"
    queries: int
    answered: int
    sigma1: float
    sigma2: float

    def __post_init__(self) -> None:
        _check_count(self, "queries")
        _check_count(self, "answered")
        _check(self, "sigma2", *NOISE)
        if self.sigma1 != math.inf:
            _check(self, "sigma1", *NOISE)
        if self.answered > self.queries:
            message = render_text(
                text.TOO_MANY_ANSWERS, answered=self.answered, queries=self.queries
            )
            raise DpvizError(message)

    @property
    def mu(self) -> float:
        """mu of all tests and answers."""
        spent = vote_costs.events(self.queries, self.answered, self.sigma1, self.sigma2)
        return math.hypot(*map(event_mu, spent.values()))

    def scaled(self, images: int) -> TeacherVotes:
        """The mechanism for a person whose records reach this many teachers."""
        return dataclasses.replace(self, sigma1=self.sigma1 / images, sigma2=self.sigma2 / images)


@dataclass(frozen=True)
class PublishedGuarantee:
    """A guarantee as its source states it.

    Attributes:
        notion: ``pure``, ``approx``, ``zcdp`` or ``gdp``; value: epsilon, rho or mu; delta: of
            ``approx``, else 0.
        unit: ``record`` or ``person``, whom the source protects.
    """

    kind: ClassVar[str] = "published"
    notion: str
    value: float
    delta: float = 0.0
    unit: str = "record"

    def __post_init__(self) -> None:
        if self.notion not in VALUE_NAMES or self.unit not in text.UNITS:
            raise DpvizError(render_text(text.UNKNOWN_NOTION, notion=self.notion, unit=self.unit))
        low = SMALLEST_DELTA if self.notion == "approx" else 0.0
        high = LARGEST_DELTA if self.notion == "approx" else 0.0
        delta = check_range(text.NAMES["delta"], self.delta, low, high)
        stated = delta if self.notion == "approx" else None
        claim = claimed_guarantee(
            ADD_REMOVE, **{VALUE_NAMES[self.notion]: self.value, "delta": stated}
        )
        object.__setattr__(self, "value", claim.value)
        object.__setattr__(self, "delta", delta)

    def scaled(self, images: int) -> PublishedGuarantee:
        """The guarantee for a person with this many records.

        Raises:
            DpvizError: for (epsilon, delta) whose delta for a group is above ``LARGEST_DELTA``.
        """
        if self.unit == "person" or images == 1:
            return self
        factor = images**2 if self.notion == "zcdp" else images
        if self.notion != "approx":
            return dataclasses.replace(self, value=self.value * factor)
        with_group = group_delta(self.value, self.delta, images)
        if with_group > LARGEST_DELTA:
            raise DpvizError(render_text(text.NO_GROUP, images=images, largest=LARGEST_DELTA))
        return dataclasses.replace(self, value=self.value * images, delta=with_group)


def group_delta(epsilon: float, delta: float, images: int) -> float:
    """Return delta of (epsilon, delta)-DP for a group: delta (e^(k eps) - 1) / (e^eps - 1)."""
    exponent = (images - 1) * epsilon
    if exponent > 700:
        return math.inf
    return delta * math.exp(exponent) * math.expm1(-images * epsilon) / math.expm1(-epsilon)


Mechanism = NoisySteps | LaplaceNoise | ExponentialChoice | TeacherVotes | PublishedGuarantee


def _check(mechanism: Mechanism, name: str, low: float, high: float) -> None:
    value = check_range(text.NAMES[name], getattr(mechanism, name), low, high)
    object.__setattr__(mechanism, name, value)


def _check_count(mechanism: Mechanism, name: str) -> None:
    value = check_whole(text.NAMES[name], getattr(mechanism, name), 1, MAX_COUNT)
    object.__setattr__(mechanism, name, value)
