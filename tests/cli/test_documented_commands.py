"""The commands of the guides to the calculator and to the registry run as they are written."""

import re
import shlex
from pathlib import Path

import numpy as np
import pytest

from dpviz.audits import method_checks
from dpviz.cli import main
from dpviz.experiments.method_verdicts import Verdict
from tests.kit.toys import toy_data

GUIDES = Path(__file__).resolve().parents[2] / "docs" / "how-to"
CONFIGURATION = "noise_multiplier = 1.1\nsample_rate = 0.01\nsteps = 1000\n"


def commands(guide):
    """Commands of a guide in order, without those that read a checkout of the registry."""
    blocks = re.findall(r"^```\w*\n(.*?)^```$", (GUIDES / guide).read_text(), re.M | re.S)
    lines = "".join(blocks).replace("\\\n", "").splitlines()
    lines = [line.removeprefix("python -m ") for line in lines]
    words = [shlex.split(line, comments=True) for line in lines if line.startswith("dpviz ")]
    return [one[1:] for one in words if "deployments-registry-data/deployments" not in one]


@pytest.mark.parametrize(("guide", "least"), [("calculator.md", 8), ("registry.md", 4)])
def test_commands_of_guide_run(guide, least, tmp_path, monkeypatch, capsys):
    data = toy_data()
    arrays = {"X_train": data.x, "y_train": data.y, "X_test": data.x_test, "y_test": data.y_test}
    np.savez(tmp_path / "own.npz", **arrays)
    (tmp_path / "train.py").write_text(CONFIGURATION)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(method_checks, "verdict", lambda *_: Verdict("of a test"))
    written = commands(guide)
    assert len(written) >= least
    for words in written:
        if "other.toml" in words:  # the plan of a colleague
            (tmp_path / "other.toml").write_bytes((tmp_path / "plan.toml").read_bytes())
        assert main(words) == 0, (words, capsys.readouterr().err)
