"""Guarantee of a stated mechanism: epsilon at delta, rho, mu, best guess and trade-off.

A mechanism's privacy curve, delta as a function of epsilon, gives all of them. Gaussian noise, one
Laplace release, one exponential choice and published values have a formula. Sampled or repeated
releases have privacy loss distributions on a grid, rounded up.

Source: Balle & Wang 2018, Theorem 8 (Gaussian); Kairouz, Oh & Viswanath 2015, Theorem 3.3
    ((epsilon, delta)); Dong, Durfee & Rogers 2020 (exponential mechanism); Doroshenko et al. 2022
    (grid); Bun & Steinke 2016 (zCDP); Dong, Roth & Su 2019 (trade-off, and mu of pure DP).
"""

from __future__ import annotations

import dataclasses
import logging
import math
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from dpviz.caches import cached
from dpviz.lazy_imports import special
from dpviz.machine import public_mode
from dpviz.privacy import sampled
from dpviz.privacy.best_guess import success_bound
from dpviz.privacy.claims import VALUE_NAMES, claimed_guarantee
from dpviz.privacy.compose import ADD_REMOVE
from dpviz.privacy.convert import bounded_range_rho, gdp_epsilon, zcdp_epsilon
from dpviz.privacy.persons import ADD_REMOVE_PERSON
from dpviz.privacy.private_selection import OneRun, delta_at
from dpviz.privacy.stated_mechanisms import (
    MAX_IMAGES,
    ExponentialChoice,
    LaplaceNoise,
    Mechanism,
    NoisySteps,
    PublishedGuarantee,
    SampledGroup,
    TeacherVotes,
)
from dpviz.privacy.trade_off import true_positive_bound
from dpviz.text import calculator as text
from dpviz.text.template import render_text
from dpviz.types import DpvizError, Guarantee, check_range
from dpviz.types.budget import LARGEST_DELTA, SMALLEST_DELTA
from dpviz.types.checks import check_whole

if TYPE_CHECKING:
    from dp_accounting.pld.privacy_loss_distribution import PrivacyLossDistribution

#: Points of a grid of one release's losses, at most; the sd of its loss over the grid's step.
MAX_POINTS, STEPS_PER_SD = 50_000, 10
#: The same for mixtures, which are slower: points at first and at most, steps per sd, largest mu.
MIXED_POINTS, MAX_MIXED_POINTS, MIXED_STEPS_PER_SD, MAX_MIXED_MU = 500, 4_000, 4, 100.0
#: Step that is never too fine, which dp_accounting uses.
FINEST = 1e-4
#: Step of a grid over the sd of a loss, above which the grid is of no use.
COARSEST = 50
#: Points of a grid of one pure release's losses, at least and at most, and of all releases.
MIN_PURE_POINTS, MAX_PURE_POINTS, ALL_PURE_POINTS = 10, 200, 200_000
#: Epsilons at which a privacy curve bounds a trade-off curve.
CURVE_POINTS = 32
#: Relative precision of an inverted privacy curve.
CLOSE = 1e-9


@dataclass(frozen=True)
class NotionValue:
    """A value of a notion, or why there is none.

    Attributes:
        value: None where the mechanism has no value below ``bound``.
        case: key of the reason in the texts; bound: smallest valid upper bound known, None if none.
    """

    value: float | None
    case: str
    bound: float | None = None


@dataclass(frozen=True)
class Account:
    """What a stated mechanism guarantees.

    Attributes:
        mechanism: as stated; for_person: as it is for ``images`` images of a person.
        guarantee: with adjacency, unit, delta and source; epsilon, delta: of it.
        rho, mu: of zCDP and Gaussian DP.
        prior: of the attacker, that the record was used; best_guess: largest success rate.
    """

    mechanism: Mechanism
    for_person: Mechanism
    images: int
    guarantee: Guarantee
    rho: NotionValue
    mu: NotionValue
    prior: float
    best_guess: float

    @property
    def epsilon(self) -> float:
        """Epsilon at ``delta``."""
        return self.guarantee.epsilon_delta

    @property
    def delta(self) -> float:
        """Delta of ``epsilon``; 0 is pure DP."""
        return self.guarantee.delta


