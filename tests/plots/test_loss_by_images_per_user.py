import numpy as np
import pytest

from dpviz.plots import loss_by_images_per_user
from dpviz.plots.loss_by_images_per_user import GuaranteeLine


def drawn(shown="spent"):
    low, high = (tuple(map(tuple, k * np.arange(1.0, 11).reshape(2, 5))) for k in (0.1, 3.0))
    groups = [("1", 40), ("50 or more", 2)]
    promises = [
        GuaranteeLine("to each picture", high, (0.5, 0.9)),
        GuaranteeLine("to each", low, (0.4, 0.6)),
    ]
    return loss_by_images_per_user.info(shown, "noisy-gd", 1.0, groups, promises)


def examples():
    return [(drawn(shown),) for shown in loss_by_images_per_user.SHOWN]


def test_losses_and_the_promise_lie_on_the_axis():
    figure = loss_by_images_per_user.figure(drawn())
    low, high = figure.layout.yaxis.range
    assert low < np.log10(0.1) and high > np.log10(30) and figure.layout.shapes[0].y0 == 1
    assert figure.data[2].y == pytest.approx([9, 24])
    assert figure.data[5].y == pytest.approx([0.3, 0.8])


def test_shares_are_those_of_the_groups():
    figure = loss_by_images_per_user.figure(drawn("right"))
    assert [list(trace.y) for trace in figure.data] == [[0.5, 0.9], [0.4, 0.6]]
    assert "<br>40" in figure.layout.xaxis.ticktext[0]
