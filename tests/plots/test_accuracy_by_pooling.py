from types import SimpleNamespace

from dpviz.plots import accuracy_by_pooling
from dpviz.types import Scores


def scores(accuracy):
    return Scores(accuracy, accuracy, accuracy, (accuracy,))


def row(k, noisy):
    return SimpleNamespace(
        k=k, noise=2 / k, signal=1.0, ratio=2 / k, quiet=scores(0.9), noisy=[*map(scores, noisy)]
    )


PRIVATE = [row(1, (0.5, 0.7)), row(4, (0.8, 0.8))]
PUBLIC = [row(1, (0.7, 0.7)), row(4, (0.2, 0.4))]


def examples():
    return [
        (accuracy_by_pooling.info(PRIVATE, PUBLIC, "balanced"), 4),
        (accuracy_by_pooling.info(PRIVATE, (), "balanced"), 1),
    ]


def test_info_is_exact():
    chart = accuracy_by_pooling.info(PRIVATE, PUBLIC, "balanced")
    assert chart.ks == (1, 4) and chart.ratios == (2.0, 0.5)
    assert chart.best == 4 and chart.best_public == 1
    assert accuracy_by_pooling.table(chart)[1]["private"] == 0.8
    assert accuracy_by_pooling.info(PRIVATE, (), "balanced").best_public is None
    assert len(accuracy_by_pooling.figure(chart, 1).data) == 5
