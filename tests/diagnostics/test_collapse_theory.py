"""Exact errors of one step on two classes against draws, and printed bounds against exact errors.

Draws: RUNS each with a fixed seed, compared at 4 standard errors; with fresh seeds each comparison
would raise a false alarm once in 16,000, and the twins must be told apart.
"""

import math

import numpy as np
import pytest

from dpviz.diagnostics import collapse_draws, collapse_exact, collapse_plane, collapse_theory
from dpviz.diagnostics.collapse_theory import CANNOT_TELL, FAILS, HOLDS, THEOREMS, Setting
from dpviz.types import DpvizError
from tests.kit.toys import toy_data

RUNS = 6000
MOVES = {
    "signs": lambda rng, shape: rng.choice([-1.0, 1.0], shape),
    "across": lambda rng, shape: rng.choice([-1.0, 1.0], shape) * (np.arange(shape[2]) > 0),
    "together": lambda rng, shape: rng.choice([-1.0, 1.0], (*shape[:2], 1)) * np.ones(shape[2]),
    "train": lambda rng, shape: (
        rng.choice([-1.0, 1.0], shape) * (np.arange(shape[1]) < shape[1] - 1)[:, None]
    ),
    "test": lambda rng, shape: (
        rng.choice([-1.0, 1.0], shape) * (np.arange(shape[1]) == shape[1] - 1)[:, None]
    ),
    "fixed": lambda rng, shape: np.broadcast_to(
        np.where(np.arange(shape[1]) < shape[1] - 1, 1.0, -1.0)[:, None]
        * (np.arange(shape[2]) > 0),
        shape,
    ),
}


def drawn(case, n, p, beta, rho, noise=1.0):
    """Share of wrong answers among RUNS steps, in p dimensions as they are, and its standard
    error.
    """
    rng = np.random.default_rng(1)
    x = beta * MOVES[case](rng, (RUNS, n + 1, p))
    x[..., 0] += 1
    sigma = noise * collapse_exact.CASES[case].longest(p, beta) / math.sqrt(2 * rho)
    theta = x[:, :-1].sum(axis=1) + sigma * rng.normal(size=(RUNS, p))
    share = ((theta * x[:, -1]).sum(axis=1) < -1e-9).mean()
    return share, math.sqrt(max(share * (1 - share), 1e-4) / RUNS)


@pytest.mark.parametrize("case", MOVES)
@pytest.mark.parametrize("rho", [0.03, math.inf])
def test_exact_errors_match_simulation(case, rho):
    share, error = drawn(case, 6, 9, 0.45, rho)
    assert abs(collapse_exact.error(case, 6, 9, 0.45, rho) - share) <= 4 * error


@pytest.mark.parametrize("noise", [0.75, 1.33])
@pytest.mark.parametrize("case", ["signs", "train"])
def test_error_with_other_noise_differs_significantly(case, noise):
    share, error = drawn(case, 6, 9, 0.2, 0.03, noise)
    assert abs(collapse_exact.error(case, 6, 9, 0.2, 0.03) - share) > 4 * error


def test_integral_matches_binomial_sum_and_normal_distribution():
    modes = collapse_exact.CASES["signs"].modes(5, 4, 0.3)
    for mode in modes:
        (a, k), (b, m) = mode.signs
        by_hand = sum(
            math.comb(k, i)
            * math.comb(m, j)
            * 2.0 ** -(k + m)
            * collapse_exact.special.ndtr(
                -(mode.centre + a * (2 * i - k) + b * (2 * j - m)) / (2 * mode.reach)
            )
            for i in range(k + 1)
            for j in range(m + 1)
        )
        assert collapse_exact.probability_below_zero(mode, 2.0) == pytest.approx(by_hand, abs=1e-12)
    value = collapse_exact.error("signs", 10, 300, 0.0, 0.02)
    assert value == pytest.approx(0.0227501, abs=1e-7), "no shift: whatever the dimension"
    large = collapse_exact.error("signs", 1000, 2000, 0.2, 0.002)
    sd = math.sqrt(1000 * 0.04 + 0.0016 * 2e6 + (1 + 80.0) ** 2 / 0.004)
    assert large == pytest.approx(collapse_exact.special.ndtr(-1000 / sd), rel=0.1)


def test_invalid_settings_are_refused():
    for bad in (("x", 5, 5, 0.1, 1), ("signs", 0, 5, 0.1, 1), ("signs", 5, 5, -1, 1)):
        with pytest.raises(DpvizError, match="case must be one of"):
            collapse_exact.error(*bad)
    with pytest.raises(DpvizError, match="3 dimensions"):
        collapse_draws.several_steps(Setting(5, 2, 0, 0.1), collapse_draws.Steps())


def test_records_needed_are_minimal():
    n = collapse_exact.needed("signs", 0.01, 64, 0.1, 0.03)
    at = lambda k: collapse_exact.error("signs", k, 64, 0.1, 0.03)
    assert at(n) <= 0.01 < at(n - 1)
    assert collapse_exact.needed("signs", 0.01, 4, 1.5, 0.03) is None, "the shift alone is wrong"
    bound = THEOREMS["3.2-apart"].proved
    assert collapse_theory.records_for(bound, 0.01, 64, 0.1, 0.03) >= n


