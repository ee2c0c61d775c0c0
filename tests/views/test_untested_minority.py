"""Accuracies of classes without test records: not known, and said so everywhere."""

import math
from dataclasses import replace

import numpy as np
import pytest

from dpviz.experiments import experiment
from dpviz.formatting import UNTESTED, percent, right, share
from dpviz.plots.budget_curves import BudgetCurve, Line, Panel, Panels
from dpviz.plots.by_class import ERROR_PARTS, ClassErrors
from dpviz.plots.setting_maps import SettingMap, Side
from dpviz.stats import band, interval, over_classes
from dpviz.text import maps
from dpviz.types import Budget, DataConfig
from dpviz.views import maps_page, panels_in_words, trade_off_page
from dpviz.views.phrases import untested
from tests.kit.charts import result
from tests.views.test_setting_maps import asked

UNKNOWN = interval([math.nan, math.nan])
SIDE = Side("ε", ("1", "2"))


def curve(point) -> BudgetCurve:
    lines = (Line("dppl-mean", "DPPL-Mean", (1.0,), (point,)),)
    return BudgetCurve("minority", Budget(0.1), lines, (), 0.25, 2)


def test_classes_without_test_records_have_no_accuracy():
    scores = experiment.marked(np.array([True, False]), np.array([0, 0]), 3, (1, 2))
    assert scores.overall == scores.balanced == scores.per_class[0] == 0.5
    assert all(map(math.isnan, (scores.minority, *scores.per_class[1:])))
    assert not band([scores], "minority").is_measured and not band([scores], 1).is_measured
    run = replace(result("dppl-mean", 1.0, 0, 0.5), scores=scores)
    assert over_classes([run, run], (0, 1)) == 0.5 and math.isnan(over_classes([run], (1, 2)))


def test_unknown_accuracies_are_called_untested():
    assert percent(UNKNOWN) == share(math.nan) == right(math.nan) == UNTESTED
    assert (share(0.47), right(0.47)) == ("47%", "47% right")


def test_answers_name_rare_classes_without_test_records():
    said = trade_off_page.plain(curve(UNKNOWN), DataConfig("toy", None), 1.0, ["d"])
    assert said == untested(["d"]) and "rare classes (d)" in said and "not known" in said
    assert trade_off_page.precise(curve(UNKNOWN), DataConfig("toy", None), 1.0, []) == untested()


def test_unknown_accuracy_has_no_map_cell():
    cells = {(0, 0): UNKNOWN, (0, 1): interval([0.4, 0.4])}
    some = SettingMap.from_points(SIDE, SIDE, "minority", cells, {})
    assert list(some.points) == [(0, 1)] and some.best == (0, 1)
    assert "nan" not in str(some.figure().to_plotly_json()).replace("nanos", "")
    none = SettingMap.from_points(SIDE, SIDE, "minority", {(0, 0): UNKNOWN}, {})
    assert maps_page.answers(none, asked()) == (maps.ANSWERS["untested"].fill(True),) * 2
    assert "(d)" in maps_page.answers(none, asked(), ["d"])[1]
    empty = SettingMap.from_points(SIDE, SIDE, "minority", {}, {})
    assert maps_page.answers(empty, asked()) == (maps.ANSWERS["empty"].fill(True),) * 2


def test_grid_leaves_unknown_panels_out():
    known, unknown = Panel("IR 10", curve(interval([0.5, 0.5]))), Panel("IR 1", curve(UNKNOWN))
    some = panels_in_words.precise(Panels((known, unknown), 2), 1.0)
    assert "from **50%** (IR 10) to **50%** (IR 10)" in some.replace("\u00a0", " ")
    assert panels_in_words.plain(Panels((unknown,), 1), 1.0) == untested()


def test_error_chart_leaves_untested_classes_out():
    parts = type("Parts", (), dict.fromkeys(("n", *ERROR_PARTS, "total"), 1.0))
    gone = type("Parts", (parts,), {"total": math.nan})
    assert ClassErrors.from_rows([parts, gone], (1,), ("a", "b")).names == ("a",)


@pytest.mark.parametrize("names", [(), ("d", "e")])
def test_untested_message_proposes_another_accuracy(names):
    assert untested(names).endswith("Choose another value of **Accuracy on**.")
