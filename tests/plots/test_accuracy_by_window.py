import numpy as np

from dpviz.plots.prototypes import WindowMap, selected_window


def make_chart(values):
    windows = ((1.2, 1.6), (1.0, 1.4))
    return WindowMap.from_accuracy((1.0, 1.2), (1.4, 1.6), values, "balanced", *windows)


def examples():
    return [
        (make_chart(np.array([[0.5, 0.7], [np.nan, 0.6]])),),
        (make_chart(np.full((2, 2), np.nan)),),
    ]


def test_info_is_exact():
    cells = make_chart(np.array([[0.5, 0.7], [np.nan, 0.6]]))
    assert cells.best == (1.0, 1.6) and cells.accuracy_at((1.0, 1.4)) == 0.5
    assert cells.accuracy_at((1.2, 1.4)) is None and cells.accuracy_at((9, 9)) is None
    assert make_chart(np.full((2, 2), np.nan)).best is None


def test_click_selects_the_cell_below():
    cells = make_chart(np.array([[0.5, 0.7], [np.nan, 0.6]]))
    assert cells.windows == [(1.0, 1.4), (1.0, 1.6), (1.2, 1.6)]
    assert selected_window([{"x": 1.6, "y": 1.2}], cells) == (1.2, 1.6)
    assert selected_window([{"x": 1.4, "y": 1.2}], cells) is None  # no window
    assert selected_window([], cells) is None
