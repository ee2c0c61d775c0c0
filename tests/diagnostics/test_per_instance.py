"""The loss of each record: below the claim for every method, near it for one made to be worst."""

import dataclasses
import math

import numpy as np
import pytest
import torch

from dpviz import mechanisms
from dpviz.diagnostics import per_instance
from dpviz.machine.threads import one_numeric_thread
from dpviz.methods import (
    METHODS,
    adamix,
    auto_clip,
    dp_fc,
    dp_newton,
    dpsgd_f,
    global_adapt,
    noisy_gd,
)
from dpviz.methods.components import mixed_gradients
from dpviz.privacy.per_record import gdp_epsilons
from dpviz.types import Budget, Dataset, DpvizError
from tests.kit.toys import toy_data

KEYS = [key for key, method in METHODS.items() if method.losses]
SETTINGS = {"dppl-publick": {"k": 1}}
BUDGET = Budget(3.0)
SMALL = toy_data(per_class=12, public=60)


def plan_of(key, data=SMALL, budget=BUDGET, **params):
    method = METHODS[key]
    return method.plan(data.sizes, budget, method.check(SETTINGS.get(key, {}) | params))


# ------------------------------------------------------------------------------------- every method


@pytest.mark.parametrize("key", ["pate", "transfer-pate", "prom-pate"])
def test_vote_methods_have_no_formula_with_reason(key):
    assert not METHODS[key].losses
    assert "teacher" in per_instance.absent(key, {})


@pytest.mark.parametrize(
    "budget", [Budget(0.3), Budget(8.0), Budget(0.5, "zcdp"), Budget(1.0, "paper")], ids=str
)
@pytest.mark.parametrize("key", KEYS)
def test_no_record_exceeds_the_claim(key, budget):
    found = per_instance.measure(SMALL, plan_of(key, budget=budget), 3)
    assert found.epsilon.shape == found.rho.shape == SMALL.y.shape
    assert found.epsilon.dtype == found.rho.dtype == np.float64
    assert np.all(found.epsilon > 0) and found.epsilon.max() <= found.claim * (1 + 1e-9)
    assert np.all(found.rho > 0) and found.rho.max() <= found.rho_claim * (1 + 1e-9)
    if budget.axis == "approx":
        assert found.claim <= budget.value


UNCLIPPED = {
    "dppl-mean": ({"clip": 0.3}, {"clip": 1.0}),
    "dppl-mean-projected": ({"clip": 0.3}, {"clip": 1.0}),
    "dppl-public": ({"d_min": 1.6, "d_max": 1.7}, {"d_min": 0.0, "d_max": 2.0}),
    "dppl-publick": ({"d_min": 1.6, "d_max": 1.7}, {"d_min": 0.0, "d_max": 2.0}),
    "dppl-public-projected": ({"d_min": 1.6, "d_max": 1.7}, {"d_min": 0.0, "d_max": 2.0}),
    "dppl-auto": ({"clip": 0.3}, {"clip": 1.0}),
    "noisy-gd": ({"clip": 0.05}, {"clip": 1.5}),
    "global-adapt": ({"clip": 0.05}, {"clip": 1.0}),
    "dpsgd-f": ({"clip": 0.05}, {"clip": 1.5}),
    "adamix": ({"init": "none", "max_steps": 5}, {}),
    "dp-ls": ({"clip": 0.3}, {"clip": 1.0}),
    "dp-newton": ({"clip": 0.3}, {"clip": 1.0}),
    "dp-fc": ({"clip": 0.05}, {"clip": 1.0}),
}
"""Settings, and those that undo the clipping when the noise stays what it was."""


def test_unclipped_cases_all_have_formulas():
    assert set(UNCLIPPED) <= set(KEYS)


