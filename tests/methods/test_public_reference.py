"""Public data only: tuned on the public set, and blind to private records."""

from dataclasses import replace

import numpy as np
import pytest

from dpviz.methods import METHODS, public_reference
from dpviz.types import Budget, DpvizError
from tests.kit.toys import toy_data

METHOD = METHODS["public-reference"]


def fitted(data):
    plan = METHOD.plan(data.sizes, Budget(1.0), {})
    return METHOD.fit(data, [plan], [0]).releases[0][0]


def labelled(seed=0, classes=4, d=12, each=8):
    generator = np.random.default_rng(seed)
    middle = generator.normal(size=(classes, d))
    y = np.repeat(np.arange(classes), each)
    public = (middle[y] + 0.2 * generator.normal(size=(len(y), d))).astype(np.float32)
    data = toy_data()
    return replace(data, public_rows=public, y_public=y, public_names=None, public_key="toy")


def test_classifier_ignores_private_records():
    data = labelled()
    other = replace(data, x=-data.x, y=(data.y + 1) % data.classes)
    assert np.array_equal(fitted(data).weights, fitted(other).weights)


def test_penalty_is_chosen_on_held_out_public_images(monkeypatch):
    data, tried = labelled(seed=1), []
    score = public_reference._validated
    monkeypatch.setattr(
        public_reference, "_validated", lambda *a: (tried.append(a[-1]), score(*a))[1]
    )
    release = fitted(data)
    assert tried == [0.0, *public_reference.INVERSE_PENALTIES]
    rows, y = data.labelled_rows
    assert np.mean(release.predict(data.public[rows]) == y) > 0.9


def test_class_without_public_images_is_never_predicted():
    data = labelled()
    some = data.y_public != 3
    data = replace(data, public_rows=data.public_rows[some], y_public=data.y_public[some])
    assert 3 not in fitted(data).predict(data.x_test)


def test_single_labeled_class_is_refused_with_message():
    data = labelled()
    one = data.y_public == 0
    data = replace(data, public_rows=data.public_rows[one], y_public=data.y_public[one])
    with pytest.raises(DpvizError, match="fewer than two of the private classes"):
        fitted(data)
