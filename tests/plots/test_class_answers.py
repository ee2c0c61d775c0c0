import numpy as np

from dpviz.plots import class_answers


def drawn(names=("big", "small")):
    labels, truth = np.array([0, -1, 1, 0]), np.array([0, 0, 1, 1])
    return class_answers.info(labels, truth, (50, 5), (1,), names)


def examples():
    return [(drawn(),)]


def test_info_is_exact():
    chart = drawn()
    assert (chart.asked, chart.right, chart.wrong, chart.named) == ((2, 2), (1, 1), (0, 1), (2, 1))
    assert class_answers.share(chart, True) == (1.0, 0.5) and class_answers.share(chart, False) == (
        0.5,
        0.5,
    )
    assert class_answers.table(chart)[1]["answered wrongly"] == 1
