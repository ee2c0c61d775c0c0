"""What Gaussian releases cost in which each record is only sometimes: composed privacy losses.

A record that is left out of a release by a coin nobody sees loses nothing there, and whoever looks
cannot tell those releases from the others. For (epsilon, delta) this is worth much; in zCDP it is
worth nothing, as orders without end see through the coin.

Source: Balle, Barthe & Gaboardi 2018 (Poisson subsampling under add/remove); Koskela et al. 2020
and Doroshenko et al. 2022 (privacy loss distributions on a grid, as in dp_accounting); Ganesh 2024
(several records of one person: what is sampled of them lies below all of them being in whenever one
is).
"""

from __future__ import annotations

import dataclasses
import math
from typing import TYPE_CHECKING

from dpviz.caches import cached
from dpviz.lazy_imports import optimize, special
from dpviz.privacy.convert import PRIVATE_SIDE, gaussian, gdp_epsilon, mu_for
from dpviz.types import Budget, Gaussian, Sampled

if TYPE_CHECKING:
    from dp_accounting.pld.privacy_loss_distribution import PrivacyLossDistribution

POINTS = 2000
"""Of the grid of one release's losses, from 0 to its largest; they are rounded to the dear side."""
MAX_MU = 20.0
"""Of one release, however little is asked for: where delta alone would allow no noise at all."""
CLOSE, CLOSEST = 1e-3, 1e-6
"""Relative: how finely sigma is searched for, and for a best guess, which methods share."""


def releases_of(event: Gaussian) -> Sampled:
    """The releases of an event, as they are accounted."""
    mu = math.inf if event.sigma == 0 else event.sensitivity / event.sigma
    return Sampled(mu, event.rate, event.times)


def reach(mu: float) -> float:
    """A loss that one release exceeds with no chance that counts."""
    return mu * mu / 2 + 8 * mu


def losses(one: Sampled, gap: float) -> PrivacyLossDistribution:
    """Loss of all the releases, in steps of ``gap``, rounded up; whichever of two neighbours has
    the record.
    """
    from dp_accounting.pld.privacy_loss_distribution import from_gaussian_mechanism

    single = from_gaussian_mechanism(
        1 / one.mu,
        sampling_prob=min(1.0, one.rate * (1 + PRIVATE_SIDE)),
        value_discretization_interval=gap,
    )
    return single.self_compose(one.times)


@cached(4096)
def sampled_epsilon(one: Sampled, delta: float) -> float:
    """Epsilon at ``delta`` of the releases; never more than if every record were in each."""
    if one.mu in (0, math.inf):
        return one.mu
    whole = gdp_epsilon(one.mu * math.sqrt(one.times), delta)
    if one.rate == 1 or one.mu > MAX_MU:
        return whole
    mixed = losses(one, reach(one.mu) / POINTS).get_epsilon_for_delta(delta)
    return min(whole, float(mixed))


@cached(4096)
def sampled_guess(one: Sampled) -> float:
    """Share of guesses in which an attacker (prior 1/2) is right at most after the releases: half
    of 1 plus their delta at epsilon 0. Never more than if every record were in each.
    """
    if one.mu in (0, math.inf):
        return 0.5 if one.mu == 0 else 1.0
    whole = float(special.ndtr(one.mu * math.sqrt(one.times) / 2))
    if one.rate == 1 or one.mu > MAX_MU:
        return whole
    apart = losses(one, reach(one.mu) / POINTS).get_delta_for_epsilon(0.0)
    return min(whole, (1 + float(apart)) / 2)


def sampled_gaussian(sensitivity: float, budget: Budget, times: int, rate: float) -> Gaussian:
    """``times`` releases within a budget of a sum in which each record is with chance ``rate``.

    On the axes of zCDP they need the noise of releases in which every record is.
    """
    whole = dataclasses.replace(gaussian(sensitivity, mu_for(budget), times), rate=rate)
    if budget.axis not in ("approx", "guess") or not budget.private or rate == 1:
        return whole
    sigma = _unit_sigma(budget, times, rate)
    return Gaussian(sensitivity, sensitivity * sigma * (1 + PRIVATE_SIDE), times, rate)


@cached(1024)
def _unit_sigma(budget: Budget, times: int, rate: float) -> float:
    """Sigma of releases of sensitivity 1 that stay within a budget, on ``approx`` or ``guess``.

    The search begins where the central limit theorem of Bu et al. 2020 has it. It ends at
    1 / MOST_MU, even if less noise is enough, and at the noise of releases without sampling.
    """
    mu, enough = mu_for(budget), 1 / MAX_MU
    close = CLOSEST if budget.axis == "guess" else CLOSE

    def excess(log_sigma: float) -> float:
        one = Sampled(math.exp(-log_sigma), rate, times)
        if budget.axis == "guess":
            return (100 * sampled_guess(one) - budget.value) / (budget.value - 50)
        return sampled_epsilon(one, budget.delta) - budget.value

    guess = math.log(math.log1p(mu * mu / (rate * rate * times)) ** -0.5)
    most = math.log(math.sqrt(times) / mu)
    low = high = min(max(guess, math.log(enough)), most)
    while excess(high) > 0 and high < most:
        high = min(high + 0.1, most)
    while excess(low) <= 0 and low > math.log(enough):
        low = max(low - 0.1, math.log(enough))
    if excess(low) <= 0:
        return math.exp(low)
    if excess(high) <= 0:
        high = optimize.brentq(excess, low, high, xtol=close, rtol=close)
    while excess(high) > 0 and high < most:
        high = min(high + close, most)
    return math.exp(high)
