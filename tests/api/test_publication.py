"""Figures and tables for papers."""

import csv
import io

import pytest

import dpviz
from dpviz import DpvizError, publication
from dpviz.cli import main
from dpviz.results import Results
from tests.api.test_estimators import blobs


@pytest.fixture(scope="module")
def results():
    x, y = blobs()
    data = dpviz.Dataset.from_arrays(x, y, *blobs(90, seed=1))
    specs = dpviz.grid(["dppl-mean", "noisy-gd"], data, [0.3, 3], range(2))
    return dpviz.sweep([*specs, dpviz.spec("class-mean", data)])


@pytest.mark.parametrize(("kind", "start"), [("pdf", b"%PDF"), ("svg", b"<?xml")])
def test_figure_is_a_vector_file_and_repeats(results, kind, start):
    first, second = (publication.file(results, kind) for _ in range(2))
    assert first.startswith(start) and first == second and b"<image" not in first
    if kind == "svg":
        text = first.decode()
        assert "Privacy budget" in text and "Balanced accuracy (%)" in text and "dpviz 0" in text
        assert 'width="241.2pt"' in text  # 3.35 inches


def test_latex_table_has_row_per_method_and_states_guarantee(results):
    table = results.to_latex("minority")
    assert "\\toprule" in table and table.count("\\\\") == 4
    assert "$\\pm$" in table and "add or remove one record" in table.splitlines()[0]
    assert "$\\infty$" in table and " -- " in table


def test_csv_has_interval_number_and_notion(results):
    rows = list(csv.DictReader(io.StringIO(publication.file(results, "csv").decode())))
    assert len(rows) == 5 and {"mean", "low", "high", "n", "notion", "delta"} <= set(rows[0])
    assert all(float(r["low"]) <= float(r["mean"]) <= float(r["high"]) for r in rows)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("png",), "Format must be one of"),
        (("pdf", "f1"), "Metric must be one of"),
        (("pdf", "balanced", "wide"), "Width must be one of"),
    ],
)
def test_other_kinds_are_a_sentence(results, arguments, message):
    with pytest.raises(DpvizError, match=message):
        publication.file(results, *arguments)


def test_no_results_are_a_sentence():
    with pytest.raises(DpvizError, match="one data set"):
        publication.file([], "pdf")
    with pytest.raises(DpvizError, match="one data set"):
        Results().plot()


def test_command_writes_table_of_sweep(tmp_path, capsys):
    (tmp_path / "s.toml").write_text(
        'dataset = "uci-digits"\nencoder = "glyphnet"\nbudgets = [1]\nseeds = 2\n'
        "[methods.dppl-mean]\n"
    )
    out = tmp_path / "t.tex"
    assert main(["figure", str(tmp_path / "s.toml"), "--out", str(out)]) == 0
    assert "DPPL-Mean" in out.read_text() and "2 runs" in capsys.readouterr().out
    assert main(["figure", str(tmp_path / "s.toml"), "--out", str(tmp_path / "t.png")]) == 2
