"""DPPL-Auto: parallel accounting, a choice that sees no private record, and a rehearsal that is the
same each time.
"""

import dataclasses
import inspect
import math

import numpy as np
import pytest
from scipy.stats import norm

from dpviz import mechanisms, privacy
from dpviz.methods import METHODS, dppl_auto
from dpviz.methods.components.public_scores import window_width
from dpviz.types import Budget, Exponential, Gaussian, Parallel, unit_rows

CARD = {"adjacency": "a", "public": "p", "source": "s"}
BUDGETS = [Budget(v, axis) for axis in ("approx", "zcdp", "paper") for v in (0.01, 0.3, 3.0)]
METHOD = METHODS["dppl-auto"]


def params(**given):
    return METHOD.check(given)


# ------------------------------------------------------------------------------ parallel accounting


@pytest.mark.parametrize("sigma, epsilon", [(1.0, 0.1), (100.0, 1.0), (4.0, 1.0)])
def test_parallel_costs_the_largest_part(sigma, epsilon):
    parts = Gaussian(1.0, sigma), Exponential(1.0, epsilon)
    alone = [privacy.guarantee({"it": part}, 1e-5, **CARD) for part in parts]
    both = privacy.guarantee({"it": Parallel(parts)}, 1e-5, **CARD)
    assert both.notion == "zcdp" and both.value == both.rho == max(g.rho for g in alone)
    assert both.epsilon_delta == max(g.epsilon_delta for g in alone)


def test_parallel_of_one_kind_keeps_its_notion():
    gaussians = privacy.guarantee(
        {"it": Parallel((Gaussian(1, 2), Gaussian(1, 5, 3)))}, 1e-5, **CARD
    )
    assert (gaussians.notion, gaussians.value) == ("gdp", 0.5)
    pure = privacy.guarantee(
        {"it": Parallel((Exponential(1, 0.5), Exponential(2, 2.0)))}, 1e-5, **CARD
    )
    assert (pure.notion, pure.value) == ("pure", 2.0)


def test_parallel_composes_with_preceding_events():
    first, then = Gaussian(1, 10), Parallel((Gaussian(1, 2), Exponential(1, 0.3)))
    both = privacy.guarantee({"counts": first, "prototype": then}, 1e-5, **CARD)
    assert both.notion == "zcdp" and both.rho == pytest.approx(1 / 200 + 1 / 8)
    branches = privacy.gdp_epsilon(math.hypot(0.1, 0.5), 5e-6), 0.3 + privacy.gdp_epsilon(0.1, 5e-6)
    assert both.epsilon_delta == min(max(branches), privacy.zcdp_epsilon(both.rho, 1e-5))
    gaussians = privacy.guarantee(
        {"a": Gaussian(1, 2), "b": Parallel((Gaussian(1, 2), Gaussian(1, 4)))}, 1e-5, **CARD
    )
    assert gaussians.notion == "gdp" and gaussians.value == pytest.approx(math.sqrt(0.5))


# --------------------------------------------------------------------------------------------- plan


@pytest.mark.parametrize("counts", ["noisy", "public"])
@pytest.mark.parametrize("budget", BUDGETS, ids=str)
def test_plan_spends_nearly_all_of_budget(toy, budget, counts):
    plan = METHOD.plan(toy.sizes, budget, params(counts=counts))
    privacy.check(plan, budget)
    spent = plan.guarantee.epsilon_delta if budget.axis == "approx" else plan.guarantee.rho
    allowed = budget.value if budget.axis == "approx" else privacy.rho_for(budget)
    assert 0.97 * allowed < spent <= allowed * (1 + 1e-12)


def test_public_counts_use_replacement_and_double_noise(toy):
    budget = Budget(0.5, "zcdp")
    plan = METHOD.plan(toy.sizes, budget, params(counts="public"))
    mean, public = plan.events["prototype"].events
    assert (
        plan.guarantee.adjacency == privacy.REPLACE_IN_CLASS
        and "class counts" in plan.guarantee.public
    )
    single = (
        METHODS["dppl-mean"].plan(toy.sizes, budget, METHODS["dppl-mean"].check({})).events["sum"]
    )
    assert mean.sigma == pytest.approx(2 * single.sigma)
    # the general exponential mechanism: exp(epsilon u / (2 Delta))
    assert public.epsilon == pytest.approx(privacy.bounded_range_epsilon(0.5))
    assert public.sensitivity == 2 * window_width(1.3, 1.9)


