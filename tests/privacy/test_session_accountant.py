"""The ledger of a sitting: what was shown is counted once, and shared noise has no bound."""

import dataclasses
import math

import pytest

from dpviz import privacy
from dpviz.privacy.private_selection import OneRun, selected_epsilon
from dpviz.privacy.session_accountant import Best, ShownRun, ledger
from dpviz.types import Budget, Exponential, RunSpec

ONE = Budget(1.0)


def shown(setting=0, budget=ONE, seed=0, *, method="dppl-mean", stream="", data="own"):
    spec = RunSpec(data, None, method=method, budget=budget, params=(("k", setting),), seed=seed)
    event = privacy.gaussian(1.0, privacy.mu_for(budget))
    return ShownRun(spec, stream or method, (event,))


def test_ten_settings_with_five_seeds_are_fifty_runs():
    fresh = [shown(i, seed=5 * i + s) for i in range(10) for s in range(5)]
    assert ledger(fresh, (), 1e-5).epsilon == pytest.approx(9.359036, rel=1e-6)
    replayed = ledger([shown(i, seed=s) for i in range(10) for s in range(5)], (), 1e-5)
    assert replayed.epsilon == math.inf
    assert replayed.fresh == pytest.approx(9.359036, rel=1e-6)
    assert len(replayed.lines) == 10
    assert {(line.runs, line.seeds, line.budgets) for line in replayed.lines} == {
        (5, (0, 1, 2, 3, 4), 1)
    }
    for line in replayed.lines:  # each alone is five runs with five noises
        assert line.epsilon == pytest.approx(
            privacy.gdp_epsilon(privacy.gdp_mu(1.0, 1e-5) * 5**0.5, 1e-5)
        )
        assert line.other is not None and line.other.params != line.spec.params and not line.own


def test_different_delta_is_a_different_run():
    loose = Budget(1.0, "approx", 1e-2)
    first = [shown(i, seed=i) for i in range(10)]
    again = [shown(i, loose, seed=10 + i) for i in range(10)]
    assert ledger(again, (), 1e-2).epsilon == pytest.approx(4.716082, rel=1e-6)
    both = ledger([*first, *again], (), 1e-2)
    assert both.epsilon == pytest.approx(5.520213, rel=1e-6), "the first ten were seen as well"
    assert ledger(first, (), 1e-2).epsilon == pytest.approx(1.857, abs=5e-4), "they alone"
    assert both.lines[0].budgets == 2
    same_seed = ledger([shown(0), shown(0, loose)], (), 1e-2)
    assert same_seed.epsilon == math.inf and same_seed.lines[0].own


def test_budgets_of_one_seed_have_no_bound():
    two = ledger([shown(), shown(budget=Budget(2.0))], (), 1e-5)
    (line,) = two.lines
    assert line.own and line.epsilon == math.inf and math.isfinite(line.fresh)
    assert line.fresh == two.fresh
    apart = ledger([shown(), shown(budget=Budget(2.0), seed=1)], (), 1e-5)
    assert apart.epsilon == pytest.approx(line.fresh)


def test_repeated_run_is_counted_once():
    assert ledger([shown()] * 9, (), 1e-5) == ledger([shown()], (), 1e-5)
    assert ledger([shown()], (), 1e-5).epsilon == pytest.approx(1.0)
    assert ledger([], (), 1e-5).epsilon == 0


def test_methods_share_noise_with_shared_streams():
    public = shown(method="dppl-public", stream="selection")
    k = shown(method="dppl-publick", stream="selection")
    clash = ledger([public, k, shown()], (), 1e-5)
    assert clash.epsilon == math.inf
    assert [line.other for line in clash.lines] == [k.spec, public.spec, None]
    assert math.isfinite(ledger([public, shown()], (), 1e-5).epsilon)


def test_same_noise_on_other_data_is_unbounded():
    assert ledger([shown(), shown(data="other")], (), 1e-5).epsilon == math.inf


def test_system_entropy_releases_share_no_noise():
    two = [dataclasses.replace(shown(), release=i) for i in (1, 2)]
    found = ledger([shown(), *two], (), 1e-5)
    mu = privacy.mu_for(ONE)
    assert found.epsilon == pytest.approx(privacy.zcdp_epsilon(3 * mu**2 / 2, 1e-5))
    assert [(line.runs, line.releases, line.seeds) for line in found.lines] == [
        (1, False, (0,)),
        (2, True, ()),
    ]
    many = [dataclasses.replace(shown(budget=Budget(b)), release=i) for i, b in ((1, 1.0), (2, 2))]
    assert math.isfinite(ledger(many, (), 1e-5).epsilon)


# ------------------------------------------------------------------------------- best of many


RUN = OneRun(0.02, mu=0.2)


def best(first=0, method="noisy-gd"):
    spec = shown(method=method, seed=first).spec
    return Best((first, method), spec, method, range(first, first + 1000), RUN, 20.0, 1.0)


def test_best_of_random_trial_count_costs_theorem_amount():
    alone = ledger([], [best()], 1e-5)
    assert alone.epsilon == selected_epsilon(RUN, 20.0, 1.0, 1e-5)
    assert alone.lines[0].runs == 0 and alone.lines[0].seeds == ()
    both = ledger([shown()], [best()], 1e-5)
    assert both.epsilon == pytest.approx(
        selected_epsilon(RUN, 20.0, 1.0, 5e-6) + privacy.gdp_epsilon(privacy.mu_for(ONE), 5e-6)
    )


def test_best_of_many_conflicts_with_shared_noise():
    inside, outside = shown(method="noisy-gd", seed=7), shown(method="noisy-gd", seed=1000)
    clash = ledger([inside], [best()], 1e-5)
    assert clash.epsilon == math.inf and all(line.other for line in clash.lines)
    assert math.isfinite(ledger([outside], [best()], 1e-5).epsilon)
    assert math.isfinite(ledger([], [best(), best(1000)], 1e-5).epsilon)
    another = Best("another", best().spec, "noisy-gd", range(1000), RUN, 30.0, 1.0)
    assert ledger([], [best(), another], 1e-5).epsilon == math.inf


def test_exponential_runs_are_included():
    spec = shown(method="dppl-public").spec
    run = ShownRun(spec, "selection", (Exponential(2.0, 1.0),))
    assert ledger([run], (), 1e-5).epsilon <= 1.0
