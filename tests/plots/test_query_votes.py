import math

import numpy as np

from dpviz.plots.teachers import QueryVotes
from dpviz.text.charts import ALTS

VOTES = np.array([25, 3, 2])


def make_chart(label, threshold):
    return QueryVotes.from_votes(("a", "<b>", "c"), VOTES, VOTES + 0.5, 1, label, threshold, 3.0)


def examples():
    return [(make_chart(-1, 18.0),), (make_chart(0, -math.inf),)]


def test_info_is_exact():
    chart = make_chart(-1, 18.0)
    assert chart.votes == (25, 3, 2) and chart.noisy == () and chart.teachers == 30
    assert ALTS["query_refused"] in chart.alt()
    assert len(chart.figure().layout.shapes) == len(chart.figure().data) == 1
    every = make_chart(0, -math.inf)
    assert every.threshold is None and not every.figure().layout.shapes
    assert every.table()[0]["answer"] and every.noisy[0] == 25.5
    assert "star" in every.figure().data[1].name
