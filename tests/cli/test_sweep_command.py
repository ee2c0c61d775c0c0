"""``dpviz sweep``: invalid cells, strict mode, and progress without a terminal."""

import csv
import io
from contextlib import ExitStack

import pytest

from dpviz.cli import main, output
from dpviz.experiments import experiment, outside_results, sweep_files
from tests.kit.full_disk import full_disk
from tests.kit.toys import content, labelled_content


@pytest.fixture
def sweep(tmp_path):
    """``sweep(text, *options)`` runs a sweep of own features: status and rows of the CSV."""
    (tmp_path / "own.npz").write_bytes(content())

    def run(text, *options):
        spec, out = tmp_path / "sweep.toml", tmp_path / "out.csv"
        out.unlink(missing_ok=True)
        spec.write_text(text.format(data=tmp_path / "own.npz"))
        status = main(["sweep", str(spec), "--out", str(out), *options])
        return status, list(csv.DictReader(io.StringIO(out.read_text()))) if out.exists() else []

    return run


BUDGETS = 'dataset = "{data}"\nbudgets = [1, -1, 0.5]\nmethods = ["dppl-mean", "class-mean"]\n'
HUGE = BUDGETS.replace("-1", "1e20")
WINDOWS = 'dataset = "{data}"\nbudgets = [1]\nseeds = 2\n[methods.dppl-public]\nd_min = [1.2, -7]\n'


@pytest.mark.parametrize("text, valid, invalid", [(BUDGETS, 4, 2), (HUGE, 4, 2), (WINDOWS, 2, 2)])
def test_sweep_skips_invalid_cells(sweep, capsys, text, valid, invalid):
    status, rows = sweep(text)
    said = capsys.readouterr()
    assert status == 0 and len(rows) == valid
    assert f"{invalid} invalid cells skipped" in said.out
    assert f"Skipped {invalid} invalid cells: " in said.err


@pytest.mark.parametrize("text", [BUDGETS, WINDOWS])
def test_strict_sweep_refuses_invalid_cells(sweep, capsys, monkeypatch, text):
    monkeypatch.setattr(experiment, "compute", lambda *_: pytest.fail("a cell was computed"))
    assert sweep(text, "--strict") == (2, [])
    assert capsys.readouterr().err.count("\n") == 1


def test_sweep_without_valid_cell_is_refused(sweep, capsys):
    assert sweep(BUDGETS.replace("[1, -1, 0.5]", "[-1, 0]")) == (2, [])
    assert "got -1." in capsys.readouterr().err


def test_parse_without_counter_refuses_invalid_cells():
    text = BUDGETS.format(data="own.npz")
    with pytest.raises(ValueError, match="got -1."):
        sweep_files.parse(text, "it")


def test_progress_without_terminal_prints_lines(sweep, capsys, monkeypatch):
    monkeypatch.setattr(output, "LINE_INTERVAL", 0.0)
    assert sweep(BUDGETS)[0] == 0
    lines = capsys.readouterr().err.splitlines()
    assert any(line.endswith("of 4") for line in lines)
    monkeypatch.setattr(output, "LINE_INTERVAL", 60.0)
    assert sweep(BUDGETS)[0] == 0
    assert not any(line.endswith("of 4") for line in capsys.readouterr().err.splitlines())


@pytest.mark.parametrize("command", ["sweep", "explorable"])
@pytest.mark.parametrize("link", [None, "symlink_to", "hardlink_to"])
def test_specification_is_not_overwritten(tmp_path, capsys, command, link):
    spec, out = tmp_path / "spec.toml", tmp_path / ("out" if link else "spec.toml")
    spec.write_text('lesson = "none"')
    if link:
        getattr(out, link)(spec)
    assert main([command, str(spec), "--out", str(out)]) == 2
    assert "is an input of this command. Give --out another name." in capsys.readouterr().err
    assert spec.read_text() == 'lesson = "none"'


def test_sweep_data_are_not_overwritten(sweep, tmp_path, capsys):
    sweep(BUDGETS)
    data = tmp_path / "own.npz"
    before = data.read_bytes()
    assert main(["sweep", str(tmp_path / "sweep.toml"), "--out", str(data)]) == 2
    assert "is an input of this command. Give --out another name." in capsys.readouterr().err
    assert data.read_bytes() == before


