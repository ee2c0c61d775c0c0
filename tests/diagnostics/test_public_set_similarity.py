"""Classes without a like in the public set, against sums written out."""

import dataclasses

import numpy as np
import pytest

from dpviz.diagnostics import public_set_similarity
from tests.kit.toys import toy_data


def test_classes_without_public_images_of_their_name():
    data = toy_data()
    assert public_set_similarity.without_like(data) == ()
    others = dataclasses.replace(data, public_names=("class 0", "ant", "class 2", "bee"))
    assert public_set_similarity.without_like(others) == (1, 3)
    nothing = dataclasses.replace(data, public_names=("ant", "bee", "cat", "dog"))
    assert public_set_similarity.without_like(nothing) == (0, 1, 2, 3)
    assert public_set_similarity.without_like(dataclasses.replace(data, y_public=None)) is None
    assert (
        public_set_similarity.without_like(dataclasses.replace(data, public_names=("class 0",)))
        is None
    )


def test_similarity_is_mean_cosine():
    data, best = toy_data(per_class=9), np.array([3, 40, 80, 120])
    likes = public_set_similarity.similarities(data, best)
    unit = lambda x: x / np.linalg.norm(x, axis=1, keepdims=True)
    for c in range(4):
        mine, public = unit(data.x[data.y == c]), unit(data.x_public[best[c : c + 1]])
        pairs = (mine @ mine.T)[~np.eye(9, dtype=bool)]
        assert likes.nearest[c] == pytest.approx((mine @ public.T).mean(), abs=1e-5)
        assert likes.among[c] == pytest.approx(pairs.mean(), abs=1e-5)
    assert likes.farthest == np.argmax(likes.among - likes.nearest)


def test_single_record_class_has_no_pair():
    data = toy_data(per_class=3)
    one = dataclasses.replace(data, x=data.x[2:], y=data.y[2:], rows=None)
    likes = public_set_similarity.similarities(one, np.zeros(4, int))
    assert np.isnan(likes.among[0]) and not np.isnan(likes.among[1:]).any()
    assert 0 <= likes.farthest < 4
