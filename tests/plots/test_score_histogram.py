import numpy as np
import pytest

from dpviz.plots.prototypes import ScoreHistogram


def make_chart():
    counts = np.zeros(200, np.int64)
    counts[[0, 1, 150]] = 1, 2, 1
    return ScoreHistogram.from_counts(counts, (1.3, 1.9), (0.75, 0.25, 0))


def examples():
    return [(make_chart(),)]


def test_info_is_exact():
    bars = make_chart()
    assert (
        bars.shares[0] == 0.75
        and bars.shares[75] == 0.25
        and bars.middles[75] == pytest.approx(1.51)
    )
