"""Theorem 3 of the AdaMix paper beside runs on records."""

import math

import numpy as np
import pytest

from dpviz.data import uploads
from dpviz.diagnostics import convergence_on_data
from dpviz.diagnostics.convergence_on_data import (
    FAILS,
    HOLDS,
    HOLDS_TRIVIALLY,
    UNDECIDED,
    ConvergenceRun,
)
from dpviz.methods.components.convergence import Bound
from dpviz.types import Budget, DpvizError, RunSpec
from tests.kit.toys import blurred_content


def spec(epsilon=3.0):
    own = uploads.display_path(uploads.path(uploads.keep(blurred_content(30, 40, 1.5))))
    return RunSpec(own, None, "adamix", Budget(epsilon), params=(), seed=0)


def test_runs_stay_below_corrected_bound_with_budget_noise():
    """A false alarm needs a mean above a bound that holds for its expectation, many times over."""
    found = convergence_on_data.run_convergence(spec(), (5.0, 10.0))
    assert [one.steps for one in found.follows] == [
        round(2 * found.rho * sigma**2) for sigma in (5.0, 10.0)
    ]
    for one in found.follows:
        assert one.mean < one.bound.total and one.verdict(found.guessing) in (
            HOLDS,
            HOLDS_TRIVIALLY,
        )
    assert found.follows[0].decay != found.printed[0].decay
    strict = convergence_on_data.run_convergence(spec(0.3), (10.0,)).follows[0]
    assert strict.steps == 1 and strict.bound.noise > found.follows[1].bound.noise
    assert convergence_on_data.run_convergence(spec(), (5.0,)).follows[0] == found.follows[0]


def test_noiseless_descent_converges_to_best_head():
    rng = np.random.default_rng(0)
    x, y = rng.normal(size=(60, 4)), rng.integers(0, 3, 60)
    x /= np.linalg.norm(x, axis=1, keepdims=True)
    start = np.zeros((3, 4))
    short, long = (
        convergence_on_data._descended(x, y, start, steps, 30.0, 0.0, math.inf, 2, 0)
        for steps in (3, 300)
    )
    best = convergence_on_data.public_sets.converge(x, y, 3, 30.0)
    assert np.abs(long[0] - best).max() < 0.001 < np.abs(short[0] - best).max()


@pytest.mark.parametrize(
    ("excess", "bound", "verdict"),
    [
        ((1.0, 1.1), 5.0, HOLDS_TRIVIALLY),
        ((1.0, 1.1), 2.0, HOLDS),
        ((5.0, 5.01), 2.0, FAILS),
        ((0.1, 5.0), 2.0, UNDECIDED),
    ],
)
def test_verdict_accounts_for_random_variation_and_chance_loss(excess, bound, verdict):
    assert ConvergenceRun(1.0, 1, excess, 1.0, Bound(0.0, bound)).verdict(2.3) == verdict


def test_infinite_budget_is_refused():
    with pytest.raises(DpvizError, match="finite budget"):
        convergence_on_data.run_convergence(spec(math.inf), (1.0,))
