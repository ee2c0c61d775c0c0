from dpviz.plots.classroom import DrawnCurves
from dpviz.text.charts import LABELS

NAMES, PLACES, TITLES = ("0.1", "1", "10"), (0.0, 0.5, 1.0), ("ε", "accuracy, %")


def examples():
    curves = [(10, 50, 90), (20, 60, 80), (30, 70, 100)]
    truth = [(12.0, 10.0, 14.0), (80.0, 78.0, 82.0), (95.0, 94.0, 96.0)]
    return [
        (DrawnCurves.from_curves(NAMES, PLACES, TITLES, curves, truth),),
        (DrawnCurves.from_curves(NAMES, PLACES, TITLES, ()),),
    ]


def test_all_curves_are_drawn_below_true_curve():
    chart = examples()[0][0]
    assert chart.middle == (20, 60, 90)
    drawn = chart.figure().to_dict()["data"]
    assert drawn[0]["y"].count(None) == 3 and drawn[-1]["name"] == LABELS["true_curve"]
    assert drawn[-1]["y"] == [12.0, 80.0, 95.0]


def test_empty_chart_has_axes_alone():
    assert not examples()[1][0].figure().data
