"""Numbers and units as people write them."""

import math

from dpviz import words
from dpviz.stats import Interval
from dpviz.words import percent, spread


def test_percentages_are_rounded_to_what_the_interval_supports():
    assert (
        percent(Interval(0.4712, 0.44, 0.5, 5)) == "47 %"
        and spread(Interval(0.4712, 0.44, 0.5, 5)) == "44–50"
    )
    assert percent(Interval(0.4712, 0.470, 0.473, 5)) == "47.1 %"
    assert percent(Interval(math.nan, math.nan, math.nan, 5)) == "untested"


def test_numbers_as_people_write_them():
    assert [words.number(v) for v in (0.01, 1.0, 1e-5, math.inf, 2.5e7)] == [
        "0.01",
        "1",
        "1e-5",
        "∞",
        "2.5e7",
    ]


def test_no_line_ends_between_a_number_and_its_unit():
    said = words.unbroken(
        "**72 %** of 3 of 4, −18 ± 6 points, ε = 0.1 d_min = 1.05 and ε = ∞; apples = pears"
    )
    assert (
        said.replace("\u00a0", "_")
        == "**72_%** of 3 of 4, −18_±_6_points, ε_=_0.1 d_min_=_1.05 and ε_=_∞; apples = pears"
    )
