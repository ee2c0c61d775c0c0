"""How sure a fit is of a label; halves; what a fit without a class does."""

import math

import numpy as np
import pytest

from dpviz import privacy
from dpviz.diagnostics import shadow_models
from dpviz.diagnostics.membership_attack import losses
from dpviz.methods import METHODS
from dpviz.types import Budget, DpvizError, Guarantee, Release
from tests.kit.toys import toy_data


def test_fit_confidence_follows_loss_without_rounding():
    rng = np.random.default_rng(0)
    head = Release(rng.normal(size=(4, 6)).astype(np.float32), np.zeros(4, np.float32))
    x, y = rng.normal(size=(30, 6)).astype(np.float32), np.arange(30) % 4
    p = np.exp(-losses(head, x, y))
    assert shadow_models.sureness(head, x, y) == pytest.approx(np.log(p / (1 - p)), abs=1e-6)
    sure = Release(np.array([[60.0], [0.0]], np.float32), np.zeros(2, np.float32))
    one = np.ones((1, 1), np.float32)
    assert shadow_models.sureness(sure, one, np.array([0])) == pytest.approx([60.0])
    never = Release(np.zeros((2, 1), np.float32), np.array([0, -np.inf], np.float32))
    assert shadow_models.sureness(never, one, np.array([1])) == -shadow_models.MAX_LOG_ODDS


def test_fit_without_a_class_never_predicts_it():
    data, method = toy_data(per_class=10), METHODS["logistic"]
    part = data.of_records(data.y != 2, "without")
    plan = method.plan(part.sizes, Budget(math.inf), method.check({}))
    release = method.fit(part, [plan], [0]).releases[0][0]
    assert release.weights.shape == (4, 12) and np.isfinite(release.bias).all()
    assert not (release.predict(data.x) == 2).any() and (release.predict(part.x) == part.y).all()
    assert np.isfinite(shadow_models.sureness(release, data.x, data.y)).all()


def promised(adjacency):
    return Guarantee("gdp", 1.0, 1e-5, adjacency, "", math.inf, math.inf, "this test")


def test_indistinguishable_members_are_refused_before_any_fit():
    head, seen = Release(np.ones((4, 12), np.float32), np.zeros(4, np.float32)), []
    make = lambda members, seed: seen.append(members) or head
    single, pairs = toy_data(per_class=1), toy_data(per_class=2)
    with pytest.raises(DpvizError, match="Every record is in every fit"):
        shadow_models.by_coin(single, make, range(8), promised(privacy.REPLACE_IN_CLASS))
    with pytest.raises(DpvizError, match="Some fits have no records"):
        shadow_models.by_coin(single, make, range(99), promised(privacy.ADD_REMOVE))
    assert not seen
    made = shadow_models.by_coin(pairs, make, range(8), promised(privacy.REPLACE_IN_CLASS))
    assert len(seen) == 8 and (made.inside.sum(axis=1) == 4).all()
