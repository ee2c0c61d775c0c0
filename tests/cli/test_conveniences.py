"""Bare command, hints, levels of output, completion, address."""

import subprocess

import pytest

from dpviz.cli import COMMANDS, main


def test_bare_command_prints_help(capsys):
    assert main([]) == 0
    printed = capsys.readouterr().out
    assert "usage" in printed and all(name in printed for name in COMMANDS)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["swep"], "Did you mean sweep?"),
        (["frobnicate"], "Commands: list,"),
        (["list", "methods", "--jsn"], "Did you mean --json?"),
        (["app", "--address", "here"], "--address must be"),
    ],
)
def test_misspelled_words_get_a_hint(words, message, capsys):
    assert main(words) == 2
    assert message in capsys.readouterr().err


@pytest.mark.shared_cache
def test_quiet_prints_no_progress_and_verbose_a_traceback(capsys, monkeypatch):
    monkeypatch.setattr("dpviz.cli.output.LINE_INTERVAL", -1.0)
    run = "run --dataset uci-digits --encoder glyphnet --method dppl-mean --budget 1".split()
    assert main(run) == 0 and "Finished" in capsys.readouterr().err
    assert main(["-q", *run]) == 0 and not capsys.readouterr().err
    assert main(["-v", *run[:-1], "-3"]) == 2
    assert "Traceback" in capsys.readouterr().err
    assert main([*run[:-1], "-3"]) == 2
    assert "Traceback" not in capsys.readouterr().err


def test_completion_offers_commands_and_options(capsys, tmp_path):
    assert main(["completion", "bash"]) == 0
    script = tmp_path / "complete.sh"
    script.write_text(capsys.readouterr().out)
    ask = (
        f"source {script}; COMP_WORDS=(dpviz run --dat); COMP_CWORD=2; _dpviz;"
        ' echo "${COMPREPLY[@]}"; COMP_WORDS=(dpviz rel); COMP_CWORD=1; _dpviz;'
        ' echo "${COMPREPLY[@]}"'
    )
    done = subprocess.run(["bash", "-c", ask], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["--dataset", "release"]
    assert main(["completion", "zsh"]) == 0
    assert "bashcompinit" in capsys.readouterr().out
