"""Which runs the looks of neural collapse ask for, by hand."""

import math

import pytest

from dpviz.data import synthetic
from dpviz.diagnostics import collapse_runs
from dpviz.stats import interval

ETF = "etf:dim=64,n=300,beta=0.1"


def test_dimensions_for_frames_and_real_features():
    assert collapse_runs.dimensions(ETF, 64, 300) == [16, 64, 256, 1024, 4096]
    assert collapse_runs.dimensions("etf:classes=20,dim=64", 64, 10_000) == [64, 256, 1024]
    assert collapse_runs.dimensions("mnist5k", 128, 4000) == [16, 32, 64, 128, 256, 512]
    assert collapse_runs.dimensions("x.npz", 5000, 10_000) == [625, 5000], "its own always"


def test_changed_dimension_keeps_other_settings():
    perturbed = {"test": "stochastic", "size": 0.2}
    changed = collapse_runs.at_dimension(ETF, "", 64, 256, perturbed)["dataset"]
    assert synthetic.parse(changed) == synthetic.parse(ETF) | {"dim": 256} | perturbed
    assert collapse_runs.at_dimension("mnist5k", "centre=yes", 128, 256, {}) == {
        "features": "dim=256,centre=yes"
    }
    assert collapse_runs.at_dimension("mnist5k", "", 128, 128, {}) == {"features": ""}


def test_ranks_include_simplex_rank_and_all():
    assert collapse_runs.ranks(10, 128) == [2, 5, 9, 10, 20, 50, 100, 128]
    assert collapse_runs.ranks(10, 8) == [2, 5, 8]


def test_error_increases_are_tested_beyond_noise_jointly():
    low, near, high = interval([0.10, 0.12]), interval([0.11, 0.13]), interval([0.50, 0.51])
    lines = {
        "up": {1: low, 3: high, 2: near},
        "down": {1: high, 9: low},
        "still": {1: low, 2: near},
    }
    assert collapse_runs.moves(lines) == {"up": 1, "down": -1, "still": 0}
    assert collapse_runs.moves({"one run": {1: interval([0.1]), 2: interval([0.9])}}) == {
        "one run": 0
    }
    barely = {1: interval([0.10, 0.12, 0.11]), 2: interval([0.13, 0.15, 0.14])}
    assert collapse_runs.moves({"alone": barely}) == {"alone": 1}
    many = {str(i): {1: low, 2: near} for i in range(9)}
    assert collapse_runs.moves({"one of many": barely} | many)["one of many"] == 0


def test_one_step_clips_nothing_two_classes_stay_small():
    assert collapse_runs.one_step(4) == {"steps": 1, "clip": pytest.approx(math.sqrt(0.75))}
    assert collapse_runs.sizes(0.5) == [2, 3, 4, 5, 6] and collapse_runs.sizes(1e-5) == []
    assert synthetic.parse(collapse_runs.two_classes(40, 8))["beta"] == 0
