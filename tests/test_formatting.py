"""Numbers of guarantees and budgets: rounded to the safe side, or not at all."""

import pytest

from dpviz.formatting import (
    budget_text,
    compared,
    exact,
    number_down,
    number_up,
    percent_exact,
    percents,
)
from dpviz.notebook import guarantee_html
from dpviz.privacy import claimed_guarantee
from dpviz.stats import interval
from dpviz.types import Budget


@pytest.mark.parametrize(
    ("value", "words"),
    [(1, "1"), (1e-5, "1e-5"), (0.123456789, "0.123456789"), (99.999, "99.999"), (1e20, "1e20")],
)
def test_exact_number_has_all_digits(value, words):
    assert exact(value) == words and float(words) == value


@pytest.mark.parametrize("value", [1e-5 / 3, 1.23444e-5, 0.55514, 3.00049, 999.96])
def test_rounded_number_is_on_the_safe_side(value):
    assert float(number_down(value)) <= value <= float(number_up(value))
    assert value <= float(number_up(value, 3)) <= 1.01 * value


def test_share_has_all_digits():
    assert [percent_exact(share) for share in (0.996, 0.5, 0.07)] == ["99.6", "50", "7"]


def test_best_guess_below_certainty_is_not_shown_as_certain():
    assert budget_text(Budget(99.999, "guess")) == "best guess 99.999%"
    assert budget_text(Budget(62.25, "guess")) == "best guess 62.25%"


def test_notebook_states_no_guarantee_below_its_value():
    table = guarantee_html(
        claimed_guarantee("add or remove one record", rho=0.12341, delta=1.2341e-5)
    )
    assert "zcdp 0.1235" in table and ", 1.235e-5)" in table


def test_compared_accuracies_agree_with_their_difference():
    near = interval([0.96, 0.9818])
    assert compared(near, 0.977) == ("97.1%", "97.7%", -0.006)
    assert compared(interval([0.8, 0.9]), 0.97) == ("85%", "97%", -0.12)
    assert compared(interval([1.0, 1.0]), 1.0) == ("100%", "100%", 0.0)


def test_percents_tell_different_means_apart():
    near = interval([0.95, 0.97, 0.969]), interval([0.95, 0.97, 0.973])
    assert percents(near) == ["96.3%", "96.4%"] and percents([near[0]] * 2) == ["96.3%"] * 2
    assert percents((interval([0.5]), interval([0.9]))) == ["50%", "90%"]