def case_of(mechanism: Mechanism) -> str:
    """Return the key of a mechanism in the texts."""
    if isinstance(mechanism, NoisySteps) and mechanism.rate == 1:
        return "gaussian"
    return mechanism.kind


def ignores_sampling(mechanism: Mechanism, for_person: Mechanism) -> bool:
    """Return whether a person has too many images to count their sampling.

    The guarantee then counts every image in every step, which is an upper bound.
    """
    rates = [one.rate for one in (mechanism, for_person) if isinstance(one, NoisySteps)]
    return len(rates) == 2 and rates[0] < rates[1] == 1


def needs_delta(mechanism: Mechanism) -> bool:
    """Return whether an epsilon exists only at a delta that must be stated."""
    if isinstance(mechanism, PublishedGuarantee):
        return mechanism.notion in ("zcdp", "gdp")
    return isinstance(mechanism, NoisySteps | TeacherVotes)


def calculate(
    mechanism: Mechanism, delta: float | None = None, prior: float = 0.5, images: int = 1
) -> Account:
    """Return what a mechanism guarantees.

    Args:
        delta: in [1e-305, 0.5]. Gaussian noise, rho and mu need one; without one, a pure guarantee
            is stated at 0, and (epsilon, delta) at its own.
        prior: of the attacker, that the record was used, in (0, 1).
        images: of a person, from 1; above 1, the guarantee is for the person.

    Raises:
        DpvizError: for a value out of range, a missing delta, and in public mode for many steps.
    """
    public_mode.check_steps(getattr(mechanism, "steps", getattr(mechanism, "queries", 1)))
    if delta is None and needs_delta(mechanism):
        raise DpvizError(text.NO_DELTA)
    if delta is not None:
        delta = checked_delta(delta)
    images = check_whole(text.NAMES["images"], images, 1, MAX_IMAGES)
    for_person = mechanism if images == 1 else mechanism.scaled(images)
    guarantee = _guarantee(for_person, delta, images)
    prior = check_range(text.NAMES["prior"], prior, 0, 1, open_low=True)
    rho, mu = _rho(for_person), _mu(for_person)
    if ignores_sampling(mechanism, for_person):
        rho, mu = (NotionValue(one.value, "unsampled") for one in (rho, mu))
    return Account(
        mechanism,
        for_person,
        images,
        guarantee,
        rho,
        mu,
        prior,
        _best_guess(for_person, guarantee, prior),
    )


def checked_delta(delta: float | str) -> float:
    """Return delta as a float in [1e-305, 0.5].

    Raises:
        DpvizError: for another value.
    """
    return check_range(text.NAMES["delta"], delta, SMALLEST_DELTA, LARGEST_DELTA)


# ---------------------------------------------------------------------------------- privacy curve


def delta_for(mechanism: Mechanism, epsilons: np.ndarray | float) -> np.ndarray:
    """Return delta at each epsilon >= 0 (k,): float64, never too small."""
    epsilons = np.atleast_1d(np.asarray(epsilons, float))
    if (mu := gaussian_mu(mechanism)) is not None:
        return np.clip(delta_at(epsilons, OneRun(mu * mu / 2, mu=mu)), 0.0, 1.0)
    if isinstance(mechanism, PublishedGuarantee):
        if mechanism.notion == "zcdp":
            return np.clip(delta_at(epsilons, OneRun(mechanism.value)), 0.0, 1.0)
        return _published_delta(mechanism, epsilons)
    if isinstance(mechanism, NoisySteps):
        whole = delta_at(epsilons, OneRun(mechanism.mu**2 / 2, mu=mechanism.mu))
    else:
        assert isinstance(mechanism, LaplaceNoise | ExponentialChoice)
        if mechanism.steps == 1:
            return _one_pure_delta(mechanism, epsilons)
        mu, pure = _mu_bound(mechanism), mechanism.steps * mechanism.epsilon_each
        by_rho = delta_at(epsilons, OneRun(_rho_bound(mechanism), pure))
        whole = np.minimum(by_rho, delta_at(epsilons, OneRun(mu * mu / 2, pure, mu)))
    losses = _losses(mechanism)
    if losses is None:
        return np.clip(whole, 0.0, 1.0)
    # one by one: for many at once, the library loops over all losses in Python
    by_losses = np.array([float(losses.get_delta_for_epsilon(float(e))) for e in epsilons])
    return np.clip(np.minimum(whole, by_losses), 0.0, 1.0)


