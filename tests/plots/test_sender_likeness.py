import numpy as np
import pytest

from dpviz.plots.attacks import COSINE_BINS, OTHER_SENDER, SenderSimilarity


def make_chart():
    return SenderSimilarity.from_cosines(
        np.array([0.99, 1.0, 0.5]), np.array([[0.01, 0.51], [0.51, 0.52]])
    )


def examples():
    return [(make_chart(),), (SenderSimilarity.from_cosines(np.array([-0.4]), np.array([[1.0]])),)]


def test_info_is_exact():
    chart = make_chart()
    assert chart.edges[0] == 0 and chart.edges[-1] == 1
    assert chart.same[-1] == pytest.approx(2 / 3) and chart.same[20] == pytest.approx(1 / 3)
    assert chart.different[0] == 0.25 and chart.different[20] == 0.75
    rows = chart.table()
    assert len(rows) == COSINE_BINS and rows[0][OTHER_SENDER] == 0.25


def test_negative_cosines_are_drawn():
    chart, _ = examples()[1][0], None
    assert chart.edges[0] == -1 and chart.same.sum() == chart.different.sum() == 1
    figure = chart.figure()
    assert len({trace["line"]["dash"] for trace in figure.data}) == 2
