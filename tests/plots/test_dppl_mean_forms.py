import math

import pytest

from dpviz.plots.comparisons import Forms
from tests.kit.charts import result


def make_chart():
    runs = [result("dppl-mean", 1.0, seed, 0.6 + 0.02 * seed) for seed in (0, 1)]
    return Forms.from_results({"Sum form": runs}, result("class-mean", math.inf, 0, 0.9))


def examples():
    return [(make_chart(),)]


def test_info_is_exact():
    chart = make_chart()
    assert chart.points[0]["balanced"].mean == pytest.approx(0.61)
    assert chart.exact == {"balanced": 0.9, "minority": 0.45}
    assert list(chart.figure().data[0].x) == [0.9]
