"""The line through gains: exact where they lie on one, its interval against repetitions."""

import numpy as np
import pytest

from dpviz.diagnostics.attack_by_shots import Gain, slope

SHOTS = (5, 10, 20, 50, 100, 200)


def test_power_law_slope_is_recovered_and_noise_excluded():
    gains = [Gain(s, 0.3 * s**-0.7, 0.001) for s in SHOTS]
    found = slope([*gains, Gain(400, 0.001, 0.01)])
    assert found.slope == pytest.approx(-0.7) and found.factor == pytest.approx(0.3)
    assert found.points == 6 and not found.published
    assert slope(gains[:2]) is None


def test_slope_interval_has_stated_coverage():
    """Of 300 intervals of 95% fewer than 270 hold it in 1 of 4,000 such tests."""
    rng, held = np.random.default_rng(0), 0
    for _ in range(300):
        drawn = [(s, 0.5 * s**-0.5 * (1 + 0.05 * rng.normal())) for s in SHOTS]
        held += slope([Gain(s, gain, 0.05 * gain) for s, gain in drawn]).published
    assert held >= 270
    steep = [Gain(s, 0.5 / s, 0.02 / s) for s in SHOTS]
    assert not slope(steep).published
