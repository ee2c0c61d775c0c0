import math

from dpviz.plots.attacks import AucCurve, AucPoint

CELLS = (("m", 3.0, 0.7), ("m", 1.0, 0.61), ("r", math.inf, 0.9))
POINTS = [AucPoint(key, key.upper(), budget, auc, 0.01, 0.6) for key, budget, auc in CELLS]


def examples():
    return [
        (AucCurve.from_points(points, "approx", 1e-5), 1.0, (0.01, 10.0)) for points in (POINTS, [])
    ]


def test_info_is_exact():
    curve = AucCurve.from_points(POINTS, "approx", 1e-5)
    assert [p.budget for p in curve.lines[0]] == [1.0, 3.0] and curve.references == (POINTS[2],)
    assert curve.violations == (POINTS[0],)
    assert curve.figure(1.0, (0.01, 10.0)).layout.yaxis.range == (0.4, 1)


def test_bound_is_rounded_up():
    points = [AucPoint("m", "M", 1.0, 0.5, 0.01, 0.57517)]
    drawn = AucCurve.from_points(points, "approx", 1e-5).figure(1.0, (0.01, 10.0)).data
    assert drawn[0].customdata[0] == "0.576" and drawn[1].customdata[0][1] == "0.576"
