"""Compositions against dp_accounting, which no such pair wrote: exact, or between two bounds."""

import math

import numpy as np
import pytest
from dp_accounting import dp_event
from dp_accounting.pld import PLDAccountant

from dpviz import privacy
from dpviz.privacy.composition import composed_epsilon
from dpviz.types import Exponential, Gaussian, Parallel

DELTA = 1e-5


def gaussian_only(case):
    rng = np.random.default_rng(case)
    return [
        Gaussian(float(rng.uniform(0.5, 2)), float(rng.uniform(8, 30)), int(rng.integers(1, 9)))
        for _ in range(rng.integers(2, 12))
    ]


def mixed(case):
    """A dear event of each kind, in turn, and cheaper ones of all kinds."""
    rng = np.random.default_rng(case)
    dear = [
        Gaussian(1.0, 1 / 1.5),
        Exponential(1.0, 4.0),
        Parallel((Gaussian(1.0, 1.0), Exponential(1.0, 5.0))),
    ]
    cheap = [Gaussian(1.0, float(rng.uniform(20, 60))) for _ in range(rng.integers(1, 5))]
    cheap += [Exponential(2.0, float(rng.uniform(0.01, 0.2))) for _ in range(rng.integers(1, 5))]
    cheap += [Parallel((Gaussian(1.0, 25.0), Exponential(1.0, float(rng.uniform(0.02, 0.2)))))]
    return [dear[case % 3], *cheap]


def theirs(events, delta=DELTA):
    accountant = PLDAccountant(value_discretization_interval=1e-3)
    for event in events:
        noise = dp_event.GaussianDpEvent(event.sigma / event.sensitivity)
        accountant.compose(noise, event.times)
    return accountant.get_epsilon(delta)


def alone(event, delta=DELTA):
    """Epsilon of one event: of a Gaussian one theirs, of an exponential one by the randomised
    response in closed form.
    """
    if isinstance(event, Parallel):
        return max(alone(part, delta) for part in event.events)
    if isinstance(event, Gaussian):
        return theirs([event], delta)
    grown = math.exp(event.epsilon)
    return math.log(grown - delta * (1 + grown))


def bounds(events):
    """Between what any single event costs and what all cost added up, each at its share of
    delta.
    """
    added = sum(alone(event, DELTA / len(events)) for event in events)
    return max(map(alone, events)), added


@pytest.mark.parametrize("case", range(10))
def test_gaussian_composition_matches_dp_accounting(case):
    events = gaussian_only(case)
    right = theirs(events)
    assert composed_epsilon(events, DELTA) == pytest.approx(right, rel=1e-5)
    for forgotten in range(len(events)):
        rest = events[:forgotten] + events[forgotten + 1 :]
        assert composed_epsilon(rest, DELTA) < right * (1 - 1e-4)


@pytest.mark.parametrize("case", range(10))
def test_mixed_composition_lies_between_largest_and_sum(case):
    events = mixed(case)
    least, most = bounds(events)
    assert least <= composed_epsilon(events, DELTA) < most
    assert composed_epsilon(events[1:], DELTA) < least, "the negative control forgets the dearest"


def test_loose_sum_is_never_used():
    mu = privacy.gdp_mu(1.0, DELTA)
    four = [privacy.gaussian(1.0, mu)] * 4
    assert composed_epsilon(four, DELTA) == pytest.approx(privacy.gdp_epsilon(2 * mu, DELTA))
    assert composed_epsilon(four, DELTA) < privacy.zcdp_epsilon(2 * mu**2, DELTA)
    many = [Exponential(1.0, 1.0)] * 100
    assert composed_epsilon(many, DELTA) <= privacy.zcdp_epsilon(
        100 * privacy.bounded_range_rho(1.0), DELTA
    )
    # for a hundred of epsilon = 0.5 the papers' eps^2/8 would say more
    few = [Exponential(1.0, 0.5)] * 100
    assert composed_epsilon(few, DELTA) < privacy.zcdp_epsilon(100 * 0.5**2 / 8, DELTA)


def test_single_event_costs_its_guarantee():
    for event in (
        Gaussian(1.0, 2.0, 3),
        Exponential(2.0, 1.5),
        Parallel((Gaussian(1.0, 1.5), Exponential(1.0, 1.2))),
        Parallel((Gaussian(1.0, 9.0), Exponential(1.0, 1.2))),
    ):
        promise = privacy.guarantee({"it": event}, DELTA, adjacency="", public="", source="")
        found = composed_epsilon([event], DELTA)
        assert found <= promise.epsilon_delta
        assert found == pytest.approx(promise.epsilon_delta, rel=1e-4)


def test_empty_composition_is_free_and_no_noise_infinite():
    assert composed_epsilon([], DELTA) == 0
    assert composed_epsilon([Gaussian(1.0, 0.0), Exponential(1.0, 1.0)], DELTA) == math.inf
    assert composed_epsilon([Exponential(1.0, math.inf)], DELTA) == math.inf
