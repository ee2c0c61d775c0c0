import math

import pytest

from dpviz.plots.attacks import AttackedAccuracies, AttackedPoint
from dpviz.stats import interval


def point(accuracy, auc):
    return AttackedPoint(interval([accuracy, accuracy + 0.02]), auc, 0.01, 0.6)


def make_chart(auc=0.55):
    points = {("AdaMix", 3.0): point(0.1, auc), ("AdaMix", 1.0): point(0.2, 0.5)}
    points |= {("paragon", math.inf): point(0.05, 0.52)}
    return AttackedAccuracies.from_points(points, 1.0, "approx", "balanced")


def examples():
    return [(make_chart(),), (AttackedAccuracies.from_points({}, 1.0, "zcdp", "minority"),)]


def test_budgets_of_a_preset_are_joined():
    chart = make_chart()
    assert list(chart.points["AdaMix"]) == [1.0, 3.0]
    assert {name: p.auc for name, p in chart.at_now().items()} == {"AdaMix": 0.5, "paragon": 0.52}
    line, alone, ring = chart.figure().to_dict()["data"]
    assert list(line["x"]) == pytest.approx([0.21, 0.11]) and list(line["y"]) == [0.5, 0.55]
    assert [t.strip() for t in line["text"]] == ["", "3"] and alone["text"] == [""]
    assert list(ring["y"]) == [0.5], "a reference has no budget to look at"
    assert chart.table()[1]["area high"] == pytest.approx(0.57)
    assert "bound 0.6" in line["customdata"][0]


def test_axis_grows_for_strong_attack():
    ends = lambda chart: list(chart.figure().layout.yaxis.range)
    assert ends(make_chart()) == [0.4, 0.7] and ends(make_chart(0.69)) == [0.4, 1.0]


def test_number_is_drawn_away_from_other_points():
    said = lambda other: [
        t.strip()
        for line in AttackedAccuracies.from_points(
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
