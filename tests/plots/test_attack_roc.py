import numpy as np

from dpviz.plots.attacks import ROC_SCALES, Bound, Roc, RocCurve

X = np.array([0.0, 0.5, 1.0])
BOUNDS = [
    Bound((k,), (k.upper(),), X, X + d, 0.5 + d) for k, d in (("a", 0.1), ("b", 0.2), ("c", 0.1))
]
CURVE = RocCurve("noisy-gd", "Noisy", X, X, 0.5, 0.01)


def examples():
    return [(Roc.from_curves([CURVE], BOUNDS[:n], s),) for n in (1, 3) for s in ROC_SCALES]


def test_equal_bounds_are_one_line():
    chart = Roc.from_curves([], BOUNDS, "linear")
    assert [b.methods for b in chart.bounds] == [("a", "c"), ("b",)]
    assert chart.bounds[0].titles == ("A", "C")
    assert len(chart.figure().data) == 3


def test_bound_is_rounded_up():
    tight = Bound(("a",), ("A",), X, np.array([0.0, 0.62341, 1.0]), 0.57517)
    drawn = Roc.from_curves([], [tight], "linear").figure().data[0]
    assert "AUC ≤ 0.576" in drawn.name and list(drawn.customdata) == ["0", "62.4", "100"]
