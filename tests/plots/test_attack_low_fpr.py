import numpy as np

from dpviz.plots.attacks import Bound, LowFprCurve, LowFprRoc, RateMark

X = np.array([0.0, 0.001, 0.01, 1.0])
BOUNDS = [
    Bound((key,), (key.upper(),), X, np.minimum(1, times * X), 0.6)
    for key, times in (("dppl-mean", 2), ("noisy-gd", 3), ("dp-ls", 2))
]
MARKS = (RateMark(0.001, 0.0, 0.0, 0.001), RateMark(0.01, 0.0457, 0.041, 0.051))
CURVE = LowFprCurve("logistic", "Logistic", X, np.array([0.0, 0.0, 0.0457, 1.0]), MARKS)


def examples():
    return [(LowFprRoc.from_curves([CURVE], BOUNDS[:n], "LiRA"),) for n in (0, 1, 3)]


def test_equal_bounds_are_one_line_rounded_up():
    chart = LowFprRoc.from_curves([], BOUNDS, "LiRA")
    assert [bound.methods for bound in chart.bounds] == [("dppl-mean", "dp-ls"), ("noisy-gd",)]
    drawn = chart.figure().data
    assert drawn[0].name.replace("<br>", " ") == "Upper bound for DPPL-MEAN and DP-LS"
    assert list(drawn[0].customdata) == ["0.2", "2", "100"] and 0 not in drawn[0].x


def test_only_known_gains_are_drawn():
    (chart,) = examples()[0]
    line, marks = chart.figure().data[1:]
    assert line.name == "Logistic: TPR 4.6% at FPR\u00a01%" and list(line.y) == [0.0457, 1.0]
    assert list(marks.y) == [0.0457] and np.isclose(marks.error_y.array[0], 0.0053)
