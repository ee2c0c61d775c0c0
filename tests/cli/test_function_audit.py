"""``dpviz audit --release-function``: what its page says it prints, exit statuses, sentences."""

import json
import math
import re
import shlex
from pathlib import Path

import pytest

from dpviz.cli import main, output

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "how-to" / "audit-your-own.md").read_text()
CODE = PAGE.split('```python title="ages.py"\n')[1].split("```")[0]
COMMANDS = re.findall(r"^dpviz (audit .*)$", PAGE.replace("\\\n", ""), re.M)
PRINTED = [
    block.split("```")[0]
    for block in PAGE.split("<!-- begin -->")[1].split("<!-- end -->")[0].split("```\n")[1::2]
]
SECONDS = re.compile(r"in [\d.]+ seconds")
STATUSES = (0, 3, 0, 3)


@pytest.fixture
def ages(tmp_path, monkeypatch):
    """The page's own example, in the current folder."""
    (tmp_path / "ages.py").write_text(CODE)
    monkeypatch.chdir(tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("i", range(4))
def test_commands_of_the_page_print_its_numbers(i, ages, capsys):
    assert len(COMMANDS) == len(PRINTED) == len(STATUSES)
    assert main(shlex.split(COMMANDS[i])) == STATUSES[i]
    assert SECONDS.sub("", capsys.readouterr().out) == SECONDS.sub("", PRINTED[i])


def test_json_output_has_same_verdict(ages, capsys):
    # --neighbours is the spelling of earlier versions
    line = "audit --release-function ages.py:clipped_after --neighbours ages.py:neighbors"
    given = "--rho 0.5 --delta 1e-6 --most 500 --neighbors-are 'one person more' --json"
    twin = "--twin ages.py:clipped_after --seconds 300"
    assert main(shlex.split(f"{line} {given} {twin}")) == 3
    found = json.loads(capsys.readouterr().out, parse_constant=pytest.fail)
    assert found["broken"] and found["status"] == 3 and found["own_twin"]["broken"]
    assert found["claim"]["notion"] == "zcdp" and found["claim"]["delta"] == 1e-6
    assert (found["sign"], found["claimed"]) == ("ρ", 0.5) and found["converted"] > 0.5
    own = found["function"]
    assert 0.5 < own["shown"] < own["converted"] < own["converted_at_most"]
    assert "one person more" in found["verdict"] and "0.001" in found["certainty"]


@pytest.mark.parametrize(
    "line, sentence",
    [
        ("--epsilon 1", "--epsilon needs --release-function"),
        ("--neighbors a b", "--neighbors needs --release-function"),
        ("--release-function ages:mean --epsilon 1", "Add --neighbors"),
        (
            "--release-function ages:mean --neighbors ages:neighbors",
            "Give exactly one of epsilon",
        ),
        ("--release-function ages:no --neighbors ages:neighbors --mu 1", "has no attribute 'no'"),
        (
            "--release-function ages:mean --neighbors ages:mean --mu 1",
            "is not a pair of data sets",
        ),
        ("--release-function ages:mean --neighbors a --mu 1 --most 7", "Number of releases"),
    ],
)
def test_invalid_input_gives_one_line_error(line, sentence, ages, capsys, monkeypatch):
    monkeypatch.setattr(output, "LINE_INTERVAL", math.inf)  # a slow machine prints progress
    assert main(["audit", *shlex.split(line)]) == 2
    out, err = capsys.readouterr()
    assert not out and sentence in err and err.count("\n") == 1


def test_help_describes_command_and_exit_status(capsys):
    with pytest.raises(SystemExit):
        main(["audit", "--help"])
    said = " ".join(capsys.readouterr().out.split())
    assert "Exit status: 0 if the claim is not violated" in said
    assert "Exit status 3: claim violated." in said
