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

from dpviz.caches import remembered
from dpviz.lazy_imports import optimize
from dpviz.privacy.convert import PRIVATE_SIDE, gaussian, gdp_epsilon, gdp_mu, mu_for
from dpviz.types import Budget, Gaussian, Sampled

if TYPE_CHECKING:
    from dp_accounting.pld.privacy_loss_distribution import PrivacyLossDistribution

POINTS = 2000
"""Of the grid of one release's losses, from 0 to its largest; they are rounded to the dear side."""
MOST_MU = 20.0
"""Of one release, however little is asked for: where delta alone would allow no noise at all."""
CLOSE = 1e-3
"""Relative: how finely sigma is searched for."""


def of(event: Gaussian) -> Sampled:
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


@remembered(4096)
def sampled_epsilon(one: Sampled, delta: float) -> float:
    """Epsilon at ``delta`` of the releases; never more than if every record were in each."""
    if one.mu in (0, math.inf):
        return one.mu
    whole = gdp_epsilon(one.mu * math.sqrt(one.times), delta)
    if one.rate == 1 or one.mu > MOST_MU:
        return whole
    mixed = losses(one, reach(one.mu) / POINTS).get_epsilon_for_delta(delta)
    return min(whole, float(mixed))


def sampled_gaussian(sensitivity: float, budget: Budget, times: int, rate: float) -> Gaussian:
    """``times`` releases within a budget of a sum in which each record is with chance ``rate``.

    On the axes of zCDP they need the noise of releases in which every record is.
    """
    whole = dataclasses.replace(gaussian(sensitivity, mu_for(budget), times), rate=rate)
    if budget.axis != "approx" or not budget.private or rate == 1:
        return whole
    sigma = _unit_sigma(budget.value, budget.delta, times, rate)
    return Gaussian(sensitivity, sensitivity * sigma * (1 + PRIVATE_SIDE), times, rate)


@remembered(1024)
def _unit_sigma(epsilon: float, delta: float, times: int, rate: float) -> float:
    """Sigma of releases of sensitivity 1 that cost ``epsilon`` at ``delta`` at most.

    The search begins where the central limit theorem of Bu et al. 2020 has it. It ends at
    1 / MOST_MU, even if less noise is enough, and at the noise of releases without sampling.
    """
    mu, enough = gdp_mu(epsilon, delta), 1 / MOST_MU

    def excess(log_sigma: float) -> float:
        return sampled_epsilon(Sampled(math.exp(-log_sigma), rate, times), delta) - epsilon

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
        high = optimize.brentq(excess, low, high, xtol=CLOSE, rtol=CLOSE)
    while excess(high) > 0 and high < most:
        high = min(high + CLOSE, most)
    return math.exp(high)
