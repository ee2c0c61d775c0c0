"""Figures of the papers: their tables, their printed numbers, what is computed and refused."""

import dataclasses
import math
import re

import pytest

from dpviz import papers
from dpviz.data import DATASETS, synthetic
from dpviz.encoders import ENCODERS
from dpviz.papers import figures
from dpviz.papers.figures import FIGURES, computing, coverage, model
from dpviz.papers.model import PAPERS
from dpviz.types import Budget, DpvizError
from dpviz.views import reproduction_report


def quiet(*stage):
    return None


def few(key, seeds=1, cells=2):
    """A figure with a few cells of its small scale."""
    figure = FIGURES[key]
    items = [
        dataclasses.replace(first, specs=first.specs[:seeds])
        for first in figure.settings["small"].cells()[:cells]
    ]
    setting = dataclasses.replace(figure.settings["small"], cells=lambda: items)
    return dataclasses.replace(figure, settings=figure.settings | {"small": setting})


def test_every_paper_has_a_figure():
    assert {figure.paper for figure in FIGURES.values()} == set(PAPERS)


@pytest.mark.parametrize("key", FIGURES)
def test_small_scale_needs_no_download(key):
    for first in FIGURES[key].settings["small"].cells():
        spec = first.specs[0]
        assert synthetic.is_synthetic(spec.dataset) or DATASETS[spec.dataset].state == "there"
        assert spec.encoder is None or spec.encoder in ENCODERS
        assert spec.public is None or DATASETS[spec.public].state == "there"


@pytest.mark.parametrize("key", FIGURES)
def test_places_are_distinct(key):
    for setting in FIGURES[key].settings.values():
        places = [(first.panel, first.line, first.x) for first in setting.cells()]
        assert len(places) == len(set(places))
        assert setting.words and all(words.endswith(".") for words in setting.differs)


@pytest.mark.parametrize("key", FIGURES)
def test_printed_numbers_have_a_source_or_a_reason(key):
    figure = FIGURES[key]
    assert bool(figure.printed) != bool(figure.unprinted)
    assert all(first.place for first in figure.printed)
    if figure.share:
        assert all(0 <= first.value <= 1 for first in figure.printed)


def test_printed_numbers_belong_to_known_figures():
    assert {key for key, _ in model._printed_rows()} <= set(FIGURES)


def test_printed_numbers_match_table_1():
    rows = {(first.panel, first.line, first.x): first for first in FIGURES["adamix-errors"].printed}
    assert rows["ε = 3", "AdaMix", "MIT-67"].value == 0.3303
    assert rows["ε = 1", "Fully-Private", "CUB-200"].page == "6"


def test_full_scale_covers_printed_places():
    for figure in FIGURES.values():
        own_values = {(first.panel, first.x) for first in figure.settings["full"].cells()}
        if own_values and figure.key != "prom-pate-budgets":
            assert {(first.panel, first.x) for first in figure.printed} <= own_values


def test_class_sizes_match_table_1():
    completed = computing.compute(FIGURES["beyond-class-sizes"], "full", quiet)
    own_values = {(first.panel, first.line, first.x): first.mean for first in completed.numbers}
    deviation = [
        first
        for first in completed.figure.printed
        if abs(own_values[first.panel, first.line, first.x] - first.value) >= 1
    ]
    assert len(own_values) == len(completed.figure.printed) == 32 and len(deviation) <= 2


def test_unknown_figure_is_refused():
    with pytest.raises(DpvizError, match="no figure 'dppl'.*--list"):
        figures.get("dppl")


def test_computed_numbers_carry_their_guarantee():
    completed = computing.compute(few("dppl-imbalance"), "small", quiet)
    assert [first.x for first in completed.numbers] == [0.1, 0.3]
    assert all(
        first.guarantee and first.guarantee.rho <= first.x**2 / 2 for first in completed.numbers
    )
    assert all(0 <= first.low <= first.mean <= first.high <= 1 for first in completed.numbers)