def epsilon_for(mechanism: Mechanism, delta: float) -> float:
    """Return epsilon at ``delta`` in [0, 0.5], never too small; inf where there is none."""
    if isinstance(mechanism, PublishedGuarantee):
        if mechanism.notion == "zcdp":
            return zcdp_epsilon(mechanism.value, delta) if delta else math.inf
        if mechanism.notion in ("pure", "approx") and delta <= mechanism.delta:
            return mechanism.value if delta == mechanism.delta else math.inf
    if (mu := gaussian_mu(mechanism)) is not None:
        return gdp_epsilon(mu, delta) if delta else math.inf
    most = math.inf
    if isinstance(mechanism, LaplaceNoise | ExponentialChoice):
        most = mechanism.steps * mechanism.epsilon_each
        if delta == 0:
            return most
        by_mu = gdp_epsilon(_mu_bound(mechanism), delta)
        most = min(most, zcdp_epsilon(_rho_bound(mechanism), delta), by_mu)
    if isinstance(mechanism, NoisySteps):
        if delta == 0:
            return math.inf
        most = gdp_epsilon(mechanism.mu, delta)
        if (by_orders := _renyi_epsilon(mechanism, delta)) is not None:
            most = min(most, by_orders)
    losses = _losses(mechanism)
    if losses is not None:
        return min(most, max(float(losses.get_epsilon_for_delta(delta)), 0.0))
    if isinstance(mechanism, NoisySteps | TeacherVotes) or getattr(mechanism, "steps", 1) > 1:
        return most
    return min(most, _inverted(mechanism, delta))


def _inverted(mechanism: Mechanism, delta: float) -> float:
    """Return the epsilon of a formula's curve, rounded up; the curve ends at the pure epsilon."""
    if delta_for(mechanism, 0.0)[0] <= delta:
        return 0.0
    pure = isinstance(mechanism, PublishedGuarantee)
    high = mechanism.value if pure else mechanism.epsilon_each  # type: ignore[union-attr]
    low = 0.0
    while high - low > CLOSE * high:
        middle = (low + high) / 2
        if delta_for(mechanism, middle)[0] <= delta:
            high = middle
        else:
            low = middle
    return high


def gaussian_mu(mechanism: Mechanism) -> float | None:
    """Return mu where the curve is that of Gaussian noise, else None."""
    if isinstance(mechanism, TeacherVotes):
        return mechanism.mu
    if isinstance(mechanism, NoisySteps) and mechanism.rate == 1:
        return mechanism.mu
    if isinstance(mechanism, PublishedGuarantee) and mechanism.notion == "gdp":
        return mechanism.value
    return None


def _published_delta(mechanism: PublishedGuarantee, epsilons: np.ndarray) -> np.ndarray:
    """delta + (1 - delta) (e^eps0 - e^eps) / (1 + e^eps0) up to eps0, then delta."""
    least, value = mechanism.delta, mechanism.value
    gap = np.exp(-np.logaddexp(0.0, -value)) - np.exp(
        np.minimum(epsilons, value) - np.logaddexp(0.0, value)
    )
    return least + (1 - least) * np.maximum(gap, 0.0)


def _one_pure_delta(mechanism: LaplaceNoise | ExponentialChoice, epsilons: Any) -> np.ndarray:
    """Return the curve of one Laplace release, or of one choice.

    Laplace: 1 - e^((eps - eps0) / 2). One choice: the largest gap of its two losses t and t - eps0
    over t, at t = (eps + eps0) / 2: (1 - e^((eps - eps0) / 2))^2 / (1 - e^-eps0).
    """
    pure = mechanism.epsilon_each
    gap = -np.expm1(np.minimum(epsilons - pure, 0.0) / 2)
    if isinstance(mechanism, LaplaceNoise):
        return gap
    return gap * gap / -math.expm1(-pure)


