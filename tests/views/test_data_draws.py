"""Runs on all data draws: which they are, what role each has, and where a page keeps to one."""

import math
from dataclasses import replace

import pytest

from dpviz.stats import accuracy
from dpviz.types import Budget, RunSpec
from dpviz.views import data_draws, page_config
from dpviz.views.data_draws import STEP
from dpviz.views.page_config import PageConfig
from tests.kit.charts import result

SPEC = RunSpec("mnist5k", "glyphnet", "dppl-public", Budget(1.0), ir=50.0)
RUN = result("dppl-mean", 1.0, 0, 0.5)


def runs(specs, seconds=0.001):
    return [replace(RUN, spec=spec, seconds=seconds) for spec in specs]


def test_draws_are_those_of_trade_off():
    view = PageConfig(
        "mnist5k", "glyphnet", ir=50.0, budget=Budget(1.0), first_seed=0, seeds=5,
        methods=("dppl-public",), draws=STEP.draws,
    )  # fmt: skip
    assert page_config.DRAW_STEPS[-1] == STEP
    (curve,) = data_draws.curve_groups(replace(view, draws=1), "dppl-public")
    assert {s.digest for s in curve} == {s.digest for group in view.groups() for s in group}
    here = [spec for spec in curve if spec.budget.value == 1.0]
    wanted = data_draws.one_budget_group(view.spec("dppl-public"))
    assert {spec.digest for spec in here} == {spec.digest for spec in wanted}
    quiet = {group[0].digest for group in view.quiet()}
    assert quiet <= {spec.digest for spec in data_draws.fixed_group(SPEC)}


def test_results_are_told_apart_by_role():
    noisy, fixed = (
        runs(g) for g in (data_draws.one_budget_group(SPEC), data_draws.fixed_group(SPEC))
    )
    draws = data_draws.from_results(noisy, fixed)
    assert len(draws.at_budget(1.0)) == STEP.draws * STEP.seeds and not draws.at_budget(2.0)
    quiet = draws.at_budget(math.inf)
    assert len(quiet) == len(draws.public) == STEP.draws
    assert not any(math.isfinite(run.spec.budget.value) for run in quiet)
    assert len(accuracy(draws.public, "balanced").draws) == STEP.draws
    assert len(draws.all_results) == len(noisy) + len(fixed)


def test_classes_without_public_images_have_no_public_runs():
    other = replace(SPEC, public="glyphs-other")
    draws = data_draws.from_results([], runs(data_draws.fixed_group(other)))
    assert not draws.public and len(draws.at_budget(math.inf)) == STEP.draws


@pytest.mark.parametrize(
    ("spec", "seeds", "seconds", "affordable"),
    [
        (SPEC, 5, 0.001, True),
        (replace(SPEC, draw=3), 5, 0.001, False),
        (SPEC, 20, 0.001, False),
        (SPEC, 5, data_draws.MAX_SECONDS, False),
        (replace(SPEC, dataset="toy", encoder=None, ir=1.0), 5, 0.001, False),
    ],
)
def test_page_keeps_to_one_draw_where_chosen_slow_or_equal(spec, seeds, seconds, affordable):
    assert data_draws.are_affordable(spec, seeds, seconds) is affordable
