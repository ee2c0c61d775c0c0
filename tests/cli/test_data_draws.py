"""``--draw``, ``--draws`` and ``--seeds``: what a run reads, and intervals over draws and seeds."""

import json
import shlex

import pytest

from dpviz.cli import main
from dpviz.experiments import experiment, reproduce
from dpviz.stats import accuracy
from dpviz.types import Budget, RunSpec
from tests.kit.toys import content

METHOD = ("--method", "dppl-mean", "--budget", "1", "--ir", "5")


@pytest.fixture
def run(tmp_path, capsys):
    """``run(command, *options)`` on own features: status, output and errors."""
    own = tmp_path / "own.npz"
    own.write_bytes(content())

    def of(command, *options):
        status = main([command, "--dataset", str(own), *METHOD, *options])
        said = capsys.readouterr()
        return status, said.out, said.err

    return of


def test_draw_selects_other_records_and_card_states_it(run):
    first, other = (json.loads(run("run", "--draw", d, "--json")[1]) for d in ("0", "3"))
    assert first["draw"] == 0 and other["draw"] == 3
    counts = [one["private_view"]["class_counts"] for one in (first, other)]
    assert sorted(counts[0]) == sorted(counts[1]) and counts[0] != counts[1]
    assert "data draw 3" in other["guarantee"]["starts"]
    assert "data draw" not in first["guarantee"]["starts"]
    assert first["private_view"]["ratio_reached"] == other["private_view"]["ratio_reached"] == 5


def test_reached_ratio_is_a_private_view(run):
    said = run("run")[1]
    covered, private = said.split("Private view, not covered by the guarantee")
    assert "imbalance ratio: 5.0" in private and "actual imbalance ratio" not in covered
    one = json.loads(run("run", "--json")[1])
    del one["private_view"]
    assert "ratio_reached" not in json.dumps(one)


def test_several_draws_and_seeds_give_one_interval(run):
    status, said, _ = run("run", "--draws", "3", "--seeds", "2")
    assert status == 0 and "3 data draws and 2 noise seeds:" in said
    found = json.loads(run("run", "--draws", "3", "--seeds", "2", "--json")[1])
    assert (found["draws"], found["seeds"], len(found["runs"])) == (3, 2, 6)
    ends = found["accuracy"]["balanced"]
    assert ends["low"] < ends["mean"] < ends["high"]
    assert "minority" not in found["accuracy"] and "minority" in found["private_view"]
    means = [one["accuracy"]["balanced"] for one in found["runs"]]
    assert ends["mean"] == pytest.approx(sum(means) / 6)


def test_shown_command_gives_mean_over_draws(tmp_path, capsys):
    own = tmp_path / "own.npz"
    own.write_bytes(content())
    fields = {"method": "dppl-mean", "budget": Budget(1.0), "ir": 5.0}
    specs = [
        RunSpec(str(own), None, **fields, draw=draw, seed=seed)
        for draw in range(1, 4)
        for seed in (7, 8)
    ]
    command = reproduce.run_commands(specs)
    assert main(shlex.split(command)[3:]) == 0
    printed = json.loads(capsys.readouterr().out)
    shown = accuracy(experiment.sweep(specs), "balanced")
    assert (printed["draws"], printed["seeds"]) == (3, 2)
    ends = printed["accuracy"]["balanced"]
    assert ends == pytest.approx({"mean": shown.mean, "low": shown.low, "high": shown.high})


def test_one_seed_reports_noise_as_unknown(run):
    assert "spread unknown: one noise seed" in run("run", "--draws", "2")[1]


@pytest.mark.parametrize(
    "options", [("--draw", "-1"), ("--draw", "x"), ("--draws", "0"), ("--seeds", "0")]
)
def test_invalid_numbers_give_one_line_error(run, options):
    status, _, error = run("run", *options)
    assert status == 2 and error.count("\n") == 1 and "Traceback" not in error


def test_release_card_holds_draw_without_class_sizes(run, tmp_path):
    out = tmp_path / "release.npz"
    status, said, _ = run("release", "--draw", "3", "--out", str(out), "--json")
    card = json.loads(said)
    assert status == 0 and card["settings"]["draw"] == 3
    assert "ratio_reached" not in said and "class_counts" not in said
    assert b"ratio_reached" not in out.read_bytes()


def test_tune_takes_a_draw(run):
    status, said, _ = run("tune", "--trials", "1", "--draw", "2", "--json")
    assert status == 0 and json.loads(said)["search"]["draw"] == 2


def test_attack_takes_a_draw(run):
    status, said, _ = run("attack", "--shadows", "8", "--draw", "2", "--json")
    assert status == 0 and json.loads(said)["draw"] == 2