@cached(64)
def _losses(mechanism: Mechanism) -> PrivacyLossDistribution | None:
    """Return the privacy loss distribution of releases without a formula, on a grid, rounded up.

    None where a formula is enough, or the grid would be too wide.
    """
    if isinstance(mechanism, NoisySteps):
        return _sampled_losses(mechanism)
    if not isinstance(mechanism, LaplaceNoise | ExponentialChoice) or mechanism.steps == 1:
        return None
    pure, steps = mechanism.epsilon_each, mechanism.steps
    points = min(ALL_PURE_POINTS / steps, MAX_PURE_POINTS)
    if pure > sampled.reach(sampled.MAX_MU) or points < MIN_PURE_POINTS:
        return None
    from dp_accounting.pld import common, privacy_loss_distribution

    gap = pure / points
    if isinstance(mechanism, LaplaceNoise):
        each = privacy_loss_distribution.from_laplace_mechanism(
            mechanism.scale, value_discretization_interval=gap
        )
    else:
        each = privacy_loss_distribution.from_privacy_parameters(
            common.DifferentialPrivacyParameters(pure, 0.0), value_discretization_interval=gap
        )
    return each.self_compose(steps)


def _sampled_losses(mechanism: NoisySteps) -> PrivacyLossDistribution | None:
    gap = _grid_step(mechanism)
    most = MAX_MIXED_MU if isinstance(mechanism, SampledGroup) else sampled.MAX_MU
    largest = _images(mechanism) / mechanism.sigma
    if mechanism.rate == 1 or largest > most or gap > COARSEST * _loss_sd(mechanism):
        return None
    if not isinstance(mechanism, SampledGroup):
        return sampled.losses(sampled.releases_of(mechanism.gaussian), gap)
    from dpviz.privacy import mixture_losses  # imports dp_accounting

    try:
        each = mixture_losses.losses(mechanism.sigma, *mechanism.weights, gap)
    except ValueError:  # the library finds no finite loss where hardly any record is sampled
        return None
    return each.self_compose(mechanism.steps)


def _images(mechanism: NoisySteps) -> int:
    return mechanism.images if isinstance(mechanism, SampledGroup) else 1


def _grid_step(mechanism: NoisySteps) -> float:
    """Return the step of the grid: a fraction of one loss's sd, since errors of steps add up. More
    than ``MAX_POINTS`` points only down to ``FINEST``; at most ``MAX_MIXED_POINTS`` of mixtures.
    """
    reach = sampled.reach(_images(mechanism) / mechanism.sigma)
    sd = _loss_sd(mechanism)
    if isinstance(mechanism, SampledGroup):
        wanted = min(reach / MIXED_POINTS, sd / MIXED_STEPS_PER_SD)
        return max(wanted, reach / MAX_MIXED_POINTS)
    wanted = min(reach / sampled.POINTS, sd / STEPS_PER_SD)
    return max(wanted, min(reach / MAX_POINTS, FINEST))


def _loss_sd(mechanism: NoisySteps) -> float:
    """Return about the sd of the loss of one step."""
    each = math.sqrt(math.expm1(min(mechanism.sigma**-2, 60.0)))
    return mechanism.rate * math.sqrt(_images(mechanism)) * each


def _renyi_epsilon(mechanism: NoisySteps, delta: float) -> float | None:
    """Return epsilon by Rényi orders where the grid of losses is coarse, else None."""
    fine = _grid_step(mechanism) <= _loss_sd(mechanism) / STEPS_PER_SD
    if fine or isinstance(mechanism, SampledGroup):
        return None
    with quiet():
        epsilon = float(_renyi_accountant(mechanism).get_epsilon(delta))
    return epsilon or None  # 0 is what the accountant says of a divergence lost to rounding


@cached(64)
def _renyi_accountant(mechanism: NoisySteps) -> Any:
    from dp_accounting import dp_event
    from dp_accounting.rdp import RdpAccountant

    step = dp_event.PoissonSampledDpEvent(mechanism.rate, dp_event.GaussianDpEvent(mechanism.sigma))
    with quiet():
        return RdpAccountant().compose(dp_event.SelfComposedDpEvent(step, mechanism.steps))


@contextmanager
def quiet() -> Iterator[None]:
    """Keep warnings of the accounting libraries off the output."""
    logger = logging.getLogger("absl")
    before = logger.level
    logger.setLevel(logging.ERROR)
    try:
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            yield
    finally:
        logger.setLevel(before)


