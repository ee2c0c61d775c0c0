"""Many conversions at once: those of the single ones, rounded to the private side."""

import math

import numpy as np
import pytest

from dpviz import privacy
from dpviz.privacy.per_record import (
    gaussian_losses,
    gdp_epsilons,
    log_delta,
    squared_mus,
    zcdp_epsilons,
)
from dpviz.types import Gaussian


def test_paper_setting_has_known_values():
    mu = math.sqrt(206) / 20 * np.array([1.0, 0.5, 0.1])
    assert gdp_epsilons(mu, 1e-5) == pytest.approx([2.992983, 1.378800, 0.237338], abs=1e-6)


def test_maximally_moving_record_loses_full_cost():
    events = {"one": Gaussian(0.3, 2.0, 7), "other": Gaussian(1.0, 11.0, 2)}
    moved = np.array([1.0, 0.5])
    squared = sum(e.times * squared_mus(moved * e.sensitivity, e) for e in events.values())
    epsilon, rho = gaussian_losses(squared, 1e-5)
    claim = privacy.guarantee(events, 1e-5, adjacency="", public="", source="")
    assert (epsilon[0], rho[0]) == pytest.approx((claim.epsilon_delta, claim.rho))
    assert rho[1] == pytest.approx(rho[0] / 4)


@pytest.mark.parametrize("delta", [1e-8, 1e-5, 0.01])
def test_vectorized_conversions_match_single_ones_rounded_up(delta):
    mu = np.concatenate([[0.0], np.geomspace(1e-4, 100, 60)])
    single = np.array([privacy.gdp_epsilon(m, delta) for m in mu])
    found = gdp_epsilons(mu, delta)
    assert np.all(np.abs(found - single) <= 1e-9 * single + 1e-11)
    assert np.all(np.diff(found) >= 0)
    # delta at the epsilon found is at most the one asked for: rounded to the private side
    assert np.all(log_delta(mu, found) <= math.log(delta) + 1e-12)
    rho = np.geomspace(1e-6, 1e3, 40)
    single = np.array([privacy.zcdp_epsilon(r, delta) for r in rho])
    assert np.all(zcdp_epsilons(rho, delta) >= single * (1 - 1e-12))
    assert zcdp_epsilons(rho, delta) == pytest.approx(single, rel=1e-3)
