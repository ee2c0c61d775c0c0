import numpy as np

from dpviz.plots import attack_roc

X = np.array([0.0, 0.5, 1.0])
BOUNDS = [
    attack_roc.Bound((k,), (k.upper(),), X, X + d, 0.5 + d)
    for k, d in (("a", 0.1), ("b", 0.2), ("c", 0.1))
]
CURVE = attack_roc.Curve("noisy-gd", "Noisy", X, X, 0.5, 0.01)


def examples():
    return [(attack_roc.info([CURVE], BOUNDS[:n], s),) for n in (1, 3) for s in attack_roc.SCALES]


def test_bounds_that_coincide_are_one_line():
    chart = attack_roc.info([], BOUNDS, "linear")
    assert [b.methods for b in chart.bounds] == [("a", "c"), ("b",)]
    assert chart.bounds[0].titles == ("A", "C")
    assert len(attack_roc.figure(chart).data) == 3


def test_what_no_attack_exceeds_is_rounded_up():
    tight = attack_roc.Bound(("a",), ("A",), X, np.array([0.0, 0.62341, 1.0]), 0.57517)
    drawn = attack_roc.figure(attack_roc.info([], [tight], "linear")).data[0]
    assert "area ≤ 0.576" in drawn.name and list(drawn.customdata) == ["0", "62.4", "100"]