# --------------------------------------------------------------------------------- other notions


def _rho_bound(mechanism: LaplaceNoise | ExponentialChoice) -> float:
    """Return rho of pure releases: eps^2 / 2 each, or that of a bounded range."""
    pure = mechanism.epsilon_each
    each = bounded_range_rho(pure) if isinstance(mechanism, ExponentialChoice) else pure * pure / 2
    return mechanism.steps * each


def _mu_bound(mechanism: LaplaceNoise | ExponentialChoice) -> float:
    """Return mu of pure releases: of their composition in GDP, or of their total epsilon."""
    halves = 2 if isinstance(mechanism, ExponentialChoice) else 1
    each = pure_mu(mechanism.epsilon_each / halves)
    total = pure_mu(mechanism.steps * mechanism.epsilon_each)
    return min(math.sqrt(mechanism.steps) * each, total)


def _rho(mechanism: Mechanism) -> NotionValue:
    if (mu := gaussian_mu(mechanism)) is not None:
        return NotionValue(mu * mu / 2, "exact")
    if isinstance(mechanism, NoisySteps):
        return NotionValue(None, "sampled", mechanism.mu**2 / 2)
    if isinstance(mechanism, ExponentialChoice):
        return NotionValue(_rho_bound(mechanism), "bounded_range")
    if isinstance(mechanism, LaplaceNoise):
        return NotionValue(_rho_bound(mechanism), "pure")
    assert isinstance(mechanism, PublishedGuarantee)
    if mechanism.notion == "zcdp":
        return NotionValue(mechanism.value, "published")
    if mechanism.notion == "pure":
        return NotionValue(mechanism.value**2 / 2, "pure")
    return NotionValue(None, "approx")


def _mu(mechanism: Mechanism) -> NotionValue:
    if (mu := gaussian_mu(mechanism)) is not None:
        return NotionValue(mu, "exact")
    if isinstance(mechanism, NoisySteps):
        return NotionValue(None, "sampled", mechanism.mu)
    if isinstance(mechanism, LaplaceNoise | ExponentialChoice):
        choice = isinstance(mechanism, ExponentialChoice)
        return NotionValue(_mu_bound(mechanism), "bounded_range" if choice else "pure")
    assert isinstance(mechanism, PublishedGuarantee)
    if mechanism.notion == "pure":
        return NotionValue(pure_mu(mechanism.value), "pure")
    return NotionValue(None, mechanism.notion)


def pure_mu(epsilon: float) -> float:
    """Return the smallest mu that every epsilon-DP mechanism keeps: 2 Phi^-1(e^eps / (1 + e^eps)).

    The trade-off curve of pure DP has one corner, on the curve of this mu, and is straight beside
    it. Of one choice by the exponential mechanism the curve is logistic: its largest distance from
    chance in normal quantiles lies in the middle, at half of epsilon.
    """
    # the lower tail has more digits than the upper one
    return -2 * float(special.ndtri_exp(-np.logaddexp(0.0, epsilon)))


# ------------------------------------------------------------------------------------ the attacker


def _best_guess(mechanism: Mechanism, guarantee: Guarantee, prior: float) -> float:
    """Return the largest success rate of an attacker with this prior.

    A test that says "used" on S is right with chance 1 - p + p (P(S) - e^eps Q(S)), where e^eps is
    (1 - p) / p. So the curve's delta at this epsilon bounds it, and the same with both exchanged.
    """
    likely = max(prior, 1 - prior)
    delta = float(delta_for(mechanism, math.log(likely / (1 - likely)))[0]) if likely < 1 else 1.0
    return min(likely + (1 - likely) * delta, success_bound(guarantee, prior))


def trade_off(account: Account, fpr: np.ndarray) -> np.ndarray:
    """Return the largest true positive rate of any attack at these false positive rates (k,)."""
    fpr = np.asarray(fpr, float)
    mechanism = account.for_person
    bound = true_positive_bound(account.guarantee, fpr)
    if gaussian_mu(mechanism) is not None:
        return bound
    epsilons, deltas = privacy_curve(mechanism)
    with np.errstate(over="ignore"):
        upper = np.exp(np.minimum(epsilons, 700.0))[:, None] * fpr + deltas[:, None]
    lower = 1 - np.exp(-epsilons)[:, None] * (1 - deltas[:, None] - fpr)
    return np.minimum(np.minimum(upper, lower).min(axis=0), np.minimum(bound, 1.0))


