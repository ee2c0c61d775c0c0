import pytest

from dpviz.plots.classroom import YesPrecision
from dpviz.text.charts import BUDGET_AXES

HALVES = {("coin", 10): (4.0, 1.0), ("server", 10): (2.0, 0.0), ("coin", 7): (3.5, 1.0)}


def examples():
    chart = YesPrecision.from_halves((0.1, 1.0), HALVES, 7)
    return [(chart, 0.1), (chart, 1.0)]


def test_half_widths_are_shares_of_the_class():
    chart = examples()[0][0]
    assert [line[2][0] for line in chart.lines] == pytest.approx([0.4, 0.2, 0.5])
    rows = chart.table()
    assert len(rows) == 6 and rows[0]["half-width 95%, share of the class"] == 0.4


def test_own_class_is_named_and_budgets_have_frames():
    drawn = YesPrecision.figure(*examples()[1]).to_dict()
    words = str(drawn["data"])
    assert (
        "Your class of 7, coins" in words
        and "10 people, server" in words
        and "<b>ε = 1</b>" in words
    )
    assert [frame["name"] for frame in drawn["frames"]] == ["0.1", "1"]
    assert drawn["layout"]["yaxis"]["range"] == [0, 0.5]
    assert drawn["layout"]["xaxis"]["title"]["text"] == BUDGET_AXES["pure"]
