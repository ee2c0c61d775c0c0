import math

import plotly.graph_objects as go
import pytest

from dpviz.plots.budget_curves import STILL_TO_COME, BudgetCurve, Panel, Panels
from dpviz.plots.kit.panels import axis_suffix, narrow, wide
from tests.kit.charts import HOSTILE, TITLES, results


def curve(runs):
    return BudgetCurve.from_results(runs, TITLES, "balanced", "approx", 1e-5)


def drawn(count=3, columns=2, gone="weights are not here"):
    some = [Panel(f"IR {n}", curve(results()), is_current=n == 1) for n in range(count)]
    return Panels.from_panels([*some, Panel(HOSTILE, curve([]), gone)], columns)


def examples():
    return [(drawn(), 1.0), (drawn(0), 1.0), (drawn(12, 4), 0.1)]


def test_panels_share_axes_and_marker_and_an_empty_one_says_why():
    checked = go.Figure(drawn().figure(1.0).to_dict())
    ranges = {tuple(checked.layout[f"xaxis{axis_suffix(n)}"].range) for n in range(4)}
    assert len(ranges) == 1 and checked.layout.xaxis3.type == "log"
    assert [frame.name for frame in checked.frames] == ["0.1", "1"]
    rules = [t for t in checked.data if list(t.x) == [1.0, 1.0] and list(t.y) == [0, 1]]
    assert [t.xaxis for t in rules] == ["x", "x2", "x3"], "none where nothing is drawn"
    said = " ".join(note.text for note in checked.layout.annotations)
    assert "weights are not here" in said and "<img" not in said and "<b>◆ IR 1</b>" in said
    assert [t.name for t in checked.data if t.name] == ["DPPL-Mean", "Private linear probe",
                                                       "Class mean"]  # fmt: skip
    assert len(drawn().table()) == 3 * 5
    assert {line.get("panel") for line in drawn().table()} == {
        "IR 0",
        "IR 1",
        "IR 2",
    }


def test_a_panel_that_still_lacks_methods_says_how_many_are_there():
    some = BudgetCurve.from_results(results(), TITLES, "balanced", "approx", 1e-5, ["A", "B"])
    none = BudgetCurve.from_results([], TITLES, "balanced", "approx", 1e-5, ["A", "B"])
    chart = Panels.from_panels([Panel("IR 1", some), Panel("IR 2", none)], 2)
    said = " ".join(note.text for note in go.Figure(chart.figure(1.0)).layout.annotations)
    assert "<b>IR 1</b> · 3 of 5" in said and STILL_TO_COME in said


def test_what_follows_the_hand_is_in_every_frame_and_alone_moves():
    checked = go.Figure(drawn().figure(0.1).to_dict())
    moved = checked.frames[0].traces
    assert moved == tuple(range(len(checked.data) - 9, len(checked.data)))
    texts = [frame.data[2].text[0] for frame in checked.frames]
    assert "21 %" in texts[0] and "61 %" in texts[1]
    assert [frame.data[0].meta for frame in checked.frames] == [0, 1]


@pytest.mark.parametrize("grid", [wide(7, 3), narrow(7, 4), narrow(3, 1)])
def test_no_panel_lies_over_another_and_all_are_within(grid):
    places = [grid.place(n) for n in range(grid.count)]
    assert all(0 <= low < high <= 1 + 1e-9 for place in places for low, high in place)
    for i, one in enumerate(places):
        for other in places[:i]:
            assert any(a[1] < b[0] or b[1] < a[0] for a, b in zip(one, other, strict=True))
    assert sum(grid.outer(n)[1] for n in range(grid.count)) == min(grid.columns, grid.count)


def test_a_narrow_page_is_told_of_every_panel():
    meta = drawn(12, 4).figure(0.1).to_dict()["layout"]["meta"]["panels"]
    wide, narrow = meta["wide"], meta["narrow"]
    assert set(wide) == set(narrow) and narrow["height"] > wide["height"]
    assert sum(key.endswith("domain") for key in wide) == 26
    assert math.isclose(narrow["xaxis.domain"][1] - narrow["xaxis.domain"][0], (1 - 0.09) / 2)
