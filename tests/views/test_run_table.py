"""Rows of a sweep: columns, filters, best per group, difference of two rows, links."""

import math
from dataclasses import replace
from urllib.parse import parse_qs, urlsplit

import pytest

from dpviz.experiments.result_files import PRIVATE
from dpviz.stats import accuracy, difference
from dpviz.text import run_table as text
from dpviz.text import sweeps
from dpviz.types import Budget, RunSpec
from dpviz.views import run_links, run_table
from dpviz.views.run_table import RunTable
from tests.kit.charts import result, results


def table(metric="balanced", tags=()):
    """Two private methods at two budgets with two seeds, and one that is not private."""
    return RunTable.from_results(results(), metric, dict(tags))


def test_runs_of_one_setting_are_one_row():
    rows = table().rows
    assert [len(row.runs) for row in rows] == [2, 2, 2, 2, 1]
    again = run_table.rows([replace(r, spec=replace(r.spec, draw=1)) for r in results()])
    assert [row.key for row in again] == [row.key for row in rows], "seed and draw are no setting"
    assert len(run_table.rows([*results(), *(run for row in again for run in row.runs)])) == 5


def test_cells_have_numbers_of_chosen_columns():
    shown = table()
    cells = shown.cells([shown.rows[1]], shown.first_columns)[0]
    assert list(cells) == [
        *("Tag", "Method", "Settings", "Budget ε", "All classes, %"),
        *("All classes, 95% low", "All classes, 95% high", "Runs", "Best guess, %"),
    ]
    point = accuracy(shown.rows[1].runs, "balanced")
    assert (cells["Budget ε"], cells["Runs"]) == (1.0, 2)
    assert cells["All classes, %"] == round(100 * point.mean, 1) == 61.0
    assert math.isnan(shown.cells([shown.rows[4]], ("guess",))[0]["Best guess, %"])
    more = shown.cells([shown.rows[0]], ("seconds", "minority", "ir", "epsilon"))[0]
    assert more[f"{PRIVATE}.Seconds per run"] == 0.5 and more["Imbalance ratio"] == 10.0
    assert f"{PRIVATE}.Rare classes, %" in more and more["ε at δ = 1e-5"] == 0.1
    assert f"{PRIVATE}.Rare classes, %" in table("minority").cells([shown.rows[0]], ("mean",))[0]


def test_params_are_columns_and_settings():
    runs = [
        replace(run, spec=replace(run.spec, params=(("clip", clip), ("k_pool", 1))))
        for clip in (0.5, 1.0)
        for run in results()[:2]
    ]
    shown = RunTable.from_results(runs, "balanced", {})
    columns = ("settings", "param.clip", "param.k_pool")
    assert shown.cells([shown.rows[0]], columns)[0] == {
        "Tag": "",
        "Settings": "clip 0.5",
        "clip": 0.5,
        "k_pool": 1,
    }
    assert set(columns) <= set(shown.columns)


def test_data_settings_sort_as_numbers_unless_one_is_all():
    runs = [
        replace(run, spec=replace(run.spec, records=records))
        for records in (1000, 200)
        for run in results()[:2]
    ]
    cells = lambda *more: [
        row["Images per class"]
        for table in [RunTable.from_results([*runs, *more], "balanced", {})]
        for row in table.cells(table.rows, ("records",))
    ]
    assert cells() == [1000, 200]
    assert cells(results()[0]) == ["1,000", "200", "all"]


def test_filters_join_values_of_a_column_and_narrow_across():
    shown = table()
    names = {title: name for name, title in shown.filters.items()}
    picked = lambda *titles: shown.filtered([names[title] for title in titles])
    assert len(picked()) == 5 and len(picked("Method: DPPL-Mean")) == 2
    assert len(picked("Method: DPPL-Mean", "Method: Private linear probe")) == 4
    [row] = picked("Method: DPPL-Mean", "Budget ε: 0.1")
    assert row is shown.rows[0]
    assert picked(f"Budget ε: {text.NO_BUDGET}") == [shown.rows[4]]
    assert not any(title.startswith("Imbalance") for title in names), "it has one value"


def test_best_per_group_ignores_rows_without_noise():
    shown = table()
    best = shown.best(shown.rows, ("budget",))
    assert [(row.spec.method, row.spec.budget.value, size) for row, size in best.items()] == [
        ("dppl-mean", 0.1, 2),
        ("dppl-mean", 1.0, 2),
    ]
    [(row, size)] = shown.best(shown.rows, ()).items()
    assert (row, size) == (shown.rows[1], 4)
    assert shown.cells([row], ("method",), {row: size})[0][text.BEST_OF] == 4
    assert list(shown.best(shown.rows[4:], ("budget",))) == [shown.rows[4]]


