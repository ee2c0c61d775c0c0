import numpy as np

from dpviz.plots.attacks import GainLine, GainPoint, ShotGains

POINTS = tuple(GainPoint(s, 0.3 / s, 0.2 / s, 0.4 / s) for s in (5.0, 10.0, 20.0))
LINES = [
    GainLine("logistic", "Logistic", POINTS, (0.3, -1.0)),
    GainLine("noisy-gd", "Probe", (), None),
]


def examples():
    some = [GainLine("logistic", "Logistic", POINTS[:1], None)]
    return [(ShotGains.from_lines(lines, (5, 10, 20), -0.5),) for lines in (LINES, some, [])]


def test_lines_go_through_their_points():
    chart = ShotGains.from_lines(LINES, (20, 5, 10), -0.5)
    assert [line.method for line in chart.lines] == ["logistic"] and chart.shots == (5, 10, 20)
    points, line, published = chart.figure().data
    assert points.name == "Logistic: slope -1.00" and np.allclose(line.y, [0.06, 0.015])
    assert np.allclose(published.y, 0.03 * (np.array([5, 20]) / 10) ** -0.5)
