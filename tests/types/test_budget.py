"""Bounds of a budget: refused in one sentence beyond them, and usable at them on every axis."""

import math

import pytest

from dpviz import methods, privacy
from dpviz.privacy.claims import claimed_guarantee
from dpviz.types import AXES, Budget, DpvizError
from dpviz.types.budget import LARGEST_BUDGET
from tests.kit.toys import toy_data


@pytest.mark.parametrize("axis, value", [("approx", 1e18), ("zcdp", 1e100), ("paper", 1e20)])
def test_budget_above_maximum_is_refused_with_message(axis, value):
    with pytest.raises(
        DpvizError,
        match=r"Budget must be above 0 and at most (1e12|1,000,000) \(inf: no privacy\), got",
    ):
        Budget(value, axis)
    assert not Budget(math.inf, axis).private


@pytest.mark.parametrize("delta", [0, 1e-310, 0.6, 1 - 1e-16, 1])
def test_delta_out_of_range_is_refused_with_message(delta):
    sentence = f"Delta must be between 1e-305 and 0.5, got {delta:g}."
    with pytest.raises(DpvizError, match=sentence):
        Budget(1.0, delta=delta)
    if delta:
        with pytest.raises(DpvizError, match=sentence):
            claimed_guarantee("add or remove one record", mu=1.0, delta=delta)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("axis", AXES)
@pytest.mark.parametrize("delta", [1e-5, 1e-300, 0.5])
def test_every_method_has_plan_at_largest_budget(axis, delta):
    sizes, budget = toy_data().sizes, Budget(LARGEST_BUDGET[axis], axis, delta)
    for key, method in methods.METHODS.items():
        promise = method.plan(sizes, budget, method.check({})).guarantee
        if method.private:
            spent = promise.epsilon_delta if axis == "approx" else promise.rho
            if axis == "guess":
                spent = 100 * privacy.success_bound(promise)
            allowed = budget.value**2 / 2 if axis == "paper" else budget.value
            assert 0 < spent <= allowed, key
