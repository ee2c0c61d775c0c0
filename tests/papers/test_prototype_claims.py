"""Verdicts on the first paper's curves: each comes out all three ways, from made-up accuracies."""

import math
from types import SimpleNamespace

import numpy as np
import pytest

from dpviz.papers import claims
from dpviz.papers.checks import prototype_claims as tries
from dpviz.papers.checks import prototype_theory as exact
from dpviz.papers.model import CANNOT_TELL, DOES_NOT, HOLDS, Ground
from dpviz.stats import interval

GROUND = Ground("mnist5k")


@pytest.fixture
def curves(monkeypatch):
    """``curves(rule)``: the accuracy of each run is what a rule says, over four seeds."""

    def product(rule, noise=0.004):
        spread = [-noise, -noise / 3, noise / 3, noise]
        points = lambda ground, runs, metric, seeds=6: {
            run: interval([rule(run) + s for s in spread]) for run in dict.fromkeys(runs)
        }
        monkeypatch.setattr(tries, "points", points)
        monkeypatch.setattr(tries, "_guessing", lambda ground: 0.1)
        monkeypatch.setattr(tries, "_radii", lambda ground: dict.fromkeys(tries.POOLS, 0.1))

    return product


def outcome(check):
    return check(GROUND).outcome


def test_early_accuracy_is_compared_with_best_and_chance(curves):
    curves(lambda run: 0.86 if run.budget < 1 else 0.9)
    assert outcome(tries.early_is_good) == HOLDS
    curves(lambda run: 0.5 if run.budget < 1 else 0.9)
    assert outcome(tries.early_is_good) == DOES_NOT
    curves(lambda run: 0.12)
    assert outcome(tries.early_is_good) == DOES_NOT
    curves(lambda run: 0.80 if run.budget < 1 else 0.9, noise=0.05)
    assert outcome(tries.early_is_good) == CANNOT_TELL


def test_mostly_needs_majority_and_always_needs_all(curves):
    worst = lambda run: (run.budget, dict(run.facts)["ir"]) == (10.0, 100.0)
    level = {"dppl-mean": 0.9, "dp-ls": 0.8, "noisy-gd": 0.8, "global-adapt": 0.85}
    curves(lambda run: 0.95 if run.method == "global-adapt" and worst(run) else level[run.method])
    assert outcome(tries.mean_best_when_loose) == HOLDS
    curves(lambda run: 0.95 if run.method == "dp-ls" and worst(run) else level[run.method])
    assert outcome(tries.mean_best_when_loose) == DOES_NOT
    curves(lambda run: 0.9)
    assert outcome(tries.mean_best_when_loose) == CANNOT_TELL


def test_one_reversed_trend_refutes_figure_3(curves):
    def as_printed(run):
        if run.method == "dppl-mean":
            return 0.1 if run.budget < 1 else 0.95
        return {"dppl-public": 0.8, "noisy-gd": 0.6}[run.method]

    curves(as_printed)
    assert outcome(tries.trends_of_figure_3) == HOLDS
    curves(
        lambda run: 0.9 if run == tries.Run("noisy-gd", 1.0, (("ir", 100.0),)) else as_printed(run)
    )
    assert outcome(tries.trends_of_figure_3) == DOES_NOT


def test_private_map_counts_only_with_gain_over_baselines(curves):
    trained = lambda run: "trained" in run.method
    start = lambda run: bool(run.params)
    curves(lambda run: 0.8)
    assert outcome(tries.projection_is_no_help) == HOLDS
    curves(lambda run: 0.9 if trained(run) else 0.8)
    assert outcome(tries.projection_is_no_help) == DOES_NOT
    curves(lambda run: 0.9 if trained(run) or start(run) else 0.8)
    assert outcome(tries.projection_is_no_help) == HOLDS
    curves(lambda run: 0.9 if "projected" in run.method and not start(run) else 0.8)
    assert outcome(tries.projection_is_no_help) == CANNOT_TELL
    curves(lambda run: 0.8, noise=0.1)
    assert outcome(tries.projection_is_no_help) == CANNOT_TELL


def test_few_images_claim_needs_every_number(curves):
    small = lambda run: dict(run.facts).get("records", 400)
    curves(lambda run: 0.85 if run.budget == 1.0 else 0.9)
    assert outcome(tries.few_are_enough) == HOLDS
    curves(lambda run: 0.85 if small(run) > 5 else 0.3)
    assert outcome(tries.few_are_enough) == CANNOT_TELL
    curves(lambda run: 0.9 if run.budget == 100.0 else 0.3)
    assert outcome(tries.few_are_enough) == DOES_NOT


def test_public_norms_set_pooled_clip_norm(monkeypatch):
    x = np.random.default_rng(0).normal(size=(50, 64)).astype(np.float32)
    monkeypatch.setattr(tries.experiment, "prepared", lambda _: SimpleNamespace(public=x))
    radii = tries._radii(GROUND)
    assert set(radii) == set(tries.POOLS)
    for k, r in radii.items():
        assert 0 < r < 1 / math.sqrt(k)
    assert radii[5] == pytest.approx(1 / 5, rel=0.2)  # of independent coordinates 1/k


def test_pools_at_chance_level_are_not_compared(curves):
    pooled = lambda run: bool(run.params)
    curves(lambda run: 0.1)
    assert outcome(tries.pooling_helps) == CANNOT_TELL
    curves(lambda run: 0.5)
    assert outcome(tries.pooling_helps) == DOES_NOT
    curves(lambda run: 0.6 if pooled(run) else 0.5)
    assert outcome(tries.pooling_helps) == HOLDS


def test_omitted_methods_are_beaten_by_a_kept_one(curves):
    curves(lambda run: {"dp-fc": 0.7, "dp-ls": 0.8}.get(run.method, 0.6))
    assert outcome(tries.covariance_left_out) == HOLDS
    curves(lambda run: {"dp-fc": 0.9}.get(run.method, 0.6))
    assert outcome(tries.covariance_left_out) == DOES_NOT
    curves(lambda run: 0.6)
    assert outcome(tries.covariance_left_out) == CANNOT_TELL


def test_public_must_beat_all_four_other_methods(curves):
    curves(lambda run: 0.8 if run.method == "dppl-public" else 0.6)
    assert outcome(tries.public_best_when_strict) == HOLDS
    curves(lambda run: {"dppl-public": 0.8, "global-adapt": 0.9}.get(run.method, 0.6))
    assert outcome(tries.public_best_when_strict) == DOES_NOT


def test_printed_ratio_differs_from_actual_ratio():
    result = exact.ratio_as_printed()
    assert result.outcome == DOES_NOT and "63.1 among 10 classes" in result.because


def test_loss_search_detects_understated_claims():
    assert exact.public_is_pure().outcome == HOLDS
    assert exact._loss(1.0, 0.9, True, "a twin").outcome == DOES_NOT
    assert exact._loss(1.0, 1.0, False, "a twin").outcome == DOES_NOT


def test_section_5_2_and_appendix_are_listed():
    keys = {claim.key for claim in claims("prototypes")}
    assert {"proto-s5.2-public", "proto-s5.2-mean", "proto-e4"} <= keys
