"""A chart over the budget on a sheet: the plot has most of its width, and names stay apart."""

import copy
from itertools import pairwise

import pytest

from dpviz.plots.budget_curves import BudgetCurve, Line
from dpviz.plots.kit import on_paper
from dpviz.plots.kit.drawing import copy_figure
from dpviz.plots.setting_maps import SCORES_PART
from dpviz.stats import interval
from dpviz.types import Budget
from tests.plots.test_tuning_study import with_levels

BUDGETS = (0.01, 1.0, 10.0)
POINT = interval([0.86, 0.88, 0.87])


@pytest.fixture
def figure():
    """Five lines that end at one place, two of them with long names."""
    names = {"dppl-mean": "DPPL-Mean", "dppl-public": "DPPL-Public", "dp-ls": "DP-LS"}
    lines = tuple(Line(key, title, BUDGETS, (POINT,) * 3) for key, title in names.items())
    references = tuple(
        Line(key, title, (float("inf"),), (POINT,))
        for key, title in (
            ("class-mean", "Class mean (not private)"),
            ("logistic", "Logistic regression (not private)"),
        )
    )
    curve = BudgetCurve("minority", Budget(0.1), lines, references, 0.1, 3)
    return copy_figure(curve.figure(1.0))


def test_plot_fills_the_sheet_and_names_are_apart(figure):
    before = copy.deepcopy(figure)
    on_paper.fit(figure, 700, 300)
    margin, names = figure.layout.margin, figure.data[-6]
    shares = [(700 - m.l - m.r) / 700 for m in (margin, before.layout.margin)]
    assert shares[0] > 0.55 > shares[1]
    assert sum("<br>" in text for text in names.text) == 2, "the two long ones alone"
    plot = 300 - margin.t - margin.b
    heights = sorted(plot * y for y in names.y)
    assert min(b - a for a, b in pairwise(heights)) >= 2 * on_paper.LINE_HEIGHT - 0.1
    assert heights[0] >= 0 and heights[-1] <= plot
    count = len(names.text)
    ways, bars = figure.layout.shapes[:count], figure.layout.shapes[count:]
    assert [way.y1 for way in ways] == [bar.yanchor for bar in bars] == list(names.y)
    assert [way.y0 for way in ways] == [way.y0 for way in before.layout.shapes[:count]]


def test_names_stay_beside_their_lines_below_another_panel():
    drawn = copy_figure(with_levels().figure())
    on_paper.fit(drawn, 700, 440)
    count = len(drawn.data[-1].text)
    ways, bars = drawn.layout.shapes[:count], drawn.layout.shapes[count : 2 * count]
    wanted = [SCORES_PART * share for share in drawn.data[-1].y]
    assert [way.y1 for way in ways] == [bar.yanchor for bar in bars] == pytest.approx(wanted)
