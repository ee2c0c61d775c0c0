from types import SimpleNamespace

from dpviz.plots.settings import Pooling
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
        (Pooling.from_rows(PRIVATE, PUBLIC, "balanced"), 4),
        (Pooling.from_rows(PRIVATE, (), "balanced"), 1),
    ]


def test_info_is_exact():
    chart = Pooling.from_rows(PRIVATE, PUBLIC, "balanced")
    assert chart.ks == (1, 4) and chart.ratios == (2.0, 0.5)
    assert chart.best == 4 and chart.best_public == 1
    assert chart.table()[1]["private"] == 0.8
    assert Pooling.from_rows(PRIVATE, (), "balanced").best_public is None
    assert len(chart.figure(1).data) == 5
