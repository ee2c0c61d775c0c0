"""The price of choosing: the theorems against brute force, closed forms and an independent
accountant.
"""

import math

import numpy as np
import pytest
from dp_accounting import dp_event
from dp_accounting.rdp import RdpAccountant
from scipy.special import logsumexp

from dpviz import privacy
from dpviz.privacy.private_selection import (
    SHAPES,
    OneRun,
    delta_at,
    gamma,
    generating,
    one_run,
    selected_epsilon,
    selected_renyi,
    trials_at,
)
from dpviz.types import DpvizError, Guarantee

ORDERS = (1.05, 1.3, 2.0, 4.0, 16.0, 64.0)
ETAS = (1.0, 0.0, 0.5, 3.0, -0.5)


def divergence(p, q, order):
    """Rényi divergence of two distributions on a few outcomes, for one order or many."""
    order = np.asarray(order, float)[..., None]
    return logsumexp(order * np.log(p) + (1 - order) * np.log(q), axis=-1) / (order[..., 0] - 1)


def best_of(p, mean, eta):
    """Distribution of the best of K draws; outcomes stand in order of their score. For Poisson, K =
    0 is one outcome more.
    """
    edges = generating(np.concatenate([[0.0], np.cumsum(p)]), mean, eta)
    found = np.diff(edges)
    return np.append(found, math.exp(-mean)) if math.isinf(eta) else found


def pairs(count, rng):
    """Neighbouring outputs of a pure-DP mechanism on a few outcomes, mild and harsh, some with a
    rare best.
    """
    for _ in range(count):
        size, strength = rng.integers(2, 7), rng.choice([0.05, 0.3, 1.0])
        p = rng.dirichlet(np.full(size, rng.choice([0.3, 1.0, 5.0]))) + 1e-9
        q = p * np.exp(strength * rng.choice([-1.0, 1.0], size))
        yield p / p.sum(), q / q.sum()


def exact_run(p, q):
    """All that one run of this pair leaves, as tightly as zCDP and pure DP can say (a thousandth
    for orders between).
    """
    orders = 1 + np.geomspace(1e-4, 500, 100)
    rho = (np.maximum(divergence(p, q, orders), divergence(q, p, orders)) / orders).max()
    return OneRun(float(rho) * 1.001, float(np.abs(np.log(p / q)).max()) * (1 + 1e-12))


PAIRS = [(p, q, exact_run(p, q)) for p, q in pairs(20, np.random.default_rng(7))]


@pytest.mark.parametrize("eta", [*ETAS, math.inf])
@pytest.mark.parametrize("mean", [1.0, 2.5, 20.0])
def test_selection_divergence_stays_within_bound(mean, eta):
    for p, q, run in PAIRS:
        a, b = best_of(p, mean, eta), best_of(q, mean, eta)
        assert a.sum() == pytest.approx(1) and (a > 0).all()
        left = np.maximum(divergence(a, b, ORDERS), divergence(b, a, ORDERS))
        assert (left <= selected_renyi(np.array(ORDERS), run, mean, eta) + 1e-9).all()


def test_brute_force_detects_bounds_without_selection_cost():
    """Negative control: tuning for free, and the bound of a thinner distribution of K, are both
    exceeded by some mechanism.
    """
    caught_free = caught_shape = 0
    for p, q, run in PAIRS:
        a, b = best_of(p, 20.0, 1.0), best_of(q, 20.0, 1.0)
        left = max(divergence(a, b, 64.0), divergence(b, a, 64.0))
        caught_free += left > divergence(p, q, 64.0) + 1e-6 and left > run.pure + 1e-6
        caught_shape += left > float(selected_renyi(64.0, run, 20.0, -0.9)) + 1e-6
    assert caught_free >= 3 and caught_shape >= 1


def test_pure_dp_cost_triples_with_geometric_trials():
    for mean in (2.0, 100.0):
        assert selected_epsilon(OneRun(math.inf, 0.5), mean, 1.0, 1e-5) <= 3 * 0.5
        assert float(selected_renyi(1e9, OneRun(math.inf, 0.5), mean, 1.0)) == pytest.approx(
            1.5, abs=1e-6
        )
        assert float(selected_renyi(1e9, OneRun(math.inf, 0.5), mean, 0.0)) == pytest.approx(
            1.0, abs=1e-6
        )


