"""Intervals and comparisons, against values worked out by hand."""

import pytest

from dpviz.stats import Interval, interval, within_noise


def test_interval_is_the_t_interval():
    # two runs: half-width is t(0.975, 1) * sd / sqrt 2 = 12.7062 * 0.01
    found = interval([0.5, 0.52])
    assert found.mean == pytest.approx(0.51) and found.runs == 2
    assert found.high - found.mean == pytest.approx(12.7062 * 0.01, rel=1e-5)
    assert interval([0.0, 0.02]).low == 0 and interval([1.0, 0.98]).high == 1
    assert interval([0.4]) == Interval(0.4, 0.4, 0.4, 1)


def test_within_noise_is_welch():
    close, far = interval([0.50, 0.52, 0.54]), interval([0.90, 0.91, 0.92])
    assert within_noise(close, interval([0.51, 0.53, 0.55])) and not within_noise(close, far)
    assert within_noise(interval([0.1]), interval([0.9])), "a single run tells nothing of noise"
    assert within_noise(interval([0.5, 0.5]), interval([0.5, 0.5]))
    assert not within_noise(interval([0.5, 0.5]), interval([0.6, 0.6]))
