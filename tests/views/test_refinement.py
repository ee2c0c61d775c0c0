"""Refinement by further seeds: how many, for fast, slow and many runs."""

from dataclasses import replace

import pytest

from dpviz.types import Budget
from dpviz.views import page_config
from dpviz.views.page_config import DRAW_STEPS, PageConfig, Step
from tests.kit.charts import result

VIEW = PageConfig(
    "toy",
    None,
    budget=Budget(1.0),
    first_seed=3,
    seeds=page_config.FIRST_SEEDS,
    methods=("dppl-mean",),
)


RUN = result("dppl-mean", 1.0, 0, 0.5)


def runs(seconds, view=VIEW):
    specs = [spec for group in view.groups() for spec in group]
    return [replace(RUN, spec=spec, seconds=seconds) for spec in specs]


@pytest.mark.parametrize(
    ("seconds", "steps"),
    [(0.002, (10, 20, 40, 60)), (0.5, (10, 20)), (5.0, (10,)), (100.0, ())],
)
def test_slower_runs_have_fewer_seeds(seconds, steps):
    found = page_config.refinement_steps(VIEW, runs(seconds), over_draws=False)
    assert found == tuple(Step(seeds, 1) for seeds in steps)


@pytest.mark.parametrize(
    ("seconds", "steps"),
    [
        (0.002, DRAW_STEPS),
        (0.5, (Step(5, 5),)),
        (5.0, (Step(10, 1),)),
        (100.0, ()),
    ],
)
def test_draws_are_added_where_affordable(seconds, steps):
    assert page_config.refinement_steps(VIEW, runs(seconds), over_draws=True) == steps


def test_first_step_has_enough_draws_for_a_verdict():
    assert DRAW_STEPS[0].draws >= 5 and DRAW_STEPS[0].seeds == page_config.FIRST_SEEDS


def test_draws_differ_only_where_records_are_left_out():
    equal = replace(VIEW, ir=1.0)
    assert page_config.draws_differ(replace(equal, ir=5.0))
    assert page_config.draws_differ(replace(equal, records=9))
    assert page_config.draws_differ(replace(equal, dataset="mnist5k"))
    assert not page_config.draws_differ(equal)


def test_chosen_number_of_seeds_is_kept():
    chosen = replace(VIEW, seeds=10)
    assert page_config.refinement_steps(chosen, runs(0.002, chosen), over_draws=True) == ()


def test_results_of_a_view_stay_below_the_limit():
    view = replace(VIEW, draws=10)
    steps = page_config.refinement_steps(view, runs(0.0001, view), over_draws=False)
    assert steps == (Step(10, 10), Step(20, 10)), "130 runs per seed"


def test_seeds_and_draws_are_named():
    assert page_config.runs_shown(replace(VIEW, seeds=60)) == "60 seeds (3–62)."
    several = replace(VIEW, draws=10)
    assert page_config.runs_shown(several) == "10 data draws (0–9) with 5 seeds each (3–7)."
