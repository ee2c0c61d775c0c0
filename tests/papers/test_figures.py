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
    some = [
        dataclasses.replace(one, specs=one.specs[:seeds])
        for one in figure.settings["small"].cells()[:cells]
    ]
    setting = dataclasses.replace(figure.settings["small"], cells=lambda: some)
    return dataclasses.replace(figure, settings=figure.settings | {"small": setting})


def test_every_paper_has_a_figure():
    assert {figure.paper for figure in FIGURES.values()} == set(PAPERS)


@pytest.mark.parametrize("key", FIGURES)
def test_small_scale_needs_no_download(key):
    for one in FIGURES[key].settings["small"].cells():
        spec = one.specs[0]
        assert synthetic.is_synthetic(spec.dataset) or DATASETS[spec.dataset].state == "there"
        assert spec.encoder is None or spec.encoder in ENCODERS
        assert spec.public is None or DATASETS[spec.public].state == "there"


@pytest.mark.parametrize("key", FIGURES)
def test_places_are_told_apart(key):
    for setting in FIGURES[key].settings.values():
        places = [(one.panel, one.line, one.x) for one in setting.cells()]
        assert len(places) == len(set(places))
        assert setting.words and all(words.endswith(".") for words in setting.differs)


@pytest.mark.parametrize("key", FIGURES)
def test_printed_numbers_have_a_source_or_a_reason(key):
    figure = FIGURES[key]
    assert bool(figure.printed) != bool(figure.unprinted)
    assert all(one.place for one in figure.printed)
    if figure.share:
        assert all(0 <= one.value <= 1 for one in figure.printed)


def test_no_printed_number_is_of_an_unknown_figure():
    assert {key for key, _ in model._printed_rows()} <= set(FIGURES)


def test_printed_numbers_are_as_in_table_1():
    rows = {(one.panel, one.line, one.x): one for one in FIGURES["adamix-errors"].printed}
    assert rows["ε = 3", "AdaMix", "MIT-67"].value == 0.3303
    assert rows["ε = 1", "Fully-Private", "CUB-200"].page == "6"


def test_full_scale_has_the_places_that_are_printed():
    for figure in FIGURES.values():
        mine = {(one.panel, one.x) for one in figure.settings["full"].cells()}
        if mine and figure.key != "prom-pate-budgets":
            assert {(one.panel, one.x) for one in figure.printed} <= mine


def test_class_sizes_agree_with_table_1():
    done = computing.compute(FIGURES["beyond-class-sizes"], "full", quiet)
    mine = {(one.panel, one.line, one.x): one.mean for one in done.numbers}
    off = [
        one for one in done.figure.printed if abs(mine[one.panel, one.line, one.x] - one.value) >= 1
    ]
    assert len(mine) == len(done.figure.printed) == 32 and len(off) <= 2


def test_unknown_figure_is_refused():
    with pytest.raises(DpvizError, match="no figure 'dppl'.*--list"):
        figures.get("dppl")


def test_computed_numbers_carry_their_guarantee():
    done = computing.compute(few("dppl-imbalance"), "small", quiet)
    assert [one.x for one in done.numbers] == [0.1, 0.3]
    assert all(one.guarantee and one.guarantee.rho <= one.x**2 / 2 for one in done.numbers)
    assert all(0 <= one.low <= one.mean <= one.high <= 1 for one in done.numbers)


def test_errors_are_drawn_where_the_paper_has_errors():
    error = computing.compute(few("adamix-errors"), "small", quiet).numbers[0]
    right = dataclasses.replace(few("adamix-errors"), wrong=False)
    accuracy = computing.compute(right, "small", quiet).numbers[0]
    assert error.mean == pytest.approx(1 - accuracy.mean) and error.guarantee is None


def test_missing_data_are_left_out_with_a_sentence(monkeypatch):
    figure = few("dppl-imbalance")
    cells = figure.settings["small"].cells()
    away = dataclasses.replace(cells[0].specs[0], dataset="cub200", public="held-aside")
    gone = dataclasses.replace(cells[0], line="gone", specs=(away,))
    setting = dataclasses.replace(figure.settings["small"], cells=lambda: [gone, *cells])
    some = dataclasses.replace(figure, settings=figure.settings | {"small": setting})
    done = computing.compute(some, "small", quiet)
    assert len(done.numbers) == 2 and "CUB_200_2011.tgz" in done.missing[0]
    assert "CUB" in reproduction_report.report(done)


def test_no_data_at_all_is_refused_with_the_way_to_get_them():
    figure = FIGURES["adamix-budgets"]
    with pytest.raises(DpvizError, match="MIT-67.*put it in"):
        computing.compute(figure, "full", quiet)


@pytest.mark.parametrize("key", ["dppl-encoders", "collapse-shift", "collapse-synthetic"])
def test_encoder_is_refused_where_it_cannot_replace(key):
    with pytest.raises(DpvizError, match="leave --encoder out"):
        computing.compute(FIGURES[key], "small", quiet, "glyphnet")


def test_report_says_setting_differences_numbers_and_guarantees():
    done = computing.compute(few("prom-pate-budgets", cells=1), "small", quiet)
    text = reproduction_report.report(done)
    for part in ("100 teachers", "depends on the votes", "99.17%", "page 6", "Gaussian DP, μ"):
        assert part in text
    rows = reproduction_report.table(done).splitlines()
    assert len(rows) == 1 + 1 + 13 and rows[1].split(",")[1] == "computed"


def test_picture_needs_no_network():
    done = computing.compute(FIGURES["beyond-class-sizes"], "small", quiet)
    page = reproduction_report.picture(done)
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
        known = set(re.findall(r"(?:Figure|Table) \d+", places)) | set(ranges)
        claimed = {
            found
            for claim in papers.claims(paper)
            for found in re.findall(r"(?:Figure|Table) \d+", claim.place)
        }
        assert claimed <= known
    assert all(key in listed for key in FIGURES)


def test_named_claims_of_the_list_exist():
    keys = {claim.key for claim in papers.claims()}
    named = re.findall(r"--claim ([\w.-]+)`", "\n".join(coverage.lines()))
    assert named and set(named) <= keys


def test_budgets_of_full_scale_are_the_papers():
    budgets = {
        one.specs[0].budget
        for one in FIGURES["adamix-errors"].settings["full"].cells()
        if one.specs[0].budget.private
    }
    assert budgets == {Budget(1.0), Budget(3.0)}
    ratios = {one.specs[0].ir for one in FIGURES["dppl-imbalance"].settings["full"].cells()}
    assert ratios == {1, 10, 50, 100} and not math.isnan(sum(ratios))