# ----------------------------------------------------------------------------------------- theorems


GRID = [
    Setting(n, p, beta, rho)
    for p in (2, 16, 256)
    for beta in (0, 0.03, 0.1, 0.3, 0.5, 0.7)
    for n in (4, 16, 64, 256)
    for rho in (1e-3, 0.01, 0.1)
]


@pytest.mark.parametrize("key", THEOREMS)
def test_proved_bound_holds_and_printed_bound_fails(key):
    one, below = THEOREMS[key], 0
    for s in GRID:
        if key == "3.3" and s.t >= 1:
            continue
        error = one.error(s)
        assert error <= one.proved(s) + collapse_exact.TINY, s
        below += collapse_theory.judged(one.printed(s), error, error) == FAILS
    assert below > 0, "the printed constant does not pass"


def test_theorem_3_3_omits_factor_of_half():
    s = Setting(10, 64, 0.0, 0.02)
    assert THEOREMS["3.3"].printed(s) == pytest.approx(math.exp(-4))
    assert THEOREMS["3.3"].proved(s) == pytest.approx(math.exp(-2))
    assert THEOREMS["3.3"].error(s) == pytest.approx(0.0227501, abs=1e-7)


def test_gradient_descent_errs_at_beta_squared_p_one():
    assert collapse_exact.error("signs", 3, 4, 0.5, math.inf) == 79 / 2**13
    assert not collapse_theory.error_is_zero(4, 0.5)
    edge = 1 / (1 + math.sqrt(3))
    assert collapse_theory.error_is_zero(4, edge - 1e-9)
    assert collapse_exact.error("signs", 5, 4, edge - 1e-3, math.inf) == 0


def test_projected_step_keeps_proved_bound_printed_ignores_rho():
    verdicts = set()
    for s in GRID[::3]:
        error = collapse_theory.projected_error(s, 0.01)
        assert error <= collapse_theory.projected_proved(s, 0.01) + collapse_exact.TINY, s
        printed = collapse_theory.projected_printed(s, 0.01)
        verdicts.add(collapse_theory.judged(printed, error, error))
    assert {HOLDS, FAILS} <= verdicts
    few, many = (Setting(16, 4, 0.01, rho) for rho in (1e-3, 10))
    assert collapse_theory.projected_printed(few, 0) == collapse_theory.projected_printed(many, 0)


def test_several_steps_match_one_step_and_direct_simulation():
    s, how = Setting(10, 8, 0.1, 0.02), collapse_draws.Steps(steps=4)
    one = collapse_draws.several_steps(s, collapse_draws.Steps(steps=1), 8000)
    half = Setting(5, 8, 0.1, 0.02)  # the first gradient is half of each record
    low, high = one.ends
    length = collapse_theory.printed_length(8, 0.1)
    assert low <= collapse_exact.error("fixed", half.n, 8, 0.1, 0.02, length) <= high
    found = collapse_draws.several_steps(s, how, 8000)
    rng, record = np.random.default_rng(3), np.r_[1, np.full(7, 0.1)]
    theta, rate = np.zeros((8000, 8)), collapse_draws.learning_rate(s, how)
    for _ in range(how.steps):
        pull = s.n / (1 + np.exp(theta @ record))
        noise = math.sqrt(s.variance) * rng.normal(size=theta.shape)
        theta += rate * (pull[:, None] * record + noise)
        theta *= np.minimum(1, how.radius / np.linalg.norm(theta, axis=1))[:, None]
    share = (theta @ np.r_[1, np.full(7, -0.1)] < 0).mean()
    assert abs(found.mean - share) <= 4 * math.sqrt(2 * share * (1 - share) / 8000)


def test_verdict_requires_decisive_interval():
    assert collapse_theory.judged(0.1, 0.05, 0.2) == CANNOT_TELL
    assert collapse_theory.judged(0.1, 0.05, 0.09) == HOLDS
    assert collapse_theory.judged(0.1, 0.11, 0.2) == FAILS
    assert collapse_theory.judged(1.0, 0.1, 0.1) == CANNOT_TELL, "it says nothing"


def test_adversary_is_worse_than_random_harmless_at_zero():
    s = Setting(20, 64, 0.1, 0.05)
    perfect = collapse_draws.against_adversary(Setting(20, 64, 0, 0.05))
    low, high = perfect.ends
    assert low <= collapse_exact.error("signs", 20, 64, 0, 0.05) <= high
    assert collapse_draws.against_adversary(s).ends[0] > collapse_exact.error(
        "test", 20, 64, 0.1, 0.05
    )


# ------------------------------------------------------------------------------------ three classes


def test_three_classes_are_placed_by_their_means():
    data = toy_data()
    found = collapse_plane.plane(data, collapse_plane.first_three(data.counts))
    assert np.linalg.norm(found.means, axis=1).mean() == pytest.approx(1)
    assert 0 < found.within_share < 1 and found.means.shape == (3, 2)
    turned = [m @ c for m, c in zip(found.means, collapse_plane.CORNERS, strict=True)]
    assert min(turned) > 0.5, "each near its own corner"
    with pytest.raises(DpvizError, match="three different classes"):
        collapse_plane.plane(data, (0, 0, 1))
