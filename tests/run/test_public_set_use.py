"""Runs that protect labelled public images: no such image changes another record, and no card tells
how many there are.
"""

import dataclasses

import numpy as np
import pytest

from dpviz import data as data_package
from dpviz.data import preparation
from dpviz.data.data_set_table import HELD_ASIDE
from dpviz.experiments import experiment, release_file
from dpviz.types import Budget, DpvizError, RunSpec
from tests.kit.toys import toy_data

PRIVATE = (("public_use", "private"), ("init", "none"), ("clip_mode", "fixed"), ("rank", 0))
FEATURES = (
    "",
    "centre=yes",
    "pca=3",
    "means=yes",
    "dim=4",
    "dim=40",
    "shift=0.1",
    *(
        f"test={kind},size=0.1,where={where}"
        for kind in ("stochastic", "gaussian", "offset")
        for where in ("test", "training", "both")
    ),
)


def spec(**more):
    return RunSpec("toy", None, "adamix", Budget(1.0), params=PRIVATE, **more)


@pytest.fixture
def loaded(monkeypatch):
    """Sets what the name toy stands for."""

    def set_to(made):
        monkeypatch.setattr(data_package, "load", lambda *a, **k: made)
        return made

    return set_to


@pytest.mark.parametrize("features", FEATURES)
def test_protected_image_changes_no_other_or_is_refused(features, loaded):
    toy = loaded(toy_data())
    fewer = dataclasses.replace(
        toy, public_rows=toy.public[1:], y_public=toy.y_public[1:], fingerprint="fewer"
    )
    one, other = (preparation.prepare(some, features) for some in (toy, fewer))
    alike = np.array_equal(one.x, other.x) and np.array_equal(one.public[1:], other.public)
    assert preparation.mixes_public(features) == (not alike)
    if alike:
        assert experiment.planned(spec(features=features)).events
    else:
        with pytest.raises(DpvizError, match="protects labeled public images"):
            experiment.planned(spec(features=features))
        with pytest.raises(DpvizError, match="protects labeled public images"):
            release_file.planned(spec(features=features))
    experiment.planned(dataclasses.replace(spec(features=features), params=()))


def test_card_hides_the_number_of_protected_images(loaded):
    cards = []
    for images in (0, 23, 24):
        toy = toy_data(public=72)
        rows = toy.public[:images] if images else None
        loaded(
            dataclasses.replace(
                toy,
                public_rows=rows,
                y_public=toy.y_public[:images] if images else None,
                public_key=HELD_ASIDE if images else None,
                held_aside=images,
                fingerprint=f"held {images}",
            )
        )
        asked = spec(public=HELD_ASIDE)
        given = experiment.planned(asked).guarantee
        assert (
            "each protected as one image" in given.public
            and "training images to set aside" in given.starts
        )
        cards.append(release_file.card(asked, release_file.planned(asked)))
    assert cards[0] == cards[1] == cards[2]
    public = dataclasses.replace(spec(public=HELD_ASIDE), params=())
    assert experiment.planned(public).guarantee.held_aside == 24
