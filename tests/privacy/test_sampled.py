"""Releases of sampled records, against dp_accounting's own accountant, which no such pair wrote."""

import math

import pytest
from dp_accounting import dp_event
from dp_accounting.pld import PLDAccountant

from dpviz import privacy
from dpviz.privacy.composition import composed_epsilon
from dpviz.privacy.sampled import sampled_epsilon, sampled_gaussian
from dpviz.types import Budget, Gaussian, Sampled

CASES = [Sampled(0.5, 0.1, 100), Sampled(1.0, 0.01, 500), Sampled(2.0, 0.5, 1)]


def told(one: Sampled) -> float:
    """What the accountant says of Poisson-sampled Gaussian releases under add or remove."""
    step = dp_event.PoissonSampledDpEvent(one.rate, dp_event.GaussianDpEvent(1 / one.mu))
    accountant = PLDAccountant(value_discretization_interval=1e-3)
    accountant.compose(dp_event.SelfComposedDpEvent(step, one.times))
    return accountant.get_epsilon(1e-5)


@pytest.mark.parametrize("one", CASES, ids=str)
def test_sampled_cost_matches_accountant_and_is_lower(one):
    epsilon = sampled_epsilon(one, 1e-5)
    assert epsilon == pytest.approx(told(one), rel=0.02)
    assert epsilon < privacy.gdp_epsilon(one.mu * math.sqrt(one.times), 1e-5)


def test_calibrated_noise_spends_nearly_all_of_budget():
    event = sampled_gaussian(0.3, Budget(1.0), 50, 0.1)
    spent = composed_epsilon([event], 1e-5)
    assert 0.99 < spent <= 1.0
    half = Gaussian(0.3, event.sigma / 2, 50, 0.1)
    assert composed_epsilon([half], 1e-5) > 2
    assert composed_epsilon([event, event], 1e-5) > 1.2 * spent


@pytest.mark.parametrize("rate, times", [(0.001, 1), (0.001, 4), (0.5, 1)])
@pytest.mark.parametrize("epsilon, delta", [(20.0, 0.1), (0.01, 0.1), (100.0, 0.01)])
def test_noise_meets_budget_at_low_rates_large_delta(epsilon, delta, rate, times):
    event = sampled_gaussian(0.3, Budget(epsilon, delta=delta), times, rate)
    one = Sampled(0.3 / event.sigma, rate, times)
    assert event.sigma > 0 and sampled_epsilon(one, delta) <= epsilon


def test_zcdp_gives_no_sampling_benefit():
    event, whole = (sampled_gaussian(0.3, Budget(0.5, "zcdp"), 50, rate) for rate in (0.1, 1.0))
    assert event.sigma == whole.sigma and privacy.event_rho(event) == privacy.event_rho(whole)


def test_sampled_group_participates_if_any_record_does():
    seen = privacy.scaled_event(Gaussian(1.0, 2.0, 5, 0.1), 3)
    assert (seen.sensitivity, seen.times) == (3.0, 5)
    assert seen.rate == pytest.approx(1 - 0.9**3)
    assert privacy.scaled_event(seen, 1 / 3).rate == pytest.approx(0.1)
