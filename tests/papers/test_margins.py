"""A difference is told from a margin, from either side of it, or not at all."""

import pytest

from dpviz.papers.checks.margins import gains, raised
from dpviz.stats import interval

LOW, HIGH = interval([0.50, 0.51, 0.52]), interval([0.70, 0.71, 0.72])


@pytest.mark.parametrize(
    ("margin", "sign"), [(0.0, 1), (0.1, 1), (0.2, 0), (0.3, -1), (0.18, 0), (-0.1, 1)]
)
def test_a_gain_is_held_against_a_margin(margin, sign):
    assert gains({"": (LOW, HIGH)}, margin) == {"": sign}


def test_many_are_told_at_once():
    just = interval([0.545, 0.56, 0.565])
    alone = gains({0: (LOW, just)}, 0.0)[0]
    among = gains({0: (LOW, just)} | dict.fromkeys(range(1, 200), (LOW, LOW)), 0.0)[0]
    assert (alone, among) == (1, 0)


def test_raising_keeps_the_spread():
    up = raised(LOW, 0.25)
    assert up.mean == LOW.mean + 0.25 and up.sd == LOW.sd and up.values[0] == 0.75
    assert up.high - up.low == pytest.approx(LOW.high - LOW.low)
