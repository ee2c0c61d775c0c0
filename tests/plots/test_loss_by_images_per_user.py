import numpy as np
import pytest

from dpviz.plots.losses import MEASURES, GuaranteeLine, LossByImages


def make_chart(shown="spent"):
    low, high = (tuple(map(tuple, k * np.arange(1.0, 11).reshape(2, 5))) for k in (0.1, 3.0))
    groups = [("1", 40), ("50 or more", 2)]
    promises = [
        GuaranteeLine("to each picture", high, (0.5, 0.9)),
        GuaranteeLine("to each", low, (0.4, 0.6)),
    ]
    return LossByImages.from_groups(shown, "noisy-gd", 1.0, groups, promises)


def examples():
    return [(make_chart(shown),) for shown in MEASURES]


def test_losses_and_guarantee_are_on_the_axis():
    figure = make_chart().figure()
    low, high = figure.layout.yaxis.range
    assert low < np.log10(0.1) and high > np.log10(30) and figure.layout.shapes[0].y0 == 1
    assert figure.data[2].y == pytest.approx([9, 24])
    assert figure.data[5].y == pytest.approx([0.3, 0.8])


def test_shares_match_the_groups():
    figure = make_chart("right").figure()
    assert [list(trace.y) for trace in figure.data] == [[0.5, 0.9], [0.4, 0.6]]
    assert "<br>40" in figure.layout.xaxis.ticktext[0]
