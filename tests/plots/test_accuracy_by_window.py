import numpy as np

from dpviz.plots import accuracy_by_window


def drawn(values):
    windows = ((1.2, 1.6), (1.0, 1.4))
    return accuracy_by_window.info((1.0, 1.2), (1.4, 1.6), values, "balanced", *windows)


def examples():
    return [(drawn(np.array([[0.5, 0.7], [np.nan, 0.6]])),), (drawn(np.full((2, 2), np.nan)),)]


def test_info_is_exact():
    cells = drawn(np.array([[0.5, 0.7], [np.nan, 0.6]]))
    assert cells.best == (1.0, 1.6) and cells.at((1.0, 1.4)) == 0.5
    assert cells.at((1.2, 1.4)) is None and cells.at((9, 9)) is None
    assert drawn(np.full((2, 2), np.nan)).best is None
