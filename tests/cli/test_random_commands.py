"""Random command lines: each ends with a documented status, never with a traceback or a hang.

``DPVIZ_FUZZ=1000`` runs 1,000 lines; the default is a few hundred.
"""

import os
import random
import runpy
import signal
from unittest import mock

import numpy as np
import pytest

from dpviz.cli import main
from dpviz.data import limits
from tests.kit.toys import toy_data

LINES = int(os.environ.get("DPVIZ_FUZZ", "250"))
PART = 50
MATERIAL = ("--dataset", "--encoder", "--public", "--ir", "--records", "--features")
BUDGET = ("--method", "--budget", "--axis", "--delta")
CLAIM = ("--epsilon", "--rho", "--mu")
OPTIONS = {
    "list": ("--json",),
    "embed": (*MATERIAL, "--device"),
    "run": (*MATERIAL, *BUDGET, "--seed", "--param", "--json"),
    "release": (*MATERIAL, *BUDGET, "--out", "--param", "--seed", "--json"),
    "attack": (*MATERIAL, *BUDGET, "--attack", "--shadows", "--gamma", "--seed", "--json"),
    "pate": ("--votes", "--threshold", "--sigma1", "--sigma2", "--queries", "--delta", "--json"),
    "guarantee": (
        *("--sigma", "--sample-rate", "--steps", "--laplace-scale", "--exponential", "--queries"),
        *("--answered", "--sigma1", "--sigma2", "--epsilon", "--rho", "--mu", "--config"),
        *("--delta", "--prior", "--images", "--json"),
    ),
    "sweep": ("spec", "--out", "--name", "--workers", "--scheduler"),
    "tune": (
        *MATERIAL,
        *BUDGET,
        "--trials",
        "--metric",
        "--sampler",
        "--count",
        "--only",
        "--seed",
    ),
    "audit": (*CLAIM, "--delta", "--neighbors-are", "--twin", "--json"),
    "app": ("--port", "--frame-ancestors", "--room", "--room-port", "--no-such-option"),
    "explorable": ("view", "--out", "--no-such-option"),
    "no-such-command": ("--json",),
}
FLAGS = {"--json"}
NEEDED = {
    "audit": ("--release-function", "--neighbors", "--most", "--seconds"),
    "app": ("--port",),
    "explorable": ("view", "--out"),
    "run": ("--dataset", "--method", "--budget"),
    "release": ("--dataset", "--method", "--budget", "--out"),
    "tune": ("--dataset", "--method", "--budget"),
    "attack": ("--dataset", "--method", "--budget", "--shadows"),
    "pate": ("--votes", "--sigma2"),
    "sweep": ("spec", "--out"),
    "embed": ("--dataset", "--encoder"),
}
GOOD = {
    "--dataset": ["own.npz", "etf:n=60,classes=2,dim=4"],
    "--method": ["dppl-mean", "dppl-public", "class-mean", "dp-ls"],
    "--budget": ["1", "0.5", "inf"],
    "--axis": ["approx", "zcdp", "paper"],
    "--delta": ["1e-5"],
    "--ir": ["1", "4"],
    "--records": ["0", "20"],
    "--seed": ["0", "7"],
    "--param": ["d_min=1.2", "ridge=1"],
    "--out": ["out.csv", "out.npz"],
    "--votes": ["votes.npz"],
    "--sigma1": ["2"],
    "--sigma2": ["3"],
    "--threshold": ["4"],
    "--trials": ["2"],
    "--attack": ["lira", "rmia", "loss"],
    "--shadows": ["8"],
    "--gamma": ["1"],
    "--workers": ["x"],
    "--scheduler": ["tcp://127.0.0.1:x"],
    "spec": ["sweep.toml"],
    "view": ["view.toml"],
    "--release-function": ["own.py:release"],
    "--neighbors": ["own.py:pair"],
    "--twin": ["own.py:release"],
    "--epsilon": ["1"],
    "--most": ["500"],
    "--seconds": ["2"],
    "--port": ["8599"],
    "--room": ["127.0.0.1"],
    "--room-port": ["8600"],
}
STATUSES = {"audit": (0, 2, 3, 4)}
"""Exit statuses of commands that have more than 0 and 2."""
PATIENCE = 60
"""Seconds after which a command counts as hanging."""
ALWAYS = ("--most", "--seconds")
"""Options that are given in most lines, so that no audit takes long."""
ODD = (
    *("", "0", "-1", "nan", "inf", "-inf", "1e400", "1e-400", "1e30", "9" * 400, "9" * 5000),
    *("9" * 500, "-0", "70000", "1_0", "\u0661", "x" * 100_000, "\ud800", "a\0b.npz"),
    *("fifo", "fifo.npz", "fifo.zip", "fifo.toml", "fifo.py:f", "fifo.npy", "/dev/zero"),
    *("x" * 400, "a\0b", "\x1b[31mred\x07", "\udcff", "ä ö", "=cmd|' /C calc'!A0", "--", "-"),
    *(
        ".",
        "/",
        "..",
        "no/such/folder/x.csv",
        "folder",
        "loop",
        "dangling",
        "empty.npz",
        "text.npz",
    ),
    *(
        "half.zip",
        "text.parquet",
        "odd.toml",
        "long.toml",
        "=",
        "=1",
        "a=",
        "None",
        "[1]",
        "{}",
        "0x10",
    ),
)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Where the command lines run, with files good and bad."""
    data = toy_data()
    arrays = {"X_train": data.x, "y_train": data.y, "X_test": data.x_test, "y_test": data.y_test}
    np.savez(tmp_path / "own.npz", **arrays, X_public=data.x_public, y_public=data.y_public)
    np.savez(tmp_path / "votes.npz", votes=np.array([[5, 1, 0], [2, 2, 2]]))
    good = 'dataset = "own.npz"\nbudgets = [1]\nmethods = ["class-mean"]\n'
    (tmp_path / "sweep.toml").write_text(good)
    (tmp_path / "odd.toml").write_text(good + "seeds = 1e30\n")
    (tmp_path / "long.toml").write_text(good + "ir = " + "[" * 3000)
    (tmp_path / "view.toml").write_text('view = "glossary"\n')
    (tmp_path / "own.py").write_text(OWN)
    for name in ("fifo", "fifo.npz", "fifo.zip", "fifo.toml", "fifo.py", "fifo.npy"):
        os.mkfifo(tmp_path / name)
    for name in ("empty.npz", "half.zip", "text.parquet", "text.npz"):
        (tmp_path / name).write_bytes(b"" if name == "empty.npz" else b"PK\3\4 no such thing")
    (tmp_path / "folder").mkdir()
    (tmp_path / "loop").symlink_to("loop")
    (tmp_path / "dangling").symlink_to("nowhere")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(limits, "ROWS", 1_000)  # of "/", which is looked through for pictures
    monkeypatch.setattr(runpy, "run_module", _without_server)
    with mock.patch.dict(os.environ):  # options of app are passed on there
        yield tmp_path


OWN = """
import random
pair = ([1.0, 2.0], [1.0])
def release(data, seed):
    return sum(data) + random.Random(seed).gauss(0, 9)
