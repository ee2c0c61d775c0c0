"""An audit that may be stopped at any look: its errors lie in their rectangles, a kept promise is
not called broken, and half the noise is.
"""

import dataclasses
import math

import numpy as np
import pytest
from scipy import stats

from dpviz import privacy
from dpviz.audits import bounds, distinguisher, trade_off_audit
from dpviz.audits.trade_off_audit import allowed_misses, claimed, watch
from dpviz.types import Exponential, Gaussian

LOOKS = (250, 500, 1_000, 2_000)
MU = 1.0


def gdp(mu=MU):
    event = {"one": Gaussian(mu, 1.0)}
    return privacy.guarantee(event, 1e-5, adjacency=privacy.ADD_REMOVE, public="", source="")


def pure(epsilon):
    event = {"one": Exponential(1.0, epsilon)}
    return privacy.guarantee(event, 1e-5, adjacency=privacy.ADD_REMOVE, public="", source="")


def gaussian(mu, seed=0, k=1):
    """Releases that lie mu apart along all of k directions together."""

    def sample(more, first, runs):
        rng = np.random.default_rng([seed, more, first])
        return rng.normal(size=(runs, k)) + more * mu / math.sqrt(k)

    return sample


def coin(epsilon, seed=0):
    truth = 1 / (1 + math.exp(-epsilon))

    def sample(more, first, runs):
        rng = np.random.default_rng([seed, more, first])
        return (rng.random((runs, 1)) < (truth if more else 1 - truth)).astype(float)

    return sample


def last(sample, claim, looks=LOOKS):
    for look in watch(sample, claim, looks):
        if look.broken:
            break
    return look


@pytest.mark.parametrize("k", [1, 5])
def test_kept_guarantee_passes_and_is_nearly_reached(k):
    look = last(gaussian(MU, k=k), gdp())
    assert not look.broken and look.runs == LOOKS[-1]
    assert 0.6 * claimed(gdp()) < look.shown < claimed(gdp()) < look.at_most


@pytest.mark.parametrize("k", [1, 5])
def test_half_noise_is_caught_below_trade_off_curve(k):
    look = last(gaussian(2 * MU, k=k), gdp())
    assert look.broken and look.shown > claimed(gdp())
    alarms, misses = (w[look.breaks, 1] for w in (look.alarms_within, look.misses_within))
    assert misses < allowed_misses(gdp(), [alarms])[0]


def test_randomized_choice_is_checked_against_pure_epsilon():
    assert not last(coin(1.0), pure(1.0)).broken
    assert last(coin(2.0), pure(1.0)).broken


def test_difference_in_spread_is_learned():
    def scaled(times):
        def sample(more, first, runs):
            rng = np.random.default_rng([more, first])
            return rng.normal(size=(runs, 8)) * (times if more else 1.0)

        return sample

    assert last(scaled(2.0), gdp()).broken and not last(scaled(1.05), gdp()).broken


def test_errors_of_all_tests_lie_in_confidence_rectangles():
    """Forty audits at an error of 0.2, shared by all looks and tests: about 8 may fail at most, and
    far fewer do; with intervals a third as wide nearly all do.
    """
    outside = narrow = 0
    for seed in range(40):
        sample = gaussian(MU, seed)
        for look in watch(sample, gdp(), (250, 500), 200, 0.2):
            truth = _true_errors(look, sample)
            found = np.stack([look.alarms_within, look.misses_within])
            middle = np.stack([look.alarms, look.misses])[..., None]
            outside += _outside(found, truth)
            narrow += _outside(middle + (found - middle) / 3, truth)
    assert outside <= 8 < 24 < narrow


def _true_errors(look, sample):
    """Alarms have told the threshold, as the score's false alarms are a normal tail."""
    pilot = [sample(more, 0, 200) for more in (True, False)]
    score = distinguisher.best(*pilot, gdp())
    thresholds = trade_off_audit.thresholds(*(score(seen) for seen in pilot))
    if score(np.array([[1.0], [0.0]]))[0] < score(np.array([[1.0], [0.0]]))[1]:
        pytest.skip("the score fell")
    grid = np.linspace(-8, 8, 4_001)
    scores = score(grid[:, None])
    upper = [scores[None] > t for t in thresholds]
    weights = [stats.norm.pdf(grid - shift) * (grid[1] - grid[0]) for shift in (0, MU)]
    alarms = np.array([(weights[0] * up).sum() for up in upper])
    misses = np.array([1 - (weights[1] * up).sum() for up in upper])
    return np.stack([alarms, misses])


def _outside(within, truth):
    slack = 1e-3
    return bool(((truth < within[..., 0] - slack) | (truth > within[..., 1] + slack)).any())


def test_vectorized_rate_bounds_match_scalar_bounds():
    low, high = bounds.interval(np.array([0, 30, 1000]), 1000, 5e-4)
    for hits, pair in zip((0, 30, 1000), zip(low, high, strict=True), strict=True):
        assert pair == pytest.approx(bounds.clopper_pearson(hits, 1000))


def test_sampled_guarantee_uses_exact_trade_off():
    sampled = privacy.guarantee(
        {"one": Gaussian(1.0, 1.0, 1, 0.5)}, 1e-5, adjacency="", public="", source=""
    )
    alarms = np.linspace(0.01, 0.9, 9)
    exactly = 0.5 * alarms + 0.5 * stats.norm.cdf(stats.norm.ppf(alarms) + 1)
    both = np.maximum(exactly, [_inverse(a) for a in alarms])
    allowed = 1 - allowed_misses(sampled, alarms)
    assert np.all(allowed >= both - 1e-6) and np.all(allowed <= both + 0.02)
    whole = dataclasses.replace(sampled, sampled=None)
    assert np.all(1 - allowed_misses(whole, alarms) >= allowed - 1e-9)


def _inverse(alarms):
    """The curve of the other direction, in which the other neighbour has the record."""
    grid = np.linspace(1e-6, 1 - 1e-6, 100_001)
    power = 0.5 * grid + 0.5 * stats.norm.cdf(stats.norm.ppf(grid) + 1)
    return 1 - np.interp(1 - alarms, power, grid)
