from dataclasses import replace

import numpy as np

from dpviz.plots.setting_maps import SettingMap
from dpviz.stats import accuracy, difference, interval, not_best
from dpviz.text import experiments
from dpviz.text import maps as text
from dpviz.text.template import render_text
from dpviz.types import Budget
from dpviz.views import maps_page
from dpviz.views.maps_page import MapRequest, controls_at, fitting
from dpviz.views.page_config import PageConfig
from tests.kit.charts import result


def asked(kind="window", method="dppl-public", **params):
    changed = ((method, tuple(params.items())),) if params else ()
    view = PageConfig(
        "toy", None, ir=10, budget=Budget(1.0), first_seed=0, seeds=2, methods=(method,),
        params=changed,
    )  # fmt: skip
    return MapRequest(kind, view)


def test_cells_match_other_pages_and_include_current_settings():
    some = asked(d_min=1.25)
    assert 1.25 in some.axes[0].values and some.values(some.cell) == {"d_min": 1.25, "d_max": 1.9}
    assert dict(some.spec(some.cell).params) == {"d_min": 1.25}, "defaults are not written out"
    corner = len(some.axes[0].values) - 1, 0
    assert some.reason(corner) == text.EMPTY_RANGE
    assert not any(
        dict(spec.params).get("d_min", 1.3) >= dict(spec.params).get("d_max", 1.9)
        for group in some.groups.values()
        for spec in group
    )
    by_ratio = asked("ir")
    cell = by_ratio.axes[0].values.index(50.0), by_ratio.axes[1].values.index(2.0)
    spec = by_ratio.spec(cell)
    assert (spec.ir, spec.budget.value, spec.params) == (50.0, 2.0, ())
    assert "noisy-gd" in fitting("ir") and set(fitting("pool")) == {
        "dppl-mean", "dppl-mean-projected",
    }  # fmt: skip


def test_results_map_to_cells_and_best_is_named():
    some = asked("ir")
    ran = [
        replace(result("dppl-public", 1.0, seed, 0.5), spec=spec)
        for group in some.groups.values()
        for seed, spec in enumerate(group[:2])
    ]
    written_out = replace(ran[0].spec, params=(("d_max", 1.9), ("d_min", 1.3)))
    ran[0] = replace(ran[0], spec=written_out)
    cells = some.by_cell(ran)
    assert {len(runs) for runs in cells.values()} == {2}
    points = {cell: accuracy(runs, "balanced") for cell, runs in cells.items()}
    rows, columns = some.axes
    chart = SettingMap.from_points(
        rows.side(True), columns.side(True), "balanced", points, {}, some.cell
    )
    precise, plain = maps_page.answers(chart, some)
    said = {"method": "DPPL-Public", "low": 0.5, "high": 0.5, "at": text.ALL_BUDGETS}
    assert precise == text.ANSWERS["level_none"].fill(True, **said, group="all classes")
    assert plain == text.ANSWERS["level_none"].fill(False, **said, group="images")
    assert "**50% to 50%**" in precise and "**50 to 50 of 100**" in plain
    ends = {"runs": 2}
    title = text.CHART_TITLES["none worse"].fill(True, **ends)
    assert maps_page.chart_title(chart, some, True) == title
    titles = [tile.label for tile in maps_page.tiles(chart, cells[chart.best], None, False)]
    best = render_text(text.TILES["best"], cells=len(points))
    assert titles[0] == best and experiments.GUESS in titles


def scored(mean_of, spread=0.01):
    """A map of score ranges with three runs per cell."""
    some = asked()
    rows, columns = some.axes
    points = {
        (i, j): interval([mean_of(i, j) + step * spread for step in (-1, 0, 1)])
        for i in range(len(rows.values))
        for j in range(len(columns.values))
        if not some.reason((i, j))
    }
    return SettingMap.from_points(rows.side(True), columns.side(True), "balanced", points, {}), some


def test_title_states_clear_pattern_or_weakest_line():
    title = lambda *chart: maps_page.chart_title(*chart, False)
    rising = scored(lambda i, j: 0.5 + 0.05 * j)
    assert title(*rising) == (
        "Maximum scores from 1.7 are clearly better on average, but no setting clearly wins"
    )
    falling = scored(lambda i, j: 0.9 - 0.05 * i)
    assert title(*falling).startswith("Minimum scores up to 1.1 are clearly better")
    noisy = scored(lambda i, j: 0.4 if j == 0 else 0.5, spread=0.3)
    assert title(*noisy) == "No clear winner. Weakest column: maximum score 1.3 (40%)"
    answer = maps_page.answers(*noisy)[1].replace("\u00a0", " ").replace("\\", "")
    assert answer.startswith(
        "At ε = 1, no setting of DPPL-Public is clearly best. Half of the settings"
    )


def test_cell_sets_matching_trade_off_controls():
    assert controls_at(asked(), (0, 1)) == {"dppl-public.d_min": 0.9, "dppl-public.d_max": 1.4}
    values = controls_at(asked("ir"), (1, 0))
    assert values == {"ir": 5, "eps": 0.1} and isinstance(values["ir"], int)


def test_corrected_test_rarely_rejects_the_true_best():
    """42 equal settings, 200 times: the first is the best as much as any."""
    draws = np.random.default_rng(0).normal(0.5, 0.1, (200, 42, 5))
    points = [{at: interval(row.tolist()) for at, row in enumerate(one)} for one in draws]
    wrong = sum(0 in not_best(one)[1] for one in points)
    raw = sum(
        difference(one[0], one[max(one, key=lambda k: one[k].mean)]).p < 0.1 for one in points
    )
    assert wrong <= 20 < raw


def test_cells_significantly_below_public_images_are_named():
    low, high = interval([0.2, 0.21, 0.2]), interval([0.9, 0.91, 0.9])
    chart = SettingMap.from_points(
        *(*(axis.side(True) for axis in asked().axes), "balanced"), {(0, 0): low, (0, 1): high}, {}
    )
    marked = maps_page.with_public(chart, interval([0.7], noisy=False))
    assert marked.below_public == {(0, 0)} and "clearly worse" in maps_page.caption(marked, False)
    assert maps_page.with_public(chart, None) == chart
    assert "Hatched" not in maps_page.caption(chart, True)
