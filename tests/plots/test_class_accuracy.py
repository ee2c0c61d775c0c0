from dpviz.plots.by_class import ClassAccuracy
from tests.kit.charts import TITLES, results


def make_chart():
    return ClassAccuracy.from_results(results(), TITLES, ("a", "b", "c", "d"), 1.0)


def examples():
    return [(make_chart(),)]


def test_classes_are_ranked_and_minority_is_shaded():
    chart = make_chart()
    assert chart.names == ("a", "b", "d", "c") and chart.minority == (False, False, False, True)
    assert [d.method for d in chart.methods] == list(TITLES)
    assert [p.mean for p in chart.methods[0].points] == [1.0, 0.5, 0.5, 0.0]
    figure = chart.figure()
    assert len(figure.layout.shapes) == 1
    assert {row.mode for row in figure.data} == {"markers"}, "no line joins classes"
    assert [row.x[0] for row in figure.data] == [-0.12, 0, 0.12], "side by side"
