import itertools
import math
from dataclasses import replace

import pytest

from dpviz.experiments import sweep_files
from dpviz.stats import interval
from dpviz.types import Budget
from dpviz.views import panels, panels_in_words
from dpviz.views.page_config import EVEN_STOPS, STOPS, PageConfig
from dpviz.views.panels import GridRequest, PanelState, Side
from dpviz.views.panels_in_words import GridProgress
from tests.kit.charts import result

VIEW = PageConfig(
    "mnist5k", "glyphnet", ir=50, budget=Budget(1.0), first_seed=0, seeds=2,
    methods=("dppl-mean", "dppl-public", "class-mean"),
)  # fmt: skip


def grid(across=("ir", (1, 50)), down=("records", (100, 0)), view=VIEW):
    return GridRequest(view, Side(*across), Side(*down))


def runs(asked, at=lambda view: 0.5):
    """Two seeds of each private method of each panel, the second method five points lower."""
    return [
        PanelState([
            replace(result(key, b, seed, at(view) - 0.05 * m + seed / 100),
                    spec=view.spec(key, b, seed=seed))
            for m, key in enumerate(view.methods[:2]) for b in (0.1, 1.0) for seed in (0, 1)
        ])
        for view in asked.views
    ]  # fmt: skip


def test_panel_views_share_runs_with_other_pages():
    asked = grid()
    assert [(v.ir, v.records) for v in asked.views] == [(1, 100), (50, 100), (1, 0), (50, 0)]
    assert asked.titles[1] == "IR 50 · 100 per class" and asked.columns == 2
    assert asked.groups[3] == tuple(VIEW.groups()), "so that what is stored is found"
    chart = panels.chart_of(asked, runs(asked), "balanced")
    assert [panel.is_current for panel in chart.panels] == [False, False, False, True]
    assert grid(("method", ("dppl-mean",))).views[0].methods == ("dppl-mean", "class-mean")


def test_all_panels_get_first_curve_before_second_ones():
    asked = grid(view=replace(VIEW, even=True))
    runs = panels.all_runs(asked.groups)
    assert [group[0].method for group in runs] == [
        *["dppl-mean"] * 4, *["dppl-public"] * 4, *["class-mean"] * 4
    ]  # fmt: skip
    assert len({(group[0].ir, group[0].records) for group in runs[:4]}) == 4
    assert {spec.budget.value for spec in runs[0]} == set(EVEN_STOPS["approx"])


@pytest.mark.parametrize("axis", [axis for axis in STOPS if axis != "guess"])
def test_few_budgets_are_evenly_spaced_subset(axis):
    assert set(EVEN_STOPS[axis]) < set(STOPS[axis])
    assert (EVEN_STOPS[axis][0], EVEN_STOPS[axis][-1]) == (STOPS[axis][0], STOPS[axis][-1])
    steps = [math.log10(b / a) for a, b in itertools.pairwise(EVEN_STOPS[axis])]
    assert max(steps) - min(steps) < 0.05


def test_grid_starts_with_little_work():
    """Seconds, not minutes: a cell takes tens of milliseconds."""
    asked = grid(
        ("ir", panels.RATIOS), ("records", panels.RECORD_COUNTS), replace(VIEW, even=True, seeds=5)
    )
    assert len({spec for group in panels.all_runs(asked.groups) for spec in group}) < 450
    assert panels.first("ir", VIEW) == ("1", "10", "50")


def test_unavailable_panel_states_reason_and_is_not_run():
    asked = grid(("encoder", ("glyphnet", "vit-h14")), ("dataset", ("mnist5k", "cifar100")))
    there, no_weights, no_pictures, _ = asked.reasons
    assert there == "" and "vit" in no_weights and "Not on disk" in no_pictures
    assert [bool(groups) for groups in asked.groups] == [True, False, False, False]
    assert grid(("unit", ("picture", "person"))).reasons[1] == panels.NO_PERSONS


def test_other_data_use_their_encoder_unless_one_chosen():
    clothes = panels.CHANGES["dataset"](VIEW, "clothes")
    assert (clothes.encoder, clothes.public) == ("lite0-128", "clothes-public")
    chosen = replace(VIEW, encoder="scatter")
    assert panels.CHANGES["dataset"](chosen, "clothes").encoder == "scatter"


