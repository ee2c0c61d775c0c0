"""The minimiser is found for any records, in steps that sizes and noise bound."""

import numpy as np
import pytest

from dpviz.methods import objective
from dpviz.methods.objective import Regression, max_steps

MOST = 5e-4


def hard(ridge):
    """Records that contradict each other along one direction, and an L2 penalty."""
    rng = np.random.default_rng(0)
    x = rng.normal(size=(60, 5)) * [1, 0.3, 0.1, 0.03, 0.01]
    x /= np.linalg.norm(x, axis=1, keepdims=True)
    regression = Regression(x, np.eye(3)[rng.integers(0, 3, 60)])
    return regression, rng.normal(size=(1, 3, 5)), np.array([ridge])


def slope(regression, w, linear, ridge):
    return float(np.linalg.norm(regression._whole(w, linear, ridge)[1]))


@pytest.mark.parametrize("ridge", [1e-2, 1.0, 100.0])
@pytest.mark.parametrize("lost", [0.0, 1e6])
def test_minimizer_is_found_after_failed_first_search(ridge, lost, monkeypatch):
    regression, linear, ridges = hard(ridge)
    exact = regression.minimisers(linear, ridges, MOST)
    monkeypatch.setattr(Regression, "_newton", lambda self, b, *_: np.full(b.shape, lost))
    found = regression.minimisers(linear, ridges, MOST)
    assert slope(regression, found, linear, ridges) <= MOST
    assert np.linalg.norm(found - exact) <= 2 * MOST / ridge


@pytest.mark.parametrize("ridge", [1e-2, 1.0])
def test_step_bound_suffices_and_fraction_does_not(ridge, monkeypatch):
    regression, linear, ridges = hard(ridge)
    monkeypatch.setattr(Regression, "_newton", lambda self, b, *_: np.zeros(b.shape))
    # sqrt(2) n + |linear| whatever the records are
    worst = np.sqrt(2) * len(regression.x) + np.linalg.norm(linear)
    assert slope(regression, np.zeros(linear.shape), linear, ridges) <= worst
    assert max_steps(1 + 30 / ridge, worst / MOST) < 5000
    few = lambda *given: max_steps(*given) // 50
    monkeypatch.setattr(objective, "max_steps", few)
    found = regression.minimisers(linear, ridges, MOST)
    assert slope(regression, found, linear, ridges) > MOST
