"""``split``: the plan of a total, files, and the sum of several plans."""

import json

import pytest

from dpviz.cli import main
from dpviz.privacy.budget_split import Share, from_toml, split
from dpviz.types import Budget
from dpviz.views.budget_split_page import rows

RELEASES = ["--release", "look", "--release", "main=2"]
PLAN = split(Budget(1.0, "approx", 1e-6), [Share("look"), Share("main", 2)])


def test_json_file_and_library_agree(tmp_path, capsys):
    path = tmp_path / "plan.toml"
    words = ["split", "--total", "1", "--delta", "1e-6", *RELEASES, "--out", str(path), "--json"]
    assert main(words) == 0
    found = json.loads(capsys.readouterr().out)
    assert [release["rho"] for release in found["plans"][0]["releases"]] == [
        release.rho for release in PLAN.releases
    ]
    assert from_toml(path.read_text()) == PLAN
    assert found["together"]["epsilon"] == found["plans"][0]["epsilon"]
    assert main(["split", str(path), str(path), "--json"]) == 0
    both = json.loads(capsys.readouterr().out)
    assert len(both["plans"]) == 2 and both["together"]["epsilon"] > found["plans"][0]["epsilon"]


def test_lines_say_what_each_may_spend_and_what_is_left(capsys):
    assert main(["split", "--total", "1", *RELEASES]) == 0
    printed = capsys.readouterr().out
    assert "look: ρ = 0.01018 (ε = 0.5511 alone)" in printed and "Left: ρ = " in printed
    assert "add or remove one record" in printed and "--axis zcdp" in printed


def test_lines_round_like_the_page_and_never_in_favor_of_the_plan(capsys):
    plan = split(Budget(1.0, "approx", 1e-6), [Share("a", 3), Share("b", 7), Share("c", 11)])
    releases = [
        word
        for name, weight in (("a", 3), ("b", 7), ("c", 11))
        for word in ("--release", f"{name}={weight}")
    ]
    assert main(["split", "--total", "1", "--delta", "1e-6", *releases]) == 0
    lines = capsys.readouterr().out.splitlines()
    total = float(lines[0].split("ρ = ")[1].split(". ")[0])
    assert 0.999 * plan.rho < total <= plan.rho
    for release, row, line in zip(plan.releases, rows(plan), lines[1:], strict=False):
        rho, epsilon, spent, left = list(row.values())[1:]
        assert line.startswith(f"{release.name}: ρ = {rho} (ε = {epsilon} alone).")
        assert f"ε = {spent}. Left: ρ = {left}." in line
        assert float(rho) <= release.rho and float(left) <= release.left + 1e-12
        assert float(epsilon) >= release.epsilon and float(spent) >= release.spent - 1e-9


@pytest.mark.parametrize(
    ("total", "axis", "shown"),
    [
        ("0.123456789", "zcdp", "0.123456789-zCDP"),
        ("99.999", "guess", "best guess 99.999%"),
        ("0.99999999", "approx", "(0.99999999, 1.23456e-5)-DP"),
        ("3", "paper", "ε = 3 on the paper axis"),
    ],
)
def test_total_is_shown_exactly_and_each_epsilon_has_its_delta(total, axis, shown, capsys):
    words = ["--total", total, "--axis", axis, "--delta", "1.23456e-5"]
    assert main(["split", *words, *RELEASES]) == 0
    line = capsys.readouterr().out.splitlines()[0]
    assert line.startswith(f"Total: {shown}, ρ = ")
    assert line.endswith("Each ε below is at δ = 1.23456e-5.")


def test_sum_of_plans_names_the_smallest_delta(tmp_path, capsys):
    paths = [str(tmp_path / f"{name}.toml") for name in "ab"]
    for path, delta in zip(paths, ("1e-5", "1e-7"), strict=True):
        words = ["--total", "1", "--delta", delta, *RELEASES, "--out", path]
        assert main(["split", *words]) == 0
    assert main(["split", *paths]) == 0
    assert "at δ = 1e-7. The plans differ in δ." in capsys.readouterr().out
    assert main(["split", paths[0], paths[0]]) == 0
    assert "differ" not in capsys.readouterr().out


def test_out_refuses_an_existing_file_and_several_plans(tmp_path, capsys):
    taken, plan = tmp_path / "release.npz", tmp_path / "plan.toml"
    taken.write_bytes(b"a private release")
    assert main(["split", "--total", "1", *RELEASES, "--out", str(taken)]) == 2
    assert "already exists. Give --out a new name." in capsys.readouterr().err
    assert taken.read_bytes() == b"a private release"
    assert main(["split", "--total", "1", *RELEASES, "--out", str(plan)]) == 0
    both = tmp_path / "sum.toml"
    assert main(["split", str(plan), str(plan), "--out", str(both)]) == 2
    assert "--out writes one plan, got 2 plans" in capsys.readouterr().err
    assert not both.exists()


@pytest.mark.parametrize(
    "words",
    [
        [],
        ["--total", "1"],
        RELEASES,
        ["--total", "0", *RELEASES],
        ["--total", "1", "--axis", "mu", *RELEASES],
        ["--total", "1", "--delta", "2", *RELEASES],
        ["--total", "1", "--release", "a=b=x"],
        ["plan.toml", "--total", "1"],
        ["/no/such/plan.toml"],
        ["--total", "1", *RELEASES, "--out", "/no/such/folder/plan.toml"],
    ],
)
def test_unusable_options_give_one_sentence(words, capsys):
    assert main(["split", *words]) == 2
    refused = capsys.readouterr()
    assert not refused.out and refused.err.count("\n") == 1


def test_range_errors_name_option_or_release(capsys):
    for words, named in (
        (["--total", "-1", *RELEASES], "Change --total."),
        (["--total", "1", "--release", "ratio=high"], "Weight of release 'ratio' must be"),
    ):
        assert main(["split", *words]) == 2
        assert named in capsys.readouterr().err


def test_releases_with_given_epsilons_are_added_up(capsys):
    words = [w for name in "abc" for w in ("--each", f"{name}=0.5")]
    assert main(["split", *words, "--each", "d", "--each", "e=1"]) == 0
    assert "All releases: ε = 1.769. Adding their ε would give 3.5." in capsys.readouterr().out
    assert main(["split", "--total", "1", *RELEASES, *words]) == 2
    assert "Give a plan in one way" in capsys.readouterr().err
