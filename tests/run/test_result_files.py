"""CSV files: what a stranger called something is text to a spreadsheet, and numbers are numbers."""

import csv
import io
from pathlib import Path

import pandas as pd
import pytest

import dpviz
from dpviz.run import result_files

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
def test_no_text_is_a_formula(formula):
    head, cells = read(result_files.rows_as_csv([{formula: formula}]))
    assert head == cells == [f"'{formula}"]


def test_numbers_and_names_stay_as_they_are():
    rows = [{"a": value} for value in (*NUMBERS, "ant", "a=b", "")]
    text = result_files.rows_as_csv([*rows, {"b": 1}])
    told = ["" if value is None else str(value) for value in (*NUMBERS, "ant", "a=b", "")]
    assert read(text) == [["a", "b"], *([cell, ""] for cell in told), ["", "1"]]
    back = pd.read_csv(io.StringIO(result_files.rows_as_csv([{"x": -0.5}, {"x": 0.1 + 0.2}])))
    assert list(back.x) == [-0.5, 0.1 + 0.2]


def test_every_csv_is_written_here():
    others = [
        path.name
        for path in Path(dpviz.__file__).parent.rglob("*.py")
        if "to_csv(" in path.read_text() or "csv.writer(" in path.read_text()
    ]
    assert others == ["result_files.py"]
