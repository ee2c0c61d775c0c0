"""Dropped clipping is caught, votes are audited apart, and the bounds themselves are bounds.

`make audit` audits every method and its faulty variants. A bound is wrong with probability 0.001 at
most, so of some eighteen audits one raises a false alarm in about 1 of 55 choices of the seeds,
which are fixed.
"""

import dataclasses
import functools
import json
import sys
from types import ModuleType

import numpy as np
import pytest
from scipy import stats

from dpviz import audits, mechanisms, methods
from dpviz.audits import (
    all_audits,
    audit_all,
    audited_methods,
    bounds,
    confident_gnmax,
    private_answers,
    private_selection,
)
from dpviz.cli import main
from dpviz.methods import METHODS, dppl_mean, pate
from dpviz.methods.components import noisy_descent, teachers

pytestmark = pytest.mark.slow

RUNS = 2_000


@pytest.mark.parametrize("key", pate.ENSEMBLES)
def test_added_record_flips_vote_and_winner_per_query(key):
    """The neighbours are what the audit takes them for: on every query one vote, and with it the
    winner, moves.
    """
    (case,) = METHODS[key].cases()
    asked = pate.ENSEMBLES[key](METHODS[key].check(case.params))
    assert [
        teachers.count_votes(data, asked).counts.tolist()
        for data in (case.with_record, case.without_record)
    ] == [
        [[6, 5]] * pate.QUERIES,
        [[5, 6]] * pate.QUERIES,
    ]


def test_aggregator_within_claim_and_faulty_variants_caught():
    found = confident_gnmax.audit(2 * RUNS)
    assert {row.params["twin"] for row in found} == set(confident_gnmax.FAULTY_VARIANTS)
    for row in found:
        assert 0 < row.audited <= row.claimed and row.variant_audited > row.claimed, row


def test_private_selection_within_claim_and_faulty_variant_caught():
    found = private_selection.audit(RUNS)
    assert {row.faulty_variant for row in found} == set(private_selection.FAULTY_VARIANTS)
    for row in found:
        assert 0 < row.audited <= row.claimed < row.variant_audited, row


@pytest.mark.parametrize(
    "key, params",
    [
        ("dppl-mean", {"clip": 0.25}),
        ("noisy-gd", {"steps": 4, "clip": 0.1, "lr": 0.01}),
    ],
)
def test_dropping_the_clip_is_caught(key, params, monkeypatch):
    cases = {
        "dppl-mean": lambda: [dppl_mean.sum_case(params)],
        "noisy-gd": lambda: [noisy_descent.gradient_case(params)],
    }
    method = dataclasses.replace(METHODS[key], cases=cases[key])
    (kept,) = audits.of_method(method, RUNS)
    assert kept.holds
    monkeypatch.setattr(mechanisms, "contributions", lambda x, radius, *bits: x / (radius or 0.25))
    monkeypatch.setattr("torch.maximum", lambda norms, most: most)
    (dropped,) = audits.of_method(method, RUNS)
    assert not dropped.holds


def test_rates_are_bounded_at_the_stated_confidence():
    rate, runs = 0.03, 2_000
    hits = np.random.default_rng(0).binomial(runs, rate, 5_000)
    low, high = np.array([bounds.clopper_pearson(int(h), runs) for h in hits]).T
    misses = np.mean((low > rate) | (high < rate))
    assert misses <= 1 - audits.CONFIDENCE + 4 * np.sqrt(0.001 / 5_000)
    assert np.mean((low > 0.06) | (high < 0.06)) > 0.5, "a wrong rate is rejected"


@pytest.mark.parametrize("threshold", [-1.0, 0.0, 1.0, 2.5])
def test_bounds_hold_for_exact_gaussian_at_any_threshold(threshold):
    mu, runs = 2.0, 10**6
    true, false = (int(runs * stats.norm.sf(threshold - m)) for m in (mu, 0.0))
    assert bounds.gaussian_bound(true, false, runs) == pytest.approx(mu, abs=0.05)
    assert bounds.gaussian_bound(true, false, runs) < mu
    assert 0.05 * mu**2 / 2 < bounds.zcdp_bound(true, false, runs) < mu**2 / 2


def test_epsilon_bound_accounts_for_delta_failure_probability():
    """One record of twenty is published: (0, 1/20)-DP, with no pure epsilon."""
    runs, delta = 10**5, 0.05
    told = int(runs * delta)
    assert bounds.epsilon_bound(told, 0, runs, delta) <= 0
    assert bounds.epsilon_bound(told, 0, runs) > 5


def test_pure_bound_of_randomized_response():
    epsilon, runs = 1.5, 10**6
    true = int(runs * np.exp(epsilon) / (1 + np.exp(epsilon)))
    assert epsilon - 0.05 < bounds.epsilon_bound(true, runs - true, runs) < epsilon


