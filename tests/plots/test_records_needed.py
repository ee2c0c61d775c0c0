from dpviz.plots.collapse import RecordsNeeded
from dpviz.plots.kit.style import BLUE, LineStyle

LOOKS = {name: LineStyle(BLUE, "solid", "circle") for name in ("exact", "printed", "absent")}


def make_chart(lines=None):
    made = {"printed": {16: 3.5, 4: 2.0}, "exact": {4: 7, 16: None}}
    return RecordsNeeded.from_records(made if lines is None else lines, LOOKS, 0.01)


def examples():
    return [(make_chart(),), (make_chart({}),)]


def test_lines_keep_order_and_break_without_enough_records():
    chart = make_chart()
    assert [line.name for line in chart.lines] == ["exact", "printed"]
    exact, printed = chart.figure().to_dict()["data"]
    assert list(exact["y"]) == [7, None] and list(printed["x"]) == [4, 16]
    assert printed["text"][1] == "4 images" and chart.table()[1]["records"] is None
