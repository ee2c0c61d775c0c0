"""The coin in whole steps keeps what it claims, and the noise of a count reaches as far as said."""

import math
from fractions import Fraction

import pytest

from dpviz import privacy
from dpviz.types import DpvizError


@pytest.mark.parametrize("epsilon", [1e-9, 0.1, 0.5, 1.0, math.log(3), 5.0, 10.0, 22.0, 60.0])
def test_coin_threshold_is_tightest_private_step(epsilon):
    """In fractions: (n + t) / (n - t) <= e^epsilon, whose series is cut off below it."""
    t, n = privacy.coin_threshold(epsilon), privacy.COIN_STEPS
    low = sum((Fraction(epsilon) ** k / math.factorial(k) for k in range(400)), Fraction(0))
    assert 0 <= t < n and Fraction(n + t, n - t) <= low
    assert t == n - 1 or Fraction(n + t + 1, n - t - 1) > low
    assert privacy.coin_epsilon(t) <= epsilon * (1 + 1e-12)


def test_honesty_is_rounded_down_to_whole_steps():
    for percent in range(5, 100, 5):
        t = privacy.honesty_threshold(percent / 100)
        assert privacy.coin_epsilon(t) <= privacy.response_epsilon(percent / 100)
        assert t + 1 > percent / 100 * privacy.COIN_STEPS


def test_coin_without_privacy_is_refused():
    with pytest.raises(DpvizError, match="ε"):
        privacy.coin_threshold(0.0)


@pytest.mark.parametrize("epsilon", [0.1, 0.5, 1.0, 3.0, 10.0])
@pytest.mark.parametrize("miss", [0.05, 0.32])
def test_count_reach_is_smallest_with_stated_miss_rate(epsilon, miss):
    ratio = math.exp(-epsilon)
    beyond = lambda t: 2 * ratio ** (t + 1) / (1 + ratio)
    reach = privacy.count_reach(epsilon, miss)
    assert beyond(reach) <= miss * (1 + 1e-9)
    assert reach == 0 or beyond(reach - 1) > miss
