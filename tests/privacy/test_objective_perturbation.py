"""The price of a perturbed objective's minimiser against exact densities: two classes and one
feature make a plane of weights, over which the Rényi divergence and delta are integrals.
"""

import dataclasses
import math

import numpy as np
import pytest

from dpviz import privacy
from dpviz.privacy import objective_perturbation
from dpviz.types import Budget, Gaussian, Minimiser

GRID, REACH = 601, 9.0
"""Points of each axis of the integrals, and how many sd they go to."""


def event(sigma, ridge, classes=2):
    root = math.sqrt(2)
    tiny = 1e-9
    return Minimiser(
        root, sigma, ridge, 0.5, 1 - 1 / classes, math.log(classes), tiny, 1e6 * tiny * sigma
    )


class Plane:
    """Log densities of the minimiser (w_0, w_1) of ``like`` records of class 1 at x = 1 and of
    ``unlike`` ones of class 0, by the change of variables that every account begins with.
    """

    def __init__(self, sigma, ridge):
        self.sigma, self.ridge = sigma, ridge
        side = np.linspace(-REACH, REACH, GRID) * (sigma / ridge + 1)
        self.step = side[1] - side[0]
        self.w = np.stack(np.meshgrid(side, side, indexing="ij"))

    def log_density(self, like, unlike):
        p = 1 / (1 + np.exp(np.clip(self.w[1] - self.w[0], -500, 500)))  # of class 0
        pull = (like + unlike) * p - unlike
        slope = self.ridge * self.w + np.stack([pull, -pull])
        curve = (like + unlike) * p * (1 - p)
        determinant = self.ridge * (self.ridge + 2 * curve)
        squares = (slope * slope).sum(axis=0)
        gaussian = -squares / (2 * self.sigma**2) - math.log(2 * math.pi * self.sigma**2)
        return gaussian + np.log(determinant)

    def integral(self, logs):
        return float(np.exp(logs).sum()) * self.step**2


def exact(sigma, ridge, like, alphas, epsilons):
    """Rényi divergences (2, orders) and deltas (2, epsilons) of a record more, each way."""
    plane = Plane(sigma, ridge)
    more, less = plane.log_density(like, 1), plane.log_density(like, 0)
    assert plane.integral(more) == pytest.approx(1, abs=1e-3), "the integral leaves nothing out"
    pairs = ((less, more), (more, less))
    renyi = [
        [math.log(plane.integral(a * p + (1 - a) * q)) / (a - 1) for a in alphas] for p, q in pairs
    ]
    deltas = [
        [float(np.maximum(np.exp(p) - np.exp(e + q), 0).sum()) * plane.step**2 for e in epsilons]
        for p, q in pairs
    ]
    return np.array(renyi), np.array(deltas)


SETTINGS = [(1.0, 1.0, 30), (1.0, 4.0, 0), (3.0, 2.0, 80), (0.7, 0.3, 40)]


@pytest.mark.parametrize("sigma, ridge, like", SETTINGS)
def test_divergence_and_delta_stay_within_bounds(sigma, ridge, like):
    alphas, epsilons, one = (1.01, 1.5, 2.0, 4.0, 8.0), (0.2, 1.0, 3.0), event(sigma, ridge)
    renyi, deltas = exact(sigma, ridge, like, alphas, epsilons)
    rho = objective_perturbation.rho(one)
    assert (renyi <= rho * np.array(alphas) * (1 + 1e-6)).all()
    for at, epsilon in enumerate(epsilons):
        if (delta := deltas[:, at].max()) > 1e-12:
            assert epsilon <= objective_perturbation.epsilon(one, delta) * (1 + 1e-6)


def test_exact_divergence_nearly_reaches_bound_shorter_gradient_fails():
    """A record against many that are sure of another class: the worst there is. The negative
    control claims four fifths of the gradient's length.
    """
    renyi, _ = exact(3.0, 2.0, 80, (2.0,), ())
    bound = 2 * objective_perturbation.rho(event(3.0, 2.0))
    assert 0.6 * bound < renyi.max() <= bound
    plain = 2 * 2 / (2 * 3.0**2)
    assert renyi.max() > 0.85 * plain
    faulty_event = dataclasses.replace(
        event(3.0, 2.0), sensitivity=0.8 * math.sqrt(2), largest=0.01
    )
    assert renyi.max() > 2 * objective_perturbation.rho(faulty_event)


def test_curvature_term_is_necessary_for_the_claim():
    """Where the ridge is small and no record is sure, the Jacobian alone tells of a record."""
    sigma, ridge = 4.0, 0.3
    renyi, _ = exact(sigma, ridge, 0, (1.5, 4.0), ())
    gaussian = privacy.event_rho(Gaussian(math.sqrt(2), sigma)) * np.array([1.5, 4.0])
    assert (renyi.max(axis=0) > gaussian).all()
    assert (
        renyi.max(axis=0) <= objective_perturbation.rho(event(sigma, ridge)) * np.array([1.5, 4.0])
    ).all()


def test_large_ridge_costs_same_as_gaussian_noise():
    one = event(5.0, 1e5, classes=10)
    assert objective_perturbation.rho(one) == pytest.approx(2 / (2 * 25), rel=1e-4)
    assert (
        objective_perturbation.rho(event(5.0, 5.0))
        > objective_perturbation.rho(event(5.0, 50.0))
        > 0.04
    )


def test_group_of_records_scales_each_bound():
    group = privacy.scaled_event(event(5.0, 1e4), 3)
    assert (group.largest, group.trace) == (1.5, 1.5)
    assert group.corners == pytest.approx(3 * math.log(2))
    assert objective_perturbation.rho(group) == pytest.approx(9 * 0.04, rel=1e-3)


def test_user_with_thousand_records_has_finite_cost():
    group = privacy.scaled_event(event(5e3, 1e4), 2000)
    assert group.corners > 1000
    assert objective_perturbation.epsilon(group, 1e-5) < 100


COVERED = [Budget(1e-6), Budget(0.01, delta=0.5)]
"""On the way to these there is noise of which delta alone covers all that is told."""


@pytest.mark.parametrize(
    "budget", [Budget(1.0), Budget(0.05, "zcdp"), Budget(0.5, "paper"), *COVERED]
)
def test_calibration_spends_nearly_all_of_budget(budget):
    made = privacy.calibrated_minimiser(lambda sigma: event(sigma, 1 + sigma), budget)
    plan = privacy.make_plan("m", {}, budget, {"w": made}, source="this test")
    spent = plan.guarantee.epsilon_delta if budget.axis == "approx" else plan.guarantee.rho
    allowed = budget.value**2 / 2 if budget.axis == "paper" else budget.value
    assert 0.99 * allowed < spent <= allowed
