import math

import pytest

from dpviz.plots.coinpress import CoinpressStep

STEP = CoinpressStep(1, 2.0, 3.0, (0.5, 4.0), 1.5, 1.0, 2.0, 2.5)


def examples():
    return [(STEP,)]


def test_lengths_are_to_scale():
    figure = STEP.figure()
    names = [trace.name for trace in figure.data]
    assert names[:2] == ["Radius r = 2", "Clip radius R = 3"] and len(names) == 6
    length = lambda place, of: math.hypot(figure.data[place].x[of], figure.data[place].y[of])
    assert [length(2, i) for i in (0, 1)] == pytest.approx([0.5, 4.0]), "records"
    assert (length(3, 0), length(4, 0)) == pytest.approx((1.5, 1.0)), "exact and clipped mean"
    assert length(4, 1) == pytest.approx(math.hypot(1.0, 2.0)), "noise is at a right angle"
    assert STEP.reach == 4.0 and "leaves the drawing" not in STEP.caption()
