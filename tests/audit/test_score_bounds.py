"""Bounds from scores: the values of another library's tests, closed forms, and bounds that are
bounds.
"""

import math

import numpy as np
import pytest
from scipy import stats

from dpviz import privacy
from dpviz.audits import score_bounds
from dpviz.audits.score_bounds import Guesses, approx_excess, gdp_excess, refuted_epsilon

SIGNIFICANCE = 0.05


def quantiles(shift, n=10_000):
    """n scores at the quantiles (i + 1/2) / n of N(shift, 1)."""
    return stats.norm.ppf((np.arange(n) + 0.5) / n) + shift


@pytest.mark.parametrize(
    "shift, approx, gdp",
    [(0, 0, 0), (1, 1.13346, 2.164749), (2, 2.311945, 4.7218075), (4, 4.395568, 9.133752)],
)
def test_scores_match_jax_privacy_tests(shift, approx, gdp):
    scores = quantiles(shift), quantiles(0)
    found = [
        bound(*scores, 1e-6, SIGNIFICANCE)
        for bound in (score_bounds.approx_epsilon, score_bounds.gdp_epsilon)
    ]
    assert found == pytest.approx([approx, gdp], rel=1e-5, abs=1e-12)


def test_closer_scores_give_smaller_epsilon():
    nearer = score_bounds.gdp_epsilon(quantiles(0.99), quantiles(0), 1e-6, SIGNIFICANCE)
    assert nearer < 2.164749 * (1 - 1e-3)


@pytest.mark.parametrize("made, right", [(100, 90), (1000, 501), (60, 60)])
def test_pure_epsilon_matches_clopper_pearson_log_odds(made, right):
    rate = stats.beta.ppf(SIGNIFICANCE, right, made - right + 1)
    expected = max(0.0, math.log(rate / (1 - rate)))
    found = refuted_epsilon(Guesses(2000, made, right), approx_excess, 0.0, SIGNIFICANCE)
    assert found == pytest.approx(expected, abs=1e-7)


def test_larger_delta_gives_smaller_epsilon():
    guesses = Guesses(1000, 100, 95)
    found = [
        refuted_epsilon(guesses, approx_excess, d, SIGNIFICANCE) for d in (0, 1e-6, 1e-4, 1e-2)
    ]
    assert found == sorted(found, reverse=True) and found[0] > found[-1] == 0


def coins(rng, runs, canaries):
    return rng.integers(0, 2, (runs, canaries)).astype(bool)


@pytest.mark.parametrize("spent, caught", [(1.0, False), (2.0, True)])
def test_randomized_response_bound_stays_within_claim(spent, caught):
    """Claimed 1: at its own epsilon the bound is wrong in at most one run of twenty."""
    rng = np.random.default_rng(1)
    inside = coins(rng, 400, 300)
    said = np.where(rng.random(inside.shape) < 1 / (1 + math.exp(spent)), ~inside, inside)
    wrong = np.mean(
        [
            refuted_epsilon(
                Guesses(300, int(s.sum()), int((s & i).sum())), approx_excess, 0, SIGNIFICANCE
            )
            > 1.0
            for s, i in zip(said, inside, strict=True)
        ]
    )
    assert wrong > 0.9 if caught else wrong <= SIGNIFICANCE + 0.03


def test_published_records_require_their_delta():
    """Each canary that is in is published with chance delta: (0, delta)-DP, and no pure epsilon
    at all.
    """
    rng = np.random.default_rng(2)
    inside = coins(rng, 300, 500)
    told = inside & (rng.random(inside.shape) < 0.02)
    guesses = [Guesses(500, int(t.sum()), int(t.sum())) for t in told]
    covered, ignored = (
        np.mean([refuted_epsilon(g, approx_excess, delta, SIGNIFICANCE) > 0 for g in guesses])
        for delta in (0.02, 1e-9)
    )
    assert covered <= SIGNIFICANCE and ignored > 0.3


@pytest.mark.parametrize("mu, caught", [(1.0, False), (4.0, True)])
def test_gaussian_noise_bound_stays_within_mu(mu, caught):
    """Claimed mu = 1, over all thresholds together."""
    rng = np.random.default_rng(3)
    claimed = privacy.gdp_epsilon(1.0, 1e-6)
    over = []
    for inside in coins(rng, 100, 600):
        scores = rng.standard_normal(len(inside)) + mu * inside
        over.append(
            score_bounds.gdp_epsilon(scores[inside], scores[~inside], 1e-6, SIGNIFICANCE) > claimed
        )
    assert np.mean(over) > 0.9 if caught else np.mean(over) <= SIGNIFICANCE


def test_no_guesses_or_scores_give_zero_bound():
    assert refuted_epsilon(Guesses(10, 0, 0), gdp_excess, 0, SIGNIFICANCE) == 0
    empty = np.array([])
    assert score_bounds.approx_epsilon(empty, quantiles(0, 5), 1e-6, SIGNIFICANCE) == 0
