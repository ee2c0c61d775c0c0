"""Checks of a data set's numbers."""

import numpy as np
import pytest

from dpviz.types import Dataset, DpvizError


def made(rows):
    x, y = np.array(rows, np.float32), np.zeros(len(rows), np.int64)
    return Dataset("toy", None, x, y, x, y, ("a",), "toy")


def test_overflowing_sum_gives_no_warning():
    with np.errstate(all="raise"):
        assert made([[3e38, 3e38]]).classes == 1
        with pytest.raises(DpvizError, match="Row 1 of x in toy .* not finite"):
            made([[1, 2], [np.inf, -np.inf]])
