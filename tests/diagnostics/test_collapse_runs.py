"""Which runs the looks of neural collapse ask for, by hand."""

import math

import pytest

from dpviz.data import synthetic
from dpviz.diagnostics import collapse_runs
from dpviz.stats import interval

ETF = "etf:dim=64,n=300,beta=0.1"


def test_dimensions_of_new_frames_and_of_real_features():
    assert collapse_runs.dimensions(ETF, 64, 300) == [16, 64, 256, 1024, 4096]
    assert collapse_runs.dimensions("etf:classes=20,dim=64", 64, 10_000) == [64, 256, 1024]
    assert collapse_runs.dimensions("mnist5k", 128, 4000) == [16, 32, 64, 128, 256, 512]
    assert collapse_runs.dimensions("x.npz", 5000, 10_000) == [625, 5000], "its own always"


def test_a_changed_dimension_keeps_all_other_settings():
    perturbed = {"test": "stochastic", "size": 0.2}
    changed = collapse_runs.at_dimension(ETF, "", 64, 256, perturbed)["dataset"]
    assert synthetic.parse(changed) == synthetic.parse(ETF) | {"dim": 256} | perturbed
    assert collapse_runs.at_dimension("mnist5k", "centre=yes", 128, 256, {}) == {
        "features": "dim=256,centre=yes"
    }
    assert collapse_runs.at_dimension("mnist5k", "", 128, 128, {}) == {"features": ""}


def test_ranks_hold_the_corner_and_end_with_all():
    assert collapse_runs.ranks(10, 128) == [2, 5, 9, 10, 20, 50, 100, 128]
    assert collapse_runs.ranks(10, 8) == [2, 5, 8]


def test_an_error_rises_beyond_the_noise_or_by_a_point():
    low, near, high = interval([0.10, 0.12]), interval([0.11, 0.13]), interval([0.50, 0.51])
    assert collapse_runs.rises(low, high) and not collapse_runs.rises(low, near)
    assert not collapse_runs.rises(high, low)
    still = [interval([value]) for value in (0.1, 0.105, 0.12)]
    assert collapse_runs.rises(still[0], still[2]) and not collapse_runs.rises(*still[:2])


def test_one_step_cuts_nothing_and_two_classes_stay_few():
    assert collapse_runs.one_step(4) == {"steps": 1, "clip": pytest.approx(math.sqrt(0.75))}
    assert collapse_runs.sizes(0.5) == [2, 3, 4, 5, 6] and collapse_runs.sizes(1e-5) == []
    assert synthetic.parse(collapse_runs.two_classes(40, 8))["beta"] == 0
