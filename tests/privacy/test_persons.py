"""A promise to persons is that of its events moved as far as all of a person's records may."""

import math

import numpy as np
import pytest

from dpviz import methods, privacy
from dpviz.audits import private_methods
from dpviz.methods import METHODS
from dpviz.privacy.composition import composed_epsilon
from dpviz.types import Budget, Exponential, Gaussian, Parallel
from tests.kit.toys import toy_data

BUDGETS = [Budget(v, axis) for axis in ("approx", "zcdp", "paper") for v in (0.05, 1.0, 10.0)]
SIZES = toy_data().sizes
FORMS = {
    "dppl-mean": ("form", ("sum", "printed", "coinpress")),
    "dppl-auto": ("counts", ("public",)),
}


def plans(key, budget, most):
    name, choices = FORMS.get(key, ("", ()))
    for form in ({}, *({name: choice} for choice in choices)):
        params = METHODS[key].check(form)
        of_record = METHODS[key].plan(SIZES, budget, params)
        yield of_record, methods.plan_for_persons(METHODS[key], SIZES, budget, params, most)


@pytest.mark.parametrize("key", private_methods())
def test_person_cost_uses_most_of_the_budget(key):
    for budget in BUDGETS:
        for most in (2, 20, 600):
            for whole, plan in plans(key, budget, most):
                privacy.check(plan, budget)
                spent = (
                    plan.guarantee.epsilon_delta if budget.axis == "approx" else plan.guarantee.rho
                )
                alone = (
                    whole.guarantee.epsilon_delta
                    if budget.axis == "approx"
                    else whole.guarantee.rho
                )
                assert 0.8 * alone <= spent <= alone * 1.005, (
                    "noise is searched for to a thousandth"
                )
                assert (
                    plan.guarantee.adjacency in privacy.ADD_REMOVE_PERSON + privacy.REPLACE_PERSON
                )
                assert plan.records_per_person == most and math.isfinite(plan.guarantee.of_record)


@pytest.mark.parametrize("key", private_methods())
def test_one_record_per_user_equals_record_level_plan(key):
    for budget in BUDGETS:
        for whole, plan in plans(key, budget, 1):
            one, other = plan.guarantee, whole.guarantee
            assert plan.events == whole.events and plan.notes == whole.notes
            figures = ("notion", "value", "rho", "epsilon_delta", "public", "source")
            assert all(getattr(one, name) == getattr(other, name) for name in figures)
            if not METHODS[key].record_ratio(plan.params):
                assert one.of_record == other.epsilon_delta


def test_more_records_per_person_cost_more_noise():
    sigmas, epsilons = [], []
    for most in (1, 2, 5, 20):
        _, plan = next(plans("dppl-mean", Budget(1.0), most))
        sigmas.append(plan.gaussian("sum").sigma)
        epsilons.append(plan.guarantee.of_record)
    assert np.allclose(np.array(sigmas) / sigmas[0], [1, 2, 5, 20], rtol=1e-6)
    assert epsilons == sorted(epsilons, reverse=True)


def test_user_in_parts_costs_no_more_than_largest():
    """Shares t and 1 - t of the records in the two parts, by whatever way of counting."""
    for mu in np.geomspace(0.02, 6, 12):
        for epsilon in np.geomspace(0.02, 20, 12):
            shared = Parallel((Gaussian(1.0, 1 / mu), Exponential(1.0, epsilon)), shared=True)
            told = privacy.guarantee({"it": shared}, 1e-5, adjacency="", public="", source="")
            for t in np.linspace(0, 1, 9):
                rho = (t * mu) ** 2 / 2 + privacy.bounded_range_rho((1 - t) * epsilon)
                assert rho <= told.rho * (1 + 1e-12)
                added = privacy.gdp_epsilon(t * mu, 1e-5) + (1 - t) * epsilon
                assert min(added, privacy.zcdp_epsilon(rho, 1e-5)) <= told.epsilon_delta * (
                    1 + 1e-9
                )


def test_overlapping_parts_are_composed_fully():
    parts = Gaussian(1.0, 2.0), Exponential(1.0, 0.5)
    apart = composed_epsilon(parts, 1e-5)
    assert composed_epsilon([Parallel(parts, shared=True)], 1e-5) == apart
    assert composed_epsilon([Parallel(parts)], 1e-5) < apart
