from dpviz.plots.kit.style import line_style
from dpviz.plots.settings import MIN_ERROR, ErrorLines
from dpviz.stats import interval, measured


def make_chart(**settings):
    points = {"x": {4.0: interval([0.5]), 2.0: interval([0.0])}}
    looks = {"x": line_style("noisy-gd"), "not there": line_style("dppl-mean")}
    return ErrorLines.from_points("p", points, looks, **settings)


def examples():
    banded = {"x": {1.0: interval([0.1, 0.2]), 3.0: interval([0.2, 0.4])}}
    marked = {"chance": 0.9, "mark": (3.0, "now"), "log_x": False, "words": ((1.0, "one"),)}
    return [
        (make_chart(log_y=True),),
        (ErrorLines.from_points("p", banded, {"x": line_style("noisy-gd")}, **marked),),
        (ErrorLines.from_points("p", {}, {}),),
        (drawn_lengths(),),
    ]


def drawn_lengths():
    lengths = {"x": {1.0: measured([30.0, 50.0]), 10.0: measured([2.0])}}
    looks = {"x": line_style("noisy-gd")}
    return ErrorLines.from_points("n", lengths, looks, measure="L2 error", length=True)


def test_lengths_are_not_cut():
    chart = drawn_lengths()
    band, line = chart.figure().to_dict()["data"]
    assert list(line["y"]) == [40.0, 2.0] and line["text"][1] == "10: 2"
    assert chart.table()[0]["L2 error"] == 40.0
    assert min(band["y"]) == 1.0, "an interval that reaches below zero ends where the axis does"
    assert chart.alt().startswith("L2 error by n, on a log axis")


def test_info_is_exact():
    chart = make_chart(log_y=True)
    (line,) = chart.lines
    figure = chart.figure().to_dict()["data"][0]
    assert (
        line.x == (2.0, 4.0)
        and list(figure["y"]) == [MIN_ERROR, 0.5]
        and line.point_at(4.0).mean == 0.5
        and line.point_at(3.0) is None
    )
    assert len(chart.table()) == 2


def test_guessing_is_named_on_the_free_side():
    right = make_chart(chance=0.1).figure().layout.annotations[0]
    left = make_chart(chance=0.5).figure().layout.annotations[0]
    assert (right.x, right.xanchor) == (1, "right") and (left.x, left.xanchor) == (0, "left")
