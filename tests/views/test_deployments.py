"""Guarantees of deployed systems appear on the axis whose unit their source prints."""

from __future__ import annotations

import pytest

from dpviz.text import front as text
from dpviz.ui.widgets import live_budget
from dpviz.views import deployments
from dpviz.views.deployments import DEPLOYMENTS


@pytest.mark.parametrize("one", DEPLOYMENTS, ids=lambda one: one.title)
def test_each_deployment_states_unit_source_and_date(one):
    assert one.epsilon or one.rho
    assert (one.epsilon is None) == (one.delta is None)
    assert one.unit and one.adjacency and one.source
    assert one.address.startswith("https://") and one.read_in
    assert 2015 <= one.year <= 2026


def test_axis_shows_only_values_in_its_unit():
    epsilons = deployments.on_axis("approx")
    rhos = deployments.on_axis("zcdp")
    assert [value for value, _ in epsilons] == sorted(
        one.epsilon for one in DEPLOYMENTS if one.epsilon
    )
    assert [value for value, _ in rhos] == [0.015, 0.81, 2.56]
    assert deployments.on_axis("paper") == []


@pytest.mark.parametrize(
    ("unit", "same", "others"),
    [
        ("picture", {"record"}, {"period", "device", "person"}),
        ("person", {"person"}, {"record", "period", "device"}),
    ],
)
def test_other_units_than_the_charts_are_marked(unit, same, others, monkeypatch):
    frames = live_budget.BudgetFrames(
        "key", [1.0], 1.0, str, marks=deployments.on_axis("approx"), unit=unit
    )

    def kinds(is_marked):
        protects = {one.title: one.protects for one in DEPLOYMENTS}
        marks = live_budget._marks(frames)
        for mark in marks:
            unit_text = dict(mark["rows"])[text.DEPLOYMENT_ROWS["unit"]]
            assert (text.OTHER_UNIT in unit_text) == mark["other"]
        return {protects[mark["title"]] for mark in marks if mark["other"] == is_marked}

    assert kinds(False) == same and kinds(True) == others - ({"device"} & others)
    # faulty variant: a chart that takes a person for a record would leave persons unmarked
    monkeypatch.setitem(deployments.CHART_UNITS, unit, "person" if unit == "picture" else "record")
    assert kinds(False) != same


def test_guarantee_is_stated_with_its_delta():
    census = next(one for one in DEPLOYMENTS if "Census" in one.maker)
    assert census.figures == "ε = 17.14 at δ = 1e-10 (ρ = 2.56)"
    assert text.MODELS["central"] in dict(deployments.rows(census, "picture")).values()
