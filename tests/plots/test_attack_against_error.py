import math

import pytest

from dpviz.plots.attacks import AttackedErrors, AttackedPoint
from dpviz.stats import interval


def point(error, auc):
    return AttackedPoint(interval([error, error + 0.02]), auc, 0.01, 0.6)


def drawn(auc=0.55):
    points = {("AdaMix", 3.0): point(0.1, auc), ("AdaMix", 1.0): point(0.2, 0.5)}
    points |= {("paragon", math.inf): point(0.05, 0.52)}
    return AttackedErrors.from_points(points, 1.0, "approx", "balanced")


def examples():
    return [(drawn(),), (AttackedErrors.from_points({}, 1.0, "zcdp", "minority"),)]


def test_budgets_of_a_preset_are_joined_and_those_looked_at_found():
    chart = drawn()
    assert list(chart.points["AdaMix"]) == [1.0, 3.0]
    assert {name: p.auc for name, p in chart.at_now().items()} == {"AdaMix": 0.5, "paragon": 0.52}
    line, alone, ring = chart.figure().to_dict()["data"]
    assert list(line["x"]) == pytest.approx([0.21, 0.11]) and list(line["y"]) == [0.5, 0.55]
    assert [t.strip() for t in line["text"]] == ["", "3"] and alone["text"] == [""]
    assert list(ring["y"]) == [0.5], "a reference has no budget to look at"
    assert chart.table()[1]["area high"] == pytest.approx(0.57)
    assert "at most 0.6" in line["customdata"][0]


def test_the_axis_goes_on_where_an_attack_gets_far():
    ends = lambda chart: list(chart.figure().layout.yaxis.range)
    assert ends(drawn()) == [0.4, 0.7] and ends(drawn(0.69)) == [0.4, 1.0]


def test_a_number_stands_where_no_other_point_does():
    said = lambda other: [
        t.strip()
        for line in AttackedErrors.from_points(
            {
                ("AdaMix", 3.0): point(0.1, 0.5),
                ("AdaMix", 1.0): point(0.4, 0.5),
                ("paragon", math.inf): other,
            },
            1.0,
            "approx",
            "balanced",
        )
        .figure()
        .data[:1]
        for t in line.text
    ]
    assert said(point(0.2, 0.5)) == ["", "3"] and said(point(0.11, 0.51)) == ["", ""]
