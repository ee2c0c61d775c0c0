import math

import numpy as np
import pytest

from dpviz.plots.collapse import MIN_ERROR_POWER, CollapseMap, MeasuredShift

MEASURED = (MeasuredShift("<b>", 768, 0.1),)


def make_chart(measured=MEASURED):
    errors = np.array([[1e-20, 0.01], [0.2, 0.5]])
    return CollapseMap.from_errors((16, 1024), (0.01, 1.0), errors, measured, 20)


def examples():
    return [(make_chart(),), (make_chart(()),)]


def test_cells_marks_and_curve_have_places():
    cells, curve, mark = make_chart().figure().to_dict()["data"]
    assert list(cells["x"]) == [4, 10] and list(cells["y"]) == [-2, 0]
    assert cells["z"][0] == [MIN_ERROR_POWER, -2] and cells["text"][0][0] == "below 1e-10%"
    for x, y in zip(curve["x"], curve["y"], strict=True):
        assert 10**y == pytest.approx((2**x) ** -0.5)
    assert mark["x"] == [math.log2(768)] and mark["y"] == [-1] and "<b>" not in mark["name"]
    assert make_chart().table()[1] == {
        "shift beta": 0.01,
        "dimension p": 1024,
        "records": 20,
        "exact error": 0.01,
    }
