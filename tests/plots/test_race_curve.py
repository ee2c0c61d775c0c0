import pytest

from dpviz.plots.classroom import RaceCurve

POINTS = ((30.0, 25.0, 35.0, 50.6), (93.0, 92.0, 94.0, 55.4), (96.0, 95.0, 97.0, 84.2))
CHART = RaceCurve((0.1, 1.0, 10.0), POINTS, (0, 9, 1), 81.8)


def examples():
    return [(CHART,), (RaceCurve((0.1, 1.0, 10.0), POINTS, (0, 0, 0)),)]


def test_circles_are_at_guess_and_accuracy_with_counts():
    drawn = CHART.figure().to_dict()
    circles = drawn["data"][-1]
    assert circles["x"] == pytest.approx([0.506, 0.554, 0.842])
    assert circles["y"] == pytest.approx([0.3, 0.93, 0.96])
    assert circles["text"] == ["", "9", "1"]
    none, nine, one = circles["marker"]["size"]
    assert none < one < nine
    assert "ε = 1: accuracy 93%, best guess 55.4%, 9 hospitals" in CHART.alt()


def test_public_images_alone_are_a_line_in_view():
    drawn = CHART.figure().to_dict()["layout"]
    (line,) = drawn["shapes"]
    assert line["y0"] == line["y1"] == 0.818
    assert drawn["yaxis"]["range"][0] <= 0.818 <= drawn["yaxis"]["range"][1]
    assert "Public images alone: 82%" in CHART.alt()
