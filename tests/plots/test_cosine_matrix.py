import numpy as np
import pytest

from dpviz.plots.collapse import ClassShift


def make_chart():
    beta = np.array([0.1, 0.2, 0.2, 0.3])
    cosines = np.array([[1, -1], [-1, 1.0]])
    return ClassShift.from_measures(("a", "b"), cosines, beta, np.array([0, 0, 1, 1]))


def examples():
    return [(make_chart(),)]


def test_info_is_exact():
    shifts = make_chart()
    assert shifts.quantiles[1][2] == pytest.approx(0.25) and shifts.table()[0]["cosine to b"] == -1
    shifts.shift_figure().to_json()
    assert "2 classes" in shifts.shift_alt()
