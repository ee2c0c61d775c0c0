"""CSV files: what a stranger called something is text to a spreadsheet, and numbers are numbers."""

import csv
import dataclasses
import hashlib
import io
from pathlib import Path

import pandas as pd
import pytest

import dpviz
from dpviz.data import uploads
from dpviz.experiments import experiment, reproduce, result_files
from dpviz.types import Budget, RunSpec
from tests.kit.own_files import with_paths

FORMULAS = (
    "=1+1",
    "+1+1",
    "-1+1",
    "@SUM(A1)",
    "\t=1",
    "\r=1",
    "\n=1",
    "  =1",
    "＝1",
    '=HYPERLINK("x")',
)
NUMBERS = ("-0.5", "+1", "-inf", "-1e-05", -0.5, -1, float("-inf"), 0, None, True)


def read(text):
    return list(csv.reader(io.StringIO(text, newline="")))


@pytest.mark.parametrize("formula", FORMULAS)
def test_text_cells_are_never_formulas(formula):
    head, cells = read(result_files.rows_as_csv([{formula: formula}]))
    assert head == cells == [f"'{formula}"]


def test_numbers_and_names_are_written_unchanged():
    rows = [{"a": value} for value in (*NUMBERS, "ant", "a=b", "")]
    text = result_files.rows_as_csv([*rows, {"b": 1}])
    told = ["" if value is None else str(value) for value in (*NUMBERS, "ant", "a=b", "")]
    assert read(text) == [["a", "b"], *([cell, ""] for cell in told), ["", "1"]]
    back = pd.read_csv(io.StringIO(result_files.rows_as_csv([{"x": -0.5}, {"x": 0.1 + 0.2}])))
    assert list(back.x) == [-0.5, 0.1 + 0.2]


def test_csv_is_written_in_one_module():
    others = [
        path.name
        for path in Path(dpviz.__file__).parent.rglob("*.py")
        if "to_csv(" in path.read_text() or "csv.writer(" in path.read_text()
    ]
    assert others == ["result_files.py"]


def test_csv_of_results_works_with_pandas_groupby(own):
    result = experiment.run(spec_of(own))
    frame = pd.read_csv(io.StringIO(result_files.as_csv([result, result])))
    assert "axis" not in frame.columns
    means = frame.groupby(["method", "budget", "budget_axis"], as_index=False).balanced.mean()
    assert means.budget_axis[0] == "approx" and means.balanced[0] == result.scores.balanced


def spec_of(own):
    """One run on an upload."""
    return RunSpec(uploads.display_path(uploads.path(own)), None, "class-mean", Budget(1.0))


def test_files_of_an_upload_hold_a_placeholder(own):
    digits = hashlib.sha256(uploads.path(own).read_bytes()).hexdigest()
    result = experiment.run(spec_of(own))
    written = result_files.as_csv([result]) + str(result_files.as_json(result))
    assert written.count(f"YOUR_FILE-sha256-{digits[:8]}.npz") == 2
    assert own not in written and str(uploads.folder()) not in written
    code = f"{reproduce.run_command(result.spec)}\n{reproduce.python(result.spec)}"
    portable = uploads.without_paths(code)
    assert own in code and own not in portable and "uploads" not in portable
    assert with_paths(portable).count(str(uploads.path(own))) == 2


def test_row_states_unit_start_and_held_out_images(own):
    result = experiment.run(spec_of(own))
    row, given = result_files.row(result), result.guarantee
    assert row["protected_unit"] == given.unit == "one record = one row of the file"
    assert (row["adjacency"], row["starts"]) == (given.adjacency, given.starts)
    assert (row["held_aside"], row["defaults"]) == (0, given.defaults)
    assert "schedule" not in row


def test_row_has_steps_if_the_budget_fixes_them(own):
    result = experiment.run(spec_of(own))
    told = "The budget pays for 44,630 steps at σ = 20; 5,000 were run at σ = 6.694."
    promise = dataclasses.replace(result.guarantee, schedule=told)
    assert result_files.row(dataclasses.replace(result, guarantee=promise))["schedule"] == told
