import math

import plotly.graph_objects as go
import pytest

from dpviz.plots.budget_curves import BudgetCurve, Panel, Panels
from dpviz.plots.kit.panels import axis_suffix, narrow, wide
from dpviz.text.charts import LABELS
from dpviz.types import Budget
from tests.kit.charts import HOSTILE, TITLES, results


def curve(runs):
    return BudgetCurve.from_results(runs, TITLES, "balanced", Budget(0.1))


def make_chart(count=3, columns=2, gone="weights are not here"):
    some = [Panel(f"IR {n}", curve(results()), is_current=n == 1) for n in range(count)]
    return Panels.from_panels([*some, Panel(HOSTILE, curve([]), gone)], columns)


def examples():
    return [(make_chart(), 1.0), (make_chart(0), 1.0), (make_chart(12, 4), 0.1)]


def test_panels_share_axes_and_empty_one_has_reason():
    checked = go.Figure(make_chart().figure(1.0).to_dict())
    ranges = {tuple(checked.layout[f"xaxis{axis_suffix(n)}"].range) for n in range(4)}
    assert len(ranges) == 1 and checked.layout.xaxis3.type == "log"
    assert [frame.name for frame in checked.frames] == ["0.1", "1"]
    rules = [t for t in checked.data if list(t.x) == [1.0, 1.0] and list(t.y) == [0, 1]]
    assert [t.xaxis for t in rules] == ["x", "x2", "x3"], "none where nothing is drawn"
    said = " ".join(note.text for note in checked.layout.annotations)
    assert "weights are not here" in said and "<img" not in said and "<b>◆ IR 1</b>" in said
    assert [t.name for t in checked.data if t.name] == ["DPPL-Mean", "Private linear probe",
                                                       "Class mean"]  # fmt: skip
    assert len(make_chart().table()) == 3 * 5
    assert {line.get("panel") for line in make_chart().table()} == {
        "IR 0",
        "IR 1",
        "IR 2",
    }


def test_incomplete_panel_counts_its_methods():
    some = BudgetCurve.from_results(results(), TITLES, "balanced", Budget(0.1), ["A", "B"])
    none = BudgetCurve.from_results([], TITLES, "balanced", Budget(0.1), ["A", "B"])
    chart = Panels.from_panels([Panel("IR 1", some), Panel("IR 2", none)], 2)
    said = " ".join(note.text for note in go.Figure(chart.figure(1.0)).layout.annotations)
    assert "<b>IR 1</b> · 3 of 5" in said and LABELS["waiting"] in said


def test_moving_traces_are_in_every_frame():
    checked = go.Figure(make_chart().figure(0.1).to_dict())
    moved = checked.frames[0].traces
    assert moved == tuple(range(len(checked.data) - 9, len(checked.data)))
    texts = [frame.data[2].text[0] for frame in checked.frames]
    assert "21%" in texts[0] and "61%" in texts[1]
    assert [frame.data[0].meta for frame in checked.frames] == [0, 1]


@pytest.mark.parametrize("grid", [wide(7, 3), narrow(7, 4), narrow(3, 1)])
def test_panels_do_not_overlap(grid):
    places = [grid.place(n) for n in range(grid.count)]
    assert all(0 <= low < high <= 1 + 1e-9 for place in places for low, high in place)
    for i, one in enumerate(places):
        for other in places[:i]:
            assert any(a[1] < b[0] or b[1] < a[0] for a, b in zip(one, other, strict=True))
    assert sum(grid.outer(n)[1] for n in range(grid.count)) == min(grid.columns, grid.count)


def test_narrow_page_gets_places_of_every_panel():
    meta = make_chart(12, 4).figure(0.1).to_dict()["layout"]["meta"]["panels"]
    wide, narrow = meta["wide"], meta["narrow"]
    assert set(wide) == set(narrow) and narrow["height"] > wide["height"]
    assert sum(key.endswith("domain") for key in wide) == 26
    assert math.isclose(narrow["xaxis.domain"][1] - narrow["xaxis.domain"][0], (1 - 0.09) / 2)