def test_errors_are_plotted_where_paper_plots_errors():
    error = computing.compute(few("adamix-errors"), "small", quiet).numbers[0]
    right = dataclasses.replace(few("adamix-errors"), wrong=False)
    accuracy = computing.compute(right, "small", quiet).numbers[0]
    assert error.mean == pytest.approx(1 - accuracy.mean) and error.guarantee is None


def test_missing_data_are_skipped_with_message(monkeypatch):
    figure = few("dppl-imbalance")
    cells = figure.settings["small"].cells()
    away = dataclasses.replace(cells[0].specs[0], dataset="cub200", public="held-aside")
    gone = dataclasses.replace(cells[0], line="gone", specs=(away,))
    setting = dataclasses.replace(figure.settings["small"], cells=lambda: [gone, *cells])
    items = dataclasses.replace(figure, settings=figure.settings | {"small": setting})
    completed = computing.compute(items, "small", quiet)
    assert len(completed.numbers) == 2 and "CUB_200_2011.tgz" in completed.missing[0]
    assert "CUB" in reproduction_report.report(completed)


def test_figure_without_any_data_explains_download():
    figure = FIGURES["adamix-budgets"]
    with pytest.raises(DpvizError, match="MIT-67.*Put all files"):
        computing.compute(figure, "full", quiet)


@pytest.mark.parametrize("key", ["dppl-encoders", "collapse-shift", "collapse-synthetic"])
def test_irreplaceable_encoder_is_refused(key):
    with pytest.raises(DpvizError, match="leave --encoder out"):
        computing.compute(FIGURES[key], "small", quiet, "glyphnet")


def test_report_lists_setting_differences_numbers_and_guarantees():
    completed = computing.compute(few("prom-pate-budgets", cells=1), "small", quiet)
    text = reproduction_report.report(completed)
    for part in ("100 teachers", "depends on the votes", "99.17%", "page 6", "Gaussian DP, μ"):
        assert part in text
    rows = reproduction_report.table(completed).splitlines()
    assert len(rows) == 1 + 1 + 13 and rows[1].split(",")[1] == "computed"


def test_figure_page_needs_no_network():
    completed = computing.compute(FIGURES["beyond-class-sizes"], "small", quiet)
    page = reproduction_report.picture(completed)
    assert "Plotly" in page and not re.search(r"<script[^>]*src=|<link", page)


def test_every_figure_and_table_is_listed():
    listed = "\n".join(coverage.lines())
    for paper in PAPERS:
        own = [f.place for f in FIGURES.values() if f.paper == paper]
        places = " ".join([*own, *coverage.LEFT_OUT[paper]])
        ranges = [
            f"{kind} {n}"
            for kind, low, high in re.findall(r"(Figure|Table)s (\d+) to (\d+)", places)
            for n in range(int(low), int(high) + 1)
        ]
        names = set(re.findall(r"(?:Figure|Table) \d+", places)) | set(ranges)
        claimed = {
            result
            for claim in papers.claims(paper)
            for result in re.findall(r"(?:Figure|Table) \d+", claim.place)
        }
        assert claimed <= names
    assert all(key in listed for key in FIGURES)


def test_claims_named_in_list_exist():
    keys = {claim.key for claim in papers.claims()}
    names = re.findall(r"--claim ([\w.-]+)`", "\n".join(coverage.lines()))
    assert names and set(names) <= keys


def test_full_scale_budgets_match_papers():
    budgets = {
        first.specs[0].budget
        for first in FIGURES["adamix-errors"].settings["full"].cells()
        if first.specs[0].budget.private
    }
    assert budgets == {Budget(1.0), Budget(3.0)}
    ratios = {first.specs[0].ir for first in FIGURES["dppl-imbalance"].settings["full"].cells()}
    assert ratios == {1, 10, 50, 100} and not math.isnan(sum(ratios))
