"""Before a release the method's code is checked, once for each version of the code.

An honest method fails with a chance of 0.001 for each of its draws; the seeds are fixed.
"""

import dataclasses
import io
import json

import numpy as np
import pytest

from dpviz.audits import method_checks, sensitivity
from dpviz.cli import main
from dpviz.data import uploads
from dpviz.experiments import method_verdicts, release_file
from dpviz.machine import code_fingerprint, optional, plugin_code
from dpviz.mechanisms import SYSTEM, UnitNoise, add_gaussian
from dpviz.methods import METHODS
from dpviz.methods.components.prototypes import cosine_release
from dpviz.text import guarantee_cards
from dpviz.types import Budget, DpvizError, Fit, Gaussian, Release, RunSpec
from tests.kit import toy_method

TOY = toy_method.METHOD


def wrong_by_100(sizes, budget, params):
    """The sensitivity is claimed to be 1/100, and the noise is calibrated to it."""
    good = toy_method.plan(sizes, budget, params)
    return dataclasses.replace(good, events={"sum": Gaussian(0.01, good.events["sum"].sigma / 100)})


def overspends(sizes, budget, params):
    good = toy_method.plan(sizes, budget, params)
    return dataclasses.replace(good, events={"sum": Gaussian(1.0, good.events["sum"].sigma / 100)})


def little_noise(data, plans, seeds):
    """The noise that is drawn is a hundredth of what the plan says."""
    return toy_method.fit(data, [dataclasses.replace(p, events=_tiny(p)) for p in plans], seeds)


def _tiny(plan):
    return {"sum": dataclasses.replace(plan.events["sum"], sigma=plan.events["sum"].sigma / 100)}


def adds_a_count(data, plans, seeds):
    fitted = toy_method.fit(data, plans, seeds)
    add = lambda one: dataclasses.replace(one, bias=one.bias + np.float32(len(data.x)))
    return dataclasses.replace(fitted, releases=[[add(r) for r in row] for row in fitted.releases])


def counts_as_chosen(data, plans, seeds):
    """The rows that are named as chosen are the exact class counts."""
    fitted, counts = toy_method.fit(data, plans, seeds), np.array(data.counts)[:, None]
    add = lambda one: dataclasses.replace(one, chosen=counts)
    return dataclasses.replace(fitted, releases=[[add(r) for r in row] for row in fitted.releases])


def copies(row):
    """A fit that releases ``row(data)`` verbatim."""

    def fit(data, plans, seeds):
        fitted = toy_method.fit(data, plans, seeds)
        for rule in (rule for rules in fitted.releases for rule in rules):
            rule.weights[0] = row(data)
        return fitted

    return fit


def widest(data):
    return data.x[np.abs(data.x).max(axis=1).argmax()]


def releases_without(change):
    """A fit that is honest for numbers as seeds and ``change(data, plans)`` for a release."""

    def fit(data, plans, seeds):
        released = SYSTEM in seeds
        return change(data, plans) if released else toy_method.fit(data, plans, seeds)

    return fit


def flat_noise(data, plans):
    """The system's noise has a thousandth of the planned standard deviation."""
    sums = toy_method.class_sums(data)
    noise = UnitNoise(SYSTEM, "toy", sums.shape, None, 1e-3)
    return Fit([[cosine_release(add_gaussian(sums, p.events["sum"], noise))] for p in plans])


OTHER_EVENT = releases_without(lambda data, plans: little_noise(data, plans, [SYSTEM]))
ONE_SEED = releases_without(lambda data, plans: toy_method.fit(data, plans, [0]))
OTHER_NAME = "the plan names the method “dppl-mean” instead of “toy”"


def under_another_name(sizes, budget, params):
    return dataclasses.replace(toy_method.plan(sizes, budget, params), method="dppl-mean")


FAULTS = [
    ({"plan": wrong_by_100}, "above its claimed sensitivity of 0.01"),
    ({"plan": wrong_by_100, "queries": None}, "failed with AssertionError: toy has no queries"),
    ({"plan": overspends}, "would spend"),
    ({"fit": little_noise}, "the check of the noise failed with"),
    ({"fit": adds_a_count}, "code that runs after the noise step reads private records"),
    ({"fit": counts_as_chosen}, "code that runs after the noise step reads private records"),
    (
        {"fit": copies(lambda data: data.x[0])},
        "code that runs after the noise step reads private records",
    ),
    ({"fit": copies(widest)}, "code that runs after the noise step reads private records"),
    (
        {"fit": copies(lambda data: len(data.x) > 50)},
        "code that runs after the noise step reads private records",
    ),
    ({"fit": OTHER_EVENT}, "a release does not draw the planned noise “sum”"),
    ({"fit": ONE_SEED}, "a release draws the noise “sum” from a seed"),
    ({"fit": releases_without(flat_noise)}, "less noise in a release than planned"),
    ({"plan": under_another_name}, OTHER_NAME),
    ({"queries": lambda plan: {}}, "needs a query for each draw"),
    ({"event_cases": None}, "has no event cases"),
    (
        {
            "event_cases": lambda: [
                dataclasses.replace(c := toy_method.event_case(), with_record=c.without_record)
            ]
        },
        "does not detect noise reduced to a tenth",
    ),
]


