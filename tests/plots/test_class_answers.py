import numpy as np

from dpviz.plots.teachers import ClassAnswers


def make_chart(names=("big", "small")):
    labels, truth = np.array([0, -1, 1, 0]), np.array([0, 0, 1, 1])
    return ClassAnswers.from_labels(labels, truth, (50, 5), (1,), names)


def examples():
    return [(make_chart(),)]


def test_info_is_exact():
    chart = make_chart()
    assert (chart.queries, chart.right, chart.wrong, chart.answer_counts) == (
        (2, 2),
        (1, 1),
        (0, 1),
        (2, 1),
    )
    assert chart.query_counts(True) == (2, 2, 1)
    assert chart.query_counts(False) == (2, 1, 1)
    assert chart.table()[1]["answered incorrectly"] == 1
