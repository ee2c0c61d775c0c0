"""Methods at equal leakage: budgets solved, not looked up on a grid."""

from dataclasses import replace

import pytest

from dpviz import privacy
from dpviz.data import uploads
from dpviz.experiments import experiment
from dpviz.types import Budget
from dpviz.views import equal_leakage
from dpviz.views.page_config import PageConfig

METHODS = ("dppl-mean", "dppl-public", "noisy-gd", "class-mean")


@pytest.fixture()
def view(own):
    facts = {"ir": 10.0, "budget": Budget(1.0), "first_seed": 0, "seeds": 2, "methods": METHODS}
    return PageConfig(uploads.display_path(uploads.path(own)), None, **facts)


def at_now(view):
    return [experiment.run(spec) for g in view.groups() for spec in g if spec.budget == view.budget]


def test_stronger_guarantees_are_raised_to_the_weakest(view):
    now = at_now(view)
    groups = equal_leakage.groups(view, now)
    assert {group[0].method for group in groups} == {"dppl-mean", "noisy-gd"}
    assert {len(group) for group in groups} == {2}
    raised = [experiment.run(spec) for group in groups for spec in group]
    found = equal_leakage.info(now, raised, "balanced")
    leaks = [privacy.success_bound(one) for one in found.guarantees.values()]
    assert max(leaks) - min(leaks) <= 1e-6
    assert found.share == pytest.approx(0.6225, abs=1e-3)
    assert set(found.points) == {"dppl-mean", "dppl-public", "noisy-gd"}


def test_comparison_waits_until_every_method_is_raised(view):
    assert equal_leakage.info(at_now(view), [], "balanced") is None


def test_no_comparison_when_attacker_is_nearly_always_right(view):
    loose = replace(view, budget=Budget(50.0))
    now = at_now(loose)
    assert equal_leakage.groups(loose, now) == [] and equal_leakage.info(now, [], "overall") is None


def test_every_data_draw_is_raised(view):
    several = replace(view, draws=3)
    now = at_now(several)
    groups = equal_leakage.groups(several, now)
    assert {spec.draw for group in groups for spec in group} == {0, 1, 2}
    raised = [experiment.run(spec) for group in groups for spec in group]
    found = equal_leakage.info(now, raised, "balanced")
    assert {len(point.draws) for point in found.points.values()} == {3}
