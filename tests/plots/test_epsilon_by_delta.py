import math

from dpviz.plots.guarantees import EpsilonByDelta


def examples():
    curve = [1e-2, 1e-3, 1e-4], [0.5, 1.00001, math.inf]
    return [(EpsilonByDelta.from_curve(*curve, delta, 1.00001),) for delta in (1e-3, 0.0)]


def test_infinite_points_are_left_out_and_epsilon_is_rounded_up():
    (chart,), (pure,) = examples()
    assert chart.table() == [{"delta": 1e-3, "epsilon": 1.00001}, {"delta": 1e-2, "epsilon": 0.5}]
    assert list(chart.figure().data[0]["customdata"]) == ["1.001", "0.5"]
    assert len(chart.figure().data) == 2 and len(pure.figure().data) == 1