@pytest.mark.parametrize("key", UNCLIPPED)
def test_missing_clipping_is_detected(key, monkeypatch):
    clipped, loose = UNCLIPPED[key]
    plan = plan_of(key, **clipped)
    assert per_instance.measure(SMALL, plan, 0).epsilon.max() <= plan.guarantee.value * 1e3
    if key == "adamix":
        # its noise is in units of the threshold, so the step itself has to go; shots are told apart
        # at once
        monkeypatch.setattr(torch, "maximum", lambda norms, most: most)
        monkeypatch.setattr(
            mixed_gradients, "thresholds", lambda norms, floor: np.full(len(norms), 0.05)
        )
    found = per_instance.measure(
        SMALL, dataclasses.replace(plan, params={**plan.params, **loose}), 0
    )
    assert found.epsilon.max() > 1.2 * found.claim


def worst_for_selection():
    """Thirty records that settle the choice, and one that votes for another picture alone."""
    x = np.array([[1.0, 0.0]] * 30 + [[0.0, 1.0]] * 2, np.float32)
    y = np.array([0] * 30 + [0, 1])
    public = np.array([[1.0, 0.0], [0.0, 1.0], [0.6, 0.8], [0.8, 0.6]], np.float32)
    return Dataset(
        "worst",
        None,
        x,
        y,
        x[:1],
        y[:1],
        ("a", "b"),
        "worst",
        public,
        np.array([0, 1, 0, 1]),
        "worst",
    )


SELECTED = (30, worst_for_selection(), {"d_min": 1.0, "d_max": 2.0})
WORST = {
    "dppl-mean": (0, SMALL, {}),
    "dppl-mean-projected": (0, SMALL, {"episodes": 0}),
    "dppl-public": SELECTED,
    "dppl-publick": SELECTED,
    "dppl-public-projected": (*SELECTED[:2], {**SELECTED[2], "episodes": 0}),
    "dppl-auto": (0, SMALL, {}),
    "noisy-gd": (0, SMALL, {"clip": 0.05, "lr": 0.1, "steps": 10}),
    "global-adapt": (0, SMALL, {"clip": 0.05, "bound": 0.01, "steps": 3, "lr": 0.1}),
    "auto-clip": (0, SMALL, {"gamma": 0.001, "lr": 0.1, "steps": 10}),
    "dpsgd-f": (0, SMALL, {"clip": 0.05, "lr": 0.1, "steps": 10}),
    "adamix": (
        0,
        SMALL,
        {"init": "none", "clip_mode": "fixed", "clip": 0.05, "rank": 0, "max_steps": 5},
    ),
    "dp-ls": (0, SMALL, {}),
    "dp-fc": (0, SMALL, {"steps": 2, "lr": 0.01}),
}
"""A record, its data and settings under which the method's claim is met. DP-Newton's cannot be: at
zero weights
every probability is 1/2, and its sensitivity allows for 1."""


@pytest.mark.parametrize("key", WORST)
def test_worst_case_record_reaches_claim_within_one_percent(key):
    record, data, params = WORST[key]
    found = per_instance.measure(data, plan_of(key, data, Budget(6.0), **params), 1)
    assert found.claim * 0.99 < found.epsilon[record] <= found.claim * (1 + 1e-9)


RERUN = {
    "noisy-gd": noisy_gd,
    "global-adapt": global_adapt,
    "auto-clip": auto_clip,
    "dpsgd-f": dpsgd_f,
    "dp-fc": dp_fc,
    "dp-newton": dp_newton,
    "adamix": mixed_gradients,
}


@pytest.mark.parametrize("key", RERUN)
def test_rerun_matches_run_bit_for_bit(key, monkeypatch):
    module, seen = RERUN[key], []
    plain = module.descend
    monkeypatch.setattr(module, "descend", lambda *a: seen.append(plain(*a)) or seen[-1])
    plan = plan_of(key)
    per_instance.measure(SMALL, plan, 7)
    monkeypatch.undo()
    with one_numeric_thread():
        expected = METHODS[key].fit(SMALL, [plan], [7]).releases[0][0].weights
    found = [w[0] if isinstance(w, tuple) else w for w in seen]
    found = np.stack(found) if key == "dp-newton" else found[0].reshape(expected.shape)
    if key == "dp-newton":  # classes finish in any order
        found, expected = (np.array(sorted(w.tolist())) for w in (found, expected))
    assert np.array_equal(found, expected)


# ------------------------------------------------------------------------------------------ by hand


