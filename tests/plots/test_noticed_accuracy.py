from dpviz.plots.comparisons import FaultAccuracy
from dpviz.stats import interval

KEPT, BROKEN = interval([0.6, 0.64, 0.62]), interval([0.7, 0.72, 0.74])


def examples():
    return [(FaultAccuracy(KEPT, BROKEN, "Half the noise"),)]


def test_both_ways_have_a_row():
    chart = examples()[0][0]
    assert [row["accuracy"] for row in chart.table()] == [KEPT.mean, BROKEN.mean]
    assert "Half the noise" in chart.alt()
