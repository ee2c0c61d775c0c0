"""Release of a data-dependent epsilon: its cost by integration, its smoothness by search."""

import itertools
import math
import warnings

import numpy as np
import pytest

from dpviz.privacy import smooth_sensitivity, vote_costs

TEACHERS, CLASSES = 250, 10
CASES = [  # order, beta times order, sigma_s, cost
    (9.5, 0.25, 4.63, 0.4197),
    (9.5, 0.40, 4.63, 0.9138),
    (9.5, 0.49, 4.63, 3.0025),
    (20.0, 0.45, 6.0, 2.2460),
    (5.0, 0.49, 4.0, 1.3203),
]


def gaussian_divergence(shift: float, log_ratio: float, sigma_s: float, order: float) -> float:
    """Rényi divergence of N(0, 1) from N(shift / sigma_s, exp(-log_ratio)^2), by integration."""
    x = np.linspace(-150, 150, 600_001)
    narrow = math.exp(-log_ratio)
    log_p = -(x**2) / 2
    log_q = -(((x - shift / sigma_s) / narrow) ** 2) / 2 + log_ratio
    exponent = order * log_p + (1 - order) * log_q - math.log(2 * math.pi) / 2
    highest = exponent.max()
    total = np.exp(exponent - highest).sum() * (x[1] - x[0])
    return (math.log(total) + highest) / (order - 1)


def printed_cost(beta: float, sigma_s: float, order: float) -> float:
    """Theorem 23 of Papernot et al. 2018 as printed: the faulty variant."""
    return order * math.exp(2 * beta) / sigma_s**2 + (
        beta * order - math.log(1 - 2 * order * beta) / 2
    ) / (order - 1)


@pytest.mark.parametrize("order, product, sigma_s, expected", CASES)
def test_release_cost_equals_integrated_divergence(order, product, sigma_s, expected):
    beta = product / order
    cost = smooth_sensitivity.release_cost(beta, sigma_s, order)
    assert cost == pytest.approx(expected, abs=1e-4)
    assert cost == pytest.approx(gaussian_divergence(math.exp(-beta), beta, sigma_s, order))


@pytest.mark.parametrize("order, product, sigma_s, expected", CASES)
def test_no_other_pair_of_neighbors_costs_more(order, product, sigma_s, expected):
    beta = product / order
    cost = smooth_sensitivity.release_cost(beta, sigma_s, order)
    for log_ratio, share in itertools.product(np.linspace(-beta, beta, 5), (-1.0, 0.0, 0.5, 1.0)):
        # means differ by at most the smaller sensitivity, in units of the first one
        shift = share * min(1.0, math.exp(-log_ratio))
        assert gaussian_divergence(shift, log_ratio, sigma_s, order) <= cost * (1 + 1e-9)


def test_printed_theorem_23_falls_short_of_divergence():
    order, beta, sigma_s = 9.5, 0.49 / 9.5, 4.63
    printed = printed_cost(beta, sigma_s, order)
    assert printed == pytest.approx(0.779, abs=1e-3)
    assert gaussian_divergence(math.exp(-beta), beta, sigma_s, order) > 3.8 * printed


@pytest.mark.parametrize("order", [1.05, 9.5, 200.0])
def test_smoothness_at_limit_is_refused(order):
    limit = smooth_sensitivity.beta_limit(order)
    assert math.exp(2 * limit) == pytest.approx(order / (order - 1))
    assert smooth_sensitivity.release_cost(limit * 0.999, 1.0, order) > 0
    for beta in (limit, 0.0, -0.1):
        with pytest.raises(ValueError, match="beta must be between 0 and"):
            smooth_sensitivity.release_cost(beta, 1.0, order)


# --------------------------------------------------------------------------------------- smoothness


