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
    total = float(lines[0].rpartition(" = ")[2].rstrip("."))
    assert 0.999 * plan.rho < total <= plan.rho
    for release, row, line in zip(plan.releases, rows(plan), lines[1:], strict=False):
        rho, epsilon, spent, left = list(row.values())[1:]
        assert line.startswith(f"{release.name}: ρ = {rho} (ε = {epsilon} alone).")
        assert f"ε = {spent}. Left: ρ = {left}." in line
        assert float(rho) <= release.rho and float(left) <= release.left + 1e-12
        assert float(epsilon) >= release.epsilon and float(spent) >= release.spent - 1e-9


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