@pytest.mark.parametrize("epsilon", [0.2, 1.0, 4.0, 40.0])
def test_selection_loss_matches_definition(epsilon):
    plan = plan_of("dppl-public", budget=Budget(epsilon), d_min=1.5, d_max=1.95)
    found = per_instance.measure(SMALL, plan, 0)
    event = plan.events["selection"]
    x, p = (mechanisms.unit_rows(a).astype(float) for a in (SMALL.x, SMALL.x_public))
    whole = lambda a: np.rint(np.divide(a, mechanisms.UTILITY_STEP)) * mechanisms.UTILITY_STEP
    scores = np.clip(whole(1 + x @ p.T), whole(1.5), whole(1.95)) - whole(1.5)

    def log_odds(rows):
        logits = event.epsilon / event.sensitivity * scores[rows].sum(axis=0)
        return logits - np.logaddexp.reduce(logits)

    mine = SMALL.y == SMALL.y[:, None]
    expected = np.array(
        [
            np.abs(log_odds(w) - log_odds(w & (np.arange(len(w)) != i))).max()
            for i, w in enumerate(mine)
        ]
    )
    assert np.all(found.epsilon >= np.minimum(expected, found.claim) * (1 - 1e-6))
    assert found.epsilon == pytest.approx(expected, rel=1e-4)


def test_pooled_mean_loss_matches_hand_computation():
    x = SMALL.x / np.linalg.norm(SMALL.x, axis=1, keepdims=True)
    length = np.minimum(
        np.linalg.norm(x.reshape(len(x), -1, 3).mean(axis=2), axis=1), 0.8 / math.sqrt(3)
    )
    for form, other in (("sum", 0.0), ("printed", 0.8 / math.sqrt(3))):
        plan = plan_of("dppl-mean", k_pool=3, clip=0.8, form=form)
        found = per_instance.measure(SMALL, plan, 0)
        expected = gdp_epsilons((length + other) / plan.events[form].sigma, 1e-5)
        assert found.epsilon == pytest.approx(expected, rel=1e-5)
        assert found.epsilon.min() < 0.99 * found.claim


GRID = 5e-3
"""Relative: a gradient on the grid is that much shorter or longer, squared."""


def by_autograd(weights, x, y):
    """Gradient (C, d) of one record's cross-entropy."""
    leaf = torch.tensor(weights, dtype=torch.float64, requires_grad=True)
    torch.nn.functional.cross_entropy(
        leaf @ torch.tensor(x, dtype=torch.float64), torch.tensor(int(y))
    ).backward()
    return leaf.grad.numpy()


def test_probe_losses_match_autograd_along_own_path():
    plan = plan_of("noisy-gd", steps=3, clip=0.6, count="public")
    event, (n, d) = plan.events["gradients"], SMALL.x.shape
    x = SMALL.x / np.linalg.norm(SMALL.x, axis=1, keepdims=True)
    shorter = [
        dataclasses.replace(plan, events={"gradients": dataclasses.replace(event, times=t)})
        for t in (1, 2)
    ]
    path = [np.zeros((SMALL.classes, d))] + [
        METHODS["noisy-gd"].fit(SMALL, [p], [5]).releases[0][0].weights for p in shorter
    ]
    norms = np.array(
        [[np.linalg.norm(by_autograd(w, x[i], SMALL.y[i])) for w in path] for i in range(n)]
    )
    rho = (np.minimum(norms, 0.6) ** 2).sum(axis=1) / event.sigma**2 / 2
    assert per_instance.measure(SMALL, plan, 5).rho == pytest.approx(rho, rel=GRID)


def test_adamix_losses_match_autograd():
    plan = plan_of("adamix", rank=2, max_steps=4)
    event, steps = plan.events["gradients"], []

    def observe(step):
        steps.append((step.threshold, step.basis.copy(), step.weights.copy()))

    mixed_gradients.descend(adamix.prepare(SMALL, plan.params), event, 5, observe)
    x = SMALL.x / np.linalg.norm(SMALL.x, axis=1, keepdims=True)
    rho = np.zeros(len(x))
    for most, basis, w in steps:
        for i in range(len(x)):
            gradient = by_autograd(w, x[i], SMALL.y[i])
            gradient *= min(1.0, most / np.linalg.norm(gradient))
            rho[i] += np.linalg.norm(gradient @ basis) ** 2 / (event.sigma * most) ** 2 / 2
    assert per_instance.measure(SMALL, plan, 5).rho == pytest.approx(rho, rel=GRID)