def tables() -> dict[tuple[int, ...], int]:
    """Votes of one query near and far from unanimity with all neighbors, and their rows."""
    first = [(top, TEACHERS - top, 0) for top in range(130, TEACHERS + 1, 2)]
    first += [(top, (TEACHERS - top) // 2, (TEACHERS - top + 1) // 2) for top in (126, 180, 224)]
    every = {v: None for votes in first for v in (votes, *neighbors(votes))}
    return {votes: row for row, votes in enumerate(every)}


def neighbors(votes: tuple[int, ...]) -> list[tuple[int, ...]]:
    """All counts with one vote moved between three classes, in descending order."""
    found = []
    for source, target in itertools.permutations(range(3), 2):
        if votes[source]:
            moved = list(votes)
            moved[source], moved[target] = moved[source] - 1, moved[target] + 1
            found.append(tuple(sorted(moved, reverse=True)))
    return found


TABLES = tables()
SETTINGS = [  # threshold, sigma1, sigma2, order, beta as a share of its limit
    (240.0, 20.0, 60.0, 10.0, 0.3),
    (180.0, 20.0, 40.0, 36.5, 0.3),
    (150.0, 40.0, 40.0, 36.5, 0.6),
    (200.0, 20.0, 20.0, 18.5, 0.5),
]


def largest_violation(threshold, sigma1, sigma2, order, share) -> tuple[float, float]:
    """The largest move of epsilon per smooth sensitivity, and |ln(S/S')| per beta.

    Over all neighbors of one query, and 300 random neighbors of two queries.
    """
    assert all(smooth_sensitivity.conditions(sigma2, CLASSES, order))
    votes = np.pad(np.array(list(TABLES)), ((0, 0), (0, CLASSES - 3)))
    weights = np.repeat(np.eye(len(votes))[..., None], 2, axis=2)
    spent, local = smooth_sensitivity.totals(votes, threshold, sigma1, sigma2, order, weights)
    beta = share * smooth_sensitivity.beta_limit(order)
    pairs = [(v, w) for v in TABLES for w in neighbors(v) if w in TABLES]
    tables = [((v,), (w,)) for v, w in pairs]
    rng = np.random.default_rng(0)
    for first, second in rng.integers(len(pairs), size=(300, 2)):
        tables.append(tuple(zip(pairs[first], pairs[second], strict=True)))
    moves, ratios = [], []
    for here, there in tables:
        rows = [[TABLES[v] for v in table] for table in (here, there)]
        costs = [spent[found].sum() for found in rows]
        smooth = [smooth_sensitivity.smooth(local[found].sum(0), beta) for found in rows]
        moves.append(abs(costs[0] - costs[1]) / min(smooth))
        ratios.append(abs(math.log(smooth[0] / smooth[1])) / beta)
    return max(moves), max(ratios)


@pytest.mark.parametrize("threshold, sigma1, sigma2, order, share", SETTINGS)
def test_smooth_sensitivity_is_smooth_over_neighbors(threshold, sigma1, sigma2, order, share):
    moved, ratio = largest_violation(threshold, sigma1, sigma2, order, share)
    assert moved <= 1 + 1e-9 and ratio <= 1 + 1e-6


@pytest.mark.parametrize("threshold, sigma1, sigma2, order, share", SETTINGS)
def test_bounds_at_exact_distances_are_not_smooth(
    monkeypatch, threshold, sigma1, sigma2, order, share
):
    """The faulty variant: local sensitivity at distance exactly d, summed over test and winner."""
    monkeypatch.setattr(smooth_sensitivity, "local_test", local_test_at_exact_distances)
    assert largest_violation(threshold, sigma1, sigma2, order, share)[1] > 1.5


def local_test_at_exact_distances(top, teachers, threshold, sigma1, order):
    """Local sensitivity of the test at ``top`` + d and ``top`` - d, without counts between."""
    log_p = vote_costs.log_answer(np.arange(teachers + 1), threshold, sigma1)
    steps = np.abs(np.diff(vote_costs.rdp_test(log_p, sigma1, np.array([order]))[:, 0]))
    largest = np.pad(np.maximum(np.append(steps, 0), np.append(0, steps)), teachers)
    at, distance = np.asarray(top)[:, None] + teachers, np.arange(teachers + 1)
    return np.maximum(largest[at + distance], largest[at - distance])


def test_one_vote_exceeds_noise_limit_at_exact_distances(monkeypatch):
    """Votes (224, 26, 0, ...): the faulty variant gives a release of infinite divergence."""
    votes = np.zeros((2, CLASSES), np.int64)
    votes[:, 0], votes[:, 1] = (224, 223), (26, 27)
    weights = np.repeat(np.eye(2)[..., None], 2, axis=2)
    limit = smooth_sensitivity.beta_limit(10.0)

    def log_ratio():
        _, local = smooth_sensitivity.totals(votes, 240.0, 20.0, 60.0, 10.0, weights)
        high, low = smooth_sensitivity.smooth(local, 0.3 * limit)
        return abs(math.log(high / low))

    assert log_ratio() <= 0.3 * limit * (1 + 1e-9)
    monkeypatch.setattr(smooth_sensitivity, "local_test", local_test_at_exact_distances)
    assert log_ratio() > limit


def test_tiny_sensitivity_picks_finite_noise_without_warning():
    local = np.zeros(251)
    local[250] = 1e-310
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = smooth_sensitivity.pick(1.0, local, 20.0, 1e-5)
    assert math.isfinite(found.sigma_s) and found.sigma_s > 1e90


def test_sanitized_epsilon_includes_cost_of_its_noise():
    settings = smooth_sensitivity.Settings(9.5, 0.25 / 9.5, 4.63)
    local = np.array([0.1, 0.2])
    found = smooth_sensitivity.release(0.5, local, 1e-5, settings)
    free = 0.5 + math.log(1e5) / 8.5
    assert found.mean == pytest.approx(free + 0.4197, abs=1e-4)
    nothing_hidden = smooth_sensitivity.release(0.5, 0 * local, 1e-5, settings)
    assert nothing_hidden.mean == pytest.approx(free)
