"""External results as a layer of the chart."""

import dataclasses

import plotly.graph_objects as go
import pytest

from dpviz import privacy
from dpviz.experiments.outside_results import Outside, OutsideFile
from dpviz.plots.budget_curves import BudgetCurve
from dpviz.types import AXES, Budget
from dpviz.views import outside_layer
from tests.kit.charts import TITLES, results


def one(method="mine", notion="approx", budget=1.0, delta=1e-5, seed=0, accuracy=0.5, **more):
    return Outside(method, notion, budget, delta, seed, accuracy, **more)


def layer(*rows, metric="overall", axis="approx"):
    return outside_layer.layer(OutsideFile("lab.csv", rows), metric, Budget(60.0, axis))


def test_seeds_of_one_budget_form_one_point():
    found = layer(one(seed=0, accuracy=0.4), one(seed=1, accuracy=0.6), one(budget=2.0))
    [row] = found.rows
    assert row.budgets == (1.0, 2.0) and row.points[0].mean == pytest.approx(0.5)
    assert row.points[0].runs == 2 and row.title == "mine, from lab.csv" and not found.left_out


def test_points_are_placed_by_their_notion():
    [row] = layer(one(notion="zcdp", budget=0.1, delta=None)).rows
    assert row.budgets == (privacy.zcdp_epsilon(0.1, 1e-5),)
    [row] = layer(one(notion="gdp", budget=1.0, delta=None), axis="paper").rows
    assert row.budgets == (1.0,)


def test_omitted_results_are_reported():
    found = layer(one(delta=1e-3), one(budget=1e5), one())
    assert len(found.rows) == 1 and len(found.left_out) == 2
    assert "the guarantee has no value on the axis" in found.left_out[0]
    assert found.left_out[0].endswith(": 1 of 3 results.")
    assert "outside" in found.left_out[1]
    [said] = layer(one(), metric="minority").left_out
    assert said == "Left out, because the column minority has no value: 1 of 1 result."


def test_line_count_is_limited_by_chart_space():
    found = layer(*(one(method=f"m{i}") for i in range(12)))
    assert len(found.rows) == outside_layer.MAX_LINES and "Left out (4)" in found.left_out[0]


def test_titles_are_escaped_and_differ():
    long = "<a href=x>" + "y" * 30
    found = layer(one(method=f"{long}1"), one(method=f"{long}2"))
    titles = [row.title for row in found.rows]
    assert len(set(titles)) == 2 and not any("<" in title for title in titles)


def test_table_marks_every_row():
    found = layer(one(minority=0.2), metric="minority")
    assert found.table[0]["source"] == "external result from lab.csv"
    assert found.table[0]["private_view.minority"] == 0.2


def test_layer_is_drawn_open_and_dotted():
    curve = BudgetCurve.from_results(results(), TITLES, "balanced", Budget(0.1))
    more = layer(one(balanced=0.33, budget=0.5), metric="balanced").rows
    drawn = go.Figure(dataclasses.replace(curve, outside=more).figure(1.0).to_dict())
    [line] = [trace for trace in drawn.data if trace.name == "mine, from lab.csv"]
    assert line.marker.symbol == "circle-open" and line.line.dash == "dot"
    assert tuple(line.x) == (0.5,) and [f.name for f in drawn.frames] == ["0.1", "1"]


@pytest.mark.parametrize("axis", AXES)
def test_every_axis_has_a_place_for_gaussian_dp(axis):
    found = layer(one(notion="gdp", budget=0.5, delta=None), axis=axis)
    assert len(found.rows) == 1 and not found.left_out