def test_factor_three_is_nearly_reached():
    """Liu & Talwar: a rare best outcome whose chance moves by the full epsilon, while the others
    take its room.
    """
    epsilon, rare = 0.1, 1e-6
    p = np.array([0.5, 0.5 - rare, rare])
    q = np.array([0.5 * math.exp(epsilon), 0.0, rare * math.exp(-epsilon)])
    q[1] = 1 - q.sum()
    pure = np.abs(np.log(p / q)).max()
    worst = max(
        np.abs(np.log(best_of(p, m, 1.0) / best_of(q, m, 1.0))).max() for m in (10, 1e3, 1e5)
    )
    assert 2 * epsilon < worst <= 3 * pure


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("mean", [1.5, 10.0, 100.0])
def test_gaussian_runs_match_independent_accountant(shape, mean):
    eta, mu = SHAPES[shape], privacy.gdp_mu(1.0, 1e-5)
    orders = (1 + np.geomspace(0.02, 500, 300)).tolist()
    accountant = RdpAccountant(orders)
    accountant.compose(dp_event.RepeatAndSelectDpEvent(dp_event.GaussianDpEvent(1 / mu), mean, eta))
    theirs = accountant.get_epsilon(1e-5)
    zcdp = selected_epsilon(OneRun(mu**2 / 2), mean, eta, 1e-5)
    assert zcdp == pytest.approx(theirs, rel=0.01)
    assert selected_epsilon(OneRun(mu**2 / 2, mu=mu), mean, eta, 1e-5) <= zcdp * (1 + 1e-9)


def test_cost_increases_with_trials_and_one_is_free():
    mu = privacy.gdp_mu(1.0, 1e-5)
    run = OneRun(mu**2 / 2, mu=mu)
    for eta in SHAPES.values():
        prices = [selected_epsilon(run, mean, eta, 1e-5) for mean in (2, 5, 20, 100)]
        assert prices == sorted(prices) and prices[0] > 1.0
    assert selected_epsilon(run, 1.0, 1.0, 1e-5) == pytest.approx(
        privacy.zcdp_epsilon(run.rho, 1e-5), rel=1e-3
    )
    assert selected_epsilon(run, 100, 1.0, 1e-5) < privacy.gdp_epsilon(10 * mu, 1e-5)


def test_selection_without_noise_costs_infinity():
    assert selected_epsilon(OneRun(math.inf), 5, 1.0, 1e-5) == math.inf


@pytest.mark.parametrize("eta", [*ETAS, math.inf])
def test_trial_count_has_stated_distribution(eta):
    """Exact: the inverse on a fine grid against E[x^K]; no chance involved."""
    mean = 6.0
    drawn = np.array([trials_at(u, mean, eta) for u in (np.arange(4_000) + 0.5) / 4_000])
    assert drawn.min() == (0 if math.isinf(eta) else 1) and drawn.mean() == pytest.approx(
        mean, rel=0.02
    )
    for x in (0.2, 0.6, 0.95):
        assert np.mean(x**drawn) == pytest.approx(float(generating(x, mean, eta)), abs=2e-3)
    assert float(generating(1.0, mean, eta)) == pytest.approx(1.0)


def test_delta_of_one_run():
    mu = privacy.gdp_mu(1.0, 1e-5)
    assert float(delta_at(np.array(1.0), OneRun(mu**2 / 2, mu=mu))) == pytest.approx(1e-5, rel=1e-6)
    rho_only = float(delta_at(np.array(1.0), OneRun(mu**2 / 2)))
    assert 1e-5 < rho_only < 1e-4
    assert (
        float(delta_at(np.array(1.0), OneRun(0.125, 1.0)))
        == 0
        < float(delta_at(np.array(0.9), OneRun(0.125, 1.0)))
    )


def test_guarantee_converts_to_single_run_cost():
    def of(notion, value):
        return Guarantee(notion, value, 1e-5, "", "", 1.0, 0.3, "")

    assert one_run(of("pure", 1.5)) == OneRun(0.3, 1.5)
    assert one_run(of("gdp", 0.7)) == OneRun(0.3, math.inf, 0.7)
    assert one_run(of("zcdp", 0.3)) == OneRun(0.3)


@pytest.mark.parametrize("mean", [0.5, math.inf, math.nan])
def test_invalid_mean_is_refused(mean):
    with pytest.raises(DpvizError, match="mean number of trials"):
        gamma(mean, 1.0)
