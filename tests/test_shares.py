"""Intervals of shares: by hand, and their coverage where seeds are skewed."""

import math

import numpy as np
import pytest
from scipy import stats as reference

from dpviz import shares
from dpviz.stats import interval

MEAN, SD = 0.081, 0.118
"""Minority accuracy of DPPL-Public on mnist5k at epsilon 0.1 and IR 50, over 600 seeds."""


def students(values):
    half = shares.quantile(len(values) - 1) * values.std(ddof=1) / math.sqrt(len(values))
    return values.mean() - half, values.mean() + half


def corrected(values):
    found = interval(values.tolist())
    return found.low, found.high


def covered(ends, seeds, mean=MEAN, sd=SD, trials=1500):
    total = mean * (1 - mean) / sd**2 - 1
    every = np.random.default_rng(0).beta(mean * total, (1 - mean) * total, (trials, seeds))
    found = np.array([ends(values) for values in every])
    return float(((found[:, 0] <= mean) & (mean <= found[:, 1])).mean())


@pytest.mark.parametrize("seeds", [5, 10, 20])
def test_interval_covers_skewed_shares(seeds):
    assert covered(corrected, seeds) >= 0.93


@pytest.mark.parametrize("seeds", [5, 10])
def test_interval_without_correction_fails_coverage(seeds):
    assert covered(students, seeds) < 0.9


@pytest.mark.parametrize("mean, sd", [(0.41, 0.085), (0.85, 0.034)])
def test_correction_hardly_widens_symmetric_shares(mean, sd):
    assert 0.93 <= covered(corrected, 5, mean, sd) <= 0.975
    values = np.array([mean - sd, mean, mean + sd, mean - sd / 2, mean + sd / 2])
    low, high = corrected(values)
    assert high - low < 1.15 * np.diff(students(values))[0]


def test_kurtosis_is_that_of_the_beta_distribution():
    for a, b in ((0.35, 4.0), (2.0, 3.0), (30.0, 10.0)):
        mean, variance, excess = reference.beta.stats(a, b, moments="mvk")
        assert shares.excess(mean, variance) == pytest.approx(float(excess))


def test_symmetric_shares_have_normal_degrees_of_freedom():
    assert shares.skewed_freedom(0.5, 0.01, 5) == pytest.approx(4)
    assert shares.skewed_freedom(0.5, 0.01, 20) == pytest.approx(19)
    assert shares.skewed_freedom(0.08, 0.014, 5) == shares.MIN_FREEDOM
    assert shares.skewed_freedom(0.08, 0.014, 2) == 1
    assert shares.skewed_freedom(1e-6, 0.2, 5) == shares.MIN_FREEDOM, "more than any beta varies"


def test_binomial_interval_by_hand():
    # 0 of 10: 1 - 0.025^(1/10); 2 of 10 by tables of Clopper and Pearson
    assert shares.binomial(0, 10) == pytest.approx((0, 1 - 0.025**0.1))
    assert shares.binomial(1, 10) == pytest.approx((0.025**0.1, 1))
    assert shares.binomial(0.2, 10) == pytest.approx((0.02521, 0.55610), abs=1e-5)


def test_records_alone_give_the_binomial_interval():
    assert shares.ends(0.3, 0.3 * 0.7 / 50, []) == pytest.approx(shares.binomial(0.3, 50))
    assert shares.ends(0.3, 0, []) is None
