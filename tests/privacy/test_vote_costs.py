"""The ledger of noisy votes against known values and brute force: Rényi divergences by integration,
all neighbours listed.
"""

import itertools
import math

import numpy as np
import pytest
from scipy.special import log_ndtr, logsumexp

from dpviz.privacy import smooth_sensitivity, vote_ledger
from dpviz.privacy import vote_costs as ledger

EXAMPLE = np.array([[900, 50, 30, 20, 0, 0, 0, 0, 0, 0]])
NODES, WEIGHTS = np.polynomial.legendre.leggauss(400)


def test_data_dependent_cost_has_known_values():
    assert ledger.log_q(EXAMPLE, 100.0) == pytest.approx(-19.9612024, abs=1e-7)
    assert ledger.log_q(EXAMPLE, 50.0) == pytest.approx(-75.6254531, abs=1e-7)
    found = ledger.rdp(ledger.log_q(EXAMPLE, 100.0), 100.0, np.array([2, 10, 32]))
    assert found[0] == pytest.approx([4.00554e-10, 4.94527e-10, 1.237432e-9], rel=1e-5)


def test_threshold_test_and_thousand_queries_have_known_costs():
    one = ledger.costs(EXAMPLE, 600.0, 200.0, 50.0, np.array([10.0]))
    assert one.answer == pytest.approx(0.9331928, abs=1e-7)
    assert one.test[0, 0] == pytest.approx(1.25e-4)
    many = ledger.costs(np.repeat(EXAMPLE, 1000, 0), 600.0, 200.0, 50.0)
    epsilon, order = ledger.epsilon(many.spent().sum(0), many.orders, 1e-5)
    assert (epsilon, order) == (pytest.approx(0.771223, abs=1e-6), 31.5)


def test_data_independent_count_has_known_values():
    found = ledger.data_independent(1000, 684, 200.0, 50.0, 1e-5)
    assert (found.rho, found.epsilon_delta) == (
        pytest.approx(0.2861),
        pytest.approx(3.177553, abs=1e-6),
    )
    assert found.notion == "gdp"
    assert ledger.data_independent(100, 57, 40.0, 20.0, 1e-5).epsilon_delta == pytest.approx(
        2.40, abs=0.005
    )


def test_smooth_sensitivity_has_known_values():
    assert smooth_sensitivity.log_q0(50.0, 10.0) == pytest.approx(-3.8831744, abs=1e-7)
    found = smooth_sensitivity.local_votes(np.array([[10, 0, 0]]), 0.5, 1.5)[0]
    assert found[:3] == pytest.approx([3.135e-17, 1.60178e-8, 5.90682e-3], rel=1e-4)
    assert smooth_sensitivity.conditions(30.0, 10, 25.0) == (True, True)
    assert smooth_sensitivity.conditions(20.0, 10, 25.0) == (True, False)


# -------------------------------------------------------------------------------------- brute force


def log_outcomes(votes: np.ndarray, sigma: float) -> np.ndarray:
    """ln Pr(each class wins) for votes (C,), by integrating over the winner's noise."""
    votes = np.asarray(votes, float)
    low, high = -12.0, 12.0
    x, w = (high - low) / 2 * NODES + (high + low) / 2, np.log((high - low) / 2 * WEIGHTS)
    found = []
    for j in range(len(votes)):
        beaten = np.delete((votes[j] - votes) / sigma, j)
        # the integrand peaks between the winner's own noise and what it has to beat
        centre = max(0.0, float(-beaten.min()) / 2)
        at = x + centre
        found.append(
            logsumexp(
                w - at**2 / 2 - math.log(2 * math.pi) / 2 + log_ndtr(at[:, None] + beaten).sum(1)
            )
        )
    return np.array(found)


def divergence(log_p: np.ndarray, log_r: np.ndarray, order: float) -> float:
    """Rényi divergence of p from r."""
    return float(logsumexp(order * log_p + (1 - order) * log_r) / (order - 1))


def neighbours(votes: tuple[int, ...]) -> list[tuple[int, ...]]:
    """All vectors with one vote moved."""
    found = []
    for i, j in itertools.permutations(range(len(votes)), 2):
        if votes[i]:
            moved = list(votes)
            moved[i], moved[j] = moved[i] - 1, moved[j] + 1
            found.append(tuple(moved))
    return found


def vectors(teachers: int, classes: int) -> list[tuple[int, ...]]:
    """All counts of that many teachers' votes."""
    every = itertools.product(range(teachers + 1), repeat=classes - 1)
    return [(*v, teachers - sum(v)) for v in every if sum(v) <= teachers]


