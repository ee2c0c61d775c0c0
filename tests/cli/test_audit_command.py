"""Exit status of ``dpviz audit``: 0 if every audit is as it should be, 1 if one is not.

The audits run at QUICK_RUNS with fixed seeds. A bound is wrong with probability 0.001 at most.
"""

import dataclasses
import json

import numpy as np
import pytest

from dpviz import audits
from dpviz.audits import faults, one_run, private_selection, published_bugs, trade_off_audit
from dpviz.cli import main
from dpviz.methods import METHODS
from dpviz.types import Gaussian
from tests.kit import toy_method


def hundredth_of_the_sensitivity(sizes, budget, params):
    good = toy_method.plan(sizes, budget, params)
    event = Gaussian(0.01, good.events["sum"].sigma / 100)
    return dataclasses.replace(good, events={"sum": event})


def same_noise():
    return [dataclasses.replace(toy_method.case(), faulty_variant=lambda plan: plan)]


HONEST: dict = {}
BOUND_ABOVE = {"plan": hundredth_of_the_sensitivity}
NOT_CAUGHT = {"cases": same_noise}


def audited(change, monkeypatch, *options):
    method = dataclasses.replace(toy_method.METHOD, **change)
    monkeypatch.setitem(METHODS, "toy", method)
    return main(["audit", "--quick", "--method", "toy", *options])


@pytest.mark.parametrize("json_too", [False, True])
@pytest.mark.parametrize(
    "change, status, reason",
    [
        (HONEST, 0, ""),
        (BOUND_ABOVE, 1, "is above the claim"),
        (NOT_CAUGHT, 1, "toy, the release (add or remove one record): the faulty variant"),
    ],
)
def test_table_exits_1_with_a_planted_fault(change, status, reason, json_too, capsys, monkeypatch):
    assert audited(change, monkeypatch, *["--json"] * json_too) == status
    out, err = capsys.readouterr()
    assert reason in err and ("Failed: " in err) == bool(status)
    if json_too:
        rows = json.loads(out)
        assert {row["method"] for row in rows} == {"toy"}, "--quick respects --method"
        assert all(row["holds"] and row["twin_caught"] for row in rows) != bool(status)


@pytest.mark.parametrize("cases", [None, list])
def test_audit_of_method_without_cases_is_refused(cases, capsys, monkeypatch):
    assert audited({"cases": cases, "event_cases": None}, monkeypatch) == 2
    out, err = capsys.readouterr()
    assert not out and err == (
        "Method toy has no audit cases. Add cases or event_cases with faulty variants.\n"
    )


@pytest.mark.parametrize(
    "queries, says",
    [(None, "toy has no queries."), (lambda plan: {}, "needs a query for each draw")],
)
def test_sensitivity_of_method_without_queries_is_refused(queries, says, capsys, monkeypatch):
    assert audited({"queries": queries}, monkeypatch, "--sensitivity") == 2
    out, err = capsys.readouterr()
    assert not out and says in err and err.endswith(". Add one query per draw to the method.\n")


@pytest.mark.parametrize("json_too", [False, True])
@pytest.mark.parametrize("change, status", [(HONEST, 0), (BOUND_ABOVE, 1)])
def test_sensitivity_exits_1_with_a_planted_fault(change, status, json_too, capsys, monkeypatch):
    assert audited(change, monkeypatch, "--sensitivity", *["--json"] * json_too) == status
    assert ("measured sensitivity" in capsys.readouterr().err) == bool(status)


def test_table_exits_1_when_extra_audit_misses(capsys, monkeypatch):
    asked = ["audit", "--quick", "--method", private_selection.METHOD]
    assert main(asked) == 0
    monkeypatch.setitem(private_selection.FAULTY_VARIANTS, "all trials shown", lambda study: study)
    assert main(asked) == 1
    assert "“all trials shown” is not detected" in capsys.readouterr().err


def test_one_run_exits_1_when_bound_exceeds_claim(capsys, monkeypatch):
    asked = ["audit", "--one-run", "--quick", "--method", "dppl-mean", "--json"]
    real = one_run.audit
    monkeypatch.setattr(audits, "QUICK_RUNS", 200)
    for times, status in ((1, 0), (8, 1)):
        monkeypatch.setattr(
            one_run,
            "audit",
            lambda *a, times=times, **k: real(*a, noise_divisor=times, counts=(300,), **k),
        )
        assert main(asked) == status
        assert json.loads(capsys.readouterr().out)["holds"] == (status == 0)


@pytest.mark.parametrize(
    "mistake, noise, status",
    [
        ("none", 1, 0),
        ("none", 8, 1),
        ("half-noise", 2, 0),
        ("half-noise", 1, 1),
        ("steps-squared", 1, 0),
    ],
)
def test_fault_audit_exits_1_on_wrong_verdict(mistake, noise, status, capsys, monkeypatch):
    """The releases are stand-ins whose noise is divided by ``noise``."""
    claim = faults.audit_fault("none", "dppl-mean", faults.get("half-noise").budget)[1]

    def sample(more, first, runs):
        rows = np.random.default_rng([more, first]).normal(size=(runs, 1)) / noise
        return rows + more / 1.5

    monkeypatch.setattr(faults, "audit_fault", lambda *given: (sample, claim))
    monkeypatch.setattr(trade_off_audit, "INTERIM_COUNTS", trade_off_audit.INTERIM_COUNTS[:9])
    monkeypatch.setattr(
        trade_off_audit.watch, "__defaults__", (trade_off_audit.INTERIM_COUNTS, 1_000, 1e-3)
    )
    method = "adamix" if mistake == "steps-squared" else "dppl-mean"
    assert main(["audit", "--mistake", mistake, "--method", method, "--json"]) == status
    assert bool(capsys.readouterr().err) == bool(status)


def test_published_bugs_exit_1_when_one_is_missed(capsys, monkeypatch):
    bug = published_bugs.PUBLISHED_BUGS["dpviz"]
    monkeypatch.setattr(published_bugs, "PUBLISHED_BUGS", {"dpviz": bug})
    assert main(["audit", "--wild", "--quick", "--json"]) == 0
    for fault, reason in (
        ({"release": bug.fixed}, "the audit does not detect the bug"),
        ({"fixed": bug.release}, "the audit rejects the fixed code"),
    ):
        monkeypatch.setattr(
            published_bugs, "PUBLISHED_BUGS", {"dpviz": dataclasses.replace(bug, **fault)}
        )
        assert main(["audit", "--wild", "--quick"]) == 1
        assert reason in capsys.readouterr().err


@pytest.mark.parametrize(
    "options, sentence",
    [
        (["--quick", "--method", "nope"], "No audit of 'nope'. Use one of "),
        (["--sensitivity", "--method", "tuning"], "No audit of 'tuning'. Use one of "),
        (["--wild", "--method", "dppl-mean"], "Remove --method"),
    ],
)
def test_method_that_cannot_be_audited_is_refused(options, sentence, capsys):
    assert main(["audit", *options]) == 2
    assert sentence in capsys.readouterr().err
