"""Squares and products of numbers separate releases that no single number separates."""

import numpy as np
import pytest

from dpviz.audits import product_scores


def samples(k, leak=0.0):
    """Two samples of noise whose last number is a product of others plus ``leak`` in the first."""
    noise = np.random.default_rng(0).normal(size=(2, 2_000, k))
    noise[..., -1] = noise[..., 0] * noise[..., 1]
    noise[0, :, -1] += leak
    return noise


@pytest.mark.parametrize("k", [3, 16])
def test_exact_part_of_a_product_separates_all_releases(k):
    more, less = samples(k, 1e-8)
    (score,) = product_scores.all_scores(more, less)
    assert score(more[1_000:]).min() > score(less[1_000:]).max()


def test_product_without_leak_separates_nothing():
    """A difference of means beyond five standard errors has a chance of 6e-7."""
    (score,) = product_scores.all_scores(*samples(3))
    one, other = (score(side[1_000:]) for side in samples(3))
    assert abs(one.mean() - other.mean()) < 5 * np.sqrt((one.var() + other.var()) / 1_000)


def test_product_scores_need_2_to_16_varying_numbers():
    assert product_scores.all_scores(*samples(17)) == []
    constant = np.concatenate([samples(3), np.ones((2, 2_000, 40))], axis=2)
    assert len(product_scores.all_scores(*constant)) == 1
    assert product_scores.all_scores(*constant[..., 2:]) == []


@pytest.mark.filterwarnings("error")
def test_extreme_numbers_still_get_scores():
    rows = samples(3)
    rows[:, ::50, 0], rows[:, 1::50, 1], rows[:, 2::50, 2] = np.inf, np.nan, 1e308
    (score,) = product_scores.all_scores(*rows)
    assert score(rows[0]).shape == (2_000,)