@pytest.mark.parametrize("change, failure", FAULTS, ids=[failure for _, failure in FAULTS])
def test_method_fault_is_reported_with_message(change, failure):
    failures = method_checks.check(dataclasses.replace(TOY, **change))
    assert any(failure in one for one in failures), failures
    assert not any("\n" in one or one.endswith(".") for one in failures)


def test_copy_of_protected_public_row_is_detected():
    """With ``public_use=private`` AdaMix protects labeled public records too."""
    method = METHODS["adamix"]

    def fit(data, plans, seeds):
        fitted = method.fit(data, plans, seeds)
        fitted.releases[0][0].weights[0] = data.public[0]
        return fitted

    data = sensitivity.sets(24, 5, 3, np.random.default_rng(0))
    for use, reads in (("private", True), ("none", False)):
        params = method.check({"public_use": use, "init": "none", "clip_mode": "fixed", "rank": 0})
        plan = method.plan(data.sizes, Budget(1.0), params)
        others = list(sensitivity.unlike(method, plan, data))
        changed = dataclasses.replace(method, fit=fit)
        assert method_checks.reads_after_noise(changed, plan, data, others, [[SYSTEM]]) == reads
        assert not method_checks.reads_after_noise(method, plan, data, others, [[SYSTEM]])


@pytest.mark.parametrize("key", ["dppl-publick", "noisy-gd"])
def test_correct_method_passes(key):
    assert method_checks.check(METHODS[key]) == () == method_checks.check(TOY)


def test_missing_library_is_not_stored_as_a_fault(monkeypatch):
    monkeypatch.setattr(optional.util, "find_spec", lambda name: None)
    with pytest.raises(DpvizError, match=r"pip install 'dpviz\[release\]'"):
        method_checks.verdict(TOY)
    assert method_verdicts.stored(TOY) is None


@pytest.fixture
def toy_spec(own, monkeypatch):
    monkeypatch.setitem(METHODS, "toy", TOY)
    return RunSpec(uploads.display_path(uploads.path(own)), None, "toy", Budget(1.0))


def plant(monkeypatch, **change):
    monkeypatch.setitem(METHODS, "toy", dataclasses.replace(TOY, **change))


def test_method_with_a_wrong_sensitivity_is_not_released(toy_spec, tmp_path, capsys, monkeypatch):
    plant(monkeypatch, plan=wrong_by_100)
    monkeypatch.setattr("dpviz.cli.output.LINE_INTERVAL", 1e9)  # no progress on a slow machine
    asked = ["release", "--dataset", toy_spec.dataset, "--method", "toy", "--budget", "1"]
    assert main([*asked, "--out", str(tmp_path / "o.npz")]) == 2
    err = capsys.readouterr().err
    assert "Toy cannot be released" in err and "above its claimed sensitivity" in err
    assert err.count("\n") == 1 and not (tmp_path / "o.npz").exists()
    with pytest.raises(DpvizError, match="cannot be released"):
        release_file.release(toy_spec)  # the verdict is stored


@pytest.mark.parametrize("fit, fault", [(OTHER_EVENT, "not draw"), (ONE_SEED, "from a seed")])
def test_release_without_planned_draws_is_refused(fit, fault, toy_spec, monkeypatch):
    """Even where no check of the code was made."""
    plant(monkeypatch, fit=fit)
    with pytest.raises(DpvizError, match=rf"{fault}.*Fix the method.*\.$"):
        release_file.release(toy_spec)


def test_release_with_plan_of_other_method_is_refused(toy_spec, monkeypatch):
    plant(monkeypatch, plan=under_another_name)
    with pytest.raises(DpvizError, match=OTHER_NAME):
        release_file.planned(toy_spec)


def test_released_arrays_have_one_type_and_order():
    """The order of an array in memory is in the file, and could hold a bit of a record."""
    weights, bias = np.arange(6.0, dtype=np.float32).reshape(2, 3), np.zeros(2, np.float32)
    usual = release_file.write(Release(weights, bias), {})
    other = Release(np.asfortranarray(weights, np.float64), bias, np.int8(1))
    assert release_file.write(other, {}) == usual


def card_of(file):
    return json.loads(str(np.load(io.BytesIO(file))["card"]))["guarantee"]


def test_card_states_not_verified_until_code_is_checked(toy_spec, monkeypatch):
    before = card_of(release_file.release(toy_spec))
    assert "not verified" in before and "proved" not in before
    assert guarantee_cards.NOT_VERIFIED in before["assumed"]
    assert method_checks.verdict(TOY).passed
    after = card_of(release_file.release(toy_spec))
    assert "proved" in after and "not verified" not in after
    (line,) = [text for text in after["assumed"] if "“sum”" in text]
    assert "add or remove one record" in line and "at most 1 in L2 norm" in line


def test_verdict_is_computed_once_per_code_version(monkeypatch):
    calls = []
    monkeypatch.setattr(method_checks, "check", lambda *given: calls.append(1) or ())
    for _ in range(2):
        method_checks.verdict(TOY)
    assert len(calls) == 1
    monkeypatch.setattr(plugin_code, "digest", lambda method: "edited")
    method_checks.verdict(TOY)
    assert len(calls) == 2 and method_verdicts.stored(TOY)
    monkeypatch.setattr(code_fingerprint, "whole", lambda: "edited")
    assert method_verdicts.stored(TOY) is None
