"""Automatic clipping and DPSGD-F, record by record against the formulas they stand for."""

import dataclasses

import numpy as np
import pytest

from dpviz import mechanisms
from dpviz.machine.threads import one_numeric_thread
from dpviz.mechanisms import COARSE
from dpviz.methods import METHODS, auto_clip, dpsgd_f
from dpviz.methods.components.clipped_gradients import WHOLE, Problem
from dpviz.methods.components.noisy_descent import clipped_sums
from dpviz.methods.dpsgd_f import CenteredSums
from dpviz.types import Budget
from tests.kit.toys import toy_data

DATA = toy_data(per_class=6, d=5)
STEPS = 12 * COARSE
"""Some steps of the grid: rounding of the head, of a residual in each class, and what is kept away
from the bound."""


@pytest.fixture(autouse=True)
def _one_thread():
    with one_numeric_thread():
        yield


def unit():
    return mechanisms.unit_rows(DATA.x).astype(float)


def head(size=2.0, wide=0):
    return (size * np.random.default_rng(1).normal(size=(4, 5 + wide))).astype(np.float32)


def softmax(scores):
    odds = np.exp(scores - scores.max(1, keepdims=True))
    return odds / odds.sum(1, keepdims=True)


def gradients(rows, w):
    """Of each record (n, C, k), at rows (n, k)."""
    residual = softmax(rows @ w.T.astype(float)) - np.eye(4)[DATA.y]
    return residual[:, :, None] * rows[:, None, :]


def norms(found):
    return np.linalg.norm(found, axis=(1, 2), keepdims=True)


def only(i):
    return dataclasses.replace(DATA, x=DATA.x[i : i + 1], y=DATA.y[i : i + 1], fingerprint=f"{i}")


# ------------------------------------------------------------------------------ automatic clipping


@pytest.mark.parametrize("gamma", [1e-3, 0.1, 3.0])
def test_each_gradient_is_divided_by_norm_plus_gamma(gamma):
    own = gradients(unit(), head())
    expected = own / (norms(own) + gamma)
    for i, mine in enumerate(expected):
        (found,) = auto_clip.normalised_sums(Problem.from_dataset(only(i)), head()[None], gamma)
        assert np.linalg.norm(found - mine) < STEPS


@pytest.mark.parametrize("gamma", [1e-3, 0.1, 3.0])
@pytest.mark.parametrize("classes", [2, 300])
def test_record_moves_sum_up_to_claimed_sensitivity(gamma, classes):
    """A head that is sure of a wrong class has the longest gradient there is."""
    x, y = np.eye(5, dtype=np.float32)[:1], np.array([1])
    names = tuple(f"c{i}" for i in range(classes))
    one = dataclasses.replace(DATA, x=x, y=y, class_names=names, fingerprint="one")
    w = np.zeros((1, classes, 5), np.float32)
    w[:, 0, 0] = 60.0
    (found,) = auto_clip.normalised_sums(Problem.from_dataset(one), w, gamma)
    claimed = auto_clip.sensitivity(gamma)
    assert claimed < 1
    assert claimed - (2 + classes**0.5) / WHOLE < np.linalg.norm(found) <= claimed


# ------------------------------------------------------------------------------------------ DPSGD-F


def mean_of(size):
    mean = size * np.array([0.6, 0.0, -0.8, 0.0, 0.0])
    return np.trunc(mean * WHOLE) / WHOLE


@pytest.mark.parametrize("size", [0.0, 0.7, 1.0])
@pytest.mark.parametrize("bias", [0.0, 0.5])
@pytest.mark.parametrize("clip", [0.2, 3.0])
def test_each_gradient_uses_centered_features_clipped(size, bias, clip):
    w, mean = head(wide=1), mean_of(size)
    rows = np.column_stack([unit() - mean, np.full(len(DATA.y), bias)])
    own = gradients(rows, w)
    expected = own / np.maximum(norms(own), clip)
    for i, mine in enumerate(expected):
        (found,) = CenteredSums.about(Problem.from_dataset(only(i)), mean[None], bias).sums(
            w[None], clip
        )
        assert np.linalg.norm(found - mine) < STEPS
        assert np.linalg.norm(found) <= 1


def test_zero_mean_without_constant_equals_probe():
    problem, w = Problem.from_dataset(DATA), head(wide=1)
    (found,) = CenteredSums.about(problem, np.zeros((1, 5)), 0.0).sums(w[None], 0.3)
    (probe,) = clipped_sums(problem, w[None, :, :-1].copy(), 0.3)
    assert np.linalg.norm(found[:, :-1] - probe) < STEPS and not found[:, -1].any()


def test_added_record_adds_exactly_its_own_part():
    w, mean = head(wide=1)[None], mean_of(0.7)[None]
    fewer = dataclasses.replace(DATA, x=DATA.x[1:], y=DATA.y[1:], fingerprint="fewer")
    more, less, alone = (
        CenteredSums.about(Problem.from_dataset(data), mean, 0.3).sums(w, 0.3)
        for data in (DATA, fewer, only(0))
    )
    assert np.array_equal(more - less, alone)


def test_released_rule_scores_like_centered_head():
    w, mean = head(wide=1), mean_of(0.7)
    weights, biases = CenteredSums.about(Problem.from_dataset(DATA), mean[None], 0.5).split(w[None])
    rows = np.column_stack([unit() - mean, np.full(len(DATA.y), 0.5)])
    assert unit() @ weights[0].T + biases[0] == pytest.approx(rows @ w.T, abs=1e-5)


def test_noisy_mean_is_exact_noiseless_and_bounded_otherwise():
    method = METHODS[dpsgd_f.KEY]
    total = dpsgd_f.features_sum(DATA)[0]
    means = [
        dpsgd_f.noisy_mean(
            total, method.plan(DATA.sizes, Budget(epsilon), method.check({})), 0, len(DATA.y)
        )
        for epsilon in (np.inf, 1e-3)
    ]
    assert means[0] == pytest.approx(unit().mean(0), abs=COARSE)
    assert np.linalg.norm(means[1]) <= 1 and np.array_equal(means[1] * WHOLE % 1, np.zeros(5))