@pytest.mark.parametrize("command", ["sweep", "explorable"])
@pytest.mark.parametrize("target", ["nowhere", "out.csv"])
def test_output_to_broken_link_is_refused(tmp_path, capsys, command, target):
    (spec := tmp_path / "spec.toml").write_text('lesson = "none"')
    (tmp_path / "out.csv").symlink_to(target)
    assert main([command, str(spec), "--out", str(tmp_path / "out.csv")]) == 2
    assert "out.csv' is a symbolic link. Give --out its target." in capsys.readouterr().err


def test_full_disk_at_end_suggests_another_output(sweep, capsys, monkeypatch):
    compute = experiment.sweep
    with ExitStack() as disk:

        def computed(*args, **options):
            results = compute(*args, **options)
            disk.enter_context(full_disk(100))
            return results

        monkeypatch.setattr(experiment, "sweep", computed)
        assert sweep(BUDGETS) == (2, [])
    said = capsys.readouterr().err.splitlines()[-1]
    assert said.endswith("out.csv (File too large). Give --out another name.")


def test_longest_sweep_file_is_listed_and_forgotten(sweep):
    comment = "# " + "é" * (sweep_files.MAX_FILE_BYTES // 2 - 200)
    assert sweep(BUDGETS + comment)[0] == 0
    (status,) = sweep_files.statuses()
    assert status.state == "finished" and status.text.endswith(comment)
    sweep_files.forget(status.key)
    assert not sweep_files.statuses()


def test_sweep_prints_intervals_that_cover_data_draws(sweep, capsys):
    text = 'dataset = "{data}"\nir = 5\nbudgets = [1]\nseeds = 2\nmethods = ["dppl-mean"]\n'
    status, rows = sweep(text, "--draws", "3")
    said = capsys.readouterr().out
    assert status == 0 and [row["draw"] for row in rows] == ["0", "0", "1", "1", "2", "2"]
    assert "3 data draws and 2 noise seeds:" in said and "(95% interval)" in said
    assert "Private view, not covered by the guarantee" in said and "imbalance ratio: 5.0" in said
    assert all(row["private_view.ratio_reached"] == "5.0" for row in rows)
    status, rows = sweep(text)
    assert status == 0 and len(rows) == 2 and "draws" not in capsys.readouterr().out


def test_sweep_refuses_invalid_number_of_draws(sweep, capsys):
    assert sweep(BUDGETS, "--draws", "0") == (2, [])
    assert "Data draws" in capsys.readouterr().err


OUTSIDE = "method,notion,budget,delta,seed,accuracy\nmine,zcdp,0.5,,0,0.75\n"


def test_sweep_adds_and_exports_outside_results(sweep, tmp_path):
    lab, back = tmp_path / "lab.csv", tmp_path / "back.csv"
    lab.write_text(OUTSIDE)
    status, rows = sweep(BUDGETS, "--with", str(lab), "--results", str(back))
    assert status == 0 and len(rows) == 4 + 1
    assert rows[-1]["method"] == "mine" and rows[-1]["overall"] == "0.75"
    assert rows[-1]["source"] == "external result from lab.csv"
    again = outside_results.read(back).rows
    assert [one.method for one in again] == ["dppl-mean"] * 2 + ["mine"]


def test_sweep_refuses_bad_results_before_computing(sweep, tmp_path, capsys):
    lab = tmp_path / "lab.csv"
    lab.write_text(OUTSIDE.replace("0.75", "75"))
    status, rows = sweep(BUDGETS, "--with", str(lab))
    assert status == 2 and not rows
    assert "accuracy in line 2" in capsys.readouterr().err
    assert sweep(BUDGETS, "--with", str(tmp_path / "none.csv"))[0] == 2
    assert "Cannot read" in capsys.readouterr().err


def test_run_prints_public_only_accuracy(tmp_path, capsys):
    (tmp_path / "own.npz").write_bytes(labelled_content())
    given = ["run", "--dataset", str(tmp_path / "own.npz"), "--method", "dppl-mean"]
    assert main([*given, "--budget", "1", "--seeds", "3"]) == 0
    line = capsys.readouterr().out.strip().splitlines()[-1]
    assert line.startswith("Public images alone, IR 1: ") and "DPPL-Mean at (1, 1e-5)-DP" in line
    assert "significant" in line
    assert main([*given, "--budget", "1", "--json"]) == 0
    assert "Public images alone" not in capsys.readouterr().out
