import numpy as np
import pytest

from dpviz.plots.losses import Losses, SortedLosses, histogram_ends

VALUES, FIRST = np.array([0.0, 0.5, 1.0, 0.26]), np.array([True, False, True, False])


def make_chart(method="noisy-gd", claim=1.0, first=FIRST):
    groups = {"one": first, "<b>": ~first}
    return Losses.from_values(method, method.upper(), "ε′", VALUES, claim, groups)


def examples():
    everyone = np.ones(4, bool)
    both = make_chart(), make_chart("dppl-mean", 2.0)
    methods = (make_chart(),), both, (make_chart(first=everyone),)
    return [(SortedLosses(each),) for each in methods]


@pytest.mark.parametrize("first", [FIRST, np.ones(4, bool)], ids=["two groups", "one"])
def test_plotly_accepts_the_histogram(first):
    import plotly.graph_objects as go

    chart = make_chart(first=first)
    figure = chart.histogram((0.0, 1.0), (1.0, 0.1))
    assert len(go.Figure(figure.to_dict()).layout.annotations) >= (2 if first is FIRST else 1)
    assert "<b>" not in chart.histogram_alt()


def test_info_is_exact():
    values = np.array([0.0, 0.5, 1.0, 0.26])
    first = np.array([True, False, True, False])
    chart = Losses.from_values("noisy-gd", "N", "ε′", values, 1.0, {"one": first, "<b>": ~first})
    assert chart.sizes == (2, 2) and chart.groups == ("one", "&lt;b&gt;")
    assert chart.sorted[0].tolist() == [1.0, 0.0] and chart.shares[0].tolist() == [0.25, 0.75]
    assert np.flatnonzero(chart.counts[0]).tolist() == [0, 39] and np.flatnonzero(
        chart.counts[1]
    ).tolist() == [10, 20]
    assert SortedLosses((chart,)).figure().layout.yaxis.range == (0, 1.08)
    flat = Losses.from_values(
        "dppl-mean",
        "M",
        "ε′",
        np.linspace(0, 0.999, 80),
        1.0,
        {"one": np.ones(80, bool), "none": np.zeros(80, bool)},
    )
    assert histogram_ends([chart, flat]) == (1.0, pytest.approx(0.1)), "up to the next 5%"
    drawn = chart.histogram((0.0, 0.25), (1.0, 0.075))
    assert [a.text for a in drawn.layout.annotations].count("cut off: 50%") == 4 and len(
        drawn.layout.shapes
    ) == 2
