"""Guarantees of stated mechanisms: formulas, known values, bounds between notions, extremes."""

import math

import numpy as np
import pytest
from scipy import stats

from dpviz.privacy import calculator
from dpviz.privacy.best_guess import success_bound
from dpviz.privacy.calculator import calculate, delta_for, epsilon_for, trade_off
from dpviz.privacy.convert import bounded_range_rho
from dpviz.privacy.stated_mechanisms import (
    ExponentialChoice,
    LaplaceNoise,
    NoisySteps,
    PublishedGuarantee,
    TeacherVotes,
    group_delta,
)
from dpviz.types import DpvizError

EXAMPLES = [
    (NoisySteps(20, 1, 100), 1e-5),
    (NoisySteps(1.1, 0.01, 1000), 1e-5),
    (NoisySteps(0.3, 0.001, 10), 1e-5),
    (LaplaceNoise(2), None),
    (LaplaceNoise(20, 100), 1e-5),
    (ExponentialChoice(1), None),
    (ExponentialChoice(0.1, 50), 1e-5),
    (TeacherVotes(1000, 684, 200, 50), 1e-5),
    (PublishedGuarantee("approx", 3, 1e-5), None),
    (PublishedGuarantee("pure", 1), None),
    (PublishedGuarantee("zcdp", 0.5), 1e-5),
    (PublishedGuarantee("gdp", 0.5), 1e-5),
]
RATES = np.linspace(0, 1, 101)


def test_known_values():
    assert calculate(NoisySteps(20, 1, 100), 1e-5).epsilon == pytest.approx(1.993091, abs=1e-6)
    votes = calculate(TeacherVotes(1000, 684, 200, 50), 1e-5)
    assert votes.rho.value == pytest.approx(0.2861) and votes.epsilon == pytest.approx(3.177553)
    choice = calculate(ExponentialChoice(2.0))
    assert choice.rho.value == pytest.approx(0.474474647071) == bounded_range_rho(2.0)
    assert choice.best_guess == pytest.approx((1 + math.tanh(0.5)) / 2)


def test_one_sampled_step_equals_formula():
    """delta of (1 - q) N(0, s) + q N(1, s) against N(0, s), by its own integral."""
    sigma, rate, epsilon = 1.3, 0.2, 0.15
    edge = sigma**2 * math.log(1 + math.expm1(epsilon) / rate) + 0.5
    tail = lambda shift: stats.norm.sf((edge - shift) / sigma)
    removed = (1 - rate) * tail(0) + rate * tail(1) - math.exp(epsilon) * tail(0)
    found = delta_for(NoisySteps(sigma, rate, 1), epsilon)[0]
    assert found == pytest.approx(removed, rel=1e-3) and found >= removed * (1 - 1e-9)


def test_one_laplace_release_equals_grid():
    single = LaplaceNoise(1.0)
    epsilons = np.array([0.0, 0.3, 0.9])
    exact = 1 - np.exp((epsilons - 1) / 2)
    assert delta_for(single, epsilons) == pytest.approx(exact)
    twice = LaplaceNoise(2.0, 2)
    assert delta_for(twice, 0.99)[0] < delta_for(single, 0.0)[0]
    assert epsilon_for(twice, 0.0) == 1.0


@pytest.mark.parametrize(("mechanism", "delta"), EXAMPLES)
def test_curves_agree_with_each_other(mechanism, delta):
    account = calculate(mechanism, delta)
    tpr = trade_off(account, RATES)
    assert (np.diff(tpr) >= -1e-12).all() and (tpr >= RATES - 1e-12).all() and (tpr <= 1).all()
    for prior in (0.5, 0.1, 0.9, 1e-6):
        guess = calculate(mechanism, delta, prior).best_guess
        by_curve = np.max(prior * tpr + (1 - prior) * (1 - RATES))
        assert max(prior, 1 - prior) <= guess <= 1 and by_curve <= guess + 1e-3
        assert guess <= success_bound(account.guarantee, prior)
    priors = np.array([0.01, 0.3, 0.5, 0.7])
    many = calculator.best_guesses(account, priors)
    each = [calculate(mechanism, delta, prior).best_guess for prior in priors]
    assert (many >= np.array(each) - 1e-9).all() and many == pytest.approx(each, abs=0.01)


@pytest.mark.parametrize(("mechanism", "delta"), EXAMPLES)
def test_epsilon_and_delta_invert_each_other(mechanism, delta):
    if mechanism == PublishedGuarantee("zcdp", 0.5):
        return  # its two conversions are different upper bounds
    for target in (1e-2, 1e-4):
        epsilon = epsilon_for(mechanism, target)
        if 0 < epsilon < math.inf:
            assert delta_for(mechanism, epsilon)[0] <= target * (1 + 1e-2)


@pytest.mark.parametrize(("mechanism", "delta"), EXAMPLES)
def test_stated_rho_and_mu_allow_no_smaller_epsilon(mechanism, delta):
    """A rho or mu that is too small would contradict the curve of the mechanism."""
    account = calculate(mechanism, delta)
    for value, notion in ((account.rho.value, "zcdp"), (account.mu.value, "gdp")):
        if value is not None:
            claim = PublishedGuarantee(notion, value)
            for target in (1e-3, 1e-6, 1e-9):
                assert epsilon_for(claim, target) >= epsilon_for(mechanism, target) * (1 - 1e-6)
            halved = PublishedGuarantee(notion, value / 4)
            assert epsilon_for(halved, 0.05) < epsilon_for(mechanism, 0.05) + 1e-9


def test_sampled_steps_have_no_rho_and_no_mu():
    account = calculate(NoisySteps(1.1, 0.01, 1000), 1e-5)
    assert account.rho.value is None and account.mu.value is None
    assert account.rho.bound == pytest.approx(1000 / (2 * 1.1**2))
    published = calculate(PublishedGuarantee("approx", 1, 1e-5))
    assert published.rho.value is None and published.rho.bound is None