@pytest.mark.parametrize(
    "shown, runs_made",
    [
        ({100: (0.5, 2.0)}, [100]),
        ({100: (0.5, 0.9), 200: (0.6, 1.1)}, [100, 200]),
        ({100: (0.5, 0.9), 200: (0.6, 0.9), 400: (0.7, 0.9)}, [100, 200, 400]),
        ({100: (1.1, 0.9)}, [100]),
        ({800: (0.5, 0.9), 200: (0.0, 0.9), 400: (0.0, 1.1)}, [200, 400]),
        ({audits.RUNS: (0.5, 0.9)}, [audits.RUNS]),
    ],
    ids=["caught", "caught later", "never caught", "above the claim", "with fewer", "full audit"],
)
def test_runs_are_added_until_the_variant_is_caught(shown, runs_made):
    """A bound above the claim ends an audit: more runs must not hide it."""
    runs, tried = min(n for n in shown if shown[n][0]), []

    def rows(step):
        tried.append(step.variant_runs)
        audited, variant_audited = shown[step.runs][0], shown[step.variant_runs][1]
        yield toy_audit(audited, variant_audited, step, "half the noise")

    (row,) = audited_methods.until_caught(rows, runs)
    assert tried == runs_made and row.variant_runs == runs_made[-1]
    assert row.runs == max(runs, runs_made[-1])


def toy_audit(audited, variant_audited, step, variant):
    return audits.Audit(
        *("toy", {}, "gdp", "", 1.0, audited, variant_audited, step.runs),
        faulty_variant=variant,
        variant_runs=step.variant_runs,
    )


def test_only_missed_variants_are_tried_again():
    tried = []

    def rows(step):
        for variant, needed in {"plain": 200, "hidden": 1600}.items():
            if step.events(variant, [audited_methods.WHOLE_RELEASE]):
                tried.append((variant, step.variant_runs))
                yield toy_audit(0.5, 2.0 * (step.variant_runs >= needed), step, variant)

    plain, hidden = audited_methods.until_caught(rows, 800)
    assert tried == [("plain", 200), *(("hidden", n) for n in (200, 400, 800, 1600))]
    assert (plain.runs, plain.variant_runs) == (800, 200)
    assert (hidden.runs, hidden.variant_runs) == (1600, 1600)


def test_the_command_prints_the_table(capsys, monkeypatch):
    """One method is an example. Its runs are too few for bounds, which `make audit` checks."""
    few = ("dppl-public",)
    monkeypatch.setattr(audits, "QUICK_RUNS", 50)
    monkeypatch.setattr(methods, "METHODS", {key: METHODS[key] for key in few})
    # a test of a page leaves app.py as the main module, which each process that is started would
    # run
    monkeypatch.setitem(sys.modules, "__main__", ModuleType("__main__"))
    every = functools.cache(lambda runs: list(audit_all(runs)))
    monkeypatch.setattr(audits, "audit_all", lambda runs, chosen: every(runs))
    monkeypatch.setattr(all_audits, "all_cores", lambda: 1)  # each process imports everything
    main(["audit", "--quick", "--json"])
    rows = json.loads(capsys.readouterr().out)
    for row in rows:
        assert {"method", "event", "twin", "claimed", "audited", "runs"} <= set(row)
    beside = {"confident-gnmax", private_answers.METHOD, private_selection.METHOD}
    names = {*beside, "dppl-mean", *few}  # a file is of means
    assert {row["method"] for row in rows} == names
    files = [row for row in rows if row["event"].startswith("a released file")]
    assert {row["notion"] for row in files} == {"zcdp", "pure"}
    main(["audit", "--quick"])
    assert capsys.readouterr().out.count("\n") == 2 + len(rows)


def test_more_runs_extend_earlier_runs():
    """A second attempt makes the missing runs alone, and shows what it would show by itself."""
    made, method = [], METHODS["dppl-mean"]

    def fit(data, plans, seeds):
        made.append(len(seeds))
        return method.fit(data, plans, seeds)

    case = method.event_cases()[0]
    plan = audited_methods.case_plan(method, case)

    def rows():
        return audited_methods.event_rows(dataclasses.replace(method, fit=fit), case, plan)

    missed = frozenset({("sum", audited_methods.HALF_NOISE)})
    both = rows()
    list(both(audited_methods.Step(100, 20)))
    first = sum(made)
    (later,) = both(audited_methods.Step(200, 100, missed))
    assert sum(made) - first == 2 * (100 + 80)
    alone, *_ = rows()(audited_methods.Step(200, 100))
    assert later == alone
    assert not set(audited_methods.seeds(0, 0, 200)) & set(audited_methods.seeds(1, 0, 200))
