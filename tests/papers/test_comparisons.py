"""A difference is told from a margin, from either side of it, or not at all."""

import pytest

from dpviz.papers.checks.comparisons import (
    MARGIN,
    compare,
    exact_points_text,
    nearly,
    outcome_of,
    raised,
)
from dpviz.papers.model import CANNOT_TELL, DOES_NOT, HOLDS
from dpviz.stats import Difference, interval

LOW, HIGH = interval([0.50, 0.51, 0.52]), interval([0.70, 0.71, 0.72])


@pytest.mark.parametrize(
    ("margin", "sign"), [(0.0, 1), (0.1, 1), (0.2, 0), (0.3, -1), (0.18, 0), (-0.1, 1)]
)
def test_gain_is_compared_with_margin(margin, sign):
    assert compare({"": (LOW, HIGH)}, margin).signs == {"": sign}


@pytest.mark.parametrize(
    ("with_it", "against", "total", "outcome"),
    [
        (3, 0, 3, HOLDS),
        (2, 0, 3, CANNOT_TELL),
        (2, 1, 3, DOES_NOT),
        (0, 0, 3, CANNOT_TELL),
        (0, 0, 0, CANNOT_TELL),
    ],
)
def test_counts_determine_the_outcome(with_it, against, total, outcome):
    assert outcome_of(with_it, against, total) == outcome


def test_nearly_equal_is_within_quarter_of_smaller_error():
    assert nearly(HIGH, LOW) == MARGIN and nearly(interval([0.04]), HIGH) == pytest.approx(0.01)


@pytest.mark.parametrize(
    ("gap", "half", "text"),
    [
        (0.035, 0.013, "+3.5 ± 1.3 points"),
        (0.0043, 0.0038, "+0.43 ± 0.38 points"),
        (-0.00354, 0.00351, "-0.354 ± 0.351 points"),
        (0.0, 0.0, "+0.0 ± 0.0 points"),
    ],
)
def test_digits_are_printed_as_far_as_the_verdict_needs(gap, half, text):
    assert exact_points_text(Difference(gap, half, 0.05)) == text


def test_many_pairs_are_corrected_together():
    just = interval([0.545, 0.56, 0.565])
    single = compare({0: (LOW, just)}, 0.0).signs[0]
    among = compare({0: (LOW, just)} | dict.fromkeys(range(1, 200), (LOW, LOW)), 0.0).signs[0]
    assert (single, among) == (1, 0)


def test_raising_keeps_the_spread():
    up = raised(LOW, 0.25)
    assert up.mean == LOW.mean + 0.25 and up.sd == LOW.sd and up.values[0] == 0.75
    assert up.high - up.low == pytest.approx(LOW.high - LOW.low)
