"""Bounds of a budget: refused in one sentence beyond them, and usable at them on every axis."""

import math

import pytest

from dpviz import methods
from dpviz.types import AXES, Budget, DpvizError
from dpviz.types.checks import LARGEST_BUDGET
from tests.kit.toys import toy_data


@pytest.mark.parametrize("axis, value", [("approx", 1e18), ("zcdp", 1e100), ("paper", 1e20)])
def test_a_larger_finite_budget_is_refused_in_one_sentence(axis, value):
    with pytest.raises(DpvizError, match=r"Budget is 1e\+\d+; use a number above 0 up to 1e\+"):
        Budget(value, axis)
    assert not Budget(math.inf, axis).private


def test_a_smaller_delta_is_refused_in_one_sentence():
    with pytest.raises(DpvizError, match="Delta is 1e-310; use a number from 1e-305 and below 1"):
        Budget(1.0, delta=1e-310)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("axis", AXES)
@pytest.mark.parametrize("delta", [1e-5, 1e-300])
def test_every_method_has_a_plan_at_the_largest_budget(axis, delta):
    sizes, budget = toy_data().sizes, Budget(LARGEST_BUDGET[axis], axis, delta)
    for key, method in methods.METHODS.items():
        promise = method.plan(sizes, budget, method.check({})).guarantee
        if method.private:
            spent = promise.epsilon_delta if axis == "approx" else promise.rho
            allowed = budget.value**2 / 2 if axis == "paper" else budget.value
            assert 0 < spent <= allowed, key
