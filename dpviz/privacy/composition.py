"""Epsilon of many events together, each with noise of its own, by the least of what is known of
them.

All Gaussian: exactly. With exponential mechanisms among them, or releases of sampled records: by
their privacy loss distributions, in which such a mechanism is the randomised response of its
epsilon; in zCDP, where its bounded range counts; or by plain addition.

Source: Dong, Roth & Su 2019 (Gaussian composition); Zhu, Dong & Wang 2022 (dominating pairs compose
adaptively); Doroshenko et al. 2022 (their curves on a grid); arXiv 2510.25746 (bounded range in
zCDP).
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from dpviz.caches import cached
from dpviz.privacy import sampled
from dpviz.privacy.compose import event_mu, event_rho
from dpviz.privacy.convert import bounded_range_rho, gdp_epsilon, zcdp_epsilon
from dpviz.privacy.private_selection import OneRun, delta_at
from dpviz.types import Event, Exponential, Gaussian, Minimiser, Parallel, Sampled

if TYPE_CHECKING:
    from dp_accounting.pld.privacy_loss_distribution import PrivacyLossDistribution

POINTS, FINEST = 100_000, 1e-4
"""Of the grid that losses are rounded up to: about how many, and how close at most."""
WIDEST = 300.0
"""Loss above which zCDP and addition alone are asked."""
TAIL = 1e-15
"""Chance of a loss beyond the grid; it counts as a failure."""

Branches = tuple[float, float]
"""What an event can be to a record: mu of its dearest Gaussian part and epsilon of its dearest
exponential one; 0 is none. A record is in one part.
"""


def composed_epsilon(events: Iterable[Event], delta: float) -> float:
    """Epsilon at ``delta`` of events one after another. Their queries may follow from earlier
    results; their number and their noise may not (``session_totals`` covers that).
    """
    events = list(events)
    if any(isinstance(event, Minimiser) for event in events):
        # nothing tighter than zCDP is known of it beside others
        return zcdp_epsilon(sum(map(event_rho, events)), delta)
    met = [part for event in events for part in _worst_parts(event)]
    chance = [part for part in met if isinstance(part, Gaussian) and part.rate < 1]
    counted = Counter(_branches(part) for part in met if part not in chance)
    drawn = Counter(sampled.releases_of(part) for part in chance)
    by_chance = tuple(sorted(one._replace(times=one.times * n) for one, n in drawn.items()))
    return _composed(tuple(sorted(counted.items())), delta, by_chance)


def _worst_parts(event: Event) -> Sequence[Event]:
    """What one may meet of an event: all of its parts, where records may be in several."""
    return event.events if isinstance(event, Parallel) and event.shared else (event,)


def _branches(event: Event) -> Branches:
    if isinstance(event, Gaussian):
        return event_mu(event), 0.0
    if isinstance(event, Exponential):
        return 0.0, event.epsilon
    assert isinstance(event, Parallel)
    mus, epsilons = zip(*map(_branches, event.events), strict=True)
    return max(mus), max(epsilons)


@cached(512)
def _composed(
    counted: tuple[tuple[Branches, int], ...], delta: float, by_chance: tuple[Sampled, ...]
) -> float:
    """The same of branches and how often each stands there, and of releases of sampled records."""
    if any(math.isinf(value) for branches, _ in counted for value in branches):
        return math.inf
    if by_chance:
        return _with_sampled(counted, delta, by_chance)
    mu = math.sqrt(sum(times * m * m for (m, e), times in counted if not e))
    other_branches = {branches: times for branches, times in counted if branches[1]}
    gaussian = gdp_epsilon(mu, delta)
    if not other_branches:
        return gaussian
    rho = mu * mu / 2 + sum(times * _rho(*branches) for branches, times in other_branches.items())
    bounds = [zcdp_epsilon(rho, delta), _by_losses(mu, other_branches, delta)]
    if not any(m for m, _ in other_branches):
        bounds.append(gaussian + sum(times * e for (_, e), times in other_branches.items()))
    elif mu == 0 and sum(other_branches.values()) == 1:
        bounds += [max(gdp_epsilon(m, delta), e) for m, e in other_branches]
    return min(bounds)


def _with_sampled(
    counted: tuple[tuple[Branches, int], ...], delta: float, by_chance: tuple[Sampled, ...]
) -> float:
    """The least of two ways: as if every record were in every release, and by losses."""
    every = [(one.mu * math.sqrt(one.times), 0.0) for one in by_chance]
    if any(math.isinf(mu) for mu, _ in every):
        return math.inf
    bound = _composed(tuple(sorted((Counter(dict(counted)) + Counter(every)).items())), delta, ())
    mu = math.sqrt(sum(times * m * m for (m, e), times in counted if not e))
    other_branches = {branches: times for branches, times in counted if branches[1]}
    if len(by_chance) == 1 and not counted:
        return min(bound, sampled.sampled_epsilon(by_chance[0], delta))
    return min(bound, _by_losses(mu, other_branches, delta, by_chance))


def _rho(mu: float, epsilon: float) -> float:
    return max(mu * mu / 2, bounded_range_rho(epsilon))


def _by_losses(
    mu: float,
    rest: dict[Branches, int],
    delta: float,
    by_chance: tuple[Sampled, ...] = (),
) -> float:
    """Epsilon by privacy loss distributions on a grid, rounded up; infinite where the grid would
    have to be too wide.
    """
    reach = _reach(mu) + sum(times * max(_reach(m), e) for (m, e), times in rest.items())
    if reach > WIDEST or any(one.mu > sampled.MAX_MU for one in by_chance):
        return math.inf
    gap = max(FINEST, reach / POINTS)
    if by_chance:
        finest = min(sampled.reach(one.mu) for one in by_chance) / sampled.POINTS
        gap = max(gap, finest)
    whole = _losses(mu, 0.0, gap)
    for one in by_chance:
        whole = whole.compose(sampled.losses(one, gap), TAIL)
    for (m, e), times in rest.items():
        one = _losses(m, e, gap)
        whole = whole.compose(one.self_compose(times, TAIL), TAIL)
    return float(whole.get_epsilon_for_delta(delta))


def _reach(mu: float) -> float:
    """A loss that a mu-GDP release exceeds with a chance below TAIL."""
    return mu * mu / 2 + 8 * mu


def _losses(mu: float, epsilon: float, gap: float) -> PrivacyLossDistribution:
    """The loss of one event: of the pair whose curve is the higher of its two branches' at every
    epsilon.
    """
    from dp_accounting.pld import pld_pmf
    from dp_accounting.pld.privacy_loss_distribution import PrivacyLossDistribution

    most = max(1, math.ceil(max(_reach(mu), epsilon) / gap))
    losses = np.arange(-most, most + 1) * gap
    deltas = np.maximum(
        delta_at(losses, OneRun(mu * mu / 2, mu=mu)), _randomised_response(losses, epsilon)
    )
    falling = np.minimum.accumulate(np.clip(deltas, 0.0, 1.0))
    pmf = pld_pmf.create_pmf_pessimistic_connect_dots_fixed_gap(gap, -most, most, falling)
    return PrivacyLossDistribution(pmf)


def _randomised_response(losses: np.ndarray, epsilon: float) -> np.ndarray:
    """delta of any epsilon-DP mechanism at each loss, at most."""
    between = np.exp(-np.logaddexp(0.0, -epsilon)) - np.exp(losses - np.logaddexp(0.0, epsilon))
    return np.maximum(np.maximum(between, -np.expm1(losses)), 0.0)