def shortfall(
    sigma: float, teachers: int, classes: int, claimed: float, orders: tuple[float, ...]
) -> float:
    """The most by which the true divergence exceeds the data-dependent cost at noise ``claimed``,
    relatively.
    """
    every = vectors(teachers, classes)
    outcomes = {v: log_outcomes(v, sigma) for v in every}
    costs = ledger.rdp(ledger.log_q(np.array(every), claimed), claimed, np.array(orders))
    worst = -math.inf
    for v, row in zip(every, costs, strict=True):
        for order, cost in zip(orders, row, strict=True):
            true = max(divergence(outcomes[v], outcomes[w], order) for w in neighbours(v))
            worst = max(worst, (true - cost) / max(cost, 1e-11))
    return worst


CASES = [(0.7, 8, 2), (1.5, 12, 2), (4.0, 30, 2), (1.0, 6, 3), (2.5, 9, 3), (1.5, 5, 4)]


@pytest.mark.parametrize("sigma, teachers, classes", CASES)
def test_noisy_winner_cost_stays_within_ledger(sigma, teachers, classes):
    orders = (1.2, 2.0, 4.0, 8.0, 20.0)
    assert shortfall(sigma, teachers, classes, sigma, orders) <= 1e-6


def test_brute_force_detects_too_little_noise():
    assert shortfall(1.5, 12, 2, 3.0, (2.0, 8.0)) > 0.1


def test_true_divergence_exceeds_paper_rate():
    order, sigma = 30.0, 2.0
    every = [(v, w) for v in vectors(60, 2) for w in neighbours(v)]
    true = max(divergence(log_outcomes(v, sigma), log_outcomes(w, sigma), order) for v, w in every)
    assert order / (2 * sigma**2) * 1.5 < true <= order / sigma**2


@pytest.mark.parametrize("sigma1, threshold", [(0.8, 5.5), (2.0, 8.0), (3.0, 20.0)])
def test_threshold_test_cost_stays_within_ledger(sigma1, threshold):
    tops, orders = np.arange(13), np.array([1.2, 2.0, 5.0, 20.0])
    log_p = ledger.log_answer(tops, threshold, sigma1)
    outcomes = np.stack([log_p, ledger.log_other(log_p)], axis=1)
    for noise, holds in ((sigma1, True), (2 * sigma1, False)):
        costs = ledger.rdp_test(ledger.log_answer(tops, threshold, noise), noise, orders)
        true = [
            [
                max(divergence(outcomes[t], outcomes[u], a) for u in (t - 1, t + 1) if 0 <= u <= 12)
                for a in orders
            ]
            for t in tops
        ]
        assert np.all(np.array(true) <= costs * (1 + 1e-9) + 1e-15) == holds


def true_smooth(every: list[tuple[int, ...]], value: dict, beta: float) -> dict:
    """Smooth sensitivity by listing: for each vector the discounted largest move anywhere."""
    moves = {v: max(abs(value[v] - value[w]) for w in neighbours(v)) for v in every}
    far = {
        (v, w): sum(abs(a - b) for a, b in zip(v, w, strict=True)) // 2
        for v in every
        for w in every
    }
    return {v: max(math.exp(-beta * far[v, w]) * moves[w] for w in every) for v in every}


@pytest.mark.parametrize(
    "sigma, teachers, classes, order",
    [(1.0, 12, 2, 1.5), (1.5, 30, 2, 2.0), (1.0, 9, 3, 1.5), (2.0, 12, 3, 1.8), (0.5, 7, 4, 1.5)],
)
def test_smooth_sensitivity_bounds_the_enumeration(sigma, teachers, classes, order):
    assert all(smooth_sensitivity.conditions(sigma, classes, order))
    every, beta = vectors(teachers, classes), 0.4 / order
    costs = smooth_sensitivity.cost(ledger.log_q(np.array(every), sigma), sigma, order)
    true = true_smooth(every, dict(zip(every, costs, strict=True)), beta)
    found = smooth_sensitivity.smooth(
        smooth_sensitivity.local_votes(np.array(every), sigma, order), beta
    )
    for v, bound in zip(every, found, strict=True):
        assert bound >= true[v] * (1 - 1e-9)
    assert found.min() > 0 and found.max() <= 3 * max(true.values()), (
        "a bound, and not an empty one"
    )


@pytest.mark.parametrize("threshold", [4.0, 9.5, 30.0])
def test_threshold_test_smooth_sensitivity_matches_enumeration(threshold):
    sigma1, order, teachers, beta = 1.5, 3.0, 12, 0.15
    costs = ledger.rdp_test(
        ledger.log_answer(np.arange(teachers + 1), threshold, sigma1), sigma1, np.array([order])
    )[:, 0]
    steps = np.abs(np.diff(costs))
    moves = np.maximum(np.append(steps, 0), np.append(0, steps))
    tops = np.arange(teachers + 1)
    true = np.max(np.exp(-beta * np.abs(tops[:, None] - tops)) * moves, axis=1)
    found = smooth_sensitivity.smooth(
        smooth_sensitivity.local_test(tops, teachers, threshold, sigma1, order), beta
    )
    assert np.all(found >= true * np.exp(-beta) * (1 - 1e-12)) and np.all(
        found[1:-1] <= true[1:-1] * (1 + 1e-9)
    )


