import math

from dpviz.plots import attack_auc

CELLS = (("m", 3.0, 0.7), ("m", 1.0, 0.61), ("r", math.inf, 0.9))
POINTS = [attack_auc.Point(key, key.upper(), budget, auc, 0.01, 0.6) for key, budget, auc in CELLS]


def examples():
    return [(attack_auc.info(points, "approx", 1e-5), 1.0, (0.01, 10.0)) for points in (POINTS, [])]


def test_info_is_exact():
    curve = attack_auc.info(POINTS, "approx", 1e-5)
    assert [p.budget for p in curve.lines[0]] == [1.0, 3.0] and curve.references == (POINTS[2],)
    assert curve.above == (POINTS[0],)
    assert attack_auc.figure(curve, 1.0, (0.01, 10.0)).layout.yaxis.range == (0.4, 1)


def test_what_no_attack_exceeds_is_rounded_up():
    points = [attack_auc.Point("m", "M", 1.0, 0.5, 0.01, 0.57517)]
    drawn = attack_auc.figure(attack_auc.info(points, "approx", 1e-5), 1.0, (0.01, 10.0)).data
    assert drawn[0].customdata[0] == "0.576" and drawn[1].customdata[0][1] == "0.576"
