"""The axis of the attacker's best guess: every method at exactly the leakage asked for."""

import dataclasses
import math

import numpy as np
import pytest

from dpviz import methods, privacy
from dpviz.privacy import best_guess
from dpviz.privacy.convert import guess_rho, zcdp_guess
from dpviz.types import Budget, DpvizError, Guarantee
from tests.kit.toys import toy_data

PRIVATE = [key for key, method in methods.METHODS.items() if method.private]


def plan(key, budget):
    method = methods.METHODS[key]
    return method.plan(toy_data().sizes, budget, method.check({}))


@pytest.mark.parametrize("key", PRIVATE)
def test_plan_leaks_exactly_the_stated_budget(key):
    for percent in (50.5, 60.0, 90.0):
        budget = Budget(percent, "guess")
        found = privacy.at_best_guess(lambda b: plan(key, b), budget)
        privacy.check(found, budget)
        right = privacy.success_bound(found.guarantee)
        assert percent / 100 - 1e-6 <= right <= percent / 100, (key, percent)


def test_gaussian_and_exponential_budgets_have_closed_forms():
    budget = Budget(60.0, "guess")
    assert plan("dppl-mean", budget).guarantee.value == pytest.approx(0.50669421, rel=1e-7)
    # (1 + tanh(eps / 4)) / 2 = .6
    assert plan("dppl-public", budget).guarantee.value == pytest.approx(0.81093022, rel=1e-7)


def test_mixed_noise_is_scaled_until_guess_is_reached():
    looser = lambda b: plan("dppl-mean", dataclasses.replace(b, value=b.value / 2))
    # a method that spends half of an (epsilon, delta) budget, and too little of a best guess
    make = lambda b: looser(b) if b.axis == "approx" else plan("dppl-mean", Budget(51.0, "guess"))
    found = best_guess.at_best_guess(make, Budget(60.0, "guess"))
    assert privacy.success_bound(found.guarantee) == pytest.approx(0.6, abs=1e-6)


def test_zcdp_guess_inverts_and_is_below_search():
    promise = Guarantee("zcdp", 0.08, 1e-5, "", "", 1.0, 0.08, "")
    right = privacy.success_bound(promise)
    assert guess_rho(right) == pytest.approx(0.08, rel=1e-8)
    fpr, tpr = best_guess.corners(promise)
    searched = float(np.max(0.5 * tpr + 0.5 * (1 - fpr)))
    assert right <= searched < right + 0.01
    # the Gaussian mechanism of this rho leaks less than the notion allows
    gaussian = dataclasses.replace(promise, notion="gdp", value=math.sqrt(0.16))
    assert privacy.success_bound(gaussian) < right
    assert zcdp_guess(0.0) == 0.5 and zcdp_guess(math.inf) == 1


@pytest.mark.parametrize("value", [50, 12, 100, 99.99999])
def test_invalid_best_guess_is_refused_with_message(value):
    with pytest.raises(DpvizError, match="Budget must be above 50"):
        Budget(value, "guess")


def test_plan_that_exceeds_a_best_guess_is_refused():
    too_much = plan("dppl-mean", Budget(61.0, "guess"))
    with pytest.raises(DpvizError, match="best guess = 61, above the budget of 60"):
        privacy.check(too_much, Budget(60.0, "guess"))


def test_shared_plan_reaches_the_best_guess():
    method = methods.METHODS["dppl-auto"]
    found = methods.plan(method, toy_data().sizes, Budget(60.0, "guess"), method.check({}))
    assert 0.6 - 1e-6 <= privacy.success_bound(found.guarantee) <= 0.6