def test_chosen_settings_cost_least():
    order, delta, local = 8.0, 1e-5, np.linspace(0.01, 0.2, 40)
    picked = smooth_sensitivity.pick(1.0, local, order, delta)
    best = smooth_sensitivity.release(1.0, local, delta, picked)
    for other in (
        smooth_sensitivity.Settings(order, 0.05, 3.0),
        smooth_sensitivity.Settings(order, picked.beta, 1.3 * picked.sigma_s),
    ):
        found = smooth_sensitivity.release(1.0, local, delta, other)
        assert best.mean + 2 * best.std <= found.mean + 2 * found.std
    assert best.mean > 1.0 + math.log(1 / delta) / (order - 1) and best.std > 0


def test_minimal_cost_votes_need_no_sanitizing_noise():
    votes, weights = np.array([[5, 3, 2]] * 4), np.ones((1, 4, 2))
    spent, local = smooth_sensitivity.totals(votes, -math.inf, math.inf, 20.0, 4.0, weights)
    found = smooth_sensitivity.release(
        spent[0], local[0], 1e-5, smooth_sensitivity.Settings(4.0, 0.1, 1.0)
    )
    assert spent[0] == pytest.approx(4 * 4.0 / 20**2)
    assert (found.std, found.mean) == (0.0, pytest.approx(spent[0] + math.log(1e5) / 3))


def test_tests_and_winners_are_weighted_separately():
    votes, threshold, sigma1, sigma2, order = (
        np.array([[20, 5, 5], [12, 10, 8], [20, 5, 5]]),
        18.0,
        4.0,
        3.0,
        3.0,
    )
    costs = ledger.costs(votes, threshold, sigma1, sigma2, np.array([order]))
    weights = np.stack([np.ones(3), costs.answer], axis=1)
    prefixes = np.array([weights * (np.arange(3) < n)[:, None] for n in (1, 2, 3)])
    spent, local = smooth_sensitivity.totals(votes, threshold, sigma1, sigma2, order, prefixes)
    assert spent == pytest.approx(np.cumsum(costs.spent()[:, 0]), rel=0.05)
    assert local.shape == (3, 31) and np.all(np.diff(local, axis=0) >= 0)
    assert costs.spent(np.array([True, False, False]))[:, 0] == pytest.approx(
        costs.test[:, 0] + [costs.vote[0, 0], 0, 0]
    )


def test_releasable_cost_moves_within_smooth_bound():
    """The faulty variant weights each query by its chance of an answer, as the papers do: its cost
    moves 2.3 times as far as the bound for fixed weights.
    """
    by, order, beta = vote_ledger.Setting(150.0, 40.0, 20.0, 1e-5), 7.0, 0.48 / 7
    assert all(smooth_sensitivity.conditions(by.sigma2, 10, order))

    def expected(votes):
        table = np.array([votes])
        chance = np.exp(ledger.log_answer(table.max(1), by.threshold, by.sigma1))
        return vote_ledger._total(table, by, chance, order, lambda *_: None)

    def answered(votes):
        return vote_ledger.releasable(np.array([votes]), by, order)

    def moved(count, votes):
        here, local = count(votes)
        true = max(abs(count(other)[0] - here) for other in neighbours(votes))
        return true, float(smooth_sensitivity.smooth(local, beta))

    def tables():
        rest = [250 - top for top in range(88, 250, 20)]
        return [(250 - left, left // 2, left - left // 2, *[0] * 7) for left in rest]

    found = [moved(answered, votes) for votes in tables()]
    assert all(true <= bound for true, bound in found) and max(true for true, _ in found) > 1e-3
    true, bound = moved(expected, tables()[0])
    assert (true, bound) == (pytest.approx(5.35e-5, rel=0.01), pytest.approx(2.31e-5, rel=0.01))


def test_prepared_settings_meet_conditions_without_reading_votes():
    found = smooth_sensitivity.beforehand(250, 10, 500, 180.0, 60.0, 30.0, 1e-5)
    assert all(smooth_sensitivity.conditions(30.0, 10, found.order))
    assert 0 < found.beta < smooth_sensitivity.beta_limit(found.order)
    assert smooth_sensitivity.beforehand(250, 10, 500, 180.0, 60.0, 30.0, 1e-5) == found


def test_paper_proof_undercounts_by_more_than_two():
    found = ledger.undercount(1000, 684, 200.0, 50.0, 1e-5)
    assert found.ratio == pytest.approx(2 + 1000 / 684 * (50 / 200) ** 2)
    assert found.query_ratio == pytest.approx(found.ratio * 0.684)
    assert found.labels < found.epsilon
    assert found.labels == pytest.approx(0.1368 + 2 * math.sqrt(0.1368 * math.log(1e5)))
    assert (
        ledger.undercount(1000, 10, 200.0, 50.0, 1e-5).queries
        > ledger.undercount(1000, 10, 200.0, 50.0, 1e-5).epsilon
    )
