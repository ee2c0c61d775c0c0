"""Conversions, calibration and guarantees against the values of the literature and against
dp_accounting.
"""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpviz import privacy
from dpviz.types import Budget, DpvizError, Exponential, Gaussian

DELTA = 1e-5
epsilons = st.floats(1e-3, 1e3)
deltas = st.floats(1e-10, 0.1)


@pytest.mark.parametrize(
    "sigma, steps, epsilon", [(20, 100, 1.993091), (20, 400, 4.377178), (5, 100, 9.997256)]
)
def test_gaussian_composition_has_exact_epsilon(sigma, steps, epsilon):
    g = privacy.guarantee(
        {"g": Gaussian(1, sigma, steps)}, DELTA, adjacency="", public="", source=""
    )
    assert g.notion == "gdp"
    assert g.epsilon_delta == pytest.approx(epsilon, abs=1e-6)


@pytest.mark.parametrize(
    "epsilon, delta, mu", [(1, 1e-5, 0.26805112), (3, 1e-5, 0.71911744), (1, 1e-4, 0.31390246)]
)
def test_mu_matches_known_targets(epsilon, delta, mu):
    assert privacy.gdp_mu(epsilon, delta) == pytest.approx(mu, abs=1e-8)


@pytest.mark.parametrize("epsilon, most", [(1, 28), (3, 206), (8, 1110)])
def test_maximum_steps_at_sigma_20(epsilon, most):
    steps = math.floor((privacy.mu_for(Budget(epsilon)) * 20) ** 2)
    assert steps == most


def test_three_conversions_of_rho_have_known_values():
    assert privacy.zcdp_epsilon_simple(0.5, DELTA) == pytest.approx(5.298526, abs=1e-6)
    assert privacy.zcdp_epsilon(0.5, DELTA) == pytest.approx(4.728387, abs=1e-6)
    assert privacy.gdp_epsilon(1.0, DELTA) == pytest.approx(4.377178, abs=1e-6)


@settings(max_examples=60, deadline=None)
@given(epsilons, deltas)
def test_calibration_inverts_and_rounds_to_private_side(epsilon, delta):
    for cost, amount in (
        (privacy.gdp_epsilon, privacy.gdp_mu),
        (privacy.zcdp_epsilon, privacy.zcdp_rho),
    ):
        reached = cost(amount(epsilon, delta), delta)
        assert reached <= epsilon
        assert reached == pytest.approx(epsilon, rel=1e-5)


@settings(max_examples=25, deadline=None)
@given(st.floats(0.02, 20))
def test_exact_gaussian_matches_independent_accountant(mu):
    accounting = pytest.importorskip("dp_accounting", reason="dp-accounting is not installed")
    theirs = accounting.get_epsilon_gaussian(1 / mu, DELTA)
    assert privacy.gdp_epsilon(mu, DELTA) == pytest.approx(theirs, rel=1e-4, abs=1e-6)


def test_tighter_conversion_never_exceeds_looser_one():
    for rho in (1e-4, 0.01, 0.5, 5, 100):
        exact = privacy.gdp_epsilon(math.sqrt(2 * rho), DELTA)
        assert exact <= privacy.zcdp_epsilon(rho, DELTA) <= privacy.zcdp_epsilon_simple(rho, DELTA)


def test_paper_axis_doubles_epsilon_for_exponential_mechanism():
    budget = Budget(0.7, "paper")
    assert privacy.rho_for(budget) == pytest.approx(0.245)
    assert privacy.exponential_epsilon_for(budget) == pytest.approx(1.4)
    assert privacy.mu_for(budget) == pytest.approx(0.7)


def test_exponential_mechanism_uses_larger_of_two_epsilons():
    assert privacy.exponential_epsilon_for(Budget(1.0)) == pytest.approx(1.0)
    loose = Budget(0.05, "approx", 0.05)
    by_rho = privacy.bounded_range_epsilon(privacy.zcdp_rho(0.05, 0.05))
    assert privacy.exponential_epsilon_for(loose) == pytest.approx(by_rho) and by_rho > 0.05
    for budget in (Budget(1.0), loose, Budget(2, "zcdp"), Budget(2, "paper")):
        event = Exponential(1.0, privacy.exponential_epsilon_for(budget))
        privacy.make_plan("test", {}, budget, {"selection": event}, source="")


EXPONENTIAL_RHO = {
    0.5: 0.0311420922612,
    1: 0.123301561482,
    2: 0.474474647071,
    4: 1.66984963351,
    8: 4.92290754102,
    20: 16.0042677656,
}
EXPONENTIAL_EPSILON = {
    0.01: 0.282999873446,
    0.1: 0.899404329633,
    0.125: 1.00695851216,
    0.5: 2.05596711126,
    1: 2.98759888106,
    5: 8.08823248582,
    10: 13.6108519362,
}


