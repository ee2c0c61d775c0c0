"""Releases from the system's entropy: exact distributions, on the grid, never the same twice."""

import itertools
import math
import random

import numpy as np
import pytest
from scipy import stats

from dpviz import mechanisms
from dpviz.mechanisms import SYSTEM, UnitNoise, system_noise
from dpviz.mechanisms.system_noise import discrete_gaussian, noisy_max
from dpviz.types import DpvizError, Exponential, Gaussian

FALSE_ALARM = 1e-7
"""Of each test of a distribution: draws are new every time, so none may fail by chance."""
DRAWS = 10_000
EXPECTED = 50
"""Of the rarest outcome that counts by itself; rarer ones count together."""


def fits(outcomes, probabilities):
    """Whether outcomes (n,) in 0, 1 ... are drawn with these probabilities: chi-square."""
    seen = np.bincount(outcomes, minlength=len(probabilities))
    expected = probabilities / probabilities.sum() * len(outcomes)
    rarest = np.argsort(expected)
    last = int(np.argmax(np.cumsum(expected[rarest]) >= EXPECTED))
    last = max(last, int(np.sum(expected < EXPECTED)) - 1)
    together = rarest[: last + 1], rarest[last + 1 :]
    seen, expected = (
        np.append(counts[together[1]], counts[together[0]].sum()) for counts in (seen, expected)
    )
    return stats.chisquare(seen, expected).pvalue > FALSE_ALARM


def gaussian_fits(noise, scale):
    """Whether whole numbers (n,) are discrete Gaussian of this scale."""
    most = int(max(10 * scale, np.abs(noise).max())) + 1
    support = np.arange(-most, most + 1)
    return fits(noise.astype(int) + most, np.exp(-(support**2) / (2 * scale**2)))


@pytest.mark.parametrize("sigma, grid", [(0.4, 1.0), (3.0, 1.0), (1.5, 0.25), (0.75, 2.0**-3)])
def test_discrete_gaussian_noise_has_stated_scale(sigma, grid):
    noise = discrete_gaussian(np.zeros(DRAWS), sigma, 1.0, grid) / grid
    assert np.array_equal(noise, np.rint(noise))
    assert gaussian_fits(noise, sigma / grid)
    assert not gaussian_fits(noise, 0.9 * sigma / grid)
    assert not gaussian_fits(noise, 1.1 * sigma / grid)


def test_each_number_gets_noise_of_its_scale():
    spread = np.where(np.arange(DRAWS) % 2, 1.0, math.sqrt(0.5))
    noise = discrete_gaussian(np.zeros(DRAWS), 4.0, spread, 0.5) / 0.5
    assert gaussian_fits(noise[1::2], 8.0) and gaussian_fits(noise[::2], 8.0 * math.sqrt(0.5))
    assert not gaussian_fits(noise[::2], 8.0) and not gaussian_fits(noise[1::2], 8 * math.sqrt(0.5))


def test_noise_is_added_exactly_on_grid():
    sums = np.array([0.0, 3.0, -(2.0**28), 2.0**28 + mechanisms.FINE])
    runs = np.stack([discrete_gaussian(sums, 1.0, 1.0, mechanisms.FINE) for _ in range(200)])
    steps = (runs - sums) / mechanisms.FINE
    assert np.array_equal(steps, np.rint(steps)) and np.abs(runs - sums).max() < 10
    assert len(np.unique(runs)) > 700


@pytest.mark.parametrize("off", [mechanisms.FINE / 2, 1e-9, 0.1])
def test_sums_off_the_grid_are_refused(off):
    sums = np.array([1.0, 2.0 + off])
    with pytest.raises(ValueError, match="grid"):
        discrete_gaussian(sums, 1.0, 1.0, mechanisms.FINE)
    event, noise = Gaussian(1.0, 1.0), mechanisms.standard_normal(SYSTEM, "sum", (2,))
    with pytest.raises(ValueError, match="grid"):
        mechanisms.add_gaussian(sums, event, noise)


def test_too_many_records_are_refused_with_message():
    with pytest.raises(DpvizError, match=r"fewer records\.$"):
        discrete_gaussian(np.array([0.0, 2.0**30]), 1.0, 1.0, mechanisms.FINE)


