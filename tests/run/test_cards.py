"""What the data adds to a card: what a record is, where the guarantee begins, what the defaults
saw.
"""

import dataclasses

import numpy as np
import pytest

from dpviz.data import DEVELOPMENT_SETS, uploads
from dpviz.data.imbalance import long_tail
from dpviz.experiments import experiment
from dpviz.formatting import large_delta
from dpviz.methods import METHODS
from dpviz.types import Budget, RunSpec
from tests.kit.toys import toy_data


def card(dataset, encoder=None, method="dppl-mean", **more):
    return experiment.planned(RunSpec(dataset, encoder, method, Budget(1.0), **more)).guarantee


def test_added_record_may_change_others_in_subset():
    """Why a guarantee on a long-tailed subset can only begin after it was selected."""
    data = toy_data(per_class=35)
    more = dataclasses.replace(data, x=np.r_[data.x, data.x[:1]], y=np.r_[data.y, data.y[:1]])
    before, after = (np.array(long_tail(d, 10.0).counts) for d in (data, more))
    assert np.count_nonzero(before != after) > 1


def test_card_names_the_subset(own):
    name = uploads.display_path(uploads.path(own))
    assert card(name).starts == "at the rows of the file"
    assert "after the long-tailed subset was selected" in card(name, ir=4.0).starts
    assert card(name).unit == "one record = one row of the file"
    assert "the test rows of the file" in card(name).public
    assert "after the first 9 records of each class were selected" in card(name, records=9).starts
    both = "the first 1,000 records of each class and then the long-tailed subset were selected"
    assert both in card(name, ir=4.0, records=1000).starts


def test_record_is_an_image_only_for_images():
    pictures = card("uci-digits", "glyphnet", ir=5.0)
    assert pictures.unit == "one record = one image"
    assert pictures.starts.startswith("at the feature vectors, after the encoder and after")
    assert "the test images" in pictures.public
    made = card("etf:classes=4,dim=8,n=400")
    assert made.unit == "one record = one synthetic feature vector"


def test_card_states_data_used_for_defaults(own):
    assert "selected on these data" in card(DEVELOPMENT_SETS[1], "glyphnet").defaults
    assert "not on these data" in card(uploads.display_path(uploads.path(own))).defaults


@pytest.mark.parametrize("method", [key for key, method in METHODS.items() if method.private])
def test_class_set_is_public_on_every_card(method, toy):
    row = METHODS[method]
    for axis in ("approx", "zcdp"):
        plan = row.plan(toy.sizes, Budget(1.0, axis), row.check({}))
        assert "the set of classes" in plan.guarantee.public


@pytest.mark.parametrize("delta, flagged", [(1e-2, False), (1.001e-2, True), (0.5, True)])
def test_delta_above_one_in_n_is_flagged(delta, flagged, own):
    promise = dataclasses.replace(card(uploads.display_path(uploads.path(own))), delta=delta)
    said = large_delta(promise, 100)
    assert bool(said) == flagged and (not flagged or "private view" in said)
