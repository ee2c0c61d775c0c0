"""``python -m dpviz attack``: the numbers of the library, in JSON and in words; bad input."""

import itertools
import json
import re
import shlex

import numpy as np
import pytest

from dpviz.cli import main, output
from dpviz.diagnostics import shadow_attack
from dpviz.experiments import reproduce
from dpviz.formatting import percent_up
from dpviz.text import cli as text
from dpviz.types import Budget, RunSpec
from tests.kit.toys import toy_data


@pytest.fixture
def file(tmp_path):
    data, path = toy_data(), tmp_path / "own.npz"
    arrays = {"X_train": data.x, "y_train": data.y, "X_test": data.x_test, "y_test": data.y_test}
    np.savez(path, **arrays)
    return str(path)


def test_attack_prints_library_numbers_for_page_command(file, capsys):
    spec = RunSpec(file, None, "dppl-mean", Budget(1.0), seed=3, params=(("form", "sum"),))
    assert main(shlex.split(reproduce.attack_command(spec, "rmia", 16))[3:]) == 0
    told = json.loads(
        capsys.readouterr().out, parse_constant=lambda word: pytest.fail(f"{word} is no JSON")
    )
    made = shadow_attack.attack(spec, 16)
    found, seen = made.results["rmia"], told["private_view"]
    assert seen["overall"][0] is None and seen["overall"][1]["tpr"] == found.overall[1].tpr
    assert seen["auc"] == found.auc and seen["overall"][1]["most"] == told["most"][1]
    assert [one["rows"] for one in seen["most_exposed"]] == [list(e.rows) for e in found.exposed]
    assert len(seen["classes"]) == 4 and seen["classes"][0]["records"] == 40
    assert (told["attack"], told["shadows"], told["seed"]) == ("rmia", 16, 3)
    assert told["guarantee"]["value"] == made.guarantee.value
    assert told["purpose"] == text.REPLAY


def test_text_output_has_result_and_bound(file, capsys):
    line = ["attack", "--dataset", file, "--shadows", "16"]
    main([*line, "--method", "dppl-mean", "--budget", "1"])
    kept = capsys.readouterr().out
    assert kept.startswith("Private view, not covered by the guarantee.\n")
    made = shadow_attack.attack(RunSpec(file, None, "dppl-mean", Budget(1.0)), 16)
    rate = made.results["lira"].overall[1]
    assert f"TPR {100 * rate.tpr:.3g}% " in kept and "at 1% FPR" in kept
    assert f"at most {percent_up(rate.most, 2)}%" in kept
    main([*line, "--method", "logistic", "--budget", "inf", "--attack", "loss"])
    assert "no guarantee limits other attacks" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (["--attack", "best"], "must be one of loss, lira"),
        (["--shadows", "4"], "between 8 and 512"),
        (["--shadows", "many"], "Shadow models"),
        (["--gamma", "0"], "Gamma"),
        (["--method", "none"], "none"),
    ],
)
def test_invalid_input_gives_one_line_error(file, more, said, capsys):
    line = ["attack", "--dataset", file, "--method", "class-mean", "--budget", "inf"]
    assert main([*line, *more]) == 2
    out = capsys.readouterr()
    assert not out.out and out.err.count("\n") == 1 and said in out.err


def test_redirected_attack_prints_progress_and_time(file, capsys, monkeypatch):
    """A clock on which each reading is four seconds later than the one before."""
    ticks = itertools.count(step=4.0)
    monkeypatch.setattr(output.time, "monotonic", lambda: next(ticks))
    monkeypatch.setattr(output, "LINE_INTERVAL", 30.0)
    line = ["attack", "--dataset", file, "--shadows", "16", "--method", "dppl-mean"]
    assert main([*line, "--budget", "1"]) == 0
    lines = capsys.readouterr().err.splitlines()
    assert any(
        re.fullmatch(r"DPPL-Mean at .*: \d+ of 16, about \d+ (s|min) left", one) for one in lines
    )
    assert any(one.startswith("Evaluat") for one in lines)
    assert 2 <= len(lines) <= 8, "lines come at a low rate"


def test_redirected_quick_command_prints_no_progress(file, capsys):
    line = ["attack", "--dataset", file, "--shadows", "8", "--method", "dppl-mean"]
    assert main([*line, "--budget", "1"]) == 0
    assert capsys.readouterr().err == ""