def test_noisy_counts_keep_add_remove_adjacency(toy):
    plan = METHOD.plan(toy.sizes, Budget(0.5, "zcdp"), params(counts="noisy", count_share=0.1))
    assert (
        plan.guarantee.adjacency == privacy.ADD_REMOVE
        and "class counts" not in plan.guarantee.public
    )
    assert privacy.event_rho(plan.events["counts"]) == pytest.approx(0.05)


@pytest.mark.parametrize("d_min, d_max", [(1.3, 1.9), (0.0, 2.0)])
def test_replacing_a_record_leaks_no_more_than_planned(toy, d_min, d_max):
    """The worst replacement moves every log probability by at most epsilon, exactly computed."""
    event = (
        METHOD.plan(toy.sizes, Budget(1.0), params(counts="public", d_min=d_min, d_max=d_max))
        .events["prototype"]
        .events[1]
    )
    rng, width = np.random.default_rng(0), d_max - d_min
    for _ in range(200):
        u = rng.uniform(0, 5, 6)
        moved = u + rng.choice([-width, width], 6)
        loss = np.abs(
            np.log(
                mechanisms.exponential_probabilities(u, event)
                / mechanisms.exponential_probabilities(moved, event)
            )
        )
        assert loss.max() <= event.epsilon * (1 + 1e-9)


# --------------------------------------------------------------------------------------- the choice


@pytest.mark.parametrize("counts", ["noisy", "public"])
def test_choice_reads_no_private_record(toy, counts):
    rng = np.random.default_rng(1)
    garbage = dataclasses.replace(
        toy, x=rng.normal(size=toy.x.shape).astype(np.float32), fingerprint="garbage"
    )
    plans = [METHOD.plan(toy.sizes, Budget(v), params(counts=counts)) for v in (0.03, 0.3, 3.0)]
    true, other = (METHOD.fit(data, plans, [0, 1]) for data in (toy, garbage))
    assert true.trace["choices"] == other.trace["choices"]
    assert not np.array_equal(true.releases[2][0].weights, other.releases[2][0].weights)
    assert not {"x", "y", "data"} & set(inspect.signature(dppl_auto.decide).parameters)


def test_decide_matches_fit_with_public_counts(toy):
    chosen, budget = params(counts="public"), Budget(0.1)
    told = dppl_auto.decide(toy.sizes, budget, chosen, toy.x_public, toy.y_public)
    fitted = METHOD.fit(toy, [METHOD.plan(toy.sizes, budget, chosen)], [0])
    assert told == fitted.trace["choices"][0][0]
    for c, (choice, reason) in enumerate(told):
        assert choice in ("Mean", "Public") and reason.endswith(".")
        assert (fitted.releases[0][0].chosen[c, 0] == -1) == (choice == "Mean")


def test_rehearsal_is_deterministic(toy):
    budget, chosen = Budget(0.1), params()
    first = dppl_auto.decide(toy.sizes, budget, chosen, toy.x_public, toy.y_public)
    dppl_auto._stages.cache_clear()
    assert dppl_auto.decide(toy.sizes, budget, chosen, toy.x_public, toy.y_public) == first


def test_larger_classes_choose_mean_first(toy):
    sizes = dataclasses.replace(toy.sizes, counts=(1000, 300, 30, 3))
    rank = {"Public": 0, "Mean": 1}
    for value in (0.01, 0.1, 1.0, 10.0):
        taken = [
            rank[c]
            for c, _ in dppl_auto.decide(sizes, Budget(value), params(), toy.x_public, toy.y_public)
        ]
        assert taken == sorted(taken, reverse=True)


def test_all_public_and_all_mean_match_single_methods(toy):
    """A rule that takes one method for all classes predicts as that method would with the same
    draws.
    """
    unit = unit_rows(toy.x_public)
    sums = mechanisms.class_sums(unit_rows(toy.x), toy.y, toy.classes)
    counts, picked, x = np.array(toy.counts, float), unit[: toy.classes], unit_rows(toy.x_test)
    for use, prototypes in ((np.ones(4, bool), sums), (np.zeros(4, bool), picked)):
        weights = unit_rows(np.where(use[:, None], sums, picked).astype(np.float32))
        assert not dppl_auto.mixed_bias(use, weights, sums, counts).any()
        assert np.array_equal(
            np.argmax(x @ weights.T, 1), np.argmax(x @ unit_rows(prototypes).T, 1)
        )


