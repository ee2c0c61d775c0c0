from dataclasses import replace

from dpviz.text import maps as text
from dpviz.text import sweeps
from dpviz.views import maps_page, sweeps_page
from tests.kit.charts import result


def sweep():
    """A window of 2 × 3 at two budgets with two seeds, better the wider; one other ratio."""
    runs = [
        (low, high, budget, result("dppl-public", budget, seed, high - low + budget / 100))
        for low in (1.3, 1.2)
        for high in (1.5, 1.6, 1.9)
        for budget in (0.1, 1.0)
        for seed in (0, 1)
    ]
    some = [
        replace(run, spec=replace(run.spec, params=(("d_max", high), ("d_min", low))))
        for low, high, _, run in runs
    ]
    return [*some, replace(some[-1], spec=replace(some[-1].spec, ir=50.0))]


def test_two_settings_form_map_around_current_run():
    runs = sweep()
    assert list(sweeps_page.varied_settings(runs, "dppl-public")) == ["d_min", "d_max", "ir"]
    assert not sweeps_page.varied_settings(runs, "class-mean")
    asked = sweeps_page.comparison_of(runs, runs[0].spec, 1.0, "d_min", "d_max")
    chart = asked.map("balanced")
    assert chart.rows.labels == ("1.2", "1.3") and chart.columns.labels == ("1.5", "1.6", "1.9")
    assert (chart.best, chart.current, len(chart.points)) == ((0, 2), (1, 0), 6)
    assert {point.runs for point in chart.points.values()} == {2}, "the other ratio is not in it"
    said, _ = maps_page.compared(chart, asked, ())
    fields = {"method": "DPPL-Public", "cell": "score range 1.2–1.9", "group": "all classes"}
    assert text.ANSWERS["best"].fill(True, **fields, best=chart.points[chart.best]) in said
    assert text.COMPARED["same"].fill(True, fixed="(1, 1e-5)-DP and IR 10") in said
    assert text.COMPARED["best"].fill(True, worse=chart.worse, others=5) in said and "**71%" in said
    asked = sweeps_page.comparison_of(runs, runs[-1].spec, 1.0, "d_min", "ir")
    missing = asked.map("balanced")
    assert not chart.fact and missing.fact, "nobody chooses how unequal the data is"
    for said in maps_page.compared(missing, asked, ()):
        assert text.COMPARED["fact"].fill(True) in said and "highest" not in said
    for words in (lambda shown: maps_page.caption(shown, True), lambda shown: str(shown.figure())):
        assert ("★" in words(chart)) == chart.has_winner and "★" not in words(missing)
    assert missing.current == (0, 1) and missing.reasons == {(1, 1): sweeps.NOT_IN_SWEEP}


def test_one_setting_gives_distinct_line_per_value():
    runs = sweep()
    asked = sweeps_page.comparison_of(runs, runs[0].spec, 1.0, "d_max", "")
    lines = asked.lines("balanced")
    assert [line.title for line in lines.lines] == ["d_max 1.5", "d_max 1.6", "d_max 1.9"]
    assert lines.budgets == (0.1, 1.0) and lines.seeds == 2
    drawn = [t for t in lines.figure(1.0).to_dict()["data"] if "d_max" in (t.get("name") or "")]
    looks = {(t["line"]["color"], t["line"]["dash"]) for t in drawn}
    assert len(looks) == 3
    _, told = maps_page.compared(asked.map("balanced"), asked, ())
    assert "with **d\\_max 1\\.9, ε 1**" in told
