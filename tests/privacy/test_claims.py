"""Where a claimed_guarantee guarantee lies on a budget axis."""

import math

import pytest

from dpviz import privacy
from dpviz.privacy.best_guess import success_bound
from dpviz.privacy.claims import claimed_guarantee, on_axis
from dpviz.types import DpvizError


@pytest.mark.parametrize(
    ("notion", "value", "delta", "axis", "place"),
    [
        ("approx", 2.0, 1e-6, "approx", 2.0),
        ("approx", 2.0, 1e-5, "approx", 2.0),
        ("pure", 2.0, None, "approx", 2.0),
        ("zcdp", 0.1, None, "approx", privacy.zcdp_epsilon(0.1, 1e-5)),
        ("gdp", 0.5, None, "approx", privacy.gdp_epsilon(0.5, 1e-5)),
        ("zcdp", 0.125, None, "zcdp", 0.125),
        ("zcdp", 0.125, None, "paper", 0.5),
        ("gdp", 0.5, None, "zcdp", 0.125),
        ("pure", 0.5, None, "paper", 0.5),
        ("gdp", 1.0, None, "guess", 100 * success_bound(claimed_guarantee("", mu=1.0))),
        ("pure", 1.0, None, "guess", 100 / (1 + math.exp(-1))),
    ],
)
def test_each_notion_is_placed_on_axis(notion, value, delta, axis, place):
    assert on_axis(notion, value, delta, axis, 1e-5) == pytest.approx(place, rel=1e-9)


@pytest.mark.parametrize(("delta", "axis"), [(1e-4, "approx"), (1e-6, "zcdp"), (1e-6, "paper")])
def test_guarantee_without_implied_value_has_no_place(delta, axis):
    assert on_axis("approx", 1.0, delta, axis, 1e-5) is None


def test_place_is_never_below_allowed_loss():
    for value in (0.1, 1.0, 3.0):
        place = on_axis("gdp", value, None, "approx", 1e-5)
        assert privacy.gdp_mu(place, 1e-5) <= value * (1 + 1e-6)


def test_invalid_value_is_refused():
    with pytest.raises(DpvizError, match="ρ"):
        on_axis("zcdp", -1.0, None, "approx", 1e-5)
