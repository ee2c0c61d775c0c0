"""Rates at few false alarms: by hand, their intervals against many repetitions, and what is seen
above a bound.
"""

import math

import numpy as np
import pytest
from scipy import stats

from dpviz import privacy
from dpviz.diagnostics import low_fpr
from dpviz.types import Guarantee


def promise(mu):
    return Guarantee("gdp", mu, 1e-5, privacy.ADD_REMOVE, "", math.inf, math.inf, "this test")


def test_true_positive_rate_by_hand_shares_ties():
    scores = np.array([[5.0, 4, 4, 4, 1, 1, 1, 1, 1, 1], [9.0, 8, 5, 4, 4, 0, 0, 0, 0, 0]])
    inside = np.array([[False] * 10, [True] * 10])
    others = np.sort(scores[0])
    assert low_fpr.threshold(others, 0.1) == (5.0, 1.0)
    assert low_fpr.threshold(others, 0.25) == (4.0, 0.5)
    hits = low_fpr.called_members(scores[1], 4.0, 0.5)
    assert hits.tolist() == [1, 1, 1, 0.5, 0.5, 0, 0, 0, 0, 0]
    wide = np.repeat(scores, 5, axis=1), np.repeat(inside, 5, axis=1)
    told = low_fpr.rates(*wide, promise(1.0), (0.1, 0.25))
    assert told[0] is None, "five false alarms are too few to tell"
    assert told[1].tpr == pytest.approx(0.4) and told[1].alarms == 12.5
    assert told[1].most == pytest.approx(stats.norm.cdf(stats.norm.ppf(0.25) + 1))


def test_wilson_interval_matches_formula():
    low, high = low_fpr.wilson(0.3, 50, 1.96)
    for end in (low, high):  # the ends are where the share lies 1.96 of their own errors away
        assert abs(0.3 - end) == pytest.approx(1.96 * math.sqrt(end * (1 - end) / 50))
    assert low_fpr.wilson(0.0, 50, 1.96)[0] == 0 < low_fpr.wilson(0.0, 50, 1.96)[1] < 0.1
    assert low_fpr.wilson(1.0, 0, 1.96) == (0.0, 1.0)


def test_saturated_rate_interval_uses_record_count():
    inside = np.random.default_rng(0).random((20, 100)) < 0.5
    scores = np.random.default_rng(1).normal(size=inside.shape) + 20 * inside
    others = np.sort(scores[~inside])
    halves = [low_fpr.threshold(others, fpr)[0] for fpr in (0.01, 0.02)]
    scores[tuple(np.argwhere(inside)[0])] = sum(halves) / 2
    (rate,) = low_fpr.rates(scores, inside, promise(math.inf), (0.02,))
    assert rate.tpr == 1 == pytest.approx(rate.high) and rate.error > 0 and not rate.above
    reach = stats.t.ppf(0.975, 19)
    assert rate.low == pytest.approx(low_fpr.wilson(1.0, 100, reach)[0]) and rate.low < 0.97


RUNS, RECORDS, REPETITIONS = 24, 150, 300
SKILL, LUCK, SIZE = 0.6, 0.3, 1.0


def drawn(rng):
    """Scores that go together within a record and a run."""
    inside = rng.random((RUNS, RECORDS)) < 0.5
    together = SKILL * rng.normal(size=(1, RECORDS)) + LUCK * rng.normal(size=(RUNS, 1))
    return together + rng.normal(size=inside.shape) + SIZE * inside, inside


def test_clustered_intervals_have_stated_coverage_naive_do_not():
    """Of 300 intervals of 95% fewer than 272 hold the truth in 1 of 1,000 such tests."""
    rng, fpr = np.random.default_rng(0), 0.02
    spread = math.sqrt(1 + SKILL**2 + LUCK**2)
    truth = stats.norm.cdf(stats.norm.ppf(fpr) + SIZE / spread)
    held = naive = 0
    for _ in range(REPETITIONS):
        scores, inside = drawn(rng)
        (rate,) = low_fpr.rates(scores, inside, promise(1.0), (fpr,))
        held += rate.low <= truth <= rate.high
        low, high = low_fpr.wilson(rate.tpr, inside.sum(), 1.96)
        naive += low <= truth <= high
    assert held >= 272 > 250 > naive


def test_attack_at_bound_is_rarely_flagged_stronger_is():
    """At a chance of at most 1 in 1,000, more than 2 of 200 are above in 1 of 900 such tests."""
    rng, above = np.random.default_rng(1), {1.0: 0, 2.0: 0}
    for mu in above:
        for _ in range(200):
            inside = rng.random((32, 100)) < 0.5
            scores = mu * inside + rng.normal(size=inside.shape)
            (rate,) = low_fpr.rates(scores, inside, promise(1.0), (0.01,))
            above[mu] += rate.above
    assert above[1.0] <= 2 and above[2.0] >= 198


@pytest.mark.parametrize(("share", "above"), [(0.15, False), (0.25, True)])
def test_allowed_rate_accounts_for_false_alarm_uncertainty(share, above):
    """16 false alarms of 1,600 may stand for 32, at which a promise of mu = 1 allows 15%; that no
    member lies near the threshold does not make the threshold surer.
    """
    inside = np.indices((32, 100)).sum(axis=0) % 2 == 0
    scores = np.random.default_rng(2).normal(size=inside.shape)
    scores[inside] = np.where(np.random.default_rng(3).random(1600) < share, 9.0, -9.0)
    (rate,) = low_fpr.rates(scores, inside, promise(1.0), (0.01,))
    assert rate.tpr == pytest.approx(share, abs=0.02) and rate.most < 0.1
    careless = low_fpr.wilson(rate.tpr, 1600, stats.t.ppf(0.999, 31))[0]
    assert careless > rate.most and rate.above == above
