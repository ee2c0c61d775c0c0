from dpviz.plots import error_by_setting
from dpviz.plots.kit.style import look
from dpviz.stats import interval


def drawn(**settings):
    points = {"x": {4.0: interval([0.5]), 2.0: interval([0.0])}}
    looks = {"x": look("noisy-gd"), "not there": look("dppl-mean")}
    return error_by_setting.info("p", points, looks, **settings)


def examples():
    banded = {"x": {1.0: interval([0.1, 0.2]), 3.0: interval([0.2, 0.4])}}
    marked = {"chance": 0.9, "now": (3.0, "now"), "log_x": False, "words": ((1.0, "one"),)}
    return [
        (drawn(log_y=True),),
        (error_by_setting.info("p", banded, {"x": look("noisy-gd")}, **marked),),
        (error_by_setting.info("p", {}, {}),),
    ]


def test_info_is_exact():
    chart = drawn(log_y=True)
    (line,) = chart.lines
    figure = error_by_setting.figure(chart).to_dict()["data"][0]
    assert (
        line.x == (2.0, 4.0)
        and list(figure["y"]) == [error_by_setting.FLOOR, 0.5]
        and line.at(4.0).mean == 0.5
        and line.at(3.0) is None
    )
    assert len(error_by_setting.table(chart)) == 2