def test_release_takes_scale_from_event_shape_from_noise():
    event, scale = Gaussian(0.5, 2.0), 0.5
    noise = mechanisms.standard_normal(SYSTEM, "sums", (DRAWS // 10, 10))
    assert noise.values is None and noise[3].label == "sums 3" and noise[3].shape == (10,)
    released = mechanisms.add_gaussian(np.zeros(noise.shape), event, noise, scale, 1.0)
    assert released.shape == noise.shape
    assert gaussian_fits((released / scale).ravel(), 4.0)
    assert not gaussian_fits((released / scale).ravel(), 2.0)


def test_packed_matrices_halve_off_diagonal_variance():
    noise = mechanisms.packed_symmetric(SYSTEM, "square", 2)
    event = Gaussian(1.0, 5.0)
    drawn = [mechanisms.add_gaussian(np.zeros(3), event, noise, grid=1.0) for _ in range(4000)]
    first, off, last = np.stack(drawn).T
    assert gaussian_fits(np.concatenate([first, last]), 5.0)
    assert gaussian_fits(off, 5.0 * math.sqrt(0.5)) and not gaussian_fits(off, 5.0)


def test_zero_noise_returns_exact_sums():
    noise = mechanisms.standard_normal(SYSTEM, "sum", (2,))
    found = mechanisms.add_gaussian(np.array([0.1, 2.0]), Gaussian(1.0, 0.0), noise, 3.0)
    assert found.tolist() == [0.1 * 3.0, 6.0]


# ------------------------------------------------------------------------------------------ choices


UTILITY = np.array([2.0, 1.5, 1.0, 0.25, 0.0, 2.0])


@pytest.mark.parametrize("event", [Exponential(1.0, 1.0), Exponential(0.5, 0.75)], ids=str)
def test_choices_follow_exponential_mechanism_at_stated_scale(event):
    scale = event.sensitivity / event.epsilon
    chosen = np.array([noisy_max(UTILITY, scale, 0.25) for _ in range(4000)])
    assert fits(chosen, np.exp(UTILITY / scale))
    assert not fits(chosen, np.exp(UTILITY / (2 * scale)))
    assert not fits(chosen, np.exp(2 * UTILITY / scale))


def test_row_choices_use_system_noise():
    event = Exponential(1.0, 1.0)
    noise = mechanisms.standard_gumbel(SYSTEM, "choice", (3000, 6))
    assert noise.values is None
    chosen = mechanisms.exponential(np.tile(UTILITY, (3000, 1)), event, noise)
    assert chosen.shape == (3000,)
    assert fits(chosen, mechanisms.exponential_probabilities(UTILITY, event))
    assert not fits(chosen, mechanisms.exponential_probabilities(UTILITY, Exponential(1.0, 2.0)))


def test_sets_are_drawn_with_stated_probability():
    u, k, runs = np.array([2.0, 1.5, 1.0, 0.25, 0.0]), 2, 4000
    sets = list(itertools.combinations(range(5), k))
    noise = mechanisms.standard_gumbel(SYSTEM, "sets", (5,))
    drawn = []
    for _ in range(runs):
        order = mechanisms.standard_uniform(SYSTEM, "order", (5,))
        found = mechanisms.top_k(u, k, Exponential(1.0, 1.0), noise, order, np.arange(5))
        drawn.append(sets.index(tuple(found.tolist())))
    right, wrong = (np.array([math.exp(t * min(u[list(s)])) for s in sets]) for t in (1, 2))
    assert fits(np.array(drawn), right) and not fits(np.array(drawn), wrong)


def test_infinite_epsilon_chooses_the_best():
    noise = mechanisms.standard_gumbel(SYSTEM, "choice", (3,))
    assert mechanisms.exponential(np.array([0.0, 2.0, 1.0]), Exponential(1.0, math.inf), noise) == 1


def test_too_many_noise_steps_are_refused_with_message():
    with pytest.raises(DpvizError, match=r"larger budget\.$"):
        noisy_max(np.array([0.0, 1.0]), 1.0, 2.0**-63)


# ------------------------------------------------------------------------------------------ entropy


def test_system_noise_ignores_program_seeds():
    event, shape = Gaussian(1.0, 1e6), (4,)
    draws = []
    for _ in range(3):
        np.random.seed(0)
        random.seed(0)
        noise = UnitNoise(SYSTEM, "sum", shape, None)
        one = mechanisms.add_gaussian(np.zeros(4), event, noise)
        draws.append((*one.tolist(), *mechanisms.standard_uniform(SYSTEM, "order", shape).tolist()))
    assert len({number for draw in draws for number in draw}) == 24


def test_fixed_seed_reproduces_noise():
    event, noise = Gaussian(1.0, 1.0), mechanisms.standard_normal(7, "sum", (4,))
    again = mechanisms.standard_normal(7, "sum", (4,))
    assert np.array_equal(
        *(mechanisms.add_gaussian(np.zeros(4), event, draw) for draw in (noise, again))
    )


# ------------------------------------------------------------------------------------------- counts


def laplace_fits(noise, epsilon):
    """Whether whole numbers (n,) are discrete Laplace of this epsilon."""
    most = int(np.abs(noise).max()) + 1
    return fits(noise + most, np.exp(-epsilon * np.abs(np.arange(-most, most + 1))))


@pytest.mark.parametrize("epsilon", [0.1, 0.7, math.log(3), 3.0])
def test_count_noise_is_discrete_laplace_with_stated_epsilon(epsilon):
    noise = mechanisms.yes_counts(np.full(DRAWS, 17), epsilon) - 17
    assert laplace_fits(noise, epsilon)
    assert not laplace_fits(noise, 0.85 * epsilon) and not laplace_fits(noise, 1.15 * epsilon)


def test_library_epsilon_for_counts_is_within_claim():
    for epsilon in (0.1, 0.3, 0.7, 1.3, 3.0, math.log(3), 10.0):
        assert system_noise._laplace(epsilon).map(1) <= epsilon


def test_non_integer_counts_are_refused():
    with pytest.raises(ValueError, match="whole"):
        mechanisms.yes_counts(np.array([1.5]), 1.0)