def best_guesses(account: Account, priors: np.ndarray) -> np.ndarray:
    """Return the largest success rate at priors (k,) in (0, 1).

    Delta is convex in e^epsilon, so that straight lines between its points are above it.
    """
    likely = np.maximum(priors, 1 - priors)
    epsilons, deltas = privacy_curve(account.for_person)
    factors = np.exp(np.minimum(epsilons, 700.0))
    delta = np.interp(likely / (1 - likely), factors, deltas)
    bounds = [success_bound(account.guarantee, float(prior)) for prior in priors]
    return np.minimum(likely + (1 - likely) * delta, bounds)


@cached(64)
def privacy_curve(mechanism: Mechanism) -> tuple[np.ndarray, np.ndarray]:
    """Return epsilons (k,) from 0 up, and delta at each."""
    # close to one another near 0, where the curve bends for priors near 1/2
    epsilons = curve_reach(mechanism) * np.linspace(0, 1, CURVE_POINTS) ** 2
    return epsilons, delta_for(mechanism, epsilons)


def curve_reach(mechanism: Mechanism) -> float:
    """Return an epsilon beyond which the privacy curve is of no interest."""
    reach = epsilon_for(mechanism, 1e-12)
    if isinstance(mechanism, PublishedGuarantee) and mechanism.notion == "approx":
        reach = mechanism.value
    return max(min(reach, 1e6), 1e-9)


def epsilon_curve(mechanism: Mechanism, deltas: np.ndarray) -> np.ndarray:
    """Return epsilon at each delta (k,); inf where there is none."""
    return np.array([epsilon_for(mechanism, float(delta)) for delta in deltas])


# --------------------------------------------------------------------------------------- guarantee


def _guarantee(mechanism: Mechanism, delta: float | None, images: int) -> Guarantee:
    """Return the guarantee with all that a reader must know about it."""
    person = images > 1 or getattr(mechanism, "unit", "record") == "person"
    adjacency = ADD_REMOVE_PERSON if person else ADD_REMOVE
    if isinstance(mechanism, PublishedGuarantee):
        return _published(mechanism, delta, adjacency, images)
    case = case_of(mechanism)
    at_delta = epsilon_for(mechanism, delta or 0.0)
    notion, value = "approx", at_delta
    if (mu := gaussian_mu(mechanism)) is not None:
        notion, value = "gdp", mu
    elif isinstance(mechanism, LaplaceNoise | ExponentialChoice):
        notion, value = "pure", mechanism.steps * mechanism.epsilon_each
    rho = _rho(mechanism)
    return Guarantee(
        notion,
        value,
        delta or 0.0,
        adjacency,
        text.PUBLIC[case],
        at_delta,
        next(v for v in (rho.value, rho.bound, math.inf) if v is not None),
        text.SOURCES[case],
        unit=_unit(images),
        starts=text.STARTS,
        defaults=text.DEFAULTS,
        bounded_range=isinstance(mechanism, ExponentialChoice) and mechanism.steps == 1,
    )


def _published(
    mechanism: PublishedGuarantee, delta: float | None, adjacency: str, images: int
) -> Guarantee:
    own = mechanism.delta if mechanism.notion == "approx" else delta
    claim = claimed_guarantee(
        adjacency,
        **{
            VALUE_NAMES[mechanism.notion]: mechanism.value,
            "delta": None if mechanism.notion == "pure" else own,
        },
    )
    at_delta = delta if delta is not None else mechanism.delta
    unit = text.UNITS["person"] if mechanism.unit == "person" else _unit(images)
    return dataclasses.replace(
        claim,
        delta=at_delta,
        epsilon_delta=epsilon_for(mechanism, at_delta),
        public=text.PUBLIC["published"],
        source=text.SOURCES["published"],
        unit=unit,
        starts=text.STARTS,
        defaults=text.DEFAULTS,
    )


def _unit(images: int) -> str:
    if images == 1:
        return text.UNITS["record"]
    return render_text(text.UNIT_IMAGES, images=images)
