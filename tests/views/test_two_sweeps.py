"""Two sweeps joined on shared settings."""

import base64
from dataclasses import replace

import numpy as np

from dpviz.stats import difference
from dpviz.types import Budget, Hits
from dpviz.views import run_table
from dpviz.views.two_sweeps import TwoSweeps
from tests.kit.charts import results


def changed(runs, gain=0.0, **spec):
    """The same runs with other settings, and so much more accurate."""
    return [
        replace(
            run,
            spec=replace(run.spec, **spec),
            scores=replace(run.scores, balanced=run.scores.balanced + gain),
        )
        for run in runs
    ]


def joined(first, second, metric="balanced"):
    return TwoSweeps.from_rows(run_table.rows(first), run_table.rows(second), metric)


def test_rows_with_same_settings_are_joined():
    two = joined(results(), changed(results()[2:6], 0.1))
    assert len(two.pairs) == 2 and two.unmatched == (3, 0) and not two.constants
    assert all(a.spec == b.spec for a, b in two.pairs)
    table = two.table()
    assert [(row["Method"], row["Budget ε"]) for row in table] == [
        ("DPPL-Mean", "1"),
        ("Private linear probe", "0.1"),
    ]
    gap = difference(*(side.score("balanced") for side in two.pairs[0]))
    assert table[0]["B − A"] == f"+{100 * gap.gap:.0f} ± {100 * gap.half:.0f} points"
    assert table[0]["A: All classes"].startswith("61% (") and gap.half > 0
    assert "2 shared settings; 3 more rows in A, 0 more rows in B" in two.caption()


def test_equal_runs_are_the_same():
    assert {row["Significant"] for row in joined(results(), results()).table()} == {"the same"}


def test_settings_that_differ_throughout_are_named_not_joined_on():
    two = joined(results(), changed(results(), records=50))
    assert len(two.pairs) == 5 and set(two.constants) == {("", "records")}
    assert "Images per class all → 50" in two.caption()
    params = [(("clip", clip), ("k_pool", 1)) for clip in (1.0, 0.5)]
    mean = results()[:4]
    two = joined(changed(mean, params=params[0]), changed(mean, params=params[1]))
    assert len(two.pairs) == 2 and set(two.constants) == {("dppl-mean", "clip")}
    assert "DPPL\\-Mean\\: clip 1 → 0\\.5" in two.caption()
    assert {row["Settings"] for row in two.table()} == {"defaults"}


def test_setting_that_varies_in_one_sweep_is_joined_on():
    several = [*results(), *changed(results(), ir=1.0)]
    two = joined(several, results())
    assert len(two.pairs) == 5 and two.unmatched == (5, 0) and not two.constants
    assert "Imbalance ratio" not in two.table()[0], "the joined rows have one ratio"
    assert "Imbalance ratio" in joined(several, several).table()[0]


def test_budgets_in_other_units_are_not_joined():
    other = [
        replace(run, spec=replace(run.spec, budget=Budget(run.spec.budget.value, "zcdp")))
        for run in results()
    ]
    two = joined(results(), other)
    assert [row.spec.method for row, _ in two.pairs] == ["class-mean"]
    assert not joined(results()[:4], other).pairs


def test_images_of_other_data_are_not_paired():
    rng = np.random.default_rng(0)
    bits = rng.random(400) < 0.5
    hits = Hits(base64.b64encode(np.packbits(bits).tobytes()).decode(), (100,) * 4, (2,))
    runs = [replace(run, scores=replace(run.scores, hits=hits)) for run in results()[:2]]
    [row] = run_table.rows(runs)
    [other] = run_table.rows(changed(runs, dataset="other"))
    [later] = run_table.rows(changed(runs, draw=1))
    [same] = run_table.rows(changed(runs, records=5))
    paired = run_table.gap(row, same, "balanced").half
    assert run_table.gap(row, other, "balanced").half > 1.2 * paired
    assert run_table.gap(row, later, "balanced").half > 1.2 * paired
    assert run_table.gap(row, other, "balanced").half < 2 * paired + 0.1
