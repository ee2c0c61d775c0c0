import numpy as np

from dpviz.plots.kit import drawing
from dpviz.plots.losses import ClassLoss


def make_chart(count=1):
    quantiles = np.arange(10.0).reshape(2, 5)
    methods = [("noisy-gd", "N", 9.0, quantiles), ("dppl-mean", "M", 12.0, quantiles + 1)]
    return ClassLoss.from_quantiles("ε′", ["a", "b"], (3, 9), (0,), methods[:count])


def examples():
    return [(make_chart(1),), (make_chart(2),)]


def test_info_is_exact():
    classes = make_chart()
    assert classes.names == ("b", "a") and classes.minority == (False, True)
    assert classes.spreads[0].quantiles[0] == (5.0, 6.0, 7.0, 8.0, 9.0)


def test_bars_span_90_percent_and_middle_half():
    thin, thick, dots = make_chart().figure().data
    assert list(thin.y) == [5, 9, None, 0, 4, None] and list(thick.y) == [6, 8, None, 1, 3, None]
    assert list(dots.y) == [7, 2]


def test_many_class_names_are_omitted():
    many, quantiles = drawing.MAX_NAMED_CLASSES + 1, np.ones((41, 5))
    names = [f"class {c}" for c in range(many)]
    chart = ClassLoss.from_quantiles(
        "ε′", names, (3,) * many, (), [("noisy-gd", "N", 9.0, quantiles)]
    )
    assert chart.figure().layout.xaxis.showticklabels is False
    assert make_chart().figure().layout.xaxis.showticklabels is not False
