import numpy as np
import pytest

from dpviz.plots import cosine_matrix


def drawn():
    beta = np.array([0.1, 0.2, 0.2, 0.3])
    cosines = np.array([[1, -1], [-1, 1.0]])
    return cosine_matrix.info(("a", "b"), cosines, beta, np.array([0, 0, 1, 1]))


def examples():
    return [(drawn(),)]


def test_info_is_exact():
    shifts = drawn()
    assert (
        shifts.quantiles[1][2] == pytest.approx(0.25)
        and cosine_matrix.table(shifts)[0]["cosine to b"] == -1
    )
    cosine_matrix.shift_figure(shifts).to_json()
    assert "2 classes" in cosine_matrix.shift_alt(shifts)
