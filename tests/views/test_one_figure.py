"""A promise has one epsilon, and all that print it print the same figure."""

import math
import re
from datetime import date

import pytest

from dpviz import privacy
from dpviz.formatting import number, number_up
from dpviz.privacy import vote_costs
from dpviz.privacy.session_accountant import ShownRun, ledger
from dpviz.types import AXES, Budget, RunSpec
from dpviz.ui.widgets import cards
from dpviz.views import guarantee_in_words, report, session_in_words
from dpviz.views.page_as_shown import ShownPage

SPEC = RunSpec("mnist5k", "glyphnet", "dppl-mean", Budget(1.0))
SAYS = re.compile(r"ε = ([\d.e-]+) at δ = 1e-5")


def planned(budget):
    """A plan of one Gaussian release that spends the budget."""
    events = {"sum": privacy.gaussian(1.0, privacy.mu_for(budget))}
    return privacy.make_plan("dppl-mean", {}, budget, events, source="a source")


def printed(given):
    """What pages print as epsilon of a promise: cards in both voices, their rows, the report."""
    shown = ShownPage("What?", "So.", guarantees={"Mean": given})
    return [
        dict(guarantee_in_words.rows_of(given))["as (ε, δ)-DP"],
        cards._precisely(given, "approx"),
        cards._plainly(given, "approx", False),
        report.page(shown, "trade-off", date(2026, 1, 1)),
    ]


def figures(words):
    return set(SAYS.findall(words))


@pytest.mark.parametrize("axis", AXES)
@pytest.mark.parametrize("value", [0.03, 1.0, 7.7])
def test_all_guarantee_texts_show_the_same_figure(axis, value):
    plan = planned(Budget(50 + value if axis == "guess" else value, axis))
    given = plan.guarantee
    assert [figures(words) for words in printed(given)] == [{number_up(given.epsilon_delta)}] * 4
    # the sitting's ledger adds up a single run to what its card says
    one = ledger([ShownRun(SPEC, "dppl-mean", tuple(plan.events.values()))], (), given.delta)
    assert f"ε = {number_up(given.epsilon_delta)}" in session_in_words._price(one.epsilon)


@pytest.mark.parametrize("value", [0.05, 1.0])
def test_axes_of_one_rho_have_one_epsilon(value):
    """zCDP's rho and the paper's sqrt(2 rho) ask for the same noise."""
    one, other = planned(Budget(value, "zcdp")), planned(Budget(math.sqrt(2 * value), "paper"))
    assert one.events["sum"].sigma == pytest.approx(other.events["sum"].sigma, rel=1e-9)
    assert number(one.guarantee.epsilon_delta) == number(other.guarantee.epsilon_delta)
    assert one.guarantee.epsilon_delta == pytest.approx(
        privacy.gdp_epsilon(math.sqrt(2 * value), 1e-5), rel=1e-6
    )


def test_votes_epsilon_is_formatted_like_cards():
    given = vote_costs.data_independent(50, 40, 6.0, 5.0, 1e-5)
    assert figures(printed(given)[0]) == {number_up(given.epsilon_delta)}


def test_different_epsilon_would_be_detected():
    given = planned(Budget(1.0, "zcdp")).guarantee
    assert figures(printed(given)[0]) != {number_up(given.epsilon_delta * 1.001)}
