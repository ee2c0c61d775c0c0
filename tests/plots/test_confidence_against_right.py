from dpviz.plots.classroom import Calibration

POINTS = {"before": [(25, 10, 0.3), (100, 4, 0.5)], "after": [(75, 14, 0.75)]}


def examples():
    return [(Calibration.from_points(POINTS),)]


def test_confidence_is_horizontal_and_share_right_vertical():
    chart = Calibration.from_points(POINTS)
    even, before, after = chart.figure().data
    assert list(even.x) == list(even.y) == [0, 1]
    assert list(before.x) == [0.25, 1.0] and list(before.y) == [0.3, 0.5]
    assert after.customdata[0] == "expected 75%: 14 answers"
    one = Calibration.from_points({"before": [], "after": [(75, 14, 0.75)]})
    assert len(one.figure().data) == 2