@pytest.mark.parametrize("public, labelled", [(1, True), (6, True), (40, False), (150, False)])
def test_every_public_set_is_accepted(toy, public, labelled):
    public_y = toy.y_public[:public] if labelled else None
    data = dataclasses.replace(
        toy, public_rows=toy.x_public[:public], y_public=public_y, fingerprint=f"cut {public}"
    )
    fitted = METHOD.fit(data, [METHOD.plan(data.sizes, Budget(1.0), params())], [0])
    assert np.isfinite(fitted.releases[0][0].weights).all()
    note = fitted.trace["notes"][0][0]
    assert set(note) == {"choice by class", "why"} and note["why"].endswith(".")


def test_stage_scales_small_group_to_large_class(toy):
    """Twice the records are twice the sums and scores, so noise weighs half."""
    scene, *_ = dppl_auto.public_scenes(toy.x_public, toy.y_public, 3, 1.0, 1.3, 1.9)
    last = scene.steps[0] - 1
    assert dppl_auto.GRID[last] <= len(toy.x_public) // toy.classes // 2 + 1
    assert np.linalg.norm(scene.sums[0, last]) == pytest.approx(dppl_auto.GRID[last], rel=0.3)
    assert scene.scores[0, last].max() <= 0.6 * dppl_auto.GRID[last] * (1 + 1e-6)
    thresholds = [math.inf, 1.0]
    loud, quiet = Gaussian(1, 50.0), Exponential(0.6, 1e-3)
    small, large = (
        dppl_auto.play(scene, np.full(len(scene.sums), n), thresholds, loud, quiet)
        for n in (10.0, 1e6)
    )
    assert (large >= small).all() and large[1] > 0.9


def test_noisy_counts_shrink_according_to_noise():
    counts = np.array([400.0, 200, 100, 50, 25])
    assert np.array_equal(dppl_auto.shrunk(counts, 0.0), counts)
    assert dppl_auto.shrunk(counts, 1e6) == pytest.approx(np.full(5, 155.0))
    between = dppl_auto.shrunk(counts, 100.0)
    assert (
        (np.diff(between) < 0).all()
        and between.mean() == pytest.approx(155)
        and 400 > between[0] > 155
    )
    assert dppl_auto.shrunk(np.array([-50.0, 10.0]), 0.0).min() == 1


def test_adaptive_choice_costs_no_more_than_claimed():
    """The exact delta of the worst chooser, by integration: counts first, then whichever mechanism
    hurts more.
    """
    counts, mean, public = Gaussian(1, 4.0), Gaussian(1, 1.5), Exponential(1, 1.2)
    claim = privacy.guarantee(
        {"counts": counts, "prototype": Parallel((mean, public))}, 1e-3, **CARD
    )
    seen = np.linspace(-40, 41, 40_001)
    density = np.exp(-((seen - 1) ** 2) / 32) / math.sqrt(32 * math.pi)
    left = claim.epsilon_delta - (2 * seen - 1) / 32  # epsilon that the counts have left over

    def gaussian_delta(eps, mu=1 / 1.5):
        return norm.cdf(mu / 2 - eps / mu) - np.exp(eps) * norm.cdf(-mu / 2 - eps / mu)

    def pure_delta(eps, e=1.2):  # randomised response is the worst epsilon-DP mechanism
        p = math.exp(e) / (1 + math.exp(e))
        return np.maximum(p - np.exp(eps) * (1 - p), 0) + np.maximum((1 - p) - np.exp(eps) * p, 0)

    worst = np.maximum(gaussian_delta(left), pure_delta(left))
    assert np.trapezoid(worst * density, seen) <= 1e-3


def test_audit_cases_cover_mean_and_public_classes():
    taken = []
    for case in METHOD.cases():
        plan = METHOD.plan(case.with_record.sizes, case.budget, METHOD.check(case.params))
        choices = METHOD.fit(case.with_record, [plan], [0, 1]).trace["choices"][0]
        taken.append({choice for seed in choices for choice, _ in seed})
    assert taken == [{dppl_auto.MEAN}, {dppl_auto.FROM_PUBLIC}]


def test_rehearsal_draws_are_separate_from_release_draws(toy):
    plan = METHOD.plan(toy.sizes, Budget(1.0), params())
    with mechanisms.watched(plan.draws) as seen:
        METHOD.fit(toy, [plan], [5])
    assert all(set(runs) == {5} for runs in seen.outputs.values())
    assert all(len(runs[5]) == 1 for runs in seen.outputs.values())
