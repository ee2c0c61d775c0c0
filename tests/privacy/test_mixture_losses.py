"""Losses of a mixture of Gaussians: bit for bit those of dp_accounting."""

import numpy as np
import pytest
from dp_accounting.pld.privacy_loss_distribution import from_mixture_gaussian_mechanism

from dpviz.privacy import mixture_losses
from dpviz.privacy.stated_mechanisms import SampledGroup


@pytest.mark.parametrize(
    ("sigma", "rate", "images", "gap"),
    [(1.1, 0.01, 2, 0.005), (0.6, 0.3, 5, 0.02), (5.0, 0.1, 30, 0.01), (1.0, 0.999, 2, 0.05)],
)
def test_losses_equal_those_of_the_library(sigma, rate, images, gap):
    weights = SampledGroup(sigma, rate, 1, images).weights
    library = from_mixture_gaussian_mechanism(sigma, *weights, value_discretization_interval=gap)
    own = mixture_losses.losses(sigma, *weights, gap)
    epsilons = np.linspace(0, 3, 20)
    for steps in (1, 50):
        pair = [pld.self_compose(steps).get_delta_for_epsilon(epsilons) for pld in (own, library)]
        assert np.array_equal(*pair) and pair[0][0] > 0


def test_points_are_searched_side_by_side(monkeypatch):
    calls = []
    search = mixture_losses._Mixture._losses_at
    counted = lambda self, points: calls.append(len(points)) or search(self, points)
    monkeypatch.setattr(mixture_losses._Mixture, "_losses_at", counted)
    mixture_losses.losses(1.1, *SampledGroup(1.1, 0.01, 1, 3).weights, 0.01)
    assert 0 < len(calls) < 80 and max(calls) > 100