"""
run_module = runpy.run_module


def _without_server(name, **how):
    """Run a module, but never the server, which does not end."""
    return {} if name == "dpviz.ui.server.serve" else run_module(name, **how)


class Hang(BaseException):
    """A command line took longer than ``PATIENCE``."""


def status_of(line):
    """Exit status of a command line.

    Raises:
        AssertionError: for any exception, and after ``PATIENCE`` seconds.
    """

    def stop(*_):
        raise Hang

    before = signal.signal(signal.SIGALRM, stop)
    signal.alarm(PATIENCE)
    try:
        return main(line)
    except SystemExit as left:  # --help
        return left.code
    except BaseException as error:
        raise AssertionError(f"{line!a:.500} ended in {type(error).__name__}") from error
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def words(chance: random.Random) -> list[str]:
    """A command line."""
    command = chance.choice(list(OPTIONS))
    asked = list(NEEDED.get(command, ()))
    if len(asked) > 1 and chance.random() < 0.1:
        asked.remove(chance.choice(asked))
    asked += chance.sample(OPTIONS[command], chance.randint(0, min(3, len(OPTIONS[command]))))
    line = [command]
    for option in dict.fromkeys(asked):
        odd = option not in GOOD or chance.random() < (0.05 if option in ALWAYS else 0.3)
        value = chance.choice(ODD) if odd else chance.choice(GOOD[option])
        if option in FLAGS:
            line.append(option)
        elif option in ("spec", "view"):
            line.insert(1, value)
        else:
            line += [f"{option}={value}"] if chance.random() < 0.5 else [option, value]
    return line


@pytest.mark.parametrize("part", range(-(-LINES // PART)))
def test_random_commands_exit_0_or_2_with_message(folder, capsys, part):
    chance = random.Random(part)
    ends = set()
    for _ in range(PART):
        line = words(chance)
        (folder / "out.npz").unlink(missing_ok=True)
        status = status_of(line)
        said = capsys.readouterr().err
        assert status in STATUSES.get(line[0], (0, 2)), line
        assert len(said) < 1_500 and all(sign.isprintable() or sign == "\n" for sign in said), line
        ends.add(status)
    assert {0, 2} <= ends, "these lines test one kind of exit only"


AUDIT = ["audit", "--release-function", "own.py:release", "--neighbors", "own.py:pair"]
AUDIT += ["--most", "500", "--seconds", "2", "--epsilon", "1"]
LONG = "9" * 5000
HOSTILE = (
    *(["explorable", name, "--out", "o.html"] for name in ("fifo", "fifo.toml", "a\0b", "\ud800")),
    *(["explorable", f"slider{n}.toml", "--out", "o.html"] for n in (500, 5000)),
    ["explorable", "view.toml", "--out=-inf/x"],
    *(["sweep", name, "--out", "o.csv"] for name in ("fifo", "hex.toml", "nested.toml")),
    *(
        ["sweep", f"{key}{n}.toml", "--out", "o.csv"]
        for key in ("budget", "ir")
        for n in (500, 5000)
    ),
    ["sweep", "sweep.toml", "--out", "fifo"],
    ["sweep", "sweep.toml", "--out", "o.csv", "--scheduler", "."],
    ["run", "--dataset", "a\0b", "--method", "class-mean", "--budget", "1"],
    [
        "release",
        "--dataset",
        "fifo.npz",
        "--method",
        "dppl-mean",
        "--budget",
        "1",
        "--out",
        "o.npz",
    ],
    [
        "release",
        "--dataset",
        "own.npz",
        "--method",
        "dppl-mean",
        "--budget",
        LONG,
        "--out",
        "o.npz",
    ],
    *([*AUDIT, "--delta", value] for value in ("x", "", "a\0b", "\udcff", LONG)),
    *([*AUDIT, "--twin", value] for value in ("", "fifo.py:f")),
    [*AUDIT, "--neighbors", "fifo.npy", "fifo.npy"],
    *(["app", "--port", value] for value in ("70000", "0", "-1", "x", LONG)),
    *(["app", "--frame-ancestors", value] for value in ("a\0b", "\ud800", "\udcff")),
)


@pytest.mark.parametrize("number", range(len(HOSTILE)))
def test_hostile_arguments_give_one_line_error(folder, capsys, monkeypatch, number):
    monkeypatch.setattr("tests.cli.test_random_commands.PATIENCE", 20)
    good = (folder / "sweep.toml").read_text()
    for n in (500, 5000):
        (folder / f"ir{n}.toml").write_text(f"{good}ir = {'9' * n}\n")
        (folder / f"budget{n}.toml").write_text(good.replace("[1]", f"[{'9' * n}]"))
        slider = f'view = "trade-off"\n[sliders]\neps = [{"9" * n}]\n'
        (folder / f"slider{n}.toml").write_text(slider)
    (folder / "hex.toml").write_text(f"{good}seeds = [0x{'9' * 5000}]\n")
    nested = good.replace('methods = ["class-mean"]', "[methods.dppl-mean]\nd_min = [[1]]")
    (folder / "nested.toml").write_text(nested)
    assert status_of(HOSTILE[number]) == 2
    error = capsys.readouterr().err
    assert error.count("\n") == 1 and "Traceback" not in error


def test_surrogates_in_a_file_name_reach_every_output(folder, capsys):
    name = "\udcff.npz"
    (folder / name).write_bytes((folder / "own.npz").read_bytes())
    run = ["--dataset", name, "--method", "dppl-mean", "--budget", "1"]
    assert status_of(["run", *run]) == 0
    assert status_of(["run", *run, "--json"]) == 0
    assert status_of(["release", *run, "--out", "\udcfe.npz"]) == 0
