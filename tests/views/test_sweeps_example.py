"""Example on the Sweeps page: stored runs of one data setting, with finding and ratio."""

import math
from dataclasses import replace

import pytest

from dpviz.experiments import experiment
from dpviz.types import Budget, RunSpec
from dpviz.views import sweeps_page


@pytest.fixture(scope="module")
def runs():
    specs = [
        RunSpec("etf", None, method, Budget(value), seed=0, ir=ratio)
        for method in ("dppl-mean", "class-mean")
        for value in (1.0, 2.0, 5.0)
        for ratio in (1.0, 10.0)
    ]
    return [experiment.run(spec) for spec in specs if (spec.ir, spec.budget.value) != (1.0, 5.0)]


def test_example_shows_ratio_with_most_runs(runs):
    example = sweeps_page.example_of(runs)
    assert {result.spec.ir for result in example.results} == {10.0}
    assert example.budgets == [1.0, 2.0, 5.0] and example.budget == 2.0
    assert example.methods == {"dppl-mean", "class-mean"}


def test_example_subtitle_names_ratio_and_title_names_finding(runs):
    example = sweeps_page.example_of(runs)
    for precise in (True, False):
        assert "imbalance ratio of 10" in example.subtitle(precise)
        assert "DPPL" in example.title(precise) and "2" in example.title(precise)
    assert "-DP" not in example.title(False).replace("DPPL", "")


def test_example_compares_best_method_with_public_images():
    facts = {"dataset": "etf", "encoder": None, "seed": 0}
    private = [
        experiment.run(RunSpec(**facts | {"seed": seed}, method="dppl-mean", budget=Budget(value)))
        for value in (1.0, 2.0, 5.0)
        for seed in (0, 1)
    ]
    public = replace(
        private[-1], spec=RunSpec(**facts, method="public-reference", budget=Budget(math.inf))
    )
    example = sweeps_page.example_of(private, [public])
    assert [line.method for line in example.curve.references] == ["public-reference"]
    for precise in (True, False):
        assert "public images alone" in example.subtitle(precise)
        assert "public images alone" in example.title(precise).lower()


def test_example_with_one_run_per_method_names_highest_accuracy_so_far():
    specs = [
        RunSpec("etf", None, method, Budget(1.0), seed=0) for method in ("dppl-mean", "noisy-gd")
    ]
    example = sweeps_page.example_of([experiment.run(spec) for spec in specs])
    for precise in (True, False):
        assert "the highest accuracy so far" in example.title(precise)
        assert "differ" not in example.title(precise) + example.subtitle(precise)
        assert "highest" in example.subtitle(precise)


def test_no_runs_make_no_example():
    assert sweeps_page.example_of([]) is None