def test_exponential_rho_is_exact_in_both_directions():
    for epsilon, rho in EXPONENTIAL_RHO.items():
        assert privacy.bounded_range_rho(epsilon) == pytest.approx(rho, rel=1e-11)
        assert rho != pytest.approx(epsilon**2 / 8, rel=1e-3), "the papers' formula is told apart"
    for rho, epsilon in EXPONENTIAL_EPSILON.items():
        assert privacy.bounded_range_epsilon(rho) == pytest.approx(epsilon, rel=1e-11)
        assert epsilon != pytest.approx(math.sqrt(8 * rho), rel=5e-4)


def test_exact_rho_is_reached_by_worst_outcome_pair():
    """Two outcomes whose log odds differ by epsilon between the neighbours: the supremum over
    pairs of the Kullback-Leibler divergence, which is what the Renyi divergence over its order
    tends to.
    """
    for epsilon in (0.3, 1.0, 3.0, 10.0):
        p = np.linspace(1e-6, 1 - 1e-6, 200_001)
        odds = p / (1 - p) * math.exp(epsilon)
        q = odds / (1 + odds)
        reached = float(np.max(p * np.log(p / q) + (1 - p) * np.log((1 - p) / (1 - q))))
        assert reached == pytest.approx(privacy.bounded_range_rho(epsilon), rel=1e-6)
        assert reached < epsilon**2 / 8 * (1 - 1e-3), "a smaller rho than the papers' holds"


@settings(max_examples=200, deadline=None)
@given(st.floats(1e-8, 500))
def test_exact_rho_is_increasing_invertible_and_below_paper(epsilon):
    rho = privacy.bounded_range_rho(epsilon)
    assert 0 < rho <= epsilon**2 / 8 * (1 + 1e-12)
    assert privacy.bounded_range_rho(epsilon * (1 + 1e-6)) > rho
    assert privacy.bounded_range_epsilon(rho) == pytest.approx(epsilon, rel=1e-8)


def test_exact_rho_is_continuous_at_series_switch():
    from dpviz.privacy.convert import SMALL_EPSILON

    below, above = (
        privacy.bounded_range_rho(SMALL_EPSILON * (1 + side * 1e-9)) for side in (-1, 1)
    )
    assert above > below and above == pytest.approx(below, rel=1e-8)
    many = privacy.bounded_range_rho(np.array([0.5, 1.0, math.inf, SMALL_EPSILON / 2]))
    assert many.tolist() == [
        privacy.bounded_range_rho(e) for e in (0.5, 1.0, math.inf, SMALL_EPSILON / 2)
    ]


def test_full_rho_of_ten_is_spent():
    event = Exponential(1.0, privacy.exponential_epsilon_for(Budget(10, "zcdp")))
    assert event.epsilon == pytest.approx(13.6108519362, rel=1e-8)
    assert 10 * (1 - 1e-7) < privacy.event_rho(event) <= 10
    papers = Exponential(1.0, math.sqrt(8 * 10))
    assert privacy.event_rho(papers) < 0.6 * 10


def test_mixed_events_are_composed_in_zcdp():
    events = {"selection": Exponential(1, 2.0), "sum": Gaussian(1, 2.0, 4)}
    g = privacy.guarantee(events, DELTA, adjacency="", public="", source="")
    rho = 0.474474647071 + 0.5
    assert (g.notion, g.value) == ("zcdp", pytest.approx(rho, rel=1e-9))
    assert g.epsilon_delta == pytest.approx(privacy.zcdp_epsilon(rho, DELTA))


@pytest.mark.parametrize("axis", ["approx", "zcdp", "paper"])
@pytest.mark.parametrize("event", [Gaussian, Exponential])
def test_overspending_plan_is_refused(axis, event):
    budget = Budget(1.0, axis)
    if event is Gaussian:
        good = privacy.gaussian(1.0, privacy.mu_for(budget), 10)
        bad = Gaussian(1.0, good.sigma * 0.999, 10)
    else:
        good = Exponential(1.0, privacy.exponential_epsilon_for(budget))
        most = max(good.epsilon, privacy.bounded_range_epsilon(privacy.rho_for(budget)))
        bad = Exponential(1.0, most * 1.001)
    privacy.make_plan("test", {}, budget, {"e": good}, source="")
    with pytest.raises(DpvizError, match="above the budget"):
        privacy.make_plan("test", {}, budget, {"e": bad}, source="")


@pytest.mark.parametrize("value", [0, -1, float("nan"), "lots", None])
def test_invalid_budget_is_refused_with_message(value):
    with pytest.raises(DpvizError, match=r"^Budget must be .*, got .*\.$"):
        Budget(value)


@pytest.mark.parametrize(
    "change", [{"axis": "pure"}, {"delta": 0}, {"delta": 1}, {"delta": -1e-5}, {"delta": "x"}]
)
def test_invalid_axis_or_delta_is_refused_with_message(change):
    with pytest.raises(DpvizError, match="must be"):
        Budget(1.0, **change)


def test_infinite_budget_costs_infinity_without_noise():
    budget = Budget(math.inf)
    assert privacy.gaussian(1.0, privacy.mu_for(budget)).sigma == 0
    assert privacy.exponential_epsilon_for(budget) == math.inf
    g = privacy.guarantee({"g": Gaussian(1, 0.0)}, DELTA, adjacency="", public="", source="")
    assert g.epsilon_delta == g.rho == math.inf
