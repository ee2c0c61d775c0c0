import math

import numpy as np

from dpviz.plots import query_votes

VOTES = np.array([25, 3, 2])


def drawn(label, threshold):
    return query_votes.info(("a", "<b>", "c"), VOTES, VOTES + 0.5, 1, label, threshold, 3.0)


def examples():
    return [(drawn(-1, 18.0),), (drawn(0, -math.inf),)]


def test_info_is_exact():
    chart = drawn(-1, 18.0)
    assert chart.votes == (25, 3, 2) and chart.noisy == () and chart.teachers == 30
    assert "not answered" in query_votes.alt(chart)
    assert len(query_votes.figure(chart).layout.shapes) == len(query_votes.figure(chart).data) == 1
    every = drawn(0, -math.inf)
    assert every.threshold is None and not query_votes.figure(every).layout.shapes
    assert query_votes.table(every)[0]["answer"] and every.noisy[0] == 25.5
    assert "star" in query_votes.figure(every).data[1].name
