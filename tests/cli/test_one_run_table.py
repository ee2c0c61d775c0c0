"""``dpviz audit --one-run``: its table and JSON, and what it refuses."""

import json
from functools import partial

import pytest

from dpviz import audits
from dpviz.audits import one_run
from dpviz.cli import main


@pytest.fixture
def few(monkeypatch):
    monkeypatch.setattr(audits, "QUICK_RUNS", 200)
    monkeypatch.setattr(one_run, "audit", partial(one_run.audit, counts=(10, 300)))


def test_table_has_row_per_count_and_many_runs(few, capsys):
    assert main(["audit", "--one-run", "--quick", "--method", "dppl-mean"]) == 0
    head, _, *rows, delta, errors = capsys.readouterr().out.strip().split("\n")
    assert head.count("|") == 6 and all(row.count("|") == 6 for row in rows)
    assert [row.split("|")[1].strip() for row in rows] == [
        "one run of `dppl-mean`, 10 canaries",
        "one run of `dppl-mean`, 300 canaries",
        "200 runs on each of two neighbors",
    ]
    assert {row.split("|")[4].strip() for row in rows} == {"8"}
    assert "δ = 1e-5" in delta and "add or remove one record" in delta and "0.05" in errors


def test_json_has_bounds_claim_and_seconds(few, capsys):
    asked = ["--method", "dppl-public", "--budget", "2", "--json"]
    assert main(["audit", "--one-run", "--quick", *asked]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["method"] == "dppl-public" and found["delta"] == 0 and found["holds"]
    assert [point["canaries"] for point in found["points"]] == [10, 300]
    assert found["points"][1]["gdp"] is None and found["shown"] == found["points"][1]["approx"]
    assert found["many"]["seconds"] > 0 and found["wrong_with"] == one_run.SIGNIFICANCE


@pytest.mark.parametrize(
    "asked, words",
    [
        ([], "Add --method"),
        (["--method", "pate"], "No audit in one run of pate"),
        (["--method", "dppl-mean", "--budget", "inf"], "finite budget"),
        (["--method", "dppl-mean", "--budget", "much"], "must be a number"),
    ],
)
def test_invalid_request_is_one_error_message(asked, words, capsys):
    assert main(["audit", "--one-run", *asked]) == 2
    said = capsys.readouterr().err
    assert words in said and said.count("\n") == 1
