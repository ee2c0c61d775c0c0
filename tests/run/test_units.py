"""Runs promised to persons: K = 1 with one picture each is the picture unit, K bounds what is read
and nothing read off private data leaves the room.
"""

import dataclasses
import math

import numpy as np
import pytest

from dpviz import data as data_package
from dpviz import privacy
from dpviz.audits import sensitivity
from dpviz.diagnostics import attack_bound, membership_attack, per_instance
from dpviz.experiments import experiment, release_file, session, tuning
from dpviz.experiments.tuning import Search, Trial
from dpviz.formatting import large_delta
from dpviz.methods import METHODS
from dpviz.types import Budget, DpvizError, RunSpec
from tests.kit.toys import toy_data


def spec(method="dppl-mean", **more):
    return RunSpec("toy", None, method, **{"budget": Budget(1.0), "unit": "person", **more})


@pytest.fixture
def crowd(monkeypatch):
    """Sets how many records each person of the toy data has."""

    def set_to(each):
        toy = toy_data()
        made = dataclasses.replace(toy, persons=np.arange(len(toy.x)) // each)
        monkeypatch.setattr(data_package, "load", lambda *a, **k: made)
        return made

    return set_to


COMPOSED = {
    "adamix": [
        {"init": "none", "clip_mode": "fixed", "rank": 0, "public_use": use}
        for use in ("private", "none")
    ],
    "dppl-mean": [{"form": form, "k_pool": 2} for form in ("printed", "coinpress")],
    "noisy-gd": [{"person": "clip", "count": "public"}],
    "dppl-auto": [{"counts": "public", "clip": 0.5}],
}
"""Settings that go together, beside every choice alone."""


def forms(method):
    """Settings of a method that the toy data have all for; one student is like another to who
    moves the votes.
    """
    for form in sensitivity.forms(METHODS[method]):
        try:
            experiment.planned(spec(method, unit="picture", params=tuple(form.items())))
        except DpvizError:
            continue
        if "student" not in form:
            yield form
    yield from COMPOSED.get(method, [])


@pytest.mark.parametrize("method", METHODS)
def test_single_record_users_match_image_unit_exactly(crowd, method):
    crowd(1)
    told = list(forms(method))
    assert {} in told
    for params in (tuple(form.items()) for form in told):
        picture = spec(method, unit="picture", params=params)
        person = spec(method, per_person=1, params=params)
        one, other = (experiment.release(s) for s in (picture, person))
        assert np.array_equal(one.weights, other.weights) and np.array_equal(one.bias, other.bias)
        given, promised = (experiment.planned(s).guarantee for s in (picture, person))
        for name in ("notion", "value", "rho", "epsilon_delta"):
            assert getattr(given, name) == getattr(promised, name)


def test_delta_is_compared_with_number_protected(crowd):
    n, delta = len(crowd(8).x), 1.5 / len(toy_data().x)
    loose = Budget(1.0, delta=delta)
    [picture] = experiment.sweep([spec(unit="picture", budget=loose)], use_store=False)
    [person] = experiment.sweep([spec(per_person=5, budget=loose)], use_store=False)
    assert (picture.protected, person.protected) == (n, n // 8)
    assert "one random record" in large_delta(picture.guarantee, picture.protected)
    assert not large_delta(person.guarantee, person.protected)
    assert "one random person" in large_delta(person.guarantee, n)


def test_bound_and_card_name_records_and_persons(crowd):
    crowd(8)
    for most in (1, 5):
        ready = experiment.prepared(spec(per_person=most))
        assert len(ready.x) == 20 * most == np.bincount(ready.persons).sum()
    card = experiment.planned(spec(per_person=5)).guarantee
    assert card.adjacency == privacy.ADD_REMOVE_PERSON and card.of_record < card.epsilon_delta
    assert card.unit == "one person = at most 5 images; further records are dropped"
    alone = experiment.planned(spec(per_person=1)).guarantee.unit
    assert alone == "one person = at most 1 image; further records are dropped"
    few = experiment.planned(spec(unit="picture", per_person=5)).guarantee
    assert few.of_record is None and "at most 5 images per person" in few.starts


def test_card_of_private_shots_names_unknown_persons(crowd):
    """A person may have sent more of them than K."""
    crowd(4)
    shown = [
        experiment.planned(spec("adamix", per_person=2, params=tuple(form.items()))).guarantee
        for form in COMPOSED["adamix"]
    ]
    assert ["each protected as one image" in card.public for card in shown] == [True, False]


def test_bound_read_off_the_data_is_named_and_not_released(crowd):
    crowd(8)
    assert "(8 images), read from" in experiment.planned(spec()).guarantee.public
    with pytest.raises(DpvizError, match="--per-person"):
        release_file.planned(spec())
    for method, params in (("noisy-gd", (("person", "clip"),)), ("transfer-pate", ())):
        plan = release_file.planned(spec(method, params=params))
        assert "read off" not in plan.guarantee.public and "all images of" in plan.guarantee.unit
    assert release_file.planned(spec(per_person=5)).guarantee.of_record < 1


def test_bound_read_off_the_data_has_no_price(crowd):
    crowd(4)
    assert session.shown_runs([spec()])[0].events == session.UNKNOWN_EVENTS
    assert session.shown_runs([spec(per_person=2)])[0].events != session.UNKNOWN_EVENTS
    facts = spec().facts
    for bound, finite in ((0, False), (2, True)):
        search = Search(
            **facts | {"per_person": bound},
            method="dppl-mean",
            budget=Budget(1.0),
            count="geometric",
            sampler="random",
        )
        costs = tuning.costs(search, [Trial({}, 0.5, experiment.planned(search.spec()).guarantee)])
        prices = [costs.composed, *costs.selected.values()]
        assert costs.holds == finite and all(math.isfinite(price) == finite for price in prices)


def test_attacker_odds_are_per_privacy_unit(crowd):
    crowd(4)
    promise = experiment.planned(spec(per_person=2)).guarantee
    assert "that a person's images were used" in attack_bound.odds(promise).sentence
    promise = experiment.planned(spec(unit="picture", per_person=0)).guarantee
    assert "that an image was used" in attack_bound.odds(promise).sentence


def test_attack_on_the_test_set_compares_no_persons(crowd):
    crowd(4)
    with pytest.raises(DpvizError, match="Use the design `coin`"):
        membership_attack.attack(spec(per_person=2), [0], "test")


def test_losses_of_persons_state_kept_records(crowd):
    crowd(4)
    found = per_instance.losses_of(spec(per_person=2))
    assert (
        set(found.kept_counts) == {2}
        and set(found.record_counts) == {4}
        and len(found.labels) == 80
    )


def test_user_clipping_beats_group_privacy_for_probe(crowd):
    crowd(8)
    right = {
        form: experiment.run(
            spec("noisy-gd", budget=Budget(5.0), params=(("person", form),))
        ).scores.balanced
        for form in ("group", "clip")
    }
    assert right["clip"] > right["group"] + 0.1


def test_replacement_user_matches_kept_records_per_class(monkeypatch):
    """Two persons with one record in each of two classes differ in which of the two is kept."""
    toy = toy_data(per_class=20)
    kept = set()
    for seed in range(20):
        mine = np.random.default_rng(seed).normal(size=(2, toy.x.shape[1])).astype(np.float32)
        made = dataclasses.replace(
            toy,
            x=np.r_[toy.x, mine],
            y=np.r_[toy.y, 0, 1],
            persons=np.r_[np.arange(len(toy.y)), [len(toy.y)] * 2],
            fingerprint=f"replaced {seed}",
        )
        assert made.counts == (21, 21, 20, 20)
        monkeypatch.setattr(data_package, "load", lambda *a, made=made, **k: made)
        asked = spec("dppl-auto", params=(("counts", "public"),), per_person=1)
        kept.add(experiment.prepared(asked).counts)
        card = experiment.planned(asked).guarantee
        assert card.adjacency.endswith("with the same number of kept records in each class")
    assert len(kept) == 2
