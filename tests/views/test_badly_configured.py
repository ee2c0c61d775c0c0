"""Methods far below their non-private relative without noise."""

import dataclasses
import math
from types import SimpleNamespace

import pytest

from dpviz.methods import METHODS
from dpviz.types import Budget, RunSpec
from dpviz.views import trade_off_page
from dpviz.views.page_config import PageConfig


def run(method, balanced, budget=math.inf):
    spec = RunSpec("etf", None, method, Budget(budget))
    return SimpleNamespace(spec=spec, scores=SimpleNamespace(balanced=balanced))


def keys(*results):
    return [one.method for one in trade_off_page.find_badly_configured(results, list(METHODS))]


@pytest.mark.parametrize(("accuracy", "bad"), [(0.24, []), (0.371, []), (0.001, ["noisy-gd"])])
def test_gap_of_ten_points_is_named(accuracy, bad):
    assert keys(run("noisy-gd", accuracy), run("logistic", 0.33)) == bad


def test_least_accurate_relative_counts():
    low = run("dppl-public", 0.5), run("class-mean", 0.8), run("public-reference", 0.55)
    assert keys(*low) == [] and keys(*low[:2]) == ["dppl-public"]


def test_private_runs_do_not_count():
    assert keys(run("noisy-gd", 0.001, 1.0), run("logistic", 0.9)) == []


def test_sentence_names_both_accuracies():
    [one] = trade_off_page.find_badly_configured(
        [run("noisy-gd", 0.001), run("logistic", 0.371)], ["noisy-gd", "logistic"]
    )
    assert one.sentence() == (
        "The settings of **the private linear probe** do not suit this data set. Even without"
        " noise, its mean accuracy over classes is 0.1%, compared with 37% for Logistic regression"
        " (not private). Tune the method before you compare."
    )
    assert "Even after tuning, **the private linear probe** stays" in one.sentence(tuned=True)
    assert "Tune it" not in one.sentence(tuned=True)


def test_missing_relative_method_is_run():
    view = PageConfig("etf", None, budget=Budget(1.0), first_seed=0, seeds=1, methods=("noisy-gd",))
    assert [group[0].method for group in trade_off_page.relative_runs(view)] == ["logistic"]
    assert not trade_off_page.relative_runs(
        dataclasses.replace(view, methods=("noisy-gd", "logistic"))
    )


def test_relatives_are_references():
    for key, names in trade_off_page.RELATIVES.items():
        assert METHODS[key].private and not any(METHODS[name].private for name in names)
