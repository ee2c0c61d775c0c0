"""``studies``: an Optuna storage."""

import csv

from dpviz.cli import main
from tests.kit.storages import storage


def test_studies_are_listed_printed_and_written(tmp_path, capsys):
    path, out = tmp_path / "o.db", tmp_path / "t.csv"
    path.write_bytes(storage())
    assert main(["studies", f"sqlite:///{path}"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "first: 3 trials, 2 complete, minimize, best 0.25" and len(lines) == 3
    assert main(["studies", str(path), "--study", "first"]) == 0
    printed = capsys.readouterr().out
    assert main(["studies", str(path), "--study", "first", "--out", str(out)]) == 0
    assert "3 trials written to" in capsys.readouterr().out
    rows = list(csv.DictReader(out.read_text().splitlines()))
    assert rows == list(csv.DictReader(printed.splitlines())) and rows[1]["x (setting)"] == "0.2"


def test_bad_studies_get_one_sentence(tmp_path, capsys):
    path = tmp_path / "o.db"
    path.write_bytes(storage())
    for words, reason in (
        ([str(path), "--study", "none"], "has no study none. Studies: first, second and two goals"),
        ([str(path), "--out", "t.csv"], "--out needs --study"),
        ([str(path), "--study", "first", "--out", str(path)], "o.db"),
        (["nowhere.db"], "Cannot read nowhere.db"),
    ):
        assert main(["studies", *words]) == 2
        said = capsys.readouterr().err
        assert reason in said and len(said.splitlines()) == 1
    assert path.read_bytes() == storage()
