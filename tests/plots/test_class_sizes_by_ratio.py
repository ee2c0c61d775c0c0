import numpy as np

from dpviz.data.imbalance import class_sizes
from dpviz.plots.by_class import SizesByRatio


def make_chart():
    counts = {r: tuple(class_sizes(5000, 10, r).tolist()) for r in (100.0, 1.0, 10.0)}
    return SizesByRatio.from_counts(counts, 10.0)


def examples():
    return [(make_chart(),), (SizesByRatio.from_counts({1.0: (5, 5, 4, 3)}, 1.0),)]


def test_sizes_decrease_and_minority_start_is_marked():
    chart = make_chart()
    assert chart.ratios == (1.0, 10.0, 100.0) and chart.minority == 3
    assert chart.sizes[2] == (5000, 2997, 1797, 1077, 646, 387, 232, 139, 83, 50)
    shown = chart.figure()
    assert shown.layout.shapes[0].x0 == 7.5
    assert np.argmax([line.line.width for line in shown.data]) == 1, (
        "the ratio looked at stands out"
    )
    assert "5000 to 50 at IR 100" in chart.alt()
