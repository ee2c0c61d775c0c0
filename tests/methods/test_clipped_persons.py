"""A person's summed gradient is clipped to norm 1 however many records it is of."""

import dataclasses

import numpy as np
import pytest

from dpviz.methods import noisy_gd
from dpviz.methods.components import noisy_descent
from dpviz.methods.components.clipped_gradients import Problem
from dpviz.methods.noisy_gd import Crowd

CLIP = 0.3
FITTED = 5
"""Records more in one class than in the other: the rest cancel."""


def added(data, heads):
    return noisy_gd.person_clipped_sums(
        Problem.from_dataset(data), Crowd.from_dataset(data), heads, CLIP
    )


def one_person(toy, k, kind):
    rng = np.random.default_rng(k)
    x, y = rng.normal(size=(k, toy.x.shape[1])), rng.integers(2, size=k)
    if kind != "apart":
        x = np.tile(x[:1], (k, 1))
        y = np.arange(k) < (k if kind == "alike" else (k + FITTED) // 2)
    return dataclasses.replace(
        toy, x=x.astype(np.float32), y=y.astype(np.int64), persons=np.zeros(k, int), rows=None
    )


@pytest.mark.parametrize("k, close", [(100, 0.11), (129, 0.01), (1000, 0.01), (5000, 0.01)])
@pytest.mark.parametrize("kind", ["alike", "apart", "fitted"])
def test_user_contribution_follows_rule_regardless_of_others(toy, k, close, kind):
    heads = np.random.default_rng(0).normal(size=(2, toy.classes, toy.x.shape[1]))
    heads = (heads * [[[0.0]], [[0.5]]]).astype(np.float32)
    person = one_person(toy, k, kind)
    whole = noisy_descent.clipped_sums(Problem.from_dataset(person), heads, CLIP)
    alone, norms = added(person, heads), np.linalg.norm(whole, axis=(1, 2))
    heard = np.linalg.norm(alone, axis=(1, 2))
    assert (heard <= 1).all() and heard == pytest.approx(np.minimum(norms, 1), rel=close)
    others = dataclasses.replace(toy, persons=np.arange(len(toy.x)) // 3 + 1)
    both = dataclasses.replace(
        others,
        **{
            name: np.concatenate([getattr(others, name), getattr(person, name)])
            for name in ("x", "y", "persons")
        },
        rows=None,
    )
    assert np.array_equal(added(both, heads), added(others, heads) + alone)


def test_many_users_are_summed_exactly(toy):
    n = 2**18
    crowd = dataclasses.replace(
        toy,
        x=np.ones((n, 1), np.float32),
        y=np.zeros(n, np.int64),
        persons=np.arange(n),
        rows=None,
    )
    heads = np.zeros((1, toy.classes, 1), np.float32)
    assert np.abs(added(crowd, heads)).max() == 2**17
