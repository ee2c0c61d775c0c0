"""Deployments of different units, neighbors or models are told apart; levels of NIST SP 800-226."""

import pytest

from dpviz.text import registry as text
from dpviz.views import comparable, deployments
from dpviz.views.deployments import DEPLOYMENTS, Filters


def entry(**parts):
    basic = {"name": "Counts", "data_curators": ["A", "B"], "publication_date": "2023-01-31"}
    return {"deployment": {"basic": basic, **parts}}


@pytest.mark.parametrize(
    ("unit", "kind"),
    [
        ("User-level\n", "person"),
        ("Users", "person"),
        ("User-day-level", "period"),
        ("Device-day-level", "period"),
        ("User-device-level", "device"),
        ("Event-Month-level", "record"),
        ("User-trip-level", "record"),
        ("one record = one image", "record"),
        ("Business establishment", "organization"),
        ("Person-level; housing-unit-level", "unknown"),
        ("Aggregate Statistics", "unknown"),
        ("day", "unknown"),
        ("", "unknown"),
    ],
)
def test_unit_in_words_is_classified(unit, kind):
    assert comparable.unit_kind(unit) == kind
    assert kind in text.UNITS


@pytest.mark.parametrize(
    ("neighbors", "kind"),
    [
        ("the addition or deletion of a single user", "add-remove"),
        ("addition/removal of a customer", "add-remove"),
        ("“bounded neighbors”: the modification of one record", "replace"),
        ("unbounded neighbors", "add-remove"),
        ("add, remove or replace one record", "unknown"),
        ("differ by the data of a single device", "unknown"),
        ("additional address", "unknown"),
        ("", "unknown"),
    ],
)
def test_neighbors_in_words_are_classified(neighbors, kind):
    assert comparable.adjacency_kind(neighbors) == kind
    assert kind in text.ADJACENCIES


def test_filters_keep_only_what_is_comparable():
    assert deployments.not_comparable(DEPLOYMENTS)
    local = [one for one in DEPLOYMENTS if Filters(trust="nobody").accept(one)]
    assert {one.model for one in local} == {"local"} and len(local) == 3
    kept = [one for one in DEPLOYMENTS if Filters("record", "replace").accept(one)]
    assert kept and not deployments.not_comparable(kept)
    assert {one.protects for one in kept} == {"record"}


def test_values_of_different_units_are_noted():
    """Faulty variant: the units of two deployments made equal silences the note."""
    person, period = (
        next(one for one in DEPLOYMENTS if one.protects == kind) for kind in ("person", "period")
    )
    assert any("units differ" in note for note in deployments.not_comparable([person, period]))
    assert not any("units differ" in note for note in deployments.not_comparable([person, person]))


def test_entry_without_details_is_unknown():
    deployment = deployments.registered(entry())
    kinds = (deployment.protects, deployment.neighbors, deployment.model, deployment.trusted)
    assert kinds == ("unknown",) * 4
    assert deployment.title == "A, B: Counts (2023)" and not deployment.figures
    assert set(comparable.levels(entry()).values()) == {"unknown"}
    assert list(comparable.levels(entry())) == list(text.LEVELS)


def test_epsilon_without_delta_is_not_shown_as_pure():
    loss = {"privacy_unit": "User-level", "privacy_parameters": {"epsilon": 4.0}}
    variants = {"Pure DP": "ε = 4", "Approximate DP": "ε = 4 at unknown δ"}
    for name, figures in variants.items():
        stated = entry(privacy_loss=loss, dp_variant={"variant_name": name})
        assert deployments.registered(stated).figures == figures
    loss["privacy_parameters"]["delta"] = "n^-2"
    assert deployments.registered(stated).figures == "ε = 4 at unknown δ"


def test_levels_state_what_the_entry_states():
    levels = comparable.levels(
        entry(
            dp_variant={"variant_name": "Pure DP"},
            privacy_loss={"privacy_unit": "User-level", "privacy_parameters": {"epsilon": 2}},
            deployment_model={"model_name": "Local"},
            implementation={"mechanisms": ""},
        )
    )
    assert levels["parameters"] == "Pure DP; epsilon = 2"
    assert levels["unit"] == "User-level" and levels["trust"] == "Local"
    others = set(text.LEVELS) - {"parameters", "unit", "trust"}
    assert {levels[name] for name in others} == {"unknown"}
