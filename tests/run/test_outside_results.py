"""External results: what is read, what is refused, and the way out and back."""

import math

import pytest

from dpviz.experiments import experiment, outside_results
from dpviz.experiments.outside_results import MAX_BYTES, MAX_ROWS, parsed
from dpviz.types import Budget, DpvizError, RunSpec

HEAD = "method,notion,budget,delta,seed,accuracy\n"
ROW = "mine,approx,1,1e-5,0,0.75\n"


def read(text, name="results.csv"):
    return parsed(text.encode() if isinstance(text, str) else text, name)


def test_rows_are_read_with_optional_columns():
    text = "source,method,notion,budget,delta,seed,accuracy,balanced,minority\n"
    file = read(text + "lab,mine,zcdp,0.5,,3,0.9,0.8,\n\n")
    [one] = file.rows
    assert (one.method, one.notion, one.budget, one.delta) == ("mine", "zcdp", 0.5, None)
    assert one.seed == 3
    assert (one.score("overall"), one.score("balanced"), one.source) == (0.9, 0.8, "lab")
    assert math.isnan(one.score("minority"))
    assert file.mark == "external result from results.csv"


def test_byte_order_mark_and_quotes_are_read():
    assert read(b"\xef\xbb\xbf" + HEAD.encode() + b'"a, b",pure,1,,0,1\n').rows[0].method == "a, b"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "has no column method"),
        (HEAD, "has no results"),
        ("method,notion,budget,delta,seed\nm,pure,1,,0\n", "has no column accuracy"),
        (HEAD.replace("notion", "notion,notion"), "2 columns notion"),
        (HEAD + "m,approx,1,1e-5,0\n", "got 5"),
        (HEAD + ",approx,1,1e-5,0,0.5\n", "method in line 2"),
        (HEAD + "m,renyi,1,1e-5,0,0.5\n", "must be one of pure, approx, zcdp, gdp"),
        (HEAD + "m,approx,nan,1e-5,0,0.5\n", "budget in line 2"),
        (HEAD + "m,approx,inf,1e-5,0,0.5\n", "budget in line 2"),
        (HEAD + "m,approx,0,1e-5,0,0.5\n", "budget in line 2"),
        (HEAD + "m,approx,-1,1e-5,0,0.5\n", "budget in line 2"),
        (HEAD + "m,approx,1,,0,0.5\n", "delta in line 2"),
        (HEAD + "m,approx,1,0,0,0.5\n", "delta in line 2"),
        (HEAD + "m,approx,1,0.9,0,0.5\n", "delta in line 2"),
        (HEAD + "m,approx,1,1e-5,1.5,0.5\n", "seed in line 2"),
        (HEAD + "m,approx,1,1e-5,0,nan\n", "accuracy in line 2"),
        (HEAD + "m,approx,1,1e-5,0,75\n", "accuracy in line 2"),
        (HEAD + ROW + "m,approx,1,1e-5,0,x\n", "accuracy in line 3.*must be a number"),
        (HEAD + '"m,approx\n', "not a valid CSV file"),
        (b"\xff\xfe\x00", "not UTF-8 text"),
        (HEAD + ROW * (MAX_ROWS + 1), "too many results: the limit is 10,000"),
        (b"x" * (MAX_BYTES + 1), "too large: the limit is 2 MiB"),
        ("\0" * 10, "CSV|column"),
        (HEAD + "m" * 200_000 + ",approx,1,1e-5,0,0.5\n", "not a valid CSV file"),
    ],
)
def test_invalid_files_are_refused_with_message(text, said):
    with pytest.raises(DpvizError, match=said) as refused:
        read(text)
    assert len(str(refused.value)) < 400 and "\n" not in str(refused.value)


def test_names_are_truncated_without_control_characters():
    text = HEAD + f"a\x1b[31m\u202e{'b' * 100},pure,1,,0,1\n"
    file = read(text, "x" * 300 + "\x07.csv")
    assert len(file.rows[0].method) == 40 and file.rows[0].method.isprintable()
    assert len(file.name) == 40 and file.name.isprintable()


@pytest.fixture(scope="module")
def runs():
    specs = [
        RunSpec("etf:dim=16,n=200", None, method=method, budget=budget, seed=seed)
        for method, seeds in (("dppl-mean", 2), ("class-mean", 1))
        for budget in (Budget(1.0), Budget(0.5, "zcdp"), Budget(1.0, "paper"))
        for seed in range(seeds)
    ]
    return experiment.sweep(specs)


def test_exported_results_are_read_back_unchanged(runs):
    own = outside_results.exported(runs)
    back = read(outside_results.as_csv(own)).rows
    assert list(back) == own and len(own) == 6
    assert {(one.notion, one.budget, one.delta) for one in own} == {
        ("approx", 1.0, 1e-5),
        ("zcdp", 0.5, None),
    }


def test_runs_without_privacy_are_not_exported(runs):
    assert {one.method for one in outside_results.exported(runs)} == {"dppl-mean"}


def test_minority_column_is_a_private_view(runs):
    text = outside_results.as_csv(outside_results.exported(runs))
    assert "private_view.minority" in text.splitlines()[0]


def test_formulas_in_names_are_escaped():
    file = read(HEAD + "=1+1,pure,1,,0,1\n")
    assert "'=1+1" in outside_results.as_csv(file.rows)
