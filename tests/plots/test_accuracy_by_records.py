from dpviz.plots.settings import RecordsCurve
from dpviz.stats import interval


def make_chart(now):
    lines = {
        ("private", "noisy-gd", False): {0: interval([0.8, 0.9]), 10: interval([0.4, 0.6])},
        ("without noise", "noisy-gd", True): {10: interval([0.7], noisy=False)},
        ("still to come", "adamix", False): {},
    }
    return RecordsCurve.from_points(lines, "balanced", now, 0.1)


def examples():
    nothing = RecordsCurve.from_points({}, "balanced", 0, 0.1)
    return [(make_chart(10),), (make_chart(0),), (make_chart(7),), (nothing,)]


def test_info_is_exact():
    curve = make_chart(10)
    assert curve.values == (10, 0) and [line.title for line in curve.lines] == [
        "private",
        "without noise",
    ]
    assert curve.lines[0].point_at(10).mean == 0.5 and curve.lines[1].point_at(0) is None
    rows = curve.table()
    assert [(row["line"], row["records per class"]) for row in rows] == [
        ("private", 10),
        ("private", "all"),
        ("without noise", 10),
    ]


def test_all_records_come_last_and_quiet_line_has_style():
    figure = make_chart(10).figure()
    assert list(figure.layout["xaxis"]["ticktext"]) == ["10", "all"]
    assert list(figure.data[1]["x"]) == [10, 20]
    assert figure.data[3]["marker"]["symbol"].endswith("-open")
    assert "dash" not in figure.data[1]["line"] or figure.data[1]["line"]["dash"] == "solid"
    assert [shape["x0"] for shape in figure.layout["shapes"]] == [0, 10]
    beside = make_chart(7).figure().layout["shapes"]
    assert len(beside) == 1, "no mark where nothing was run"
