import math

import pytest

from dpviz.plots.setting_maps import MAX_SETTINGS, ParallelSettings, Side
from dpviz.stats import Interval

SIDES = (Side("d_min", ("1", "1.2", "1.3")), Side("<b>", ("1.5",)))


def point(mean):
    return Interval(mean, mean - 0.05, mean + 0.05, 5, 0.01)


def make_chart(points=None, now=(1, 0), fact=False):
    there = {(i, 0): (point(m), point(m / 2)) for i, m in enumerate((0.2, 0.9, 0.88))}
    points = there if points is None else points
    return ParallelSettings.from_points(SIDES, ("balanced", "minority"), points, now, fact)


def examples():
    return [(make_chart(),), (make_chart({}),), (make_chart(fact=True),)]


def test_every_setting_crosses_all_axes():
    chart = make_chart()
    assert chart.best == (1, 0) and chart.worse == 2 and chart.omitted == 0
    data = chart.figure().to_dict()["data"]
    lines = [t for t in data if t["mode"] == "lines" and None in list(t["x"])]
    met = [list(t["y"]) for t in lines]
    assert met == [
        [0.0, 0.5, 0.2, 0.1, None],
        [0.5, 0.5, 0.9, 0.45, None, 1.0, 0.5, 0.88, 0.44, None],
    ]
    looked_at = next(t for t in data if t["mode"] == "lines" and None not in list(t["x"]))
    assert list(looked_at["y"]) == [0.5, 0.5, 0.9, 0.45]
    words = next(t for t in data if t["mode"] == "text")
    assert "&lt;b&gt;" in str(chart.figure().layout.xaxis.ticktext)
    assert [t.strip() for t in words["text"]][:4] == ["1", "1.2", "1.3", "1.5"]
    stars = [t["marker"]["symbol"] for t in data if t["mode"] == "markers"]
    assert stars == [["circle", "star", "circle"], ["circle"] * 3]
    assert chart.table()[1] == pytest.approx(
        {"d_min": "1.2", "<b>": "1.5", "balanced": 0.9, "balanced low": 0.85, "balanced high": 0.95}
        | {"minority": 0.45, "minority low": 0.4, "minority high": 0.5, "runs": 5}
    )


def test_fact_of_the_data_has_no_star():
    assert "star" not in str(make_chart(fact=True).figure().to_dict()["data"])
    none = {(0, 0): (point(0.4), point(math.nan)), (1, 0): (point(0.5), point(math.nan))}
    assert make_chart(none).metrics == ("balanced",) and "minority" not in make_chart(none).alt()


def test_current_setting_is_drawn_among_too_many():
    many = MAX_SETTINGS + 3
    side = Side("clip", tuple(str(i) for i in range(many)))
    points = {(i,): (point(0.5),) for i in range(many)}
    chart = ParallelSettings.from_points((side,), ("balanced",), points, (many - 1,))
    assert (
        chart.omitted == 3 and len(chart.points) == MAX_SETTINGS and chart.current in chart.points
    )
