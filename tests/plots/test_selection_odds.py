import numpy as np

from dpviz.plots.prototypes import SelectionOdds


def make_chart():
    curves = np.array([[0.9, 0.1], [0.5, 0.5]])
    candidates = np.array([1.4, 2.0])
    return SelectionOdds.from_curves(
        np.array([1, 2]), curves, candidates, 2, ("a", "b"), (0,), (1, 0)
    )


def examples():
    return [(make_chart(),)]


def test_info_is_exact():
    odds = make_chart()
    assert (
        odds.names == ("b", "a")
        and odds.minority == (False, True)
        and odds.candidates.tolist() == [2.0, 1.4]
    )
