"""Theorem 3 of the AdaMix paper on a problem with a known optimum, as printed and as it follows."""

import math

import numpy as np
import pytest

from dpviz.diagnostics import numerical_convergence
from dpviz.diagnostics.numerical_convergence import Problem
from dpviz.methods.components import convergence


def test_printed_bound_is_below_error_corrected_is_above():
    """The excess is told from the bound by four standard errors: false alarm 1 in 30,000."""
    printed, right = (
        numerical_convergence.check_convergence(Problem(), one) for one in (True, False)
    )
    assert printed.exceeds_bound and printed.excess > 1.5 * printed.bound
    assert not right.exceeds_bound and right.excess + 4 * right.error < right.bound


def test_one_pass_meets_bound_halved_by_fourfold_records():
    few, many = (
        numerical_convergence.one_pass(m, Problem(n=200, d=20, steps=200)) for m in (10, 40)
    )
    for one in (few, many):
        assert one.distance < one.max_distance and one.excess < one.bound
    assert few.bound == pytest.approx(2 * many.bound)


def test_decay_minimizes_the_bound():
    n, tau, d, rho, distance = 500, 1.4, 30, 0.2, 3.0
    best = convergence.decay(tau, d, rho, distance)
    over = lambda decay: d * tau**2 / (rho * decay) + decay / 2 * distance**2
    decays = best * np.geomspace(0.5, 2, 41)
    assert decays[np.argmin([over(one) for one in decays])] == pytest.approx(best)
    bound = convergence.bound(n, tau, d, rho, distance, 100_000)
    assert bound.noise == pytest.approx(over(best) / n, rel=1e-3)
    assert bound.noise == pytest.approx(2 * math.sqrt(d / (2 * rho)) * tau * distance / n, rel=1e-3)
    assert bound.steps < 0.05 * bound.noise + 8 * n * tau**2 / (best * 100_000) * 1.2


def test_fourth_theorem_uses_derived_not_printed_constant():
    far = convergence.public_distance(1.4, 0.1, 50)
    fourth = convergence.mixed_bound(500, 1.4, 30, 0.2, 0.1, 50)
    printed = convergence.printed_bound(500, 1.4, 30, 0.2, far, 10**9, 1.0)
    assert fourth == pytest.approx(
        4 * math.sqrt(30) * 1.4**2 / (0.1 * math.sqrt(50) * 500 * 0.4**0.5)
    )
    assert fourth == pytest.approx(2 * printed.noise)