LOW = 1 / (1 + math.exp(10))
FIRST_STEP = {
    "dp-ls": ({"clip": 0.5}, {"all moments": 0.25, "class moments": 0.25, "class sums": 0.5}),
    "dp-newton": (
        {"clip": 0.5, "steps": 1},
        {"hessians": math.sqrt(4) * 0.25 / 4, "gradients": math.sqrt(4) * 0.5 / 2},
    ),
    "dp-fc": (
        {"clip": 1.0, "steps": 1},
        {"moments": 1.0, "gradients": math.hypot(1 - LOW, LOW, LOW, LOW) / 4},
    ),
}
"""Settings, and what each record adds to each release at zero weights, four classes."""


@pytest.mark.parametrize("key", FIRST_STEP)
def test_every_release_is_counted(key):
    params, added = FIRST_STEP[key]
    plan = plan_of(key, **params)
    shares = [(added[name] / event.sigma) ** 2 / 2 for name, event in plan.events.items()]
    rho = per_instance.measure(SMALL, plan, 0).rho
    # features are rounded to 12 bits, never to more than norm 1
    assert rho == pytest.approx(np.full(len(SMALL.y), sum(shares)), rel=2e-3)
    assert rho.max() <= sum(shares) * (1 + 1e-9)
    assert min(shares) > 0.02 * sum(shares), "one that is left out would be missed"


def test_global_adapt_counts_are_included():
    plan = plan_of("global-adapt", steps=1, clip=0.1, bound=0.5)
    gradient, *counts = (
        most / plan.events[name].sigma
        for name, most in (("gradients", 0.1), ("count", 1), ("records", 1))
    )
    expected = (gradient**2 + sum(count**2 for count in counts)) / 2
    assert per_instance.measure(SMALL, plan, 0).rho == pytest.approx(
        np.full(len(SMALL.y), expected), rel=GRID
    )


# -------------------------------------------------------------------------------- what is not there


@pytest.mark.parametrize(
    "key, params, words",
    [
        ("dppl-mean", {"form": "coinpress"}, "CoinPress"),
        ("dppl-publick", {"k": 3}, "K = 1"),
        ("dppl-auto", {"counts": "public"}, "counts=noisy"),
        ("logistic", {}, "No formula"),
    ],
)
def test_missing_formula_is_refused_with_message(key, params, words):
    with pytest.raises(DpvizError, match=words):
        per_instance.measure(SMALL, plan_of(key, **params), 0)


def test_infinite_budget_is_refused():
    with pytest.raises(DpvizError, match="finite budget"):
        per_instance.measure(SMALL, plan_of("noisy-gd", budget=Budget(math.inf)), 0)


# ---------------------------------------------------------------------------------------- summaries


def test_summaries_are_consistent():
    found = per_instance.measure(SMALL, plan_of("noisy-gd"), 0)
    seen = per_instance.summary(found, SMALL.classes, bins=10)
    assert seen.by_class.sum(axis=1).tolist() == [12] * 4
    assert seen.by_class[:, 0].sum() == np.sum(found.epsilon < found.claim / 10)
    assert seen.minority.sum() == 12 == found.minority.sum()
    assert seen.edges[[0, -1]] == pytest.approx([0, found.claim])
    assert seen.quantiles["all"][2] == pytest.approx(np.median(found.epsilon))
    assert seen.class_quantiles.shape == (4, len(per_instance.QUANTILES))
    chosen = per_instance.between(found, *np.quantile(found.epsilon, [0.5, 1.0]))
    assert len(chosen) == 24 and found.epsilon[chosen[0]] == found.epsilon.max()
    assert np.all(np.diff(found.epsilon[chosen]) <= 0)
