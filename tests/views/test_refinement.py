"""Refinement by further seeds: how many, for fast, slow and many runs."""

from dataclasses import replace

import pytest

from dpviz.types import Budget
from dpviz.views import page_config
from dpviz.views.page_config import PageConfig
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
    assert page_config.seed_steps(VIEW, runs(seconds)) == steps


def test_chosen_number_of_seeds_is_kept():
    chosen = replace(VIEW, seeds=10)
    assert page_config.seed_steps(chosen, runs(0.002, chosen)) == ()


def test_results_of_a_view_stay_below_the_limit():
    view = replace(VIEW, draws=10)
    steps = page_config.seed_steps(view, runs(0.0001, view))
    assert steps == (10, 20), "130 runs per seed"


def test_seeds_are_named():
    assert page_config.seed_range(replace(VIEW, seeds=60)) == "60 seeds (3–62)"
