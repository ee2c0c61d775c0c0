"""Session totals: adjacency relations are never mixed, and the cap holds for adaptive stopping."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpviz import privacy
from dpviz.privacy.convert import bounded_range_rho
from dpviz.privacy.private_selection import OneRun
from dpviz.privacy.session_accountant import ShownRun, ledger
from dpviz.privacy.session_totals import (
    ADD_REMOVE,
    ADD_REMOVE_PERSON,
    REPLACE_IN_CLASS,
    REPLACE_PERSON,
    Cost,
    Scope,
    Selection,
    cap_rho,
    totals,
)
from dpviz.types import Budget, Exponential, Gaussian, Minimiser, Parallel, RunSpec

DELTA = 1e-5
MU = privacy.gdp_mu(1.0, DELTA)
ONE = privacy.gaussian(1.0, MU)


def shown(seed, adjacency=ADD_REMOVE, event=ONE):
    form = (("form", "sum" if adjacency == ADD_REMOVE else "printed"),)
    spec = RunSpec("own", None, method="dppl-mean", budget=Budget(1.0), params=form, seed=seed)
    return ShownRun(spec, "stream", (event,), adjacency=adjacency)


def only(runs, selections=(), delta=DELTA, cap=math.inf):
    (total,) = totals(runs, selections, delta, cap)
    return total


# ------------------------------------------------------------------------------- adjacency


def test_replace_total_doubles_add_remove_runs():
    """Four add-or-remove runs and one replace-one run were summed to 2.44 as if they were equal."""
    mixed = [*map(shown, range(4)), shown(4, REPLACE_IN_CLASS)]
    assert privacy.gdp_epsilon(5**0.5 * MU, DELTA) == pytest.approx(2.44, abs=0.005)
    found = ledger(mixed, (), DELTA)
    assert found.fresh == pytest.approx(4.92, abs=0.005)
    assert found.fresh == pytest.approx(privacy.gdp_epsilon(17**0.5 * MU, DELTA))
    (total,) = found.totals
    assert total.adjacency == REPLACE_IN_CLASS and total.restated
    assert [line.adjacency for line in found.lines] == [ADD_REMOVE, REPLACE_IN_CLASS]
    alone = [privacy.gdp_epsilon(2 * MU, DELTA), 1.0]
    assert [line.epsilon for line in found.lines] == pytest.approx(alone)


def test_records_and_users_have_separate_totals():
    mixed = [Cost((ONE,)), Cost((ONE,), ADD_REMOVE_PERSON)]
    found = totals(mixed, (), DELTA, math.inf)
    assert [total.adjacency for total in found] == [ADD_REMOVE, ADD_REMOVE_PERSON]
    runs = [shown(0), shown(1, ADD_REMOVE_PERSON)]
    assert ledger(runs, (), DELTA).epsilon == math.inf


def test_totals_separate_protected_and_published_records():
    private, aside = ("set", ""), ("set", "held aside")
    every = Cost((ONE,), scope=Scope(frozenset({private, aside})))
    some = Cost((ONE,), scope=Scope(frozenset({private}), frozenset({aside})))
    elsewhere = Cost((ONE,), scope=Scope(frozenset({("other", "")})))
    found = totals([every, some, every, elsewhere], (), DELTA, math.inf)
    assert [total.runs for total in found] == [3, 1]
    assert len(totals([some, elsewhere, some], (), DELTA, math.inf)) == 1
    best = Selection(OneRun(0.02, mu=0.2), 20.0, 1.0, scope=some.scope)
    assert len(totals([every], [best], DELTA, math.inf)) == 2


EVENTS = st.one_of(
    st.builds(lambda mu, times: privacy.gaussian(1.0, mu, times), st.floats(0.05, 1), st.just(3)),
    st.builds(lambda e: Exponential(1.0, e), st.floats(0.05, 1.5)),
    st.builds(lambda m, e: Parallel((privacy.gaussian(1.0, m), Exponential(1.0, e))),
              st.floats(0.05, 1), st.floats(0.05, 1)),
)  # fmt: skip
PAIRS = st.sampled_from([(ADD_REMOVE, REPLACE_IN_CLASS), (ADD_REMOVE_PERSON, REPLACE_PERSON)])


@settings(max_examples=12, deadline=None)
@given(st.lists(EVENTS, min_size=1, max_size=3), st.lists(EVENTS, min_size=1, max_size=3), PAIRS)
def test_restated_totals_cover_both_relations(adding, replacing, pair):
    """The total of a mixture is one of replace-one runs whose first part has twice the privacy
    loss. It is never below what each part costs, nor below the naive sum.
    """
    whole, part = pair
    runs = [Cost((e,), whole) for e in adding] + [Cost((e,), part) for e in replacing]
    found = only(runs)
    assert found.adjacency == part and found.restated
    naive = only([Cost(one.events, part) for one in runs])
    assert found.epsilon >= naive.epsilon and found.rho >= naive.rho
    twice = only([Cost((e,), whole) for e in adding]).rho
    assert found.rho >= only([Cost((e,), part) for e in replacing]).rho + twice
    reverse = only([Cost((e,), part) for e in (*adding, *replacing)])
    assert reverse.adjacency == part, "a replace-one run is never restated as add-or-remove"


def test_each_noise_type_is_doubled_per_theorem():
    beside = Cost((Gaussian(1.0, math.inf),), REPLACE_IN_CLASS)

    def rho(event, **more):
        return only([Cost((event,), **more), beside]).rho

    assert rho(ONE) == pytest.approx(4 * MU**2 / 2)
    assert rho(Exponential(1.0, 0.5)) == pytest.approx(bounded_range_rho(1.0))
    assert rho(Gaussian(1.0, 2.0, 10, rate=0.1)) == pytest.approx(4 * 10 / 8), "without sampling"
    curved = Minimiser(1.0, 3.0, 10.0, 0.25, 0.5, 2.0, 1e-9, 1e-3)
    assert rho(curved) == pytest.approx(4 * privacy.event_rho(curved))
    parts = Parallel((ONE, Exponential(1.0, 0.1)))
    assert rho(parts) == pytest.approx(4 * MU**2 / 2), "one part, since the class is the same"
    best = Selection(OneRun(0.02, mu=0.2), 20.0, 1.0)
    twice = Selection(OneRun(0.08, mu=0.4), 20.0, 1.0, REPLACE_IN_CLASS)
    assert only([beside], [best]).epsilon == only([beside], [twice]).epsilon


def test_replacing_one_record_shows_twice_the_distance():
    """Exact: a Gaussian sum of add-or-remove sensitivity 1 under its worst replacement."""
    sigma, loss = 1 / MU, 4.0
    from scipy.stats import norm

    apart = 2 / sigma  # the sum moves from +1 to -1
    true = norm.cdf(apart / 2 - loss / apart) - math.exp(loss) * norm.cdf(-apart / 2 - loss / apart)
    beside = Cost((Gaussian(1.0, math.inf),), REPLACE_IN_CLASS)
    mixed = only([Cost((ONE,)), beside], delta=true)
    assert mixed.epsilon == pytest.approx(loss, rel=1e-6)
    assert only([Cost((ONE,), REPLACE_IN_CLASS), beside], delta=true).epsilon < loss, "the fault"


# ------------------------------------------------------------------------------- filter


def test_cap_equals_adaptive_total_until_exceeded():
    rho, cap = MU**2 / 2, cap_rho(2.0)
    most = int(cap / rho)
    within = ledger(map(shown, range(most)), (), DELTA, 2.0)
    assert within.cap_epsilon == pytest.approx(2.0, rel=1e-6) and not within.totals[0].beyond
    beyond = ledger(map(shown, range(most + 3)), (), DELTA, 2.0)
    assert beyond.totals[0].beyond == 3
    large = shown(0, event=privacy.gaussian(1.0, 1.01 * math.sqrt(2 * cap)))
    assert ledger([large, shown(1)], (), DELTA, 2.0).totals[0].beyond == 2, "it stops at the first"


def test_runs_without_zcdp_cost_have_no_adaptive_total():
    best = Selection(OneRun(0.02, mu=0.2), 20.0, 1.0)
    assert not only([Cost((ONE,))], [best], cap=1.0).adaptive
    sampled = only([Cost((Gaussian(1.0, 2.0, 10, rate=0.1),))], cap=2.0)
    assert sampled.adaptive and sampled.rho == pytest.approx(10 / 8), "as if without sampling"
    assert only([Cost((Gaussian(1.0, 0.0),))], cap=1.0).beyond == 1


def test_exact_samplers_are_composed_only_in_zcdp():
    exact = only([Cost((ONE,), exact=True)])
    assert exact.epsilon == pytest.approx(privacy.zcdp_epsilon(MU**2 / 2, DELTA))
    assert exact.epsilon > 1.09 * only([Cost((ONE,))]).epsilon


PATHS, STEPS = 50_000, 400
SLACK = math.sqrt(math.log(1e6) / (2 * PATHS))  # Hoeffding, false alarm 1e-6 for values in [0, 1]


def failure(stated):
    """Mean of (1 - e^(stated - loss))+ at the first look where the loss exceeds ``stated``.

    Each look is a Gaussian release of a quantity that one record moves by 1. The privacy loss of k
    looks is N(k mu^2 / 2, k mu^2) where the record is in. A stated (epsilon, delta) that holds at
    the chosen time keeps the mean at delta or below.

    Args:
        stated: (looks,) epsilon stated after each look, as far as the session may go.
    """
    mu, rng = 0.1, np.random.default_rng(0)
    loss, worst, going = np.zeros(PATHS), np.zeros(PATHS), np.ones(PATHS, bool)
    for epsilon in stated:
        loss[going] += rng.normal(mu * mu / 2, mu, int(going.sum()))
        hit = going & (loss > epsilon + 0.2)
        worst[hit] = -np.expm1(epsilon - loss[hit])
        going &= ~hit
    return worst.mean()


def test_cap_holds_at_adaptive_stop_plan_total_fails():
    delta, mu = 0.01, 0.1
    cap = STEPS * mu * mu / 2
    event = privacy.gaussian(1.0, mu)
    found = only([Cost((event,))] * STEPS, delta=delta, cap=cap * (1 + 1e-6))
    assert found.adaptive
    stated = privacy.zcdp_epsilon(cap, delta)
    assert failure([stated] * STEPS) <= delta + SLACK
    planned = [privacy.gdp_epsilon(mu * math.sqrt(k), delta) for k in range(1, STEPS + 1)]
    assert only([Cost((event,))] * 7, delta=delta).epsilon == pytest.approx(planned[6])
    assert failure(planned) > delta + SLACK, "stopping at a chosen time breaks the plan's total"
    assert failure([*[math.inf] * (STEPS - 1), planned[-1]]) <= delta + SLACK, "one fixed time"
