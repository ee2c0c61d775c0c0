from dpviz.plots.comparisons import FaultAccuracy
from dpviz.stats import interval

KEPT, BROKEN = interval([0.6, 0.64, 0.62]), interval([0.7, 0.72, 0.74])


def examples():
    return [(FaultAccuracy(KEPT, BROKEN, "Half the noise"),)]


def test_both_accuracies_are_marked():
    chart = examples()[0][0]
    data = chart.figure().data
    assert [list(data[i].x) for i in (1, 3)] == [[BROKEN.mean], [KEPT.mean]]
    assert [round(end, 1) for end in chart.figure().layout.xaxis.range] == [0.5, 0.8]
    assert "Half the noise" in chart.alt()


def test_axis_has_a_width_where_every_run_is_right():
    perfect = interval([1.0, 1.0, 1.0])
    low, high = FaultAccuracy(perfect, perfect, "Half the noise").figure().layout.xaxis.range
    assert low < 0.96 and high > 1.0