def test_missing_delta_is_asked_for():
    for mechanism in (NoisySteps(1), TeacherVotes(10, 5, 40, 20), PublishedGuarantee("zcdp", 1)):
        with pytest.raises(DpvizError, match="δ is missing"):
            calculate(mechanism)
    assert calculate(LaplaceNoise(2)).delta == 0


def test_several_images_cost_more():
    for mechanism, delta in EXAMPLES:
        one, four = (calculate(mechanism, delta, images=k) for k in (1, 4))
        assert four.epsilon > one.epsilon and four.best_guess > one.best_guess
        assert four.guarantee.adjacency != one.guarantee.adjacency
    person = PublishedGuarantee("approx", 3, 1e-5, "person")
    assert calculate(person, images=4).epsilon == 3
    gaussian = calculate(NoisySteps(8), 1e-5, images=4)
    assert gaussian.epsilon == pytest.approx(calculate(NoisySteps(2), 1e-5).epsilon)


def test_sampled_group_of_one_step_equals_integral():
    """The larger of both directions, for a binomial mixture of Gaussians."""
    sigma, rate, epsilon, images = 2.0, 0.1, 0.2, 4
    grid = np.linspace(-30, 40, 400_001)
    chances = stats.binom.pmf(range(images + 1), images, rate)
    mixed = sum(c * stats.norm.pdf(grid, i, sigma) for i, c in enumerate(chances))
    single = stats.norm.pdf(grid, 0, sigma)
    exact = max(
        np.trapezoid(np.maximum(p - math.exp(epsilon) * q, 0), grid)
        for p, q in ((mixed, single), (single, mixed))
    )
    found = delta_for(NoisySteps(sigma, rate).scaled(images), epsilon)[0]
    assert exact * (1 - 1e-6) <= found <= exact * 1.01


def test_independent_sampling_of_a_group_costs_less_than_joint_sampling():
    steps = NoisySteps(1.1, 0.01, 1000)
    for images in (2, 5):
        group = steps.scaled(images)
        joint = NoisySteps(1.1 / images, group.gaussian.rate, 1000)
        assert epsilon_for(steps, 1e-5) < epsilon_for(group, 1e-5) < epsilon_for(joint, 1e-5) / 2
    faulty = NoisySteps(1.1 / 5, 0.01, 1000)  # one coin for all records of the person
    assert epsilon_for(faulty, 1e-5) != pytest.approx(epsilon_for(steps.scaled(5), 1e-5), rel=0.1)


def test_group_delta_equals_sum():
    expected = 1e-5 * sum(math.exp(i * 0.7) for i in range(5))
    assert group_delta(0.7, 1e-5, 5) == pytest.approx(expected)
    with pytest.raises(DpvizError, match="fewer images"):
        calculate(PublishedGuarantee("approx", 3, 1e-5), images=100)


@pytest.mark.parametrize(
    ("mechanism", "delta"),
    [
        (NoisySteps(1e-6, 1e-5, 10**7), 1e-5),
        (NoisySteps(1e6, 1e-9, 10**7), 1e-305),
        (NoisySteps(0.04, 0.1, 10), 1e-5),
        (NoisySteps(0.7, 1e-5, 10**6), 1e-8),
        (NoisySteps(0.05, 0.01, 1).scaled(2), 1e-9),
        (NoisySteps(0.05, 1e-9, 10).scaled(100), 0.1),
        (LaplaceNoise(1e-6, 10**7), 0.5),
        (NoisySteps(1e-3, 0.5, 10**7).scaled(100), 1e-9),
        (NoisySteps(1e3, 1e-9, 10**7).scaled(2), 1e-9),
        (LaplaceNoise(1e6, 10**7), 0.5),
        (ExponentialChoice(1e6, 10**7), 1e-300),
        (ExponentialChoice(1e-6), None),
        (PublishedGuarantee("pure", 1e6), None),
        (PublishedGuarantee("zcdp", 1e6), 1e-305),
        (PublishedGuarantee("gdp", 1e-9), 0.5),
    ],
)
def test_extreme_parameters_give_finite_bounds(mechanism, delta):
    account = calculate(mechanism, delta)
    assert 0 <= account.epsilon < math.inf and 0.5 <= account.best_guess <= 1
    tpr = trade_off(account, RATES)
    assert np.isfinite(tpr).all() and (tpr >= RATES - 1e-9).all()


@pytest.mark.parametrize(
    "make",
    [
        lambda: NoisySteps(0),
        lambda: NoisySteps(-1),
        lambda: NoisySteps(math.nan),
        lambda: NoisySteps("one"),
        lambda: NoisySteps(1, 0),
        lambda: NoisySteps(1, 1.5),
        lambda: NoisySteps(1, 1, 0),
        lambda: NoisySteps(1, 1, 2.5),
        lambda: NoisySteps(1, 1, 1e308),
        lambda: LaplaceNoise(math.inf),
        lambda: ExponentialChoice(1e308),
        lambda: TeacherVotes(5, 6, 1, 1),
        lambda: PublishedGuarantee("approx", 1),
        lambda: PublishedGuarantee("pure", 1, 1e-5),
        lambda: PublishedGuarantee("renyi", 1),
        lambda: calculate(NoisySteps(1), 0.9),
        lambda: calculate(NoisySteps(1), 1e-5, prior=1),
        lambda: calculate(NoisySteps(1), 1e-5, images=0),
    ],
)
def test_bad_parameters_give_one_sentence(make):
    with pytest.raises(DpvizError) as error:
        make()
    assert "\n" not in str(error.value) and str(error.value).endswith(".")