@pytest.mark.parametrize(
    "sides",
    [
        (("ir", (1, 50)), ("encoder", ("glyphnet", "scatter", "vit-h14"))),
        (("records", (100, 0)), ("dataset", ("mnist5k", "clothes"))),
        (("method", ("dppl-mean", "dppl-public")), ("ir", (10,))),
        (("unit", ("picture", "person")), ("dataset", ("clothes",))),
    ],
)
def test_grid_sweep_files_contain_exactly_its_runs(sides):
    asked = grid(*sides)
    wanted = {spec for group in panels.all_runs(asked.groups) for spec in group}
    texts = panels.tomls(asked).values()
    specs = {spec for text in texts for spec in sweep_files.parse(text, "grid.toml")}
    private = lambda some: {spec for spec in some if spec.method != "class-mean"}
    assert private(specs) == private(wanted)


def test_sentence_counts_leading_panels_and_names_extremes():
    asked = grid()
    chart = panels.chart_of(asked, runs(asked, lambda v: 0.9 if v.ir == 1 else 0.3), "balanced")
    said = panels_in_words.precise(chart, 1.0)
    assert "has the highest accuracy in **4 of 4 panels**" in said
    assert "ahead in 0 panels" in said, "two seeds show no significant difference"
    assert "**4 of 4 panels**" in panels_in_words.plain(chart, 1.0)
    empty = panels.chart_of(asked, [PanelState()] * 4, "balanced")
    assert panels_in_words.plain(empty, 1.0) == panels_in_words.text.NOTHING
    rows = panels_in_words.table(panels_in_words.ranks(chart, 1.0))
    assert rows[0]["panel"] == "IR 1 · 100 per class" and rows[0]["DPPL-Public"].endswith(" a")


def test_pending_grid_explains_time_and_faster_options():
    some = GridProgress(9, 2, 1584, 7, 5, {"scatter": 35008, "lite0-128": 30008})
    precise, plain = panels_in_words.progress_precise(some), panels_in_words.progress_plain(some)
    for said in (precise, plain):
        assert "2 of 9 panels" in said and "1,584 runs" in said and "*Stop*" in said
        assert "**35,008** with ScatterNet and **30,008** with EfficientNet\\-Lite0" in said
    quick = replace(some, seeds=1, embed={})
    for said in (panels_in_words.progress_precise(quick), panels_in_words.progress_plain(quick)):
        assert "embedded" not in said and "*Stop*" in said and "*Values*" in said


def sure(mean):
    """Ten runs that hardly differ."""
    return interval([mean + 0.001 * (k % 2) for k in range(10)])


def test_letters_group_methods_not_significantly_different():
    wide = interval([0.2, 0.8, 0.5, 0.4, 0.6])
    some = panels_in_words.ranked(
        {"one": {"a": sure(0.9), "b": sure(0.9), "c": sure(0.1), "d": wide}}
    )
    letters = {row.key: row.letters for row in some["one"]}
    assert set(letters["a"]) & set(letters["b"]) and set(letters["d"]) & set(letters["c"])
    assert not set(letters["a"]) & set(letters["c"]), "those that share none are told apart"
    assert [row.key for row in some["one"]][2:] == ["d", "c"]
    assert panels_in_words.leader(some["one"])[1] is False
    clear = panels_in_words.ranked({"two": {"a": sure(0.9), "c": sure(0.1)}})["two"]
    assert panels_in_words.leader(clear) == ("a", True)


def test_sweep_panels_include_noiseless_references():
    asked = grid()
    some = [run for one in runs(asked) for run in one.results]
    quiet = [
        replace(result("class-mean", float("inf"), 0, 0.9), spec=view.spec("class-mean"))
        for view in asked.views
    ]
    assert list(panels.varied(some)) == ["ir", "records", "method"]
    chart = panels.of_results([*some, *quiet], "ir", "records", "balanced")
    assert [one.title for one in chart.panels][:2] == [
        "IR 1 · 100 per class",
        "IR 50 · 100 per class",
    ]
    assert all(len(one.curve.lines) == 2 and one.curve.references for one in chart.panels)
    by_method = panels.of_results([*some, *quiet], "method", "", "balanced")
    assert [one.title for one in by_method.panels] == ["DPPL-Mean", "DPPL-Public"]
    assert all(len(one.curve.lines) == 1 and one.curve.references for one in by_method.panels)
    gone = panels.of_results([r for r in some if (r.spec.ir, r.spec.records) != (1, 0)],
                             "ir", "records", "balanced")  # fmt: skip
    assert gone.panels[2].reason == panels.MISSING and not gone.panels[2].curve.lines