def test_best_is_by_the_chosen_score():
    runs = [result("dppl-mean", 1.0, 0, 0.6), result("noisy-gd", 1.0, 0, 0.5)]
    runs[1] = replace(runs[1], scores=replace(runs[1].scores, overall=0.9))
    best = lambda metric: [
        row.spec.method
        for row in RunTable.from_results(runs, metric, {}).best(run_table.rows(runs), ())
    ]
    assert (best("balanced"), best("overall")) == (["dppl-mean"], ["noisy-gd"])


def test_tags_are_a_column_and_a_filter():
    first = table().rows[0]
    shown = table(tags={first.key: "keep"})
    assert shown.cells([shown.rows[0]], ("method",))[0] == {"Tag": "keep", "Method": "DPPL-Mean"}
    assert shown.cells([shown.rows[1]], ("method",))[0]["Tag"] == ""
    names = {title: name for name, title in shown.filters.items()}
    assert shown.filtered([names["Tag: keep"]]) == [shown.rows[0]]
    assert table().cells([first], ("method",))[0]["Tag"] == "", (
        "the column stays where no row is tagged"
    )


# ----------------------------------------------------------------------------------- two rows


def test_difference_lists_settings_and_scores_that_differ():
    shown = table()
    first, second = shown.rows[0], shown.rows[3]
    changed = {row["Setting or score"]: (row["A"], row["B"]) for row in
               run_table.changed_settings(first, second)}  # fmt: skip
    assert changed == {"Method": ("DPPL-Mean", "Private linear probe"), "Budget ε": ("0.1", "1")}
    scores = {row["Setting or score"]: row for row in run_table.changed_scores(first, second)}
    gap = difference(first.score("balanced"), second.score("balanced"))
    assert scores["All classes"]["B − A"] == f"+{100 * gap.gap:.0f} ± {100 * gap.half:.0f} points"
    assert gap.half > 0 and "(" in scores["All classes"]["A"]
    assert list(scores) == ["Rare classes", "All classes", "All images"]


def test_difference_of_equal_rows_is_not_significant():
    shown = table()
    assert not run_table.changed_settings(shown.rows[0], shown.rows[0])
    for row in run_table.changed_scores(shown.rows[0], shown.rows[0]):
        assert row["Significant"] == "the same"


def test_difference_of_guarantees_is_exact():
    shown = table()
    [other] = run_table.rows(
        [replace(run, guarantee=replace(run.guarantee, value=0.6)) for run in shown.rows[1].runs]
    )
    row = run_table.changed_scores(shown.rows[0], other)[-1]
    assert row["Setting or score"] == text.GUESS and row["Significant"] == text.EXACT
    assert row["B − A"] == "+6 points"


# --------------------------------------------------------------------------------------- links


def link(**spec):
    given = {"dataset": "mnist5k", "encoder": "glyphnet", "method": "dppl-mean"}
    address = run_links.trade_off([RunSpec(**given | {"budget": Budget(1.0)} | spec)])
    page, query = urlsplit(address).path, parse_qs(urlsplit(address).query)
    assert page == "trade-off"
    return {name: values[0] for name, values in query.items()}


def test_link_has_settings_of_the_row():
    found = link(
        ir=50.0, records=200, unit="person", per_person=5, features="centre=yes,pca=9",
        budget=Budget(0.3, "zcdp"), params=(("clip", 0.5), ("k_pool", 1)), seed=7,
    )  # fmt: skip
    wanted = {"data": "mnist5k", "enc": "glyphnet", "ir": "50", "records": "200", "k": "5"}
    wanted |= {"unit": "person", "axis": "zcdp", "eps": "0.3", "m": "dppl-mean", "seed": "7"}
    wanted |= {"dppl-mean.clip": "0.5", "f.centre": "yes", "f.pca": "9", "n": "1"}
    assert wanted.items() <= found.items() and "dppl-mean.k_pool" not in found


@pytest.mark.parametrize(
    "spec, wanted",
    [
        ({"dataset": "cache/uploads/own-" + "a" * 20 + ".npz", "encoder": None}, "own-" + "a" * 20),
        ({"dataset": "etf:beta=0.1", "encoder": None}, "etf"),
    ],
)
def test_link_names_uploads_and_synthetic_data(spec, wanted):
    found = link(**spec)
    assert found["data"] == wanted and "enc" not in found
    assert found.get("etf.beta") == ("0.1" if wanted == "etf" else None)


def test_link_covers_seeds_and_draws_up_to_the_limits():
    specs = [
        RunSpec("mnist5k", None, "class-mean", Budget(math.inf), seed=seed, draw=draw)
        for seed in range(3, 40)
        for draw in (0, 1)
    ]
    found = parse_qs(urlsplit(run_links.trade_off(specs)).query)
    assert (found["seed"], found["n"], found["draws"]) == (["3"], ["20"], ["2"])
    assert "eps" not in found, "no noise has no budget"
    assert sweeps.LABELS["draw"] not in run_table.FACTS
